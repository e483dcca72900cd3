#include <algorithm>

#include "gyre/logic/analysis/ranges.h"
#include "gyre/logic/run/store.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/index/index.h"

namespace gyre::logic {
namespace {

using enum DiagnosticCode;

// The words of an expression that may be variables.
void words_of(const Expr& expr, std::vector<const Expr*>& found) {
  visit(expr, [&](const Expr& e) {
    if (e.kind == Expr::reference && !e.bracketed) found.push_back(&e);
  });
}

// Inserts tuples into one of the relations of a program within the limits of a run.
class MeteredInsert {
 public:
  MeteredInsert(std::span<const Relation> all, Relation& into, FixpointMeter& meter)
      : into_(into), meter_(meter) {
    if (!meter_.limits_bytes()) return;
    for (const Relation& r : all) bytes_ += &r == &into ? 0 : r.bytes();
  }
  void operator()(std::span<const uint32_t> tuple) const {
    meter_.work(16);
    if (meter_.limits_bytes()) {
      if (const int64_t more = into_.rows().growth(1))
        meter_.check_bytes(bytes_ + into_.bytes(), more);
    }
    into_.insert(tuple);
  }

 private:
  Relation& into_;
  FixpointMeter& meter_;
  int64_t bytes_ = 0;  // of the other relations
};

// The operator with its sides exchanged.
Operator turned(Operator op) {
  switch (op) {
    case Operator::less:
      return Operator::greater;
    case Operator::less_equal:
      return Operator::greater_equal;
    case Operator::greater:
      return Operator::less;
    case Operator::greater_equal:
      return Operator::less_equal;
    default:
      return op;
  }
}

}  // namespace

std::vector<RuleLiteral> literals_of(const Expr& expr) {
  const Expr& e = expr.kind == Expr::group ? expr.children[0] : expr;
  if (e.kind == Expr::operation && e.op == Operator::conjunction) {
    std::vector<RuleLiteral> all = literals_of(e.children[0]);
    for (RuleLiteral& l : literals_of(e.children[1])) all.push_back(std::move(l));
    return all;
  }
  if (e.kind == Expr::operation && e.op == Operator::negation &&
      e.children[0].kind == Expr::reference) {
    return {{true, e.children[0]}};
  }
  return {{false, e}};
}

/// Turns literals into those of the engine.
struct Store::RuleBuilder {
  Store& store;
  Names& names = store.names_;
  std::vector<Literal> body{};
  std::map<std::string, uint32_t> numbers{};
  BodyInputs inputs_of_body{};
  std::vector<Axis> axes{};  ///< of the variables
  std::vector<bool> bound{};

  uint32_t variable(const std::string& name, Axis axis) {
    const auto [it, is_new] = numbers.emplace(name, static_cast<uint32_t>(axes.size()));
    if (is_new) {
      axes.push_back(axis);
      bound.push_back(false);
    }
    return it->second;
  }
  uint32_t fresh(Axis axis) { return variable(" " + std::to_string(axes.size()), axis); }
  // How a variable is written: one without a name is `_`.
  static std::string shown(const std::string& name) { return name[0] == ' ' ? "_" : name; }

  Term term(const Index& index, const Axis& axis, const std::string& of) {
    const Domain& domain = names.domains[static_cast<size_t>(axis.domain)];
    if (index.kind == Index::slice || index.is_virtual || index.marked) {
      refuse(E0002, index.place, "an atom has variables and symbols");
    }
    if (index.kind == Index::value) {
      const Expr& e = index.bounds[0];
      if (e.kind == Expr::reference && kind_of_word(names, e.name, &domain) == WordKind::variable) {
        return {true, e.name == "_" ? fresh(axis) : variable(e.name, axis)};
      }
      if (e.kind == Expr::operation && !names.constant_value(e))
        return {true, computed(e, axis, index.place)};
    }
    std::set<int> none;
    const LowerContext context = store.context(none);
    Scope scope(context);
    return {false, static_cast<uint32_t>(scope.position(index, axis, of).value)};
  }

