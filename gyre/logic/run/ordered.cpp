#include <algorithm>
#include <limits>

#include "gyre/logic/analysis/ranges.h"
#include "gyre/logic/run/store.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/shape/shape.h"

// Recursion of sums, in the order of an index.

namespace gyre::logic {
namespace {

using enum DiagnosticCode;

// Where a position is along the recursion: at a number, or at a variable plus a number.
std::optional<Step> step_of(const Position& p) {
  if (p.kind == Position::constant) return Step{-1, p.value};
  if (p.kind == Position::variable) return Step{p.label, 0};
  const auto& linear = p.formula.linear();
  if (p.kind != Position::affine || p.labels.size() != 1 || !linear || linear->factors[0] != 1)
    return std::nullopt;
  return Step{p.labels[0], linear->offset};
}

// Variables begin at 0, so that a number is not later than a variable plus it.
bool is_not_later(const Step& read, const Step& written) {
  return (read.label < 0 || read.label == written.label) && read.offset <= written.offset;
}

void entities_of(const Node& node, std::vector<const Node*>& found) {
  if (node.kind == Node::load || node.kind == Node::gradient) found.push_back(&node);
  for (const NodePtr& child : node.children) entities_of(*child, found);
}

// A sum or another reduction over an index; null: none.
const Node* reduction_over(Label label, const Node& node) {
  for (const NodePtr& child : node.children) {
    if (node.kind == Node::reduce && has(child->axes, label) && !has(node.axes, label))
      return &node;
    if (const Node* found = reduction_over(label, *child)) return found;
  }
  return nullptr;
}

}  // namespace

/// The search for an axis of each entity of a component such that every equation reads the
/// component at the index that it writes or before, and not in a circle at one index.
struct Store::OrderSearch {
  Store& store;
  const Component& component;
  Recursion found{};
  std::map<int, std::set<int>> before{};  ///< what an entity reads at the same index
  Place place{};                          ///< what is wrong with the last try
  std::string fault{};

  [[nodiscard]] std::vector<Ready>& equations(int entity) const {
    return store.cells_[static_cast<size_t>(entity)].equations;
  }
  [[nodiscard]] const Entity& entity(int number) const {
    return store.names_.entities[static_cast<size_t>(number)];
  }
  /// The steps of an equation that read the component.
  [[nodiscard]] std::vector<const Node*> reads(const Ready& ready) const {
    std::vector<const Node*> all;
    entities_of(*ready.lowered.right, all);
    std::erase_if(all, [&](const Node* n) {
      return !std::binary_search(component.entities.begin(), component.entities.end(), n->entity);
    });
    return all;
  }
  bool fail(Place at, const std::string& why) {
    place = at;
    fault = why;
    return false;
  }
  bool fail(int number, const char* what) {
    return fail(equations(number)[0].lowered.place, "'" + entity(number).name + "' " + what);
  }

  bool run() {
    const int first = component.entities[0];
    (void)fail(first, "depends on itself");
    for (size_t axis = 0; axis < entity(first).rank(); ++axis) {
      found = {};
      before = {};
      follow(first, axis);
      if (fits() && sort()) return true;
    }
    return false;
  }

  /// The axis of one entity gives those of what its equations read, and so on.
  void follow(int first, size_t axis) {
    found.axes[first] = axis;
    std::vector<int> todo{first};
    while (!todo.empty()) {
      const int e = todo.back();
      todo.pop_back();
      for (const Ready& ready : equations(e)) {
        const Lowered& l = ready.lowered;
        const std::optional<Step> to = step_of(l.left[found.axes[e]]);
        if (!to || to->label < 0) continue;
        for (const Node* read : reads(ready)) {
          if (found.axes.contains(read->entity)) continue;
          for (size_t i = 0; i < read->positions.size(); ++i) {
            const std::optional<Step> from = step_of(read->positions[i]);
            if (!from || from->label != to->label || !is_not_later(*from, *to)) continue;
            found.axes[read->entity] = i;
            todo.push_back(read->entity);
            break;
          }
        }
      }
    }
  }

  bool fits() {
    for (const int e : component.entities) {
      if (!found.axes.contains(e)) return fail(e, "depends on itself");
    }
    for (const int e : component.entities) {
      for (Ready& ready : equations(e)) {
        if (!fits(ready)) return false;
      }
    }
    return true;
  }

