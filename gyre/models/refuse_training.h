#pragma once
#include <string>
#include <utility>
#include "gyre/base/error.h"

namespace gyre {

/// Throws Error{value} of `train`.
[[noreturn]] inline void refuse_training(const std::string& message, std::string expected = {},
                                         std::string actual = {}) {
  throw Error(Code::value, "train", message, std::move(expected), std::move(actual));
}

}  // namespace gyre
