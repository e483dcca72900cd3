#pragma once
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace gyre {

/// What kind of thing went wrong. `unsupported` can never work; `unavailable` does not work on this
/// machine or in this build; `resource` is memory or a limit.
enum class Code : uint8_t {
  shape,
  dtype,
  device,
  index,
  value,
  unsupported,
  unavailable,
  io,
  parse,
  numeric,
  resource,
  internal
};

/// The lower-case name of a code, as in the list above.
const char* code_name(Code code) noexcept;

/// The one exception of gyre. `what()` is "op: message"; `expected` and `actual` keep the two sides
/// that did not fit (shapes, dtypes, devices) as data, and are empty where there are none.
struct Error : std::runtime_error {
  Error(Code code, std::string_view op, const std::string& message, std::string expected = {},
        std::string actual = {});
  Code code;
  std::string op, expected, actual;
};

}  // namespace gyre