  bool fits(Ready& ready) {
    const Lowered& l = ready.lowered;
    const std::optional<Step> to = step_of(l.left[found.axes.at(l.entity)]);
    if (!to)
      return fail(l.place, "an equation of a recursion writes at t, t + a number or a number");
    for (size_t i = 0; i < l.left.size(); ++i) {
      if (l.left[i].is_virtual && i != found.axes.at(l.entity))
        return fail(l.entity, "does not depend on itself along its virtual index");
    }
    ready.step = *to;
    if (const Node* over = to->label < 0 ? nullptr : reduction_over(to->label, *l.right)) {
      return fail(over->place, "'" + l.variables[static_cast<size_t>(to->label)].name +
                                   "' is the index of the recursion: reduce over another one");
    }
    for (const Node* read : reads(ready)) {
      const int e = read->entity;
      if (read->kind == Node::gradient)
        return fail(read->place, "a gradient by '" + entity(e).name + "' inside its recursion");
      const std::optional<Step> from = step_of(read->positions[found.axes.at(e)]);
      if (!from || !is_not_later(*from, *to)) {
        return fail(read->place, "'" + entity(l.entity).name +
                                     "' depends on itself without an index that increases");
      }
      if (from->offset == to->offset) before[l.entity].insert(e);
      const int64_t lag = from->label == to->label ? to->offset - from->offset : kEndless;
      found.lags[e] = std::max(found.lags[e], lag);
    }
    return true;
  }

  bool sort() {
    std::set<int> done;
    while (done.size() < component.entities.size()) {
      const size_t known = done.size();
      for (const int e : component.entities) {
        const std::set<int>& needed = before[e];
        if (done.contains(e) ||
            !std::includes(done.begin(), done.end(), needed.begin(), needed.end()))
          continue;
        done.insert(e);
        found.order.push_back(e);
      }
      if (done.size() > known) continue;
      return fail(component.entities[0], "depends on itself at the same index");
    }
    return true;
  }
};

// At how many steps an equation writes; kEndless: as long as its recursion goes on.
int64_t Store::steps_of(const Ready& ready) const {
  const Label l = ready.step.label;
  return l < 0 ? 1 : names_.size_of(ready.lowered.variables[static_cast<size_t>(l)].axis);
}

// Whether a range or the axis of a tensor that keeps all steps says when a recursion ends.
bool Store::ends(const Component& component, const Recursion& recursion) const {
  return std::any_of(component.entities.begin(), component.entities.end(), [&](int e) {
    const std::vector<Ready>& equations = cells_[static_cast<size_t>(e)].equations;
    const size_t axis = recursion.axes.at(e);
    const auto is_virtual = [&](const Ready& r) { return r.lowered.left[axis].is_virtual; };
    const auto is_finite = [&](const Ready& r) {
      return r.step.label >= 0 && steps_of(r) != kEndless;
    };
    return std::none_of(equations.begin(), equations.end(), is_virtual) ||
           std::any_of(equations.begin(), equations.end(), is_finite);
  });
}

void Store::find_order(const Component& component) {
  const auto is_broken = [this](int e) { return cells_[static_cast<size_t>(e)].is_broken; };
  if (std::any_of(component.entities.begin(), component.entities.end(), is_broken)) return;
  OrderSearch search{*this, component};
  const bool is_ordered = search.run();
  if (is_ordered && ends(component, search.found)) {
    recursions_[component.entities[0]] = std::move(search.found);
    return;
  }
  if (is_ordered) {
    const int first = component.entities[0];
    diagnostics_.add({E0206, cells_[static_cast<size_t>(first)].equations[0].lowered.place,
                      "nothing tells how many steps the recursion has",
                      "the range of the index at * is that of a tensor that has it"});
  } else {
    diagnostics_.add({E0303, search.place, search.fault,
                      "numbers may depend on themselves only from a smaller index, as in X[i, t+1] "
                      "= .. X[j, t] ..",
                      "use min= or max= for a least fixpoint"});
  }
  for (const int e : component.entities) cells_[static_cast<size_t>(e)].is_broken = true;
}

/// The slices of a tensor along the axis of its recursion.
struct Store::Slices {
  size_t axis;
  Shape shape{};            ///< of a slice
  DType dtype{};            ///< of a slice
  bool is_virtual = false;  ///< keeps only what is still read
  bool is_endless = false;  ///< goes on as long as another tensor of the recursion
  int64_t steps = 1;
  Tensor start{};      ///< the initial value, along the whole axis
  double nothing = 0;  ///< where no equation writes
  std::vector<Tensor> at{};

