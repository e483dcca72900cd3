#pragma once
#include <span>
#include <string>
#include <string_view>

namespace gyre {

/// A child process with pipes to its standard input and output; it shares our standard error. The
/// destructor closes the pipes and waits for the process to end.
class ChildProcess {
 public:
  /// `arguments[0]` is looked up in PATH. Errors: io, when it cannot be started.
  explicit ChildProcess(std::span<const std::string> arguments);
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess();

  /// Writes to its standard input. Errors: io, when the child has closed it (in programs that
  /// called end_when_interrupted(); others are killed by SIGPIPE).
  void write(std::string_view bytes);
  /// Closes its standard input.
  void end_input() noexcept;
  /// The next line without its newline; false at the end of the output. Errors: io.
  bool read_line(std::string& line);
  /// The rest of the output. Errors: io.
  std::string read_all();
  /// Waits for the end; the exit code (128 + n if ended by signal n).
  int wait() noexcept;

 private:
  bool fill();

  std::string name_, buffer_;
  int input_ = -1, output_ = -1, code_ = -1;
  long process_ = -1;
};

}  // namespace gyre
