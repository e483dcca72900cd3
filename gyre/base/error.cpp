#include "gyre/base/error.h"

#include <fmt/format.h>

#include "gyre/base/text/printable.h"

namespace gyre {

const char* code_name(Code code) noexcept {
  static constexpr const char* kNames[] = {"shape", "dtype",       "device",      "index",
                                           "value", "unsupported", "unavailable", "io",
                                           "parse", "numeric",     "resource",    "internal"};
  return kNames[static_cast<int>(code)];
}

Message::Message(double n) : text(fmt::format("{}", n)) {}

namespace {

std::string shown(std::string_view text) {
  constexpr size_t kMost = 2000;
  return printable(shortened(text, kMost));
}

}  // namespace

Error::Error(Code c, std::string_view o, const Message& message, const Message& e, const Message& a)
    : std::runtime_error(o.empty() ? shown(message.text) : shown(o) + ": " + shown(message.text)),
      code(c),
      op(shown(o)),
      expected(shown(e.text)),
      actual(shown(a.text)) {}

Error mismatch(Code code, std::string_view op, const Message& requirement, const Message& expected,
               const Message& actual) {
  return {code, op, {requirement, ", got ", actual}, expected, actual};
}

}  // namespace gyre
