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
  for (size_t d = 0; d < names_.domains.size(); ++d) domain_relations_.push_back(add_relation(1));
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
  if (component.kind == Component::ordered) find_order(component);
  for (const int e : component.entities) {
    Cell& cell = cells_[static_cast<size_t>(e)];
    const auto add = [&](const std::vector<int>& reads) {
      cell.reads.insert(cell.reads.end(), reads.begin(), reads.end());
    };
    for (const Ready& ready : cell.equations) add(ready.lowered.reads);
    for (const ReadyRule& rule : cell.rules) add(rule.reads);
    const Entity& entity = names_.entities[static_cast<size_t>(e)];
    for (size_t i = 0; entity.embed_size > 0 && i < entity.rank(); ++i) {
      if (const int embedding = names_.embedding_of(entity, i); embedding >= 0)
        cell.reads.push_back(embedding);
    }
    const Initializer* init = entity.init;
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

}  // namespace gyre::logic
