#include <algorithm>
#include <limits>

#include "gyre/logic/run/initial.h"
#include "gyre/logic/run/store.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/index/index.h"
#include "gyre/ops/shape/shape.h"

namespace gyre::logic {
namespace {

using enum DiagnosticCode;

constexpr Label kTuple = 0;  // of the terms of a superposition; then two labels for each position
Label symbol_of(size_t position) { return static_cast<Label>(1 + 2 * position); }
Label number_of_row(size_t position) { return static_cast<Label>(2 + 2 * position); }

bool same_tuples(const Relation& a, const Relation& b) {
  return a.size() == b.size() && a.sorted() == b.sorted();
}

void add_all(const Relation& from, Relation& to) {
  from.for_each([&](const uint32_t* t) { to.insert({t, static_cast<size_t>(from.arity())}); });
}

}  // namespace

bool Store::is_embedded(int entity) const {
  return names_.entities[static_cast<size_t>(entity)].embed_size > 0;
}

// The rows for the symbols of a position: those of an `embedding` of the domain and size, or unit
// rows drawn for the domain.
Tensor Store::rows_for(const Entity& e, size_t position) {
  if (const int embedding = names_.embedding_of(e, position); embedding >= 0)
    return to(tensor(embedding).detach(), e.embed_dtype);
  const int domain = names_.axis_of(e, position).domain;
  const Initializer unit{"unit", {}, {}, e.place};
  const Domain& d = names_.domains[static_cast<size_t>(domain)];
  return initial_value(unit, d.name + " " + std::to_string(domain), {d.size(), e.embed_size},
                       names_, e.embed_dtype, seed());
}

// The sum over the tuples of the outer products of their symbols' rows.
Tensor Store::superposed(const Entity& e, const Relation& tuples) {
  std::vector<Value> factors;
  LabelList axes;
  const auto count = static_cast<int64_t>(tuples.size());
  for (size_t i = 0; i < e.rank(); ++i) {
    std::vector<int64_t> column;
    tuples.for_each([&](const uint32_t* t) { column.push_back(t[i]); });
    factors.push_back({index_select(rows_for(e, i), 0, gyre::tensor(column, {count})),
                       {kTuple, number_of_row(i)}});
    axes.push_back(number_of_row(i));
  }
  ProductPlans::Plan plan;
  return contracted(plan, factors, axes);
}

// How far each tuple is in the superposition: 1 for its tuples and 0 for others if rows are
// orthonormal, with noise otherwise.
Tensor Store::scores(int entity, const Relation& tuples) {
  const Entity& e = names_.entities[static_cast<size_t>(entity)];
  const Shape shape = shape_of(entity);
  double bytes = 8;
  for (int i = 0; i < shape.rank; ++i) bytes *= static_cast<double>(shape[i]);
  if (bytes > static_cast<double>(std::min(options_.max_bytes, kMostDense))) {
    refuse(R03, e.place,
           {"reading '", e.name, "' from its embedding needs ", static_cast<int64_t>(bytes),
            " bytes"});
  }
  std::vector<Value> factors{{superposed(e, tuples), {}}};
  LabelList axes;
  for (size_t i = 0; i < e.rank(); ++i) {
    factors[0].axes.push_back(number_of_row(i));
    factors.push_back({rows_for(e, i), {symbol_of(i), number_of_row(i)}});
    axes.push_back(symbol_of(i));
  }
  ProductPlans::Plan plan;
  return contracted(plan, factors, axes);
}

Relation Store::read_from_embedding(int entity, const Relation& tuples, double threshold) {
  Relation found(tuples.arity());
  const Tensor holds = scores(entity, tuples) > Tensor(threshold);
  const std::vector<int64_t> list = to_vector<int64_t>(nonzero(holds));
  found.insert_all(std::vector<uint32_t>(list.begin(), list.end()));
  return found;
}

// Rounds of rules over what is read from the embeddings, each followed by embedding the results.
void Store::embedded_rounds(const Component& component, const std::vector<HornRule>& rules,
                            const std::vector<Place>& places, const EmbeddedReading& reading) {
  std::map<int, Relation> content, before;  // before and after the rules of a round
  for (const int e : component.entities)
    content.emplace(e, relations_[static_cast<size_t>(relation_of(e))]);
  FixpointOptions one_round = fixpoint_options();
  one_round.limits.iterations = 1;
  bool changes = true;
  for (int64_t round = 0; changes; ++round) {
    check_time(names_.entities[static_cast<size_t>(component.entities[0])].place);
    if (round > options_.max_iterations)
      refuse(E0304, places.at(0), {"no fixpoint after ", round, " rounds"});
    before = content;
    for (auto& [e, tuples] : content) {
      if (!is_embedded(e)) continue;
      Relation& read = relations_[static_cast<size_t>(relation_of(e))];
      read = read_from_embedding(e, tuples, reading.threshold);
      if (reading.cleanup) tuples = read;
    }
    try {
      if (!rules.empty()) fixpoint(relations_, rules, one_round);
    } catch (const LimitError& error) {
      if (error.limit != PassedLimit::iterations) limit(error, places.at(0));
    }
    changes = false;
    for (auto& [e, tuples] : content) {
      add_all(relations_[static_cast<size_t>(relation_of(e))], tuples);
      changes = changes || !same_tuples(tuples, before.at(e));
    }
  }
  for (auto& [e, tuples] : content) {
    if (!is_embedded(e)) continue;
    relations_[static_cast<size_t>(relation_of(e))] =
        read_from_embedding(e, tuples, reading.threshold);
    embedded_content_.insert_or_assign(e, tuples);
  }
}

Relation Store::embedded_relation(int entity, const EmbeddedReading& reading) {
  compute_embedded(entity, reading);
  Relation found = relations_[static_cast<size_t>(relation_of(entity))];
  changed({entity});  // other readings are with the defaults
  return found;
}

Tensor Store::embedded_values(int entity, const EmbeddedReading& reading) {
  compute_embedded(entity, reading);
  const auto it = embedded_content_.find(entity);
  const Relation content = it == embedded_content_.end() ? base(entity) : it->second;
  const Tensor values =
      sigmoid((scores(entity, content) - Tensor(reading.threshold)) / Tensor(reading.temperature));
  changed({entity});
  return to(values, dtype());
}

std::vector<uint32_t> Store::solutions_embedded(const std::vector<RuleLiteral>& literals,
                                                const std::vector<std::string>& wanted, Place place,
                                                const EmbeddedReading& reading) {
  RelationScope scope(relations_);
  LiteralBody body = body_of(literals, place);
  fill(body.inputs, place);
  for (Literal& l : body.literals) {
    const int entity = l.kind == Literal::positive ? entity_of(l.relation) : -1;
    if (entity >= 0) l.relation = scope.add(embedded_relation(entity, reading));
  }
  try {
    return rows_of(body, wanted);
  } catch (const LimitError& error) {
    limit(error, place);
  }
}

void Store::compute_embedded(int entity, const EmbeddedReading& reading) {
  changed({entity});
  const int own = cells_[static_cast<size_t>(entity)].component;
  for (const int c : uncomputed(entity)) {  // with the defaults, since their values are kept
    if (c != own) compute(components_[static_cast<size_t>(c)]);
  }
  const ScopedReading scope(reading_, reading);
  compute(entity);
}

}  // namespace gyre::logic
