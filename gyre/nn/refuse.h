#pragma once
#include "gyre/base/error.h"

namespace gyre::nn {

/// Throws Error{value} for an invalid option of a layer.
[[noreturn]] inline void refuse_option(const char* layer, const char* option, const Message& value,
                                       const Message& wanted) {
  throw Error(Code::value, layer, {option, " must be ", wanted, ", got ", value}, wanted, value);
}

}  // namespace gyre::nn
