#pragma once
#include "gyre/logic/run/store.h"

namespace gyre::logic {

/// Why an atom holds: by a fact, or by a rule whose body holds for these atoms.
struct Proof {
  std::string atom;
  const RuleSite* rule = nullptr;  ///< null: a fact, a negated atom or a condition on numbers
  std::vector<Proof> because{};
  /// Rules on the longest path down.
  [[nodiscard]] int height() const;
};

/// Finds proofs of least height. The height of a fact is 0, that of a derived tuple one above the
/// largest in the body of its rule.
class Prover {
 public:
  explicit Prover(Store& store) : store_(store) {}
  /// Error{value} when the tuple does not hold.
  Proof prove(int entity, const std::vector<uint32_t>& tuple);

 private:
  using Levels = std::vector<Relation>;  // by height: the tuples whose least height it is
  void find_levels(int entity);
  void add_to_cone(int entity);
  bool next_level();
  void derive(int entity, const HornRule& rule, int changed, Relation& found);
  [[nodiscard]] int height(int entity, std::span<const uint32_t> tuple) const;
  Proof proof(int entity, const std::vector<uint32_t>& tuple);
  bool prove_by(int entity, const ReadyRule& rule, const std::vector<uint32_t>& tuple,
                Proof& proof);
  std::string atom(int entity, std::span<const uint32_t> tuple) const;

  Store& store_;
  std::map<int, Levels> levels_;  // of the entities that the proved ones depend on
  std::vector<Relation> known_;   // by number of a relation: what is derived so far
  std::map<int, int> fresh_,
      complete_;  // entities and their relations of the last level, of all tuples
};

}  // namespace gyre::logic
