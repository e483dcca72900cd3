#pragma once
#include <fmt/core.h>

#include <string_view>

#include "gyre/io/json.h"

namespace gyre {

/// Thrown when whoever reads our output has gone: nothing is left to do.
struct ClosedPipe {};

/// The standard output of a command. Errors: io, when it cannot be written; ClosedPipe.
class Output {
 public:
  Output();

  void text(std::string_view text);
  template <class... T>
  void print(fmt::format_string<T...> format, T&&... values) {
    text(fmt::format(format, std::forward<T>(values)...));
  }
  /// One JSON value on a line of its own.
  void json(const Json& value);
  /// Everything so far reaches the reader now.
  void flush();
  [[nodiscard]] bool terminal() const { return terminal_; }
  /// A heading: bold on a terminal, where NO_COLOR is not set.
  [[nodiscard]] std::string heading(std::string_view text) const;

 private:
  [[noreturn]] void fail();
  bool terminal_, colours_;
};

}  // namespace gyre
