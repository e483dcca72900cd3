#pragma once
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace gyre {

/// Category of an error. `unsupported`: not implemented anywhere; `unavailable`: not on this
/// machine or in this build; `resource`: memory or a limit.
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

/// The name of a code as in the list above.
const char* code_name(Code code) noexcept;

/// The exception type of gyre. `what()` is "op: message"; `expected` and `actual` hold the two
/// values that did not match (shapes, dtypes, devices), empty if not applicable.
struct Error : std::runtime_error {
  Error(Code code, std::string_view op, const std::string& message, std::string expected = {},
        std::string actual = {});
  Code code;
  std::string op, expected, actual;
};

}  // namespace gyre
