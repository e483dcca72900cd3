#pragma once
#include "gyre/op/op_def.h"

// Where elements of any dtype are not zero.

namespace gyre {

int64_t count_nonzero(const View& x);

/// Bytes of scratch that write_nonzero needs.
size_t nonzero_scratch(const Shape& x);

/// For the j-th element that is not zero, in row-major order: its coordinates at
/// out[j * rank], ..., or, with strides, their sum times those at out[j].
void write_nonzero(const View& x, std::byte* scratch, const int64_t* strides, int64_t* out);

}  // namespace gyre