  [[nodiscard]] Tensor filled(double value) const { return full(shape, value, {.dtype = dtype}); }
  [[nodiscard]] Tensor initial(int64_t step) const {
    const auto i = static_cast<int64_t>(axis);
    return start.defined() && step < start.size(i) ? select(start, {i, step}) : Tensor();
  }
  void forget(int64_t step) {
    if (is_virtual && step >= 0 && step < static_cast<int64_t>(at.size()) - 1)
      at[static_cast<size_t>(step)] = {};
  }
  [[nodiscard]] Tensor whole() const {
    const auto i = static_cast<int>(axis);
    if (is_virtual) return unsqueeze(at.back(), i);
    if (!at.empty()) return stack(Inputs(at.data(), at.size()), i);
    return narrow(unsqueeze(filled(0), i), i, 0, 0);
  }
};

Store::Slices Store::slices_of(int entity, size_t axis) {
  const Cell& cell = cells_[static_cast<size_t>(entity)];
  const Shape shape = shape_of(entity);
  Slices s{.axis = axis};
  for (size_t i = 0; i < static_cast<size_t>(shape.rank); ++i) {
    if (i != axis) s.shape.push_back(shape[static_cast<int>(i)]);
  }
  s.dtype = names_.entities[static_cast<size_t>(entity)].dtype.value_or(dtype());
  s.start = initial(entity);
  s.nothing = identity_of(cell.equations[0].lowered.projection);
  for (const Ready& ready : cell.equations) {
    const int64_t count = steps_of(ready);
    s.is_virtual = s.is_virtual || ready.lowered.left[axis].is_virtual;
    s.is_endless = s.is_endless || count == kEndless;
    if (count != kEndless) s.steps = std::max(s.steps, ready.step.offset + count);
  }
  if (!s.is_virtual) s.steps = shape[static_cast<int>(axis)];
  return s;
}

void Store::compute_ordered(const Component& component) {
  const Recursion& recursion = recursions_.at(component.entities[0]);
  std::map<int, Slices> slices;
  int64_t steps = 0;
  for (const int e : component.entities) {
    const Slices& s = slices.emplace(e, slices_of(e, recursion.axes.at(e))).first->second;
    steps = std::max(steps, s.steps);
  }
  for (auto& [e, s] : slices) {
    if (s.is_endless && s.is_virtual) s.steps = steps;
  }
  const auto read = [&](int e, int64_t at) {
    const Slices& s = slices.at(e);
    return at >= 0 && at < s.steps ? s.at[static_cast<size_t>(at)] : s.filled(0);
  };
  const Evaluator::LoadSlice load_slice = read;
  for (int64_t step = 0; step < steps; ++step) {
    check_time(names_.entities[static_cast<size_t>(component.entities[0])].place);
    for (const int e : recursion.order) {
      Slices& s = slices.at(e);
      if (step >= s.steps) continue;
      Tensor total = s.initial(step);
      for (Ready& ready : cells_[static_cast<size_t>(e)].equations) {
        const int64_t at = step - ready.step.offset;
        if (at < 0 || at >= steps_of(ready)) continue;
        const Tensor part = evaluate_slice(ready, s.shape, at, recursion.axes, load_slice);
        total = total.defined() ? combined(ready.lowered.projection, total, part) : part;
      }
      if (!total.defined()) total = s.filled(s.nothing);
      s.at.push_back(total.dtype() == s.dtype ? total : to(total, s.dtype));
    }
    for (auto& [e, s] : slices) s.forget(step - std::max<int64_t>(1, recursion.lags.at(e)));
  }
  for (auto& [e, s] : slices) cells_[static_cast<size_t>(e)].dense = s.whole();
}

}  // namespace gyre::logic
