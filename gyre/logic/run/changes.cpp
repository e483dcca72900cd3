#include <algorithm>

#include "gyre/logic/run/store.h"

namespace gyre::logic {

// Whether a component has or reads an entity that is wanted.
bool Store::reads_any(const Component& component, FunctionRef<bool(int entity)> wanted) const {
  return std::any_of(component.entities.begin(), component.entities.end(), [&](int e) {
    const std::vector<int>& reads = cells_[static_cast<size_t>(e)].reads;
    return wanted(e) || std::any_of(reads.begin(), reads.end(), wanted);
  });
}

void Store::forget(const Component& component) {
  for (const int e : component.entities) {
    Cell& cell = cells_[static_cast<size_t>(e)];
    cell.is_computed = false;
    cell.dense = {};
    if (cell.relation < 0) continue;
    Relation& tuples = relations_[static_cast<size_t>(cell.relation)];
    tuples = Relation(tuples.arity());
  }
}

void Store::forget() {
  for (const Component& c : components_) forget(c);
}

void Store::forget_results() {
  for (const Component& c : components_) {
    Cell& cell = cells_[static_cast<size_t>(c.entities[0])];
    const bool has_facts_only = c.kind == Component::rules && c.entities.size() == 1 &&
                                cell.equations.empty() && cell.rules.empty() &&
                                !is_embedded(c.entities[0]);
    if (has_facts_only && !tracked_.contains(c.entities[0]))
      cell.dense = {};
    else
      forget(c);
  }
}

// Components whose values these decide, in an order in which what is read comes first.
const std::vector<int>& Store::dependents(const std::vector<int>& entities) {
  const auto [it, is_new] = dependents_.try_emplace(entities);
  if (!is_new) return it->second;
  std::set<int> dirty(entities.begin(), entities.end());
  for (size_t i = 0; i < components_.size(); ++i) {
    const Component& c = components_[i];
    if (!reads_any(c, [&](int e) { return dirty.contains(e); })) continue;
    dirty.insert(c.entities.begin(), c.entities.end());
    it->second.push_back(static_cast<int>(i));
  }
  return it->second;
}

void Store::changed(const std::vector<int>& entities) {
  for (const int c : dependents(entities)) forget(components_[static_cast<size_t>(c)]);
}

void Store::leaves_changed(const std::vector<int>& entities) {
  for (const int c : dependents(entities)) {
    const Component& component = components_[static_cast<size_t>(c)];
    const Cell& cell = cells_[static_cast<size_t>(component.entities[0])];
    if (!cell.leaf.defined() || cell.dense.impl() != cell.leaf.impl()) forget(component);
  }
}

// What has changed so far, component by component.
struct Store::Growth {
  Store& store;
  std::vector<Relation> added{};  // by number of the relation
  std::set<int> forgotten{};      // entities
  bool domains_grew;

  [[nodiscard]] bool grew(int relation) const {
    return relation >= 0 && added[static_cast<size_t>(relation)].size() > 0;
  }
  [[nodiscard]] bool is_affected(const Component& c) const {
    const bool reads = store.reads_any(
        c, [&](int e) { return forgotten.contains(e) || grew(store.relation_of(e)); });
    if (reads || !domains_grew) return reads;
    return c.kind != Component::rules ||
           std::any_of(c.entities.begin(), c.entities.end(), [&](int e) {
             const Cell& cell = store.cells_[static_cast<size_t>(e)];
             return cell.dense.defined() || !cell.equations.empty() || !cell.rules.empty();
           });
  }

  // Whether more tuples can only extend the relations of a component: nothing that it reads was
  // forgotten, nothing negated grew, no number comes from a tensor, and no value of a new element.
  [[nodiscard]] bool can_continue(const Component& c) const {
    if (c.kind != Component::rules) return false;
    if (store.reads_any(c, [&](int e) { return forgotten.contains(e); })) return false;
    return std::all_of(c.entities.begin(), c.entities.end(), [&](int e) {
      const Cell& cell = store.cells_[static_cast<size_t>(e)];
      return cell.is_computed && cell.equations.empty() && !store.is_embedded(e) &&
             !store.tracked_.contains(e) &&
             std::all_of(cell.rules.begin(), cell.rules.end(), [&](const ReadyRule& r) {
               const auto& values = r.inputs.values;
               const bool current = std::all_of(
                   values.begin(), values.end(),
                   [&](const ValueRelation& v) { return v.sizes == v.sizes_now(store.names_); });
               const auto& shadows = r.inputs.shadows;
               const bool stays =
                   std::none_of(shadows.begin(), shadows.end(),
                                [&](const Shadow& shadow) { return grew(shadow.of); });
               return r.inputs.filters.empty() && current && stays &&
                      std::none_of(r.rule.body.begin(), r.rule.body.end(), [&](const Literal& l) {
                        return l.kind == Literal::negative && grew(l.relation);
                      });
             });
    });
  }

  void visit(const Component& c) {
    if (!is_affected(c)) return;
    if (!can_continue(c)) {
      store.forget(c);
      forgotten.insert(c.entities.begin(), c.entities.end());
      return;
    }
    const ComponentRules all = store.rules_of(c);
    for (const int e : c.entities) store.cells_[static_cast<size_t>(e)].dense = {};
    try {
      continue_fixpoint(store.relations_, all.rules, added, store.fixpoint_options());
    } catch (const LimitError& error) {
      const int first = c.entities[0];
      store.limit(error, all.places.empty()
                             ? store.names_.entities[static_cast<size_t>(first)].place
                             : all.place_of(error));
    }
  }
};

void Store::grow(int entity, std::span<const uint32_t> tuples, bool domains_grew) {
  Growth growth{*this, {}, {}, domains_grew};
  for (const Relation& r : relations_) growth.added.emplace_back(r.arity());
  growth.added[static_cast<size_t>(relation_of(entity))].insert_all(tuples);
  for (const int domain : listed_domains_) {
    const auto relation = domain_relations_[static_cast<size_t>(domain)];
    const int64_t size = names_.domains[static_cast<size_t>(domain)].size();
    for (int64_t i = relations_[static_cast<size_t>(relation)].size(); i < size; ++i) {
      growth.added[static_cast<size_t>(relation)].insert({{static_cast<uint32_t>(i)}});
    }
  }
  if (!cells_[static_cast<size_t>(entity)].is_computed) growth.forgotten.insert(entity);
  try {
    for (const Component& c : components_) growth.visit(c);
  } catch (...) {
    forget();
    throw;
  }
}

}  // namespace gyre::logic
