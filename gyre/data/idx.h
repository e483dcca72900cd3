#pragma once
#include <string>

#include "gyre/tensor/tensor.h"

namespace gyre {

/// The array in an IDX file (the format of MNIST: a magic number that tells type and rank, sizes,
/// elements, all big-endian), plain or compressed by gzip. Types u8, i8, i16, i32, f32, f64.
/// Errors: io; parse, naming the file, when it is no such file or its length is not what its
/// header says.
Tensor read_idx(const std::string& path);

}  // namespace gyre
