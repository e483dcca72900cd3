#pragma once
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "gyre/relation/join/body_join.h"
#include "gyre/relation/storage/digraph.h"

namespace gyre {

/// Joins binary atoms whose variables form cycles, such as triangles, variable by variable: the
/// values of the next one are the intersection of the neighbours of those bound before, found from
/// the fewest of them. So no more work is done than the largest possible result (worst-case optimal
/// join; Ngo, Re and Rudra 2013).
class CyclicJoin {
 public:
  /// Whether a body is such a join: connected, with a cycle, over atoms of two distinct variables
  /// and numbers small enough for arrays.
  static bool fits(const NormalBody& body, std::span<const Relation> relations);

  /// Of a body that fits; it and the relations must outlive this.
  CyclicJoin(const NormalBody& body, std::span<const Relation> relations, FixpointMeter& meter);

  /// Yields `body.out` for every binding. The sink must not insert into relations of the body.
  void run(BodyJoin::Sink sink);

 private:
  static constexpr int64_t kBuffered = 256;

  // An atom between a variable and one bound before.
  struct Constraint {
    const Digraph* graph;  // from the earlier variable
    size_t level;          // of the earlier variable
    bool marks = false;    // neighbours are marked when the earlier variable is bound
    std::vector<uint32_t> marked{};
    uint32_t mark = 0;
  };
  struct Level {
    uint32_t variable;
    std::vector<Constraint> constraints{};
    std::vector<const Literal*> checks{};
  };
  struct Adjacency {
    Digraph forward{}, backward{};
  };

  void load();
  void order_variables();
  void add_level(uint32_t variable);
  void mark(size_t level, uint32_t value);
  void visit(size_t level);
  bool bind(size_t level, uint32_t value);
  [[nodiscard]] bool holds(const Literal& check) const;
  void emit();
  void flush();
  [[nodiscard]] uint32_t value_of(const Term& term) const {
    return term.variable ? values_[term.value] : term.value;
  }

  const NormalBody& body_;
  std::span<const Relation> relations_;
  FixpointMeter& meter_;
  uint32_t nodes_ = 0;
  std::map<int, Adjacency> graphs_{};
  std::vector<Level> levels_{};
  std::vector<uint32_t> values_{}, buffer_{};
  int64_t buffered_ = 0;
  const BodyJoin::Sink* sink_ = nullptr;
  bool done_ = false;
};

}  // namespace gyre
