#include <algorithm>

#include "gyre/logic/run/initial.h"
#include "gyre/logic/run/store.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/index/index.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/shape.h"

namespace gyre::logic {
namespace {

using enum DiagnosticCode;

double elements_of(const Shape& shape) {
  double count = 1;
  for (int i = 0; i < shape.rank; ++i) count *= static_cast<double>(shape[i]);
  return count;
}

}  // namespace

Tensor expand_to(const Tensor& t, const Shape& shape) {
  return t.shape() == shape ? t : expand(t, shape);
}

void Store::refuse_time(Place place) const {
  refuse(R04, place, {"the run took more than ", options_.max_seconds, " seconds"});
}

void Store::check_time(Place place) const {
  if (options_.stop && *options_.stop) throw Stopped{};
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start_;
  if (passed.count() <= options_.max_seconds) return;
  refuse_time(place);
}

FixpointOptions Store::fixpoint_options() const {
  FixpointOptions options;
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start_;
  const double left = std::max(0.0, options_.max_seconds - passed.count());
  options.limits = {options_.max_iterations, options_.max_tuples, options_.max_bytes, left};
  options.closures = options_.matrices == MatrixUse::decide;
  options.matrices = options_.matrices;
  options.stop = options_.stop;
  return options;
}

void Store::limit(const LimitError& error, Place place) {
  switch (error.limit) {
    case PassedLimit::iterations:
      refuse(E0304, place, error.message());
    case PassedLimit::tuples:
      refuse(R02, place, error.message());
    case PassedLimit::bytes:
      refuse(R03, place, error.message());
    case PassedLimit::seconds:
      refuse_time(place);
    default:
      throw Stopped{};
  }
}

Shape Store::shape_of(int entity) const {
  const Entity& e = names_.entities[static_cast<size_t>(entity)];
  Shape shape;
  for (size_t i = 0; i < e.rank(); ++i) {
    const int64_t size = names_.size_of(names_.axis_of(e, i));
    if (size < 0)
      refuse(E0206, e.place, {"the size of axis ", i, " of '", e.name, "' is not known"});
    shape.push_back(size);
  }
  return shape;
}

Tensor Store::tensor(int entity) {
  compute(entity);
  Cell& cell = cells_[static_cast<size_t>(entity)];
  if (cell.dense.defined()) return cell.dense;
  const Relation& r = relations_[static_cast<size_t>(cell.relation)];
  const Shape shape = shape_of(entity);
  const double bytes = elements_of(shape) * static_cast<double>(size_of(dtype()));
  if (bytes > static_cast<double>(std::min(options_.max_bytes, kMostDense))) {
    const Entity& e = names_.entities[static_cast<size_t>(entity)];
    refuse(R03, e.place,
           {"relation '", e.name, "' as a tensor needs ", static_cast<int64_t>(bytes), " bytes"},
           "sums of products over a relation need no such tensor");
  }
  if (shape.rank == 0)
    return cell.dense = full({}, static_cast<double>(r.size()), {.dtype = dtype()});
  std::vector<int64_t> places;
  places.reserve(static_cast<size_t>(r.size()));
  r.for_each([&](const uint32_t* tuple) {
    int64_t place = 0;
    for (int i = 0; i < shape.rank; ++i) place = place * shape[i] + tuple[i];
    places.push_back(place);
  });
  const auto count = static_cast<int64_t>(places.size());
  const Tensor flat = zeros({numel(shape)}, {.dtype = dtype()});
  cell.dense = reshape(
      scatter(flat, 0, gyre::tensor(places, {count}), ones({count}, {.dtype = dtype()})), shape);
  return cell.dense;
}

// A dense value takes the memory of more than this many tuples for each that there is.
bool Store::is_sparse(int entity) {
  const Entity& e = names_.entities[static_cast<size_t>(entity)];
  if (!e.is_relation || e.rank() == 0) return false;
  compute(entity);
  const int64_t count =
      relations_[static_cast<size_t>(cells_[static_cast<size_t>(entity)].relation)].size();
  const double cells = elements_of(shape_of(entity));
  return cells > static_cast<double>(options_.dense_elements) &&
         cells > 32.0 * static_cast<double>(count);
}

// The literals of atoms; the variables are the labels by their places in `columns`, which grows.
std::vector<Literal> Store::literals(std::span<const Node* const> atoms, LabelList& columns) const {
  std::vector<Literal> body;
  const auto number = [&](Label l) {
    const auto at = std::find(columns.begin(), columns.end(), l);
    const auto place = static_cast<uint32_t>(at - columns.begin());
    if (at == columns.end()) columns.push_back(l);
    return place;
  };
  for (const Node* atom : atoms) {
    Literal l{Literal::positive, relation_of(atom->entity), {}};
    for (const Position& p : atom->positions) {
      const bool constant = p.kind == Position::constant;
      l.terms.push_back({!constant, constant ? static_cast<uint32_t>(p.value) : number(p.label)});
    }
    body.push_back(std::move(l));
  }
  return body;
}

std::vector<uint32_t> Store::join(std::span<const Node* const> atoms, LabelList columns) {
  const std::vector<Literal> body = literals(atoms, columns);
  std::vector<uint32_t> wanted(columns.size());
  for (size_t i = 0; i < wanted.size(); ++i) wanted[i] = static_cast<uint32_t>(i);
  if (wanted.empty())
    return std::vector<uint32_t>(holds(relations_, body, 0, fixpoint_options()) ? 1 : 0, 1);
  return bindings(relations_, body, static_cast<int>(wanted.size()), wanted, fixpoint_options());
}

int64_t Store::count(std::span<const Node* const> atoms) {
  for (const Node* atom : atoms) compute(atom->entity);
  LabelList variables;
  const std::vector<Literal> body = literals(atoms, variables);
  return count_bindings(relations_, body, static_cast<int>(variables.size()), fixpoint_options());
}

const Relation& Store::relation(int entity) {
  compute(entity);
  return relations_[static_cast<size_t>(cells_[static_cast<size_t>(entity)].relation)];
}

// The components that an entity needs and that are not computed, each after those that it reads.
std::set<int> Store::uncomputed(int entity) const {
  std::set<int> found;
  std::vector<int> todo{entity};
  while (!todo.empty()) {
    const Cell& cell = cells_[static_cast<size_t>(todo.back())];
    todo.pop_back();
    if (cell.is_computed || !found.insert(cell.component).second) continue;
    for (const int e : components_[static_cast<size_t>(cell.component)].entities) {
      const std::vector<int>& reads = cells_[static_cast<size_t>(e)].reads;
      todo.insert(todo.end(), reads.begin(), reads.end());
    }
  }
  return found;
}

// One component after the other: a chain of equations may be too long for calls inside each other.
void Store::compute(int entity) {
  if (cells_[static_cast<size_t>(entity)].is_computed) return;
  const WithoutScript program_names(names_);
  for (const int c : uncomputed(entity)) compute(components_[static_cast<size_t>(c)]);
}

void Store::compute(const Component& component) {
  for (const int e : component.entities) {
    if (cells_[static_cast<size_t>(e)].is_broken)
      throw Error(Code::value, "",
                  {"'", names_.entities[static_cast<size_t>(e)].name, "' has an error"});
  }
  try {
    switch (component.kind) {
      case Component::plain:
        compute_plain(component.entities[0]);
        break;
      case Component::rules:
        compute_rules(component);
        break;
      case Component::extremes:
        compute_extremes(component);
        break;
      case Component::ordered:
        compute_ordered(component);
        break;
    }
  } catch (...) {
    forget(component);
    throw;
  }
  for (const int e : component.entities) {
    Cell& done = cells_[static_cast<size_t>(e)];
    const std::optional<DType> type = names_.entities[static_cast<size_t>(e)].dtype;
    if (type && done.dense.defined() && done.dense.dtype() != *type)
      done.dense = to(done.dense, *type);
    done.is_computed = true;
    if (tracked_.contains(e) && done.dense.defined() && !done.dense.tracked()) {
      done.dense = done.dense.detach();
      done.dense.set_requires_grad();
    }
    if (reports_) report_result(e);
  }
}

// Runs f with an evaluator of an equation; what an op refuses is an error of the equation.
template <class F>
auto Store::evaluating(const Lowered& l, ProductPlans& plans, const Tensor& only, const F& f) {
  const auto load = [&](int e) { return only.defined() ? only : tensor(e); };
  const auto sparse = [this](int e) { return is_sparse(e); };
  const auto has_tuples = [this, &only](int e) {
    return !only.defined() && relation_of(e) >= 0 && !tracked_.contains(e);
  };
  const auto counted = [this](std::span<const Node* const> atoms) { return count(atoms); };
  const auto joined = [this](std::span<const Node* const> atoms, std::span<const Label> columns) {
    return join(atoms, {columns.begin(), columns.end()});
  };
  const Evaluator::Tuples tuples{sparse, has_tuples, counted, joined};
  const Reports::Timed timed(reports_, l.place);
  Evaluator evaluator(names_, l, dtype(), load, tuples, plans);
  evaluator.observe(timed.plan(), options_.check_overflow);
  try {
    return f(evaluator);
  } catch (const ProgramError&) {
    throw;
  } catch (const LimitError& e) {
    limit(e, l.place);
  } catch (const Error& e) {
    refuse(e.code == Code::dtype ? E0205 : R06, l.place, e.what());
  }
}

Tensor Store::evaluate(Ready& ready, const Shape& shape) {
  return evaluating(ready.lowered, ready.plans, {}, [&](Evaluator& evaluator) {
    return evaluator.placed(evaluator.projected(), shape);
  });
}

// What an equation of a recursion gives at a value of its index, which the result does not have.
Tensor Store::evaluate_slice(Ready& ready, const Shape& shape, int64_t at,
                             const std::map<int, size_t>& axes,
                             const Evaluator::LoadSlice& load_slice) {
  return evaluating(ready.lowered, ready.plans, {}, [&](Evaluator& evaluator) {
    evaluator.fix(ready.step.label, at, axes, load_slice);
    const size_t axis = axes.at(ready.lowered.entity);
    return evaluator.placed(evaluator.projected(), shape, static_cast<int>(axis));
  });
}

std::optional<Tensor> Store::paths(const Component& component, Ready& ready, const Tensor& start) {
  return evaluating(ready.lowered, ready.plans, {},
                    [&](Evaluator& evaluator) -> std::optional<Tensor> {
                      try {
                        return evaluator.shortest_paths(component.entities[0], start);
                      } catch (const Error& e) {
                        if (e.code == Code::numeric) no_fixpoint(component, "");
                        if (e.code != Code::value) throw;
                        return std::nullopt;  // weights whose sums may be NaN
                      }
                    });
}

void Store::compute_plain(int entity) {
  Cell& cell = cells_[static_cast<size_t>(entity)];
  const Entity& e = names_.entities[static_cast<size_t>(entity)];
  const Shape shape = shape_of(entity);
  Tensor total = initial(entity);
  if (cell.equations.empty()) {
    cell.dense = total.defined() ? total : zeros(shape, {.dtype = e.dtype.value_or(dtype())});
    return;
  }
  for (Ready& ready : cell.equations) {
    const Tensor part = evaluate(ready, shape);
    total = total.defined() ? combined(ready.lowered.projection, total, part) : part;
  }
  cell.dense = total;
}

// Adds the tuples at which a tensor is above 0.
void Store::add_truth(const Tensor& values, Relation& r) {
  const Tensor holds = values.detach() > Tensor(0.0);
  if (r.arity() == 0) {
    if (holds.item() != 0) r.insert({});
    return;
  }
  const std::vector<int64_t> list = to_vector<int64_t>(nonzero(holds));
  r.insert_all(std::vector<uint32_t>(list.begin(), list.end()));
}

void Store::load_facts(int entity, Relation& r) {
  const Entity& e = names_.entities[static_cast<size_t>(entity)];
  std::vector<uint32_t> tuple(e.rank());
  for (const Fact* fact : e.facts) {
    bool known = true;
    for (size_t i = 0; i < tuple.size(); ++i) {
      const Domain& domain = names_.domains[static_cast<size_t>(names_.axis_of(e, i).domain)];
      const std::optional<uint32_t> number = domain.find(fact->symbols[i]);
      known = known && number;
      tuple[i] = number.value_or(0);
    }
    if (known) r.insert(tuple);
  }
  if (!e.tuples.empty()) r.insert_all(e.tuples);
}

Relation Store::base(int entity) {
  Cell& cell = cells_[static_cast<size_t>(entity)];
  Relation found(relations_[static_cast<size_t>(cell.relation)].arity());
  load_facts(entity, found);
  for (Ready& ready : cell.equations) add_truth(evaluate(ready, shape_of(entity)), found);
  return found;
}

int Store::entity_of(int relation) const {
  for (size_t e = 0; e < cells_.size(); ++e) {
    if (cells_[e].relation == relation) return static_cast<int>(e);
  }
  return -1;
}

Store::ComponentRules Store::rules_of(const Component& component) const {
  ComponentRules all;
  for (const int e : component.entities) {
    for (const ReadyRule& r : rules(e)) {
      all.rules.push_back(r.rule);
      all.places.push_back(r.site->place);
    }
  }
  return all;
}

void Store::compute_rules(const Component& component) {
  for (const int e : component.entities) {
    Cell& cell = cells_[static_cast<size_t>(e)];
    relations_[static_cast<size_t>(cell.relation)] = base(e);
    for (ReadyRule& r : cell.rules) {
      for (const int read : r.reads) {
        if (cells_[static_cast<size_t>(read)].component != cell.component) compute(read);
      }
      fill(r.inputs, r.site->place);
    }
  }
  const ComponentRules all = rules_of(component);
  if (std::any_of(component.entities.begin(), component.entities.end(),
                  [this](int e) { return is_embedded(e); })) {
    return embedded_rounds(component, all.rules, all.places, reading_);
  }
  if (all.rules.empty()) return;
  const Reports::Timed timed(reports_, all.places[0]);
  try {
    const FixpointReport done = fixpoint(relations_, all.rules, fixpoint_options());
    if (reports_) report_rules(component, done);
  } catch (const LimitError& error) {
    limit(error, all.place_of(error));
  }
}

Value Store::answer(const Lowered& lowered, const Tensor& only) {
  for (const int e : lowered.reads) compute(e);
  ProductPlans plans;
  return evaluating(lowered, plans, only, [&](Evaluator& evaluator) {
    Value v = evaluator.value(lowered.right);
    if (lowered.mask) {
      v.tensor = where(evaluator.inside(v.axes), v.tensor, Tensor(0.0));
    }
    return v;
  });
}

Tensor Store::initial(int entity) {
  Cell& cell = cells_[static_cast<size_t>(entity)];
  const Entity& e = names_.entities[static_cast<size_t>(entity)];
  const DType type = e.dtype.value_or(dtype());
  if (e.loaded.defined()) return type == e.loaded.dtype() ? e.loaded : to(e.loaded, type);
  if (e.learnable && cell.leaf.defined()) return cell.leaf;
  Tensor t;
  if (e.value) t = array_value(*e.value, shape_of(entity), names_, type);
  if (e.init && e.init->value && !is_numbers(*e.init->value, names_)) {
    std::set<int> none;
    const Lowered l = lower_query(*e.init->value, {}, e.init->place, context(none));
    t = answer(l).tensor;
    if (t.shape() != shape_of(entity)) {
      refuse(E0203, e.init->place,
             {"'", e.name, "' has shape ", to_string(shape_of(entity)), ", its initialiser ",
              to_string(t.shape())});
    }
    t = to(t.detach(), type);
  } else if (e.init) {
    t = initial_value(*e.init, e.name, shape_of(entity), names_, type, seed());
  }
  if (e.learnable) {
    if (!t.defined()) t = zeros(shape_of(entity), {.dtype = type});
    t.set_requires_grad();
    cell.leaf = t;
  }
  return t;
}

}  // namespace gyre::logic
