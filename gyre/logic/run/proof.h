#pragma once
#include <memory>

#include "gyre/logic/run/store.h"
#include "gyre/relation/body_search.h"

namespace gyre::logic {

/// Finds proofs of least height. The height of a fact is 0, that of a derived tuple one above the
/// largest in the body of its rule.
class Prover {
 public:
  /// Proofs are nested as deep as they are high, and so is what shows them: JSON twice, of which
  /// readers such as Python's take 1000.
  static constexpr int kMostHeight = 400;
  /// A proof repeats what it needs more than once.
  static constexpr int64_t kMostAtoms = 1'000'000;

  /// Of tuples that answer the query at `place`. The store must not change meanwhile.
  Prover(Store& store, const Sources& sources, Place place)
      : store_(store), sources_(sources), place_(place) {}
  /// Error{value} when the tuple does not hold. Refuses a proof of more than kMostHeight or
  /// kMostAtoms (R02), and what passes a limit of the run.
  Proof prove(int entity, const std::vector<uint32_t>& tuple);

 private:
  // The tuples of an entity by height.
  struct Heights {
    int relation = -1;               // in the order of their heights
    std::vector<int64_t> ends{};     // of each height
    std::vector<uint32_t> sorted{};  // rows, by their tuples

    [[nodiscard]] int64_t begin(size_t height) const { return height == 0 ? 0 : ends[height - 1]; }
  };
  void find_heights(int entity);
  void add_to_cone(int entity);
  bool next_height();
  void derive(const HornRule& rule, int changed, Relation& found);
  [[nodiscard]] Relation& rows(const Heights& of) {
    return store_.relations()[static_cast<size_t>(of.relation)];
  }
  int height(int entity, std::span<const uint32_t> tuple);
  [[nodiscard]] int cone_entity(const Literal& l) const;
  Proof proof(int entity, const std::vector<uint32_t>& tuple);
  bool prove_by(int entity, const ReadyRule& rule, const std::vector<uint32_t>& tuple,
                Proof& proof);
  std::string atom(int entity, std::span<const uint32_t> tuple) const;

  Store& store_;
  const Sources& sources_;
  Place place_;
  std::map<int, Heights> cone_{};           // entities that the proved ones depend on
  std::map<int, int> entities_{};           // of the cone, by relation in the store
  std::unique_ptr<RelationScope> scope_{};  // of the cone's relations by height
  std::unique_ptr<BodySearch> search_{};
  int64_t atoms_ = 0;
};

}  // namespace gyre::logic
