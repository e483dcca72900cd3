#include <algorithm>

#include "gyre/logic/run/store.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/reduce/reduce.h"

// Recursion by min= and max=.

namespace gyre::logic {
namespace {

using enum DiagnosticCode;

bool same_values(const Tensor& a, const Tensor& b) {
  return a.shape() == b.shape() && all(a.detach() == b.detach()).item() != 0;
}

bool is_recursive(const Lowered& equation, const std::vector<int>& entities) {
  return std::any_of(equation.reads.begin(), equation.reads.end(), [&](int read) {
    return std::find(entities.begin(), entities.end(), read) != entities.end();
  });
}

}  // namespace

// What the equations of an entity that read nothing of its component give together, and the initial
// value; empty if there are none.
Tensor Store::unchanging(int entity, const Component& component) {
  Cell& cell = cells_[static_cast<size_t>(entity)];
  Tensor total = initial(entity);
  for (Ready& ready : cell.equations) {
    if (is_recursive(ready.lowered, component.entities)) continue;
    const Tensor part = evaluate(ready, cell.dense.shape());
    total = total.defined() ? combined(ready.lowered.projection, total, part) : part;
  }
  return total;
}

void Store::no_fixpoint(const Component& component, const Message& when) {
  const auto first = static_cast<size_t>(component.entities[0]);
  const Cell& cell = cells_[first];
  const Entity& e = names_.entities[first];
  refuse(E0304, cell.equations.empty() ? e.place : cell.equations.back().lowered.place,
         {"'", e.name, "' has no fixpoint", when},
         "with min=, a cycle of negative weights lowers the value for ever");
}

// Whether the component is one tensor of lengths of paths, which is then computed without rounds.
bool Store::solve_paths(const Component& component, const std::map<int, Tensor>& start) {
  if (component.entities.size() != 1) return false;
  const int entity = component.entities[0];
  Cell& cell = cells_[static_cast<size_t>(entity)];
  const Tensor& from = start.at(entity);
  const auto reads = [&](const Ready& r) { return is_recursive(r.lowered, component.entities); };
  if (!from.defined() || std::count_if(cell.equations.begin(), cell.equations.end(), reads) != 1 ||
      options_.max_iterations < numel(cell.dense.shape())) {
    return false;
  }
  Ready& ready = *std::find_if(cell.equations.begin(), cell.equations.end(), reads);
  const std::optional<Tensor> found = paths(component, ready, from);
  if (found) cell.dense = *found;
  return found.has_value();
}

// Rounds from the identity until nothing changes.
void Store::compute_extremes(const Component& component) {
  int64_t bound = 2;
  for (const int e : component.entities) {
    Cell& cell = cells_[static_cast<size_t>(e)];
    const Projection projection =
        cell.equations.empty() ? Projection::min : cell.equations[0].lowered.projection;
    cell.dense = full(shape_of(e), identity_of(projection), {.dtype = dtype()});
    cell.is_computed = true;  // rounds read it
    bound += numel(shape_of(e));
  }
  bound = std::min(bound, options_.max_iterations);
  std::map<int, Tensor> start;
  for (const int e : component.entities) start[e] = unchanging(e, component);
  bool changes = !solve_paths(component, start);
  for (int64_t round = 0; changes; ++round) {
    check_time(names_.entities[static_cast<size_t>(component.entities[0])].place);
    if (round > bound) no_fixpoint(component, {" after ", bound, " rounds"});
    changes = false;
    for (const int e : component.entities) {
      Cell& cell = cells_[static_cast<size_t>(e)];
      Tensor total = start[e];
      for (Ready& ready : cell.equations) {
        if (!is_recursive(ready.lowered, component.entities)) continue;
        const Tensor part = evaluate(ready, cell.dense.shape());
        total = total.defined() ? combined(ready.lowered.projection, total, part) : part;
      }
      if (!same_values(total, cell.dense)) changes = true;
      cell.dense = total;
    }
  }
}

}  // namespace gyre::logic
