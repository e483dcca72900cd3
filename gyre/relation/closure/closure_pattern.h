#pragma once
#include <optional>
#include <span>
#include <vector>

#include "gyre/relation/join/chain_rule.h"

namespace gyre {

/// Rules of one binary relation T that make it a closure of other relations E, whose base rules
/// give T a start T0.
struct ClosurePattern {
  enum Kind : uint8_t {
    right,  ///< T <- T · E: T0 · E*
    left,   ///< T <- E · T: E* · T0
    both    ///< T <- T · T: T0+
  };
  Kind kind;
  bool symmetric = false;            ///< T(x, y) <- T(y, x), only with `both`
  std::vector<ChainFactor> steps{};  ///< E; with `both`, what the base rules copy
  bool two_sided = false;   ///< T <- T · E and T <- E · T: a closure only if T is empty first
  std::vector<int> base{};  ///< base rules, as positions in the list
  bool copies = false;      ///< all that the base rules do is copying `steps` into T
};

/// The pattern of the rules with this head, given as normal bodies, if they have one. None of the
/// bodies may be `never`.
std::optional<ClosurePattern> closure_pattern(std::span<const NormalBody* const> rules, int head);

}  // namespace gyre
