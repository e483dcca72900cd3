#pragma once
#include <fmt/core.h>

#include <string_view>

#include "gyre/io/json.h"

namespace gyre {

/// Thrown when the reader of the output has closed the pipe.
struct ClosedPipe {};

/// The standard output of a command. Throws Error{io} when a write fails, and ClosedPipe.
class Output {
 public:
  Output();

  void text(std::string_view text);
  template <class... T>
  void print(fmt::format_string<T...> format, T&&... values) {
    text(fmt::format(format, std::forward<T>(values)...));
  }
  /// Prints one JSON value and a newline.
  void json(const Json& value);
  /// Flushes standard output.
  void flush();
  [[nodiscard]] bool terminal() const { return terminal_; }
  /// A heading: bold on a terminal unless NO_COLOR is set.
  [[nodiscard]] std::string heading(std::string_view text) const;

 private:
  [[noreturn]] void fail();
  bool terminal_, colours_;
};

}  // namespace gyre
