#pragma once
#include <optional>
#include <vector>

#include "gyre/relation/join/normal_body.h"

namespace gyre {

/// A binary relation as a factor of a product, possibly transposed.
struct ChainFactor {
  int relation;
  bool reversed;
};

/// A body that is a product of binary relations: H(x, z) <- A(x, y), B(y, z).
struct ChainRule {
  std::vector<ChainFactor> factors{};  ///< from the first variable of the head to the second
  std::vector<int> atoms{};            ///< the atom of the body that each factor is
  bool irreflexive = false;            ///< the two variables of the head must differ
};

/// The product that a body is, if it is one: binary atoms that form a path through distinct
/// variables between those of a binary head, with no other check than that these two differ.
std::optional<ChainRule> chain_rule(const NormalBody& body);

}  // namespace gyre
