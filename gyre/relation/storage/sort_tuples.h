#pragma once
#include <cstdint>
#include <vector>

namespace gyre {

/// Sorts row-major tuples of `arity` numbers in lexicographic order. Their number must be a
/// multiple of the arity.
void sort_tuples(std::vector<uint32_t>& tuples, int arity);

}  // namespace gyre