  // A variable that equals an index expression, by a relation of all its values.
  uint32_t computed(const Expr& e, const Axis& axis, Place place) {
    std::vector<const Expr*> words;
    words_of(e, words);
    std::vector<NamedAxis> inputs;
    Literal l{Literal::positive, -1, {}};
    for (const Expr* w : words) {
      if (names.constant(w->name) ||
          std::any_of(inputs.begin(), inputs.end(),
                      [&](const NamedAxis& input) { return input.name == w->name; }))
        continue;
      if (!numbers.contains(w->name))
        refuse(E0305, place, {"'", w->name, "' does not occur in an atom before"});
      l.terms.push_back({true, numbers[w->name]});
      inputs.push_back({w->name, axes[numbers[w->name]]});
    }
    const uint32_t result = fresh(axis);
    l.terms.push_back({true, result});
    l.relation = store.add_relation(static_cast<int>(l.terms.size()));
    inputs_of_body.values.push_back(computed_values(names, l.relation, e, inputs, axis));
    bound[result] = true;
    body.push_back(std::move(l));
    return result;
  }

  Literal atom(const Expr& e, Literal::Kind kind) {
    const Entity* entity = names.find(e.name);
    if (!entity) names.refuse_unknown(e.name, e.place);
    if (!entity->is_relation)
      refuse(E0202, e.place, {"'", e.name, "' is a tensor: an atom is of a relation"});
    if (entity->rank() != e.indices.size()) {
      refuse(E0202, e.place,
             {"'", e.name, "' has ", entity->rank(), " indices, got ", e.indices.size()});
    }
    const int number = names.entity_of.at(e.name);
    Literal l{kind, store.cells_[static_cast<size_t>(number)].relation, {}};
    for (size_t i = 0; i < e.indices.size(); ++i) {
      l.terms.push_back(term(e.indices[i], names.axis_of(*entity, i), e.name));
      if (kind == Literal::positive && l.terms.back().variable) bound[l.terms.back().value] = true;
    }
    return l;
  }
  // `_` in a negated atom: there is no tuple with whatever is there.
  Literal negated(const Expr& e) {
    const auto is_any = [](const Index& i) {
      return i.kind == Index::value && i.bounds[0].kind == Expr::reference &&
             !i.bounds[0].bracketed && i.bounds[0].name == "_";
    };
    const Entity* entity = names.find(e.name);
    if (!entity || !entity->is_relation || entity->rank() != e.indices.size() ||
        std::none_of(e.indices.begin(), e.indices.end(), is_any))
      return atom(e, Literal::negative);
    Shadow shadow{-1, store.relation_of(names.entity_of.at(e.name)), {}};
    Literal l{Literal::negative, -1, {}};
    for (size_t i = 0; i < e.indices.size(); ++i) {
      if (is_any(e.indices[i])) continue;
      shadow.positions.push_back(i);
      l.terms.push_back(term(e.indices[i], names.axis_of(*entity, i), e.name));
    }
    l.relation = shadow.relation = store.add_relation(static_cast<int>(shadow.positions.size()));
    inputs_of_body.shadows.push_back(std::move(shadow));
    return l;
  }

  [[nodiscard]] bool is_known(const Expr& side) const {
    return side.kind == Expr::reference && !side.bracketed && !names.find(side.name) &&
           numbers.contains(side.name);
  }
  [[nodiscard]] bool is_numbered(const Axis& axis) const {
    return axis.domain < 0 || names.domains[static_cast<size_t>(axis.domain)].numbered >= 0;
  }

