#pragma once
#include "gyre/base/error.h"

namespace gyre {

/// Throws Error{value} of `train`.
[[noreturn]] inline void refuse_training(const Message& message, const Message& expected = {},
                                         const Message& actual = {}) {
  throw Error(Code::value, "train", message, expected, actual);
}

}  // namespace gyre
