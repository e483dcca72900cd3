#pragma once
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>

namespace gyre {

/// Category of an error: what is wrong with a call.
enum class Code : uint8_t {
  shape,        ///< shapes or ranks that do not match each other or the op
  dtype,        ///< a dtype that the op does not take, or dtypes that do not match
  device,       ///< tensors on different devices, or an unknown name of a device
  index,        ///< an index or axis out of range, or a tensor name that is not in a file
  value,        ///< an argument or option that is invalid in any other way
  unsupported,  ///< a valid call that gyre does not implement, on any machine
  unavailable,  ///< a device, instruction set or library that this machine or build lacks
  io,           ///< a file that cannot be opened, read or written
  parse,        ///< content of a file or text that is damaged or not in the expected format
  numeric,      ///< a computation without a finite or unique result: NaN, a singular matrix
  resource,     ///< not enough memory, or a size above a limit
  internal      ///< a bug in gyre
};

/// The name of a code as in the list above.
const char* code_name(Code code) noexcept;

/// A text joined from its parts, such as {"axis ", axis, " of ", shape}: texts, numbers, and values
/// with a to_string() or name_of().
struct Message {
  Message() = default;
  Message(std::initializer_list<Message> parts) {
    for (const Message& part : parts) text += part.text;
  }
  Message(const std::convertible_to<std::string_view> auto& t) : text(t) {}
  Message(char c) : text(1, c) {}
  Message(std::integral auto n) : text(std::to_string(n)) {}
  Message(double n);
  template <class T>
    requires requires(const T& t) { to_string(t); }
  Message(const T& t) : text(to_string(t)) {}
  template <class T>
    requires requires(const T& t) { name_of(t); }
  Message(const T& t) : text(name_of(t)) {}
  std::string text;
};

/// The exception type of gyre. `what()` is "op: message", or the message where op is empty (files).
/// All texts are printable() (base/text/printable.h) and shortened in the middle above 2,000 bytes:
/// they may quote files. `expected` and `actual` hold the two values that did not match, empty if
/// not applicable.
struct Error : std::runtime_error {
  Error(Code code, std::string_view op, const Message& message, const Message& expected = {},
        const Message& actual = {});
  /// what() without "op: ".
  [[nodiscard]] std::string message() const { return what() + (op.empty() ? 0 : op.size() + 2); }
  Code code;
  std::string op, expected, actual;
};

/// The Error "op: requirement, got actual", such as "sum: axis must be below 2, got 3".
Error mismatch(Code code, std::string_view op, const Message& requirement, const Message& expected,
               const Message& actual);

}  // namespace gyre
