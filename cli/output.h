#pragma once
#include <fmt/core.h>

#include <string>
#include <string_view>

#include "gyre/io/json.h"

namespace gyre {

/// Exit codes.
enum ExitCode : int { kDone = 0, kFailed = 1, kWrongUse = 2, kInterrupted = 130 };

/// Thrown when the reader of the output has closed the pipe.
struct ClosedPipe {};

/// The standard output of a command. Throws Error{io} when a write fails, and ClosedPipe.
class Output {
 public:
  Output();

  void text(std::string_view text);
  /// Text of a model or a file, unchanged, except that control characters are escaped on a
  /// terminal.
  void data(std::string_view data);
  template <class... T>
  void print(fmt::format_string<T...> format, T&&... values) {
    text(fmt::format(format, std::forward<T>(values)...));
  }
  /// Prints one JSON value and a newline.
  void json(const Json& value);
  /// Ends an unfinished line and flushes, so that an error message starts on a line of its own.
  /// Failures are ignored.
  void end_line() noexcept;
  /// Flushes standard output.
  void flush();
  [[nodiscard]] bool terminal() const { return terminal_; }
  /// A heading: bold on a terminal unless NO_COLOR is set.
  [[nodiscard]] std::string heading(std::string_view text) const;

 private:
  [[noreturn]] void fail();
  bool terminal_, colours_, in_line_ = false;
};

/// Why a command failed. Unknown fields are "".
struct Complaint {
  ExitCode exit;
  std::string code;              ///< "usage", or the name of an Error's code
  std::string op;                ///< the op or component that failed
  std::string message, hint;     ///< what is wrong and how to fix it
  std::string expected, actual;  ///< the expected and the actual value
};

/// {"error": {"code", "op", "message", "expected", "actual", "hint"}}. Invalid UTF-8 is replaced.
[[nodiscard]] Json error_json(const Complaint& complaint);

/// Writes one line to standard error, "gyre: op: message (hint)" or, as `json`, its
/// error_json(), and returns the exit code.
int complain(const Complaint& complaint, bool json);

/// What complain() would write for Ctrl-C is written when it ends the process.
void complain_when_interrupted(bool json);
/// The same, and the line of standard output that has begun ends.
void end_line_when_interrupted();

}  // namespace gyre
