#include "gyre/relation/matrix/matrix_domain.h"

#include <algorithm>

namespace gyre {

uint64_t number_bound(std::span<const Relation> relations,
                      std::span<const NormalBody* const> bodies, std::span<const int> heads) {
  uint64_t bound = 0;
  auto count = [&](int number) {
    bound = std::max(bound, relations[static_cast<size_t>(number)].number_bound());
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
