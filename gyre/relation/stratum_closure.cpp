#include <algorithm>

#include "gyre/relation/closure/reachability.h"
#include "gyre/relation/matrix/bit_table.h"
#include "gyre/relation/matrix/close_rows.h"
#include "gyre/relation/stratum.h"

namespace gyre {

// Closures are over arrays with an element for each number up to the largest.
bool Stratum::is_compact(const ClosurePattern& pattern, int head) {
  int64_t edges = relation(head).size();
  std::vector<EdgeSource> sources{{&relation(head)}};
  for (const ChainFactor& step : pattern.steps) {
    sources.push_back({&relation(step.relation)});
    edges += relation(step.relation).size();
  }
  const uint64_t nodes = node_count(sources);
  return nodes <= uint64_t{1} << 28 && nodes <= 64 * static_cast<uint64_t>(edges) + (1 << 16);
}

bool Stratum::evaluate_closure(const Group& group) {
  const int head = group[0]->head;
  if (!options_.closures || options_.limits.iterations <= 1 || !added_.empty()) return false;
  if (relation(head).arity() != 2) return false;
  std::vector<const NormalBody*> bodies;
  for (const StratumRule* rule : group) {
    if (rule->head != head) return false;
    bodies.push_back(&rule->body);
  }
  const std::optional<ClosurePattern> pattern = closure_pattern(bodies, head);
  if (!pattern || (pattern->two_sided && relation(head).size() > 0)) return false;
  const bool copies = pattern->copies && relation(head).size() == 0;
  if (!is_compact(*pattern, head)) return false;
  meter_.set_rule(group[0]->number);
  meter_.add_iteration();
  if (!copies) {
    make_rows(head);
    for (StratumRule* rule : group) {
      if (rule->recursive.empty()) run(*rule, -1, {});
    }
    // they may have added large numbers
    if (!is_compact(*pattern, head)) return false;
  }
  for (const StratumRule* rule : group) {
    meter_.set_rule(rule->number);
    if (!rule->recursive.empty()) {
      explain(*rule, "closure: strongly connected components", false);
    } else if (copies) {
      explain(*rule, "closure: copied", false);
    }
  }
  close(*pattern, head);
  return true;
}

void Stratum::close(const ClosurePattern& pattern, int head) {
  Relation& closed = relation(head);
  const int64_t known = closed.size();
  const bool copies = pattern.copies && known == 0;
  std::vector<EdgeSource> steps, start{{&closed}};
  for (const ChainFactor& step : pattern.steps) {
    steps.push_back({&relation(step.relation), step.reversed});
  }
  if (pattern.kind == ClosurePattern::both) {
    if (!copies) steps = start;
    const std::vector<EdgeSource> upright = steps;
    for (const EdgeSource& step : upright) {
      const EdgeSource reversed{step.relation, !step.reversed};
      if (pattern.symmetric) steps.push_back(reversed);
    }
  }
  std::vector<EdgeSource> all = steps;
  if (!copies) all.push_back(start[0]);
  const uint64_t nodes = node_count(all);
  const ReachabilityBudget budget{meter_, bytes(), known};
  const Digraph step_graph = make_digraph(steps, nodes);
  auto result = [&]() -> RowSets {
    if (copies || pattern.kind == ClosurePattern::both) {
      return reachability(step_graph, step_graph, budget);
    }
    const Digraph first = make_digraph(start, nodes);
    if (pattern.kind == ClosurePattern::left) return reachability(step_graph, first, budget);
    // The closure of the steps alone is not a result: its pairs are not counted.
    const ReachabilityBudget unlimited{meter_, bytes(),
                                       step_graph.nodes() * int64_t{step_graph.nodes()}};
    const RowSets closure = reachability(step_graph, step_graph, unlimited);
    return extended(first, closure, budget);
  }();
  meter_.add_tuples(result.size() - known);
  closed.replace(std::move(result));
  indexes_.drop(head);
}

// Adds what stands before T in the products of the rules T <- X · T to `steps`; whether any is new.
bool Stratum::add_steps(const Group& group, SparseRows& steps) {
  const BitTiles& tiles = bit_tiles();
  std::vector<uint64_t> fresh(static_cast<size_t>(steps.matrix().words()));
  bool any = false;
  for (const StratumRule* rule : group) {
    if (rule->recursive.empty()) continue;
    meter_.set_rule(rule->number);
    std::vector<ProductFactor> before;
    for (size_t f = 0; f + 1 < rule->chain->factors.size(); ++f) {
      before.push_back(factors_->get(rule->chain->factors[f]));
    }
    const SparseRows& product = product_->multiply(std::move(before));
    if (meter_.limits_bytes()) meter_.check_bytes(bytes() + steps.matrix().bytes());
    for (uint32_t r : product.used()) {
      const uint64_t* row = product.matrix().row(r);
      any |= tiles.merge(steps.use(r), fresh.data(), row, steps.matrix().words()) > 0;
    }
  }
  return any;
}

bool Stratum::evaluate_nested_closure(const Group& group) {
  constexpr uint32_t kMostNodes = 1 << 13;  // beyond it, rounds over what is new cost less
  const int head = group[0]->head;
  if (!options_.closures || options_.limits.iterations <= 1 || !added_.empty()) return false;
  if (relation(head).layout() != RelationLayout::bits || bound_ > kMostNodes) return false;
  bool recursive = false;
  for (const StratumRule* rule : group) {
    if (rule->head != head) return false;
    if (rule->recursive.empty()) continue;
    recursive = true;
    if (!rule->chain || rule->chain->irreflexive || rule->chain->factors.size() < 2) return false;
    const ChainFactor& last = rule->chain->factors.back();
    if (last.relation != head || last.reversed) return false;
  }
  if (!recursive) return false;
  meter_.set_rule(group[0]->number);
  meter_.add_iteration();
  for (StratumRule* rule : group) {
    if (rule->recursive.empty()) run(*rule, -1, {});
  }
  Relation& closed = relation(head);
  SparseRows steps(product_->nodes(), product_->nodes());
  while (add_steps(group, steps)) {
    meter_.add_iteration();
    const int64_t added = close_rows(steps, closed.bits(), meter_);
    closed.set_bits_size(closed.size() + added);
    meter_.add_tuples(added);
  }
  for (const StratumRule* rule : group) {
    if (!rule->recursive.empty()) explain(*rule, "closures of a product of bit matrices", true);
  }
  return true;
}

}  // namespace gyre
