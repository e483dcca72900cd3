#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "gyre/relation/join/index_cache.h"
#include "gyre/relation/join/normal_body.h"

namespace gyre {

/// One step of a nested-loop join: over the tuples of an atom that fit the variables bound so far,
/// or a check of bound variables.
struct JoinStep {
  enum Kind : uint8_t { scan, probe, test, absent, compare };
  Kind kind;
  bool delta = false;  ///< scan the new tuples instead of all
  bool once = false;   ///< no later step and no output needs its variables: one match is enough
  Literal literal{};
  uint32_t key = 0;                               ///< columns that are bound before (bits)
  std::vector<std::pair<int, uint32_t>> binds{};  ///< column and the variable that it binds
  std::vector<std::pair<int, int>> same{};        ///< columns that must be equal
};

/// The order of a join.
struct BodyPlan {
  std::vector<JoinStep> steps{};

  /// Such as "delta of 2; 0 by column 1; not 3".
  [[nodiscard]] std::string text() const;
};

/// Orders the atoms by the expected number of matches, the atom number `delta` (-1: none) first;
/// checks come as early as possible.
BodyPlan plan_body(const NormalBody& body, int delta, std::span<const Relation> relations,
                   const IndexCache& indexes);

}  // namespace gyre
