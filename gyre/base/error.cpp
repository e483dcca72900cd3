#include "gyre/base/error.h"

#include <utility>

namespace gyre {

const char* code_name(Code code) noexcept {
  static constexpr const char* kNames[] = {"shape", "dtype",       "device",      "index",
                                           "value", "unsupported", "unavailable", "io",
                                           "parse", "numeric",     "resource",    "internal"};
  return kNames[static_cast<int>(code)];
}

Error::Error(Code c, std::string_view o, const std::string& message, std::string e, std::string a)
    : std::runtime_error(o.empty() ? message : std::string(o) + ": " + message),
      code(c),
      op(o),
      expected(std::move(e)),
      actual(std::move(a)) {}

Error mismatch(Code code, std::string_view op, const std::string& requirement, std::string expected,
               const std::string& actual) {
  return {code, op, requirement + ", got " + actual, std::move(expected), actual};
}

}  // namespace gyre