  // Adds a comparison of variables and symbols; false for one of other expressions.
  bool compare(const Expr& e) {
    const Expr *a = &e.children[0], *b = &e.children[1];
    if (!is_known(*a) && !is_known(*b)) return false;
    Operator op = e.op;
    if (op == Operator::greater || op == Operator::greater_equal) {
      std::swap(a, b);
      op = op == Operator::greater ? Operator::less : Operator::less_equal;
    }
    const bool ordered = op == Operator::less || op == Operator::less_equal;
    const Expr& variable = is_known(*a) ? *a : *b;
    const Expr& other = is_known(*a) ? *b : *a;
    const Axis axis = axes[numbers[variable.name]];
    Term terms[2] = {{true, numbers[variable.name]}, {}};
    if (is_known(other)) {
      const Axis to = axes[numbers[other.name]];
      terms[1] = {true, numbers[other.name]};
      if (!is_numbered(axis) || !is_numbered(to)) {
        if (ordered) {
          terms[0] = ranked(terms[0], axis, to, e.place);
          terms[1] = ranked(terms[1], to, axis, e.place);
        } else if (axis.domain != to.domain) {
          refuse(E0201, e.place,
                 {"'", variable.name, "' and '", other.name, "' are of different domains"});
        }
      }
    } else {
      const bool bare =
          other.kind == Expr::reference && !other.bracketed && !names.find(other.name);
      if (axis.domain < 0 || (!bare && !names.constant_value(other))) return false;
      const Domain& domain = names.domains[static_cast<size_t>(axis.domain)];
      if (bare && kind_of_word(names, other.name, &domain) == WordKind::variable)
        refuse(E0305, other.place, {"'", other.name, "' occurs in no positive literal"});
      const Operator from_variable = &variable == &e.children[0] ? e.op : turned(e.op);
      if (ordered && domain.numbered < 0) {
        compare_with_number(terms[0], axis, from_variable, other);
        return true;
      }
      const std::optional<int64_t> value = names.constant_value(other);
      if (domain.numbered >= 0 && value && (ordered || domain.open)) {  // may be outside
        const int64_t inside = std::clamp<int64_t>(*value, 0, UINT32_MAX);
        if (inside != *value) {
          if (!compares(from_variable, 0, *value)) body.push_back(never(terms[0]));
          return true;
        }
        terms[1] = {false, static_cast<uint32_t>(inside)};
      } else {
        Index index;
        index.bounds = {other};
        index.place = other.place;
        terms[1] = term(index, axis, variable.name);
      }
    }
    if (&variable != a) std::swap(terms[0], terms[1]);
    const Literal::Kind kind = op == Operator::equal       ? Literal::equal
                               : op == Operator::not_equal ? Literal::not_equal
                               : op == Operator::less      ? Literal::less
                                                           : Literal::less_equal;
    body.push_back({kind, -1, {terms[0], terms[1]}});
    return true;
  }
  static Literal never(const Term& variable) {
    return {Literal::not_equal, -1, {variable, variable}};
  }
  // The rank of a variable among the integers of two domains.
  Term ranked(const Term& variable, const Axis& axis, const Axis& other, Place place) {
    const Term rank{true, fresh(axis)};
    bound[rank.value] = true;
    const int relation = store.add_relation(2);
    inputs_of_body.values.push_back(ranked_values(names, relation, axis, other, place));
    body.push_back({Literal::positive, relation, {variable, rank}});
    return rank;
  }
  void compare_with_number(const Term& variable, const Axis& axis, Operator op,
                           const Expr& number) {
    std::optional<int64_t> value = names.constant_value(number);
    if (!value) {
      const auto loop = names.script.symbols.find(number.name);
      value = integer_of(loop == names.script.symbols.end() ? number.name : loop->second);
    }
    if (!value) {
      refuse(E0205, number.place,
             {"order and arithmetic are of integers, '", number.name, "' is none"});
    }
    const int relation = store.add_relation(1);
    inputs_of_body.values.push_back(
        ordered_values(names, relation, axis, op, *value, number.place));
    body.push_back({Literal::positive, relation, {variable}});
  }

  // Where an expression of numbers is not 0: a relation over its variables, made now.
  void filter(const Expr& e) {
    std::vector<Variable> wanted;
    std::vector<std::string> seen;
    std::set<int> none;
    const LowerContext context = store.context(none);
    Scope scope(context);
    scope.find(e);
    for (const Variable& v : scope.variables()) wanted.push_back(v);
    std::vector<const Expr*> words;
    words_of(e, words);
    for (const Expr* w : words) {
      const bool has = std::any_of(wanted.begin(), wanted.end(),
                                   [&](const Variable& v) { return v.name == w->name; });
      if (!has && numbers.contains(w->name)) wanted.push_back({w->name, {}, w->place});
    }
    for (Variable& v : wanted) {
      if (numbers.contains(v.name)) v.axis = axes[numbers[v.name]];
    }
    const Lowered lowered = lower_value(e, wanted, e.place, context);
    const int relation = store.add_relation(static_cast<int>(wanted.size()));
    require_integers_in(lowered);
    inputs_of_body.filters.push_back({{lowered}, relation});
    Literal l{Literal::positive, relation, {}};
    for (size_t i = 0; i < wanted.size(); ++i) {
      l.terms.push_back({true, variable(wanted[i].name, lowered.variables[i].axis)});
      bound[l.terms.back().value] = true;
    }
    body.push_back(std::move(l));
  }

