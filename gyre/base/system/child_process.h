#pragma once
#include <span>
#include <string>
#include <string_view>

namespace gyre {

/// Another program that reads what we write and whose standard output we read; its standard error
/// is ours. Its pipes are closed and its end awaited by the destructor.
class ChildProcess {
 public:
  /// `arguments[0]` is looked for in PATH. Errors: io, when it cannot be started.
  explicit ChildProcess(std::span<const std::string> arguments);
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess();

  /// Writes to its standard input. Errors: io, when it reads no more (for programs that called
  /// end_when_interrupted(); others are ended by the signal).
  void write(std::string_view bytes);
  /// Nothing more is written.
  void end_input() noexcept;
  /// The next line without its newline; false at the end of its output. Errors: io.
  bool read_line(std::string& line);
  /// The rest of its output. Errors: io.
  std::string read_all();
  /// Its exit code, once it has ended (128 + the signal that ended it).
  int wait() noexcept;

 private:
  bool fill();

  std::string name_, buffer_;
  int input_ = -1, output_ = -1, code_ = -1;
  long process_ = -1;
};

}  // namespace gyre
