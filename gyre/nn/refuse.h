#pragma once
#include "gyre/base/error.h"

namespace gyre::nn {

/// Throws Error{value} for an invalid option of a layer.
[[noreturn]] inline void refuse_option(const char* layer, const char* option, const Message& value,
                                       const Message& wanted) {
  throw Error(Code::value, layer, {option, " must be ", wanted, ", got ", value}, wanted, value);
}

/// Throws Error{value} for a size or count below 1.
inline void require_some(const char* layer, const char* option, int64_t value) {
  if (value < 1) refuse_option(layer, option, value, "1 or more");
}

}  // namespace gyre::nn
