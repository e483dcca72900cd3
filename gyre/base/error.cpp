#include "gyre/base/error.h"

#include <fmt/format.h>

namespace gyre {

const char* code_name(Code code) noexcept {
  static constexpr const char* kNames[] = {"shape", "dtype",       "device",      "index",
                                           "value", "unsupported", "unavailable", "io",
                                           "parse", "numeric",     "resource",    "internal"};
  return kNames[static_cast<int>(code)];
}

Message::Message(double n) : text(fmt::format("{}", n)) {}

Error::Error(Code c, std::string_view o, const Message& message, const Message& e, const Message& a)
    : std::runtime_error(o.empty() ? message.text : std::string(o) + ": " + message.text),
      code(c),
      op(o),
      expected(e.text),
      actual(a.text) {}

Error mismatch(Code code, std::string_view op, const Message& requirement, const Message& expected,
               const Message& actual) {
  return {code, op, {requirement, ", got ", actual}, expected, actual};
}

}  // namespace gyre
