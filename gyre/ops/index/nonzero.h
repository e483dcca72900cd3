#pragma once
#include "gyre/op/op_def.h"

// Finds nonzero elements of any dtype.

namespace gyre {

int64_t count_nonzero(const View& x);

/// Bytes of scratch that write_nonzero needs.
size_t nonzero_scratch(const Shape& x);

/// For the j-th nonzero element in row-major order: writes its coordinates to out[j * rank], ...,
/// or, given strides, the offset (coordinates times strides) to out[j].
void write_nonzero(const View& x, std::byte* scratch, const int64_t* strides, int64_t* out);

}  // namespace gyre