  // Variables whose numbers a condition reads, beside those that are indices in it.
  void require_integers_in(const Lowered& lowered) {
    const std::function<void(const Node&)> visit_node = [&](const Node& node) {
      if (node.kind == Node::index) {
        require_integers(names, lowered.variables[static_cast<size_t>(node.label)].axis,
                         node.place);
      }
      const std::string_view op = node.op ? node.op->name : "";
      const bool equates = (op == "eq" || op == "ne") && node.children[0]->kind == Node::index &&
                           node.children[1]->kind == Node::index;
      for (const NodePtr& child : node.children) {
        if (!equates) visit_node(*child);
      }
    };
    visit_node(*lowered.right);
  }

  [[nodiscard]] bool has_computed(const Expr& atom) const {
    return std::any_of(atom.indices.begin(), atom.indices.end(), [&](const Index& i) {
      return i.kind == Index::value && i.bounds[0].kind == Expr::operation &&
             !names.constant_value(i.bounds[0]);
    });
  }
  void add(const std::vector<RuleLiteral>& literals) {
    const auto is_atom = [&](const RuleLiteral& l) {
      return l.expr.kind == Expr::reference && l.expr.atom;
    };
    for (const bool computes : {false, true}) {  // P(x + 1) once an atom has x
      for (const RuleLiteral& l : literals) {
        if (is_atom(l) && !l.negated && has_computed(l.expr) == computes)
          body.push_back(atom(l.expr, Literal::positive));
      }
    }
    for (const RuleLiteral& l : literals) {
      if (is_atom(l) && l.negated) {
        body.push_back(negated(l.expr));
      } else if (!is_atom(l)) {
        const bool compares = l.expr.kind == Expr::operation && is_comparison(l.expr.op);
        if (!compares || !compare(l.expr)) filter(l.expr);
      }
    }
  }

  // A position of the head whose domain nothing else tells has that of its variable, which a
  // condition on tensors may have bound.
  void infer_domains(const Expr& head) {
    const Entity* entity = names.find(head.name);
    for (size_t i = 0; entity && i < head.indices.size() && i < entity->rank(); ++i) {
      const Index& index = head.indices[i];
      const int slot = entity->slots[i];
      const Domain& own = names.domains[static_cast<size_t>(names.slots.domain(slot))];
      if (index.kind != Index::value || index.bounds[0].kind != Expr::reference) continue;
      const auto it = numbers.find(index.bounds[0].name);
      if (it == numbers.end()) continue;
      Axis& axis = axes[it->second];
      if (axis.domain == names.slots.domain(slot)) continue;
      if (own.open && own.name.empty() && own.size() == 0) {
        if (axis.domain < 0) {
          names.domains.push_back({.open = false, .numbered = axis.size});
          axis.domain = static_cast<int>(names.domains.size()) - 1;
        }
        names.slots.set_domain(slot, axis.domain);
      } else if (axis.domain >= 0 || own.numbered < axis.size) {
        refuse(E0201, index.place,
               {"'", it->first, "' has ", names.size_of(axis),
                " values in a tensor, this position of '", head.name, "' another domain"},
               "", {"declare both: relation ", head.name, "(x: D)"});
      }
    }
  }

