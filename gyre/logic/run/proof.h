#pragma once
#include "gyre/logic/run/store.h"

namespace gyre::logic {

/// Finds proofs of least height. The height of a fact is 0, that of a derived tuple one above the
/// largest in the body of its rule.
class Prover {
 public:
  Prover(Store& store, const Sources& sources) : store_(store), sources_(sources) {}
  /// Error{value} when the tuple does not hold.
  Proof prove(int entity, const std::vector<uint32_t>& tuple);

 private:
  using Levels = std::vector<Relation>;  // by height: the tuples whose least height it is
  void find_levels(int entity);
  void add_to_cone(int entity);
  bool next_level();
  void derive(const HornRule& rule, int changed, Relation& found);
  [[nodiscard]] int height(int entity, std::span<const uint32_t> tuple) const;
  Proof proof(int entity, const std::vector<uint32_t>& tuple);
  bool prove_by(int entity, const ReadyRule& rule, const std::vector<uint32_t>& tuple,
                Proof& proof);
  std::string atom(int entity, std::span<const uint32_t> tuple) const;

  Store& store_;
  const Sources& sources_;
  std::map<int, Levels> levels_;  // of the entities that the proved ones depend on
  std::vector<Relation> known_;   // by number of a relation: what is derived so far
  std::map<int, int> fresh_,
      complete_;  // entities and their relations of the last level, of all tuples
};

}  // namespace gyre::logic
