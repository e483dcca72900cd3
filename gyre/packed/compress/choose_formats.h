#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "gyre/base/function_ref.h"
#include "gyre/packed/compress/compress.h"

// Formats for a file of a given size: those with the least error.

namespace gyre {

/// What a tensor takes and loses in a format.
struct FormatOption {
  int64_t bytes = 0;
  double error = 0;  ///< expected sum of squared differences
};

/// For each item the index of one of its options, so that the errors add up to the least with at
/// most `most` bytes in all. Exact for a few items; for many, sums of bytes that differ by less
/// than a thousandth are taken for equal. The options of the fewest bytes if nothing fits.
std::vector<size_t> least_error(std::span<const std::vector<FormatOption>> items, int64_t most);

/// Sets the formats of the free tensors of a plan: of D4, D3, D2, D1 and q8_0 those with the least
/// expected error (the error of a format, squared, times the sum of squares of the weights and the
/// sensitivity) of which a file of at most `most` bytes can be made. `file_bytes()` is the length
/// of the plan's file, headers and tensors that stay included. Returns the length; it is above
/// `most` if no formats are small enough: then it is the smallest there is.
uint64_t choose_formats(std::vector<PlannedTensor>& plan, uint64_t most,
                        FunctionRef<uint64_t()> file_bytes);

}  // namespace gyre
