#include "gyre/relation/matrix/matrix_domain.h"

#include <algorithm>

namespace gyre {

uint64_t number_bound(std::span<const Relation> relations,
                      std::span<const NormalBody* const> bodies, std::span<const int> heads) {
  std::vector<bool> counted(relations.size());
  uint64_t bound = 0;
  auto count = [&](int number) {
    if (counted[static_cast<size_t>(number)]) return;
    counted[static_cast<size_t>(number)] = true;
    const Relation& relation = relations[static_cast<size_t>(number)];
    if (relation.layout() == RelationLayout::bits) {
      bound = std::max<uint64_t>({bound, relation.bits().rows(), relation.bits().columns()});
    } else if (relation.layout() == RelationLayout::sets) {
      bound = std::max<uint64_t>({bound, relation.sets().rows(), relation.sets().universe()});
    } else {
      relation.for_each([&](const uint32_t* tuple) {
        for (int c = 0; c < relation.arity(); ++c)
          bound = std::max<uint64_t>(bound, tuple[c] + uint64_t{1});
      });
    }
  };
  for (int head : heads) count(head);
  for (const NormalBody* body : bodies) {
    for (const Literal& atom : body->atoms) count(atom.relation);
    for (const Term& term : body->out) {
      if (!term.variable) bound = std::max<uint64_t>(bound, term.value + uint64_t{1});
    }
  }
  return bound;
}

}  // namespace gyre
