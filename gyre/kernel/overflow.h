#pragma once
#include <cstdint>
#include <span>

#include "gyre/base/record.h"

namespace gyre {

/// What a call does whose results are not finite although its operands are: `ieee` returns them;
/// with `error`, which reads all results, it is an Error{numeric} naming the op and the element.
enum class OverflowMode : uint8_t { ieee, error };
inline constexpr const char* kOverflowModeNames[] = {"ieee", "error"};
template <>
inline constexpr std::span<const char* const> kChoices<OverflowMode> = kOverflowModeNames;

/// The mode of this thread, at first ieee. It applies to every call of an op, also in backward and
/// in place, where the tensor has been written when the error is thrown. Infinities that a call
/// gets, as an operand or an attribute, are allowed.
OverflowMode overflow_mode() noexcept;
void set_overflow_mode(OverflowMode mode) noexcept;

/// Sets the mode of this thread in this scope.
class OverflowScope {
 public:
  [[nodiscard]] explicit OverflowScope(OverflowMode mode) : before_(overflow_mode()) {
    set_overflow_mode(mode);
  }
  ~OverflowScope() { set_overflow_mode(before_); }
  OverflowScope(const OverflowScope&) = delete;
  OverflowScope& operator=(const OverflowScope&) = delete;

 private:
  OverflowMode before_;
};

}  // namespace gyre
