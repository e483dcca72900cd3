#pragma once
#include <string>

#include "gyre/tensor/tensor.h"

namespace gyre {

/// Reads an array from an IDX file (the format of MNIST: a magic number with dtype and rank, sizes,
/// elements, all big-endian), plain or gzip-compressed. Dtypes u8, i8, i16, i32, f32, f64. Errors:
/// io; parse, naming the file, if it is not an IDX file or its length does not match its header.
Tensor read_idx(const std::string& path);

}  // namespace gyre
