#pragma once
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gyre/relation/closure/closure_pattern.h"
#include "gyre/relation/fixpoint.h"
#include "gyre/relation/join/body_join.h"
#include "gyre/relation/join/body_plan.h"
#include "gyre/relation/join/index_cache.h"
#include "gyre/relation/matrix/chain_product.h"

namespace gyre {

/// A rule during the evaluation of its stratum.
struct StratumRule {
  NormalBody body{};
  int head = 0;
  int number = 0;                    ///< in the caller's list
  std::vector<int> recursive{};      ///< atoms whose relations grow while the rule is evaluated
  std::optional<ChainRule> chain{};  ///< if the body is a product
  bool multiplies = false;           ///< not recursive, and cheaper as a product of matrices
};

/// What is new in the relation of a head: rows since a position, or bits.
struct HeadDelta {
  int64_t begin = 0, end = 0;  ///< rows of the current delta
  SparseRows bits{}, next{};   ///< in the layout `bits`: the current delta and the one after it
  bool chained = false;        ///< all rules that use it are products
  bool multiplied = false;     ///< a rule of it is cheaper as a product of matrices

  [[nodiscard]] bool empty() const { return begin == end && bits.empty(); }
};

/// Evaluates rules: groups of heads that depend on each other, in the order of their dependence.
class Stratum {
 public:
  Stratum(std::span<Relation> relations, std::span<const HornRule> rules,
          const FixpointOptions& options);

  FixpointReport evaluate();
  /// See continue_fixpoint().
  FixpointReport evaluate_after(std::span<Relation> added);

 private:
  using Group = std::vector<StratumRule*>;

  // Checks a rule, and keeps it unless a comparison of constants in it is false.
  void add(const HornRule& rule, int number);
  void check_negation() const;
  void check_added(std::span<Relation> added) const;
  [[nodiscard]] std::vector<Group> groups();
  void evaluate_group(const Group& group);

  // The closure of the group's head, if it is one.
  bool evaluate_closure(const Group& group);
  bool is_compact(const ClosurePattern& pattern, int head);
  void close(const ClosurePattern& pattern, int head);

  // Rules T <- X · T of matrices, where X depends on T: closures by X until it stays.
  bool evaluate_nested_closure(const Group& group);
  bool add_steps(const Group& group, SparseRows& steps);

  // Semi-naive rounds.
  void begin_deltas(const Group& group);
  void first_round(const Group& group);
  void later_rounds(const Group& group);
  void advance();
  void collect_added(int head, const HeadDelta& delta);
  [[nodiscard]] bool is_cheaper_as_product(const StratumRule& rule) const;
  void choose_layout(int head, HeadDelta& delta, bool first);
  void make_matrix(int head, HeadDelta& delta);
  void make_rows(int number);
  [[nodiscard]] bool uses_products(const StratumRule& rule) const;
  void run(StratumRule& rule, int delta_atom, const JoinDelta& delta);
  void run_product(StratumRule& rule, int delta_atom, const JoinDelta& delta);
  int64_t insert(int relation, const uint32_t* tuples, int64_t count, int64_t expected = 0);
  [[nodiscard]] int64_t expected(int64_t found) const;
  void explain(const StratumRule& rule, const std::string& text, bool better);
  [[nodiscard]] int64_t bytes() const;
  Relation& relation(int number) { return relations_[static_cast<size_t>(number)]; }

  std::span<Relation> relations_;
  FixpointOptions options_;
  FixpointMeter meter_;
  IndexCache indexes_;
  BodyJoin join_;
  std::vector<bool> is_head_;
  std::vector<StratumRule> rules_{};
  std::span<Relation> added_{};        // when continuing
  std::map<int, HeadDelta> deltas_{};  // by head of the group under evaluation
  uint64_t bound_ = 0;                 // of the numbers of the group
  std::unique_ptr<FactorCache> factors_{};
  std::unique_ptr<ChainProduct> product_{};
  FixpointReport report_{};
};

}  // namespace gyre
