#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "gyre/relation/join/normal_body.h"

namespace gyre {

/// A bound of the numbers in the relations of some rules, of every arity, and in what they derive:
/// more than each number.
uint64_t number_bound(std::span<const Relation> relations,
                      std::span<const NormalBody* const> bodies, std::span<const int> heads);

}  // namespace gyre
