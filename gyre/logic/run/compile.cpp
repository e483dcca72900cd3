#include <algorithm>

#include "gyre/logic/analysis/label_set.h"
#include "gyre/logic/run/initial.h"
#include "gyre/logic/run/store.h"

namespace gyre::logic {
namespace {

using enum DiagnosticCode;

void find_gradients(const Node& node, std::set<int>& found) {
  if (node.kind == Node::gradient) found.insert(node.entity);
  for (const NodePtr& child : node.children) find_gradients(*child, found);
}

}  // namespace

int Store::add_relation(int arity) {
  relations_.emplace_back(arity);
  return static_cast<int>(relations_.size()) - 1;
}

void Store::compile() {
  components_ = components_of(names_, diagnostics_);
  cells_.resize(names_.entities.size());
  for (size_t i = 0; i < components_.size(); ++i) {
    for (const int e : components_[i].entities) {
      Cell& cell = cells_[static_cast<size_t>(e)];
      cell.component = static_cast<int>(i);
      const Entity& entity = names_.entities[static_cast<size_t>(e)];
      cell.is_broken = entity.is_broken;
      if (entity.is_relation) cell.relation = add_relation(static_cast<int>(entity.rank()));
    }
  }
  for (const Component& component : components_) compile_component(component);
}

void Store::compile_component(const Component& component) {
  const std::set<int> entities(component.entities.begin(), component.entities.end());
  // twice: an equation may get the axes of a tensor of its own component from a later one
  if (component.kind != Component::plain && component.kind != Component::rules) {
    Diagnostics unheard = diagnostics_;
    for (const int e : component.entities) {
      for (const int q : names_.entities[static_cast<size_t>(e)].equations) {
        const EquationSite& site = names_.equations[static_cast<size_t>(q)];
        try {
          lower(*site.equation, e, site.place, {names_, ops_, unheard, entities, nullptr});
        } catch (const Refused&) {  // said in the second pass
        }
      }
    }
  }
  const std::set<int> own = component.kind == Component::plain ? std::set<int>{} : entities;
  for (const int e : component.entities) compile_equations(e, own);
  for (const int e : component.entities) compile_rules(e);
  for (const int e : component.entities) check_initial(e);
  if (component.kind == Component::ordered) find_time(component);
  for (const int e : component.entities) {
    Cell& cell = cells_[static_cast<size_t>(e)];
    const auto add = [&](const std::vector<int>& reads) {
      cell.reads.insert(cell.reads.end(), reads.begin(), reads.end());
    };
    for (const Ready& ready : cell.equations) add(ready.lowered.reads);
    for (const ReadyRule& rule : cell.rules) add(rule.reads);
    const Initializer* init = names_.entities[static_cast<size_t>(e)].init;
    if (init && init->value) add_references(names_, *init->value, cell.reads);
  }
}

// Errors of an initialiser that do not need its value.
void Store::check_initial(int entity) {
  const Entity& e = names_.entities[static_cast<size_t>(entity)];
  if (!e.init || !e.init->value || !is_numbers(*e.init->value, names_)) return;
  for (const Axis& axis : e.axes) {
    if (!axis.known()) return;
  }
  try {
    array_value(*e.init->value, shape_of(entity), names_, dtype());
  } catch (const Refused& refused) {
    diagnostics_.add(refused.diagnostic);
    cells_[static_cast<size_t>(entity)].is_broken = true;
  }
}

void Store::compile_equations(int entity, const std::set<int>& component) {
  Cell& cell = cells_[static_cast<size_t>(entity)];
  const Entity& e = names_.entities[static_cast<size_t>(entity)];
  std::optional<Projection> projection;
  for (const int q : e.equations) {
    const EquationSite& site = names_.equations[static_cast<size_t>(q)];
    try {
      Lowered l = lower(*site.equation, entity, site.place, context(component));
      const auto same = [](Projection a, Projection b) {
        const auto sums = [](Projection p) { return p == Projection::sum || p == Projection::add; };
        return a == b || (sums(a) && sums(b));
      };
      if (projection && !same(*projection, l.projection)) {
        refuse(E0208, site.place, {"'", e.name, "' is defined with different operators"},
               "all equations with one left side have the same operator");
      }
      projection = l.projection;
      const auto is_virtual = [](const Position& p) { return p.is_virtual; };
      const bool ordered =
          components_[static_cast<size_t>(cell.component)].kind == Component::ordered;
      if (!ordered && std::any_of(l.left.begin(), l.left.end(), is_virtual)) {
        refuse(E0307, site.place,
               {"'", e.name, "' does not depend on itself along its virtual index"}, "",
               "X[i, *t+1] = .. X[j, *t] ..");
      }
      const bool broken = std::any_of(l.reads.begin(), l.reads.end(), [&](int r) {
        return cells_[static_cast<size_t>(r)].is_broken;
      });
      if (broken) cell.is_broken = true;
      std::set<int> gradients;
      find_gradients(*l.right, gradients);
      tracked_.insert(gradients.begin(), gradients.end());
      cell.equations.push_back({std::move(l)});
    } catch (const Refused& refused) {
      std::vector<int> reads;
      add_references(names_, site.equation->right, reads);
      const bool broken = std::any_of(reads.begin(), reads.end(), [&](int r) {
        return r != entity && cells_[static_cast<size_t>(r)].is_broken;
      });
      if (!broken) diagnostics_.add(refused.diagnostic);
      cell.is_broken = true;
    }
  }
}

namespace {

// The offset of a position `t + offset` and its variable; nullopt for others.
struct Step {
  Label label;
  int64_t offset;
};
std::optional<Step> step_of(const Names& names, const Position& p,
                            const std::vector<Variable>& variables) {
  if (p.kind == Position::variable) return Step{p.label, 0};
  if (p.kind != Position::affine || p.labels.size() != 1) return std::nullopt;
  const Expr& e = *p.expr;
  if (e.kind != Expr::operation || e.children.size() != 2) return std::nullopt;
  const bool adds = e.op == Operator::add, subtracts = e.op == Operator::subtract;
  if (!adds && !subtracts) return std::nullopt;
  for (int side = 0; side < (adds ? 2 : 1); ++side) {
    const Expr& variable = e.children[static_cast<size_t>(side)];
    const std::optional<int64_t> value =
        names.constant_value(e.children[static_cast<size_t>(1 - side)]);
    const std::string& name = variables[static_cast<size_t>(p.labels[0])].name;
    if (value && variable.kind == Expr::reference && variable.name == name)
      return Step{p.labels[0], adds ? *value : -*value};
  }
  return std::nullopt;
}

void loads_of(const Node& node, std::vector<const Node*>& found) {
  if (node.kind == Node::load) found.push_back(&node);
  for (const NodePtr& child : node.children) loads_of(*child, found);
}

}  // namespace

// The axis of each entity whose index increases from what an equation reads to what it defines.
void Store::find_time(const Component& component) {
  const std::set<int> entities(component.entities.begin(), component.entities.end());
  const auto fail = [&](Place place, const std::string& why) {
    diagnostics_.add({E0303, place, why,
                      "numbers may depend on themselves only from a smaller index, as in X[i, t+1] "
                      "= .. X[j, t] ..",
                      "use min= or max= for a least fixpoint"});
    for (const int e : component.entities) cells_[static_cast<size_t>(e)].is_broken = true;
  };
  for (const int e : component.entities) {
    if (cells_[static_cast<size_t>(e)].is_broken) return;
  }
  // an axis of each that works for all equations, tried in order
  std::map<int, size_t> axes;
  for (const int e : component.entities) {
    const Entity& entity = names_.entities[static_cast<size_t>(e)];
    std::optional<size_t> found;
    for (const Ready& ready : cells_[static_cast<size_t>(e)].equations) {
      for (size_t i = 0; i < ready.lowered.left.size() && !found; ++i) {
        const Position& p = ready.lowered.left[i];
        if (p.is_virtual ||
            (p.kind == Position::affine && step_of(names_, p, ready.lowered.variables)))
          found = i;
      }
    }
    if (!found) {  // a tensor of the same step, such as a gate: the axis named like another's
      for (const Ready& ready : cells_[static_cast<size_t>(e)].equations) {
        std::vector<const Node*> loads;
        loads_of(*ready.lowered.right, loads);
        for (const Node* load : loads) {
          const auto it = axes.find(load->entity);
          if (it == axes.end()) continue;
          const std::optional<Step> read =
              step_of(names_, load->positions[it->second], ready.lowered.variables);
          for (size_t i = 0; read && i < ready.lowered.left.size(); ++i) {
            if (ready.lowered.left[i].kind == Position::variable &&
                ready.lowered.left[i].label == read->label)
              found = i;
          }
        }
      }
    }
    if (!found) return fail(entity.place, "'" + entity.name + "' depends on itself");
    axes[e] = *found;
  }
  std::map<int, std::set<int>> same_step;  // entities that must be ready before, at the same step
  for (const int e : component.entities) {
    for (const Ready& ready : cells_[static_cast<size_t>(e)].equations) {
      const Lowered& l = ready.lowered;
      const Position& written = l.left[axes[e]];
      const std::optional<Step> to = step_of(names_, written, l.variables);
      std::vector<const Node*> loads;
      loads_of(*l.right, loads);
      for (const Node* load : loads) {
        if (!entities.contains(load->entity)) continue;
        const std::optional<Step> from =
            step_of(names_, load->positions[axes[load->entity]], l.variables);
        if (!to || !from || from->label != to->label || from->offset > to->offset) {
          return fail(load->place, "'" + names_.entities[static_cast<size_t>(e)].name +
                                       "' depends on itself without an index that increases");
        }
        if (from->offset == to->offset) same_step[e].insert(load->entity);
      }
      if (!to && written.kind != Position::constant)
        return fail(l.place, "an equation of a recursion writes at t, t + a number or a number");
    }
  }
  std::vector<int> order;
  while (order.size() < component.entities.size()) {
    const size_t before = order.size();
    for (const int e : component.entities) {
      const auto done = [&](int other) {
        return std::find(order.begin(), order.end(), other) != order.end();
      };
      if (!done(e) && std::all_of(same_step[e].begin(), same_step[e].end(), done))
        order.push_back(e);
    }
    if (order.size() == before)
      return fail(names_.entities[static_cast<size_t>(component.entities[0])].place,
                  "tensors depend on each other at the same index");
  }
  for (const auto& [e, axis] : axes) time_axes_[e] = axis;
  step_order_[component.entities[0]] = order;
}

}  // namespace gyre::logic