  // Variables without a positive literal range over a declared finite domain (S9).
  void bind_rest(Place place) {
    for (int pass = 0; pass < 2; ++pass) {
      for (const Literal& l : body) {  // x == y binds the one by the other
        if (l.kind != Literal::equal) continue;
        const auto is = [&](const Term& t) { return !t.variable || bound[t.value]; };
        if (is(l.terms[0]) && l.terms[1].variable) bound[l.terms[1].value] = true;
        if (is(l.terms[1]) && l.terms[0].variable) bound[l.terms[0].value] = true;
      }
    }
    for (const auto& [name, number] : numbers) {
      if (bound[number]) continue;
      const Domain& domain = names.domains[static_cast<size_t>(axes[number].domain)];
      if (domain.open) {
        refuse(E0305, place, {"'", shown(name), "' occurs in no positive literal"},
               "each variable of a rule must occur in an atom that is not negated, or have a "
               "declared domain");
      }
      const int all = store.domain_relations_[static_cast<size_t>(axes[number].domain)];
      body.push_back({Literal::positive, all, {{true, number}}});
      inputs_of_body.domains.push_back(axes[number].domain);
      bound[number] = true;
    }
  }
};

void Store::compile_rules(int entity) {
  Cell& cell = cells_[static_cast<size_t>(entity)];
  for (const int number : names_.entities[static_cast<size_t>(entity)].rules) {
    const RuleSite& site = names_.rules[static_cast<size_t>(number)];
    try {
      RuleBuilder builder{*this};
      builder.add(site.rule->body);
      builder.infer_domains(site.rule->head);
      ReadyRule ready{{}, &site};
      ready.rule.head = builder.atom(site.rule->head, Literal::negative);
      ready.rule.head.kind = Literal::positive;
      for (const RuleLiteral& l : site.rule->body) add_references(names_, l.expr, ready.reads);
      builder.bind_rest(site.place);
      ready.rule.body = std::move(builder.body);
      ready.rule.variables = static_cast<int>(builder.axes.size());
      ready.inputs = std::move(builder.inputs_of_body);
      cell.rules.push_back(std::move(ready));
    } catch (const Refused& refused) {
      diagnostics_.add(refused.diagnostic);
      cell.is_broken = true;
    }
  }
}

void Store::list_elements(int domain, FixpointMeter& meter) {
  listed_domains_.insert(domain);
  Relation& r = relations_[static_cast<size_t>(domain_relations_[static_cast<size_t>(domain)])];
  const int64_t size = names_.domains[static_cast<size_t>(domain)].size();
  const MeteredInsert insert(relations_, r, meter);
  for (int64_t i = r.size(); i < size; ++i) insert({{static_cast<uint32_t>(i)}});
}

void Store::fill(BodyInputs& inputs, Place place) {
  for (Filter& filter : inputs.filters) fill_filter(filter);
  FixpointOptions options = fixpoint_options();
  options.limits.tuples = INT64_MAX;  // these are not derived
  try {
    FixpointMeter meter(options.limits, options.stop);
    for (const Shadow& s : inputs.shadows) {
      Relation& r = relations_[static_cast<size_t>(s.relation)];
      r = Relation(r.arity());
      const MeteredInsert insert(relations_, r, meter);
      std::vector<uint32_t> tuple(s.positions.size());
      relations_[static_cast<size_t>(s.of)].for_each([&](const uint32_t* all) {
        for (size_t i = 0; i < tuple.size(); ++i) tuple[i] = all[s.positions[i]];
        insert(tuple);
      });
    }
    for (const int domain : inputs.domains) list_elements(domain, meter);
    for (ValueRelation& v : inputs.values) {
      std::vector<int64_t> sizes = v.sizes_now(names_);
      if (v.sizes == sizes) continue;
      for (const Axis& axis : v.axes) require_integers(names_, axis, v.place);
      v.sizes.clear();
      Relation& r = relations_[static_cast<size_t>(v.relation)];
      r = Relation(r.arity());
      v.list(names_, meter, MeteredInsert(relations_, r, meter));
      v.sizes = std::move(sizes);
    }
  } catch (const LimitError& error) {
    limit(error, place);
  }
}

void Store::fill_filter(Filter& filter) {
  const Value v = answer(filter.ready.lowered);
  LabelList axes;
  for (size_t i = 0;
       i < filter.ready.lowered.variables.size() &&
       axes.size() < static_cast<size_t>(relations_[static_cast<size_t>(filter.relation)].arity());
       ++i)
    axes.push_back(static_cast<Label>(i));
  Relation& r = relations_[static_cast<size_t>(filter.relation)];
  const Relation fresh(r.arity());
  r = fresh;
  Shape shape;
  for (const Label l : axes)
    shape.push_back(names_.size_of(filter.ready.lowered.variables[static_cast<size_t>(l)].axis));
  const Tensor t = expand_to(aligned(v, axes), shape);
  if (r.arity() == 0) {
    if (t.item() != 0) r.insert({});
    return;
  }
  const Tensor places = nonzero(t.detach());
  const std::vector<int64_t> list = to_vector<int64_t>(places);
  std::vector<uint32_t> tuples(list.begin(), list.end());
  r.insert_all(tuples);
}

Store::LiteralBody Store::body_of(const std::vector<RuleLiteral>& literals, Place place) {
  RuleBuilder builder{*this};
  builder.add(literals);
  builder.bind_rest(place);
  LiteralBody body{std::move(builder.body), static_cast<int>(builder.axes.size()),
                   std::move(builder.numbers), std::move(builder.inputs_of_body)};
  return body;
}

std::vector<uint32_t> Store::rows_of(const LiteralBody& body,
                                     const std::vector<std::string>& wanted) {
  std::vector<uint32_t> numbers;
  for (const std::string& w : wanted) numbers.push_back(body.numbers.at(w));
  if (!numbers.empty())
    return bindings(relations_, body.literals, body.variables, numbers, fixpoint_options());
  return std::vector<uint32_t>(
      holds(relations_, body.literals, body.variables, fixpoint_options()) ? 1 : 0, 1);
}

std::vector<uint32_t> Store::solutions(const std::vector<RuleLiteral>& literals,
                                       const std::vector<std::string>& wanted, Place place) {
  const RelationScope scope(relations_);
  LiteralBody body = body_of(literals, place);
  for (const RuleLiteral& l : literals) {
    std::vector<int> reads;
    add_references(names_, l.expr, reads);
    for (const int e : reads) compute(e);
  }
  fill(body.inputs, place);
  try {
    return rows_of(body, wanted);
  } catch (const LimitError& error) {
    limit(error, place);
  }
}

std::vector<uint32_t> Store::tuple_of(const Expr& atom, const std::vector<Variable>& variables,
                                      std::span<const uint32_t> row) {
  const Entity& entity = *names_.find(atom.name);
  const std::set<int> none;
  const LowerContext c = context(none);
  Scope scope(c);
  std::vector<uint32_t> tuple;
  for (size_t i = 0; i < atom.indices.size(); ++i) {
    const Index& index = atom.indices[i];
    const bool word = index.kind == Index::value && index.bounds[0].kind == Expr::reference;
    const auto it = std::find_if(variables.begin(), variables.end(), [&](const Variable& v) {
      return word && v.name == index.bounds[0].name;
    });
    if (it != variables.end())
      tuple.push_back(row[static_cast<size_t>(it - variables.begin())]);
    else
      tuple.push_back(
          static_cast<uint32_t>(scope.position(index, names_.axis_of(entity, i), atom.name).value));
  }
  return tuple;
}

void Store::check(const std::vector<RuleLiteral>& literals, Place place) {
  const RelationScope scope(relations_);
  body_of(literals, place);
}

std::vector<Variable> Store::variables_of(const std::vector<RuleLiteral>& literals) {
  std::vector<Variable> found;
  for (const RuleLiteral& l : literals) {
    if (l.expr.kind != Expr::reference) continue;
    const Entity* entity = names_.find(l.expr.name);
    for (size_t i = 0; entity && i < l.expr.indices.size() && i < entity->rank(); ++i) {
      const Index& index = l.expr.indices[i];
      if (index.kind != Index::value || index.bounds[0].kind != Expr::reference) continue;
      const std::string& name = index.bounds[0].name;
      const Axis axis = names_.axis_of(*entity, i);
      const Domain* domain =
          axis.domain < 0 ? nullptr : &names_.domains[static_cast<size_t>(axis.domain)];
      const bool is_new = std::none_of(found.begin(), found.end(),
                                       [&](const Variable& v) { return v.name == name; });
      if (name != "_" && is_new && kind_of_word(names_, name, domain) == WordKind::variable)
        found.push_back({name, axis, index.place});
    }
  }
  return found;
}

}  // namespace gyre::logic
