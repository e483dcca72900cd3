#include "gyre/relation/closure/reachability.h"

#include "gyre/relation/storage/set_union.h"

namespace gyre {
namespace {

// Bytes of the graphs, components and stamps of a closure.
int64_t working_bytes(const Digraph& a, const Digraph& b) {
  const int64_t edges = static_cast<int64_t>(a.targets.size() + b.targets.size());
  return edges * int64_t{sizeof(uint32_t)} + int64_t{a.nodes()} * 48;
}

void count_pairs(const RowSets& sets, const ReachabilityBudget& budget) {
  const int64_t found = sets.size() - budget.known_pairs;
  if (found > budget.meter.tuples_left()) budget.meter.add_tuples(found);  // throws
}

}  // namespace

RowSets reachability(const Digraph& steps, const Digraph& first, ReachabilityBudget budget) {
  const int64_t held = budget.held_bytes + working_bytes(steps, first);
  budget.meter.check_bytes(held);
  const StrongComponents components = strong_components(steps);
  LargeVector<uint32_t> taken_for(components.count(), UINT32_MAX), set_of(components.count());
  RowSets sets(steps.nodes(), first.nodes());
  SetUnion reached(first.nodes());
  const bool same = &steps == &first;
  for (uint32_t component = 0; component < components.count(); ++component) {
    reached.clear();
    taken_for[component] = component;
    int64_t work = 0;
    for (uint32_t node : components.nodes(component)) {
      if (!same) {
        for (uint32_t target : first.of(node)) reached.add(target);
      }
      for (uint32_t target : steps.of(node)) {
        const uint32_t next = components.of[target];
        if (taken_for[next] != component) {
          taken_for[next] = component;
          const uint32_t set = set_of[next];
          if (set != RowSets::kNoSet) {
            const NumberSet numbers = sets.set(set);
            reached.add(numbers);
            work += numbers.words ? numbers.word_count : numbers.count;
          }
        }
        if (same) reached.add(target);
      }
    }
    set_of[component] = reached.store(sets, budget.meter, held);
    if (set_of[component] != RowSets::kNoSet) {
      for (uint32_t node : components.nodes(component)) sets.assign(node, set_of[component]);
      count_pairs(sets, budget);
    }
    budget.meter.work(work + 8);
  }
  return sets;
}

RowSets extended(const Digraph& first, const RowSets& then, ReachabilityBudget budget) {
  const int64_t held = budget.held_bytes + working_bytes(first, first) + then.bytes();
  RowSets sets(first.nodes(), first.nodes());
  SetUnion reached(first.nodes());
  for (uint32_t node = 0; node < first.nodes(); ++node) {
    reached.clear();
    int64_t work = 1;
    for (uint32_t target : first.of(node)) {
      const NumberSet more = then.row(target);
      reached.add(more);
      reached.add(target);
      work += more.words ? more.word_count : more.count;
    }
    const uint32_t set = reached.store(sets, budget.meter, held);
    if (set != RowSets::kNoSet) {
      sets.assign(node, set);
      count_pairs(sets, budget);
    }
    budget.meter.work(work);
  }
  return sets;
}

}  // namespace gyre
