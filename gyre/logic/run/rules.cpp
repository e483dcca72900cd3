#include <algorithm>

#include "gyre/logic/analysis/index_value.h"
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
    std::vector<uint32_t> inputs;
    std::vector<std::string> order;
    for (const Expr* w : words) {
      if (names.constant(w->name) || std::find(order.begin(), order.end(), w->name) != order.end())
        continue;
      if (!numbers.contains(w->name))
        refuse(E0305, place, {"'", w->name, "' does not occur in an atom before"});
      order.push_back(w->name);
      inputs.push_back(numbers[w->name]);
    }
    const uint32_t result = fresh(axis);
    const int relation = store.add_relation(static_cast<int>(inputs.size()) + 1);
    std::map<std::string, int64_t> values;
    fill(e, order, inputs, axis, relation, values, {});
    Literal l{Literal::positive, relation, {}};
    for (const uint32_t v : inputs) l.terms.push_back({true, v});
    l.terms.push_back({true, result});
    bound[result] = true;
    body.push_back(std::move(l));
    return result;
  }
  void fill(const Expr& e, const std::vector<std::string>& order,
            const std::vector<uint32_t>& inputs, const Axis& axis, int relation,
            std::map<std::string, int64_t>& values, std::vector<uint32_t> tuple) {
    const size_t next = tuple.size();
    if (next == order.size()) {
      const std::optional<int64_t> value =
          index_value(e, [&](const std::string& name) -> std::optional<int64_t> {
            const auto it = values.find(name);
            return it != values.end() ? it->second : names.constant(name);
          });
      if (!value || *value < 0 || *value >= names.size_of(axis)) return;
      tuple.push_back(static_cast<uint32_t>(*value));
      store.relations_[static_cast<size_t>(relation)].insert(tuple);
      return;
    }
    tuple.push_back(0);
    for (int64_t i = 0; i < names.size_of(axes[inputs[next]]); ++i) {
      values[order[next]] = i;
      tuple.back() = static_cast<uint32_t>(i);
      fill(e, order, inputs, axis, relation, values, tuple);
    }
  }

  Literal atom(const Expr& e, Literal::Kind kind) {
    const Entity* entity = names.find(e.name);
    if (!entity) names.refuse_unknown(e.name, e.place);
    if (!entity->is_relation)
      refuse(E0202, e.place,
             {"'", e.name, "' is a tensor, here is an atom of a relation expected"});
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

  // A comparison of two variables or symbols; nullopt for one of numbers.
  std::optional<Literal> comparison(const Expr& e) {
    const Expr *a = &e.children[0], *b = &e.children[1];
    const auto bare = [&](const Expr& side) {
      return side.kind == Expr::reference && !side.bracketed && !names.find(side.name);
    };
    const auto number = [&](const Expr& side) { return names.constant_value(side).has_value(); };
    if ((!bare(*a) && !number(*a)) || (!bare(*b) && !number(*b))) return std::nullopt;
    const auto known = [&](const Expr& side) { return bare(side) && numbers.contains(side.name); };
    if (!known(*a) && !known(*b)) return std::nullopt;
    Operator op = e.op;
    if (op == Operator::greater || op == Operator::greater_equal) {
      std::swap(a, b);
      op = op == Operator::greater ? Operator::less : Operator::less_equal;
    }
    const Axis axis = axes[numbers[known(*a) ? a->name : b->name]];
    const auto as_term = [&](const Expr& side) -> Term {
      if (known(side)) return {true, numbers[side.name]};
      Index index;
      index.bounds = {side};
      index.place = side.place;
      const Domain& domain = names.domains[static_cast<size_t>(axis.domain)];
      if (side.kind == Expr::reference &&
          kind_of_word(names, side.name, &domain) == WordKind::variable) {
        refuse(E0305, side.place, {"'", side.name, "' occurs in no positive literal"});
      }
      return term(index, axis, "the other side");
    };
    const Literal::Kind kind = op == Operator::equal       ? Literal::equal
                               : op == Operator::not_equal ? Literal::not_equal
                               : op == Operator::less      ? Literal::less
                                                           : Literal::less_equal;
    return Literal{kind, -1, {as_term(*a), as_term(*b)}};
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
    pending.push_back({lowered, relation});
    Literal l{Literal::positive, relation, {}};
    for (size_t i = 0; i < wanted.size(); ++i) {
      l.terms.push_back({true, variable(wanted[i].name, lowered.variables[i].axis)});
      bound[l.terms.back().value] = true;
    }
    body.push_back(std::move(l));
  }

  void add(const std::vector<RuleLiteral>& literals) {
    const auto is_atom = [&](const RuleLiteral& l) {
      return l.expr.kind == Expr::reference && l.expr.atom;
    };
    for (const RuleLiteral& l : literals) {
      if (is_atom(l) && !l.negated) body.push_back(atom(l.expr, Literal::positive));
    }
    for (const RuleLiteral& l : literals) {
      if (is_atom(l) && l.negated) {
        body.push_back(atom(l.expr, Literal::negative));
      } else if (!is_atom(l)) {
        const bool compares = l.expr.kind == Expr::operation && is_comparison(l.expr.op);
        std::optional<Literal> native = compares ? comparison(l.expr) : std::nullopt;
        if (native)
          body.push_back(std::move(*native));
        else
          filter(l.expr);
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
        refuse(E0305, place, {"'", name, "' occurs in no positive literal"},
               "the variables of a head, a negation and a comparison have a positive literal or a "
               "closed domain");
      }
      body.push_back({Literal::positive, store.all_of(axes[number].domain), {{true, number}}});
      bound[number] = true;
    }
  }

  struct Pending {
    Lowered lowered;
    int relation;
  };
  std::vector<Pending> pending{};
};

int Store::all_of(int domain) {
  const auto [it, is_new] = domain_relations_.emplace(domain, -1);
  if (is_new) it->second = add_relation(1);
  Relation& r = relations_[static_cast<size_t>(it->second)];
  const int64_t size = names_.domains[static_cast<size_t>(domain)].size();
  for (auto i = static_cast<uint32_t>(r.size()); i < size; ++i) r.insert({{i}});
  return it->second;
}

void Store::compile_rules(int entity) {
  Cell& cell = cells_[static_cast<size_t>(entity)];
  for (const int number : names_.entities[static_cast<size_t>(entity)].rules) {
    const RuleSite& site = names_.rules[static_cast<size_t>(number)];
    try {
      RuleBuilder builder{*this};
      builder.add(site.rule->body);
      builder.infer_domains(site.rule->head);
      ReadyRule ready{{}, &site, {}};
      ready.rule.head = builder.atom(site.rule->head, Literal::negative);
      ready.rule.head.kind = Literal::positive;
      for (const RuleLiteral& l : site.rule->body) add_references(names_, l.expr, ready.reads);
      builder.bind_rest(site.place);
      ready.rule.body = std::move(builder.body);
      ready.rule.variables = static_cast<int>(builder.axes.size());
      for (RuleBuilder::Pending& p : builder.pending)
        ready.filters.push_back({{std::move(p.lowered)}, p.relation});
      cell.rules.push_back(std::move(ready));
    } catch (const Refused& refused) {
      diagnostics_.add(refused.diagnostic);
      cell.is_broken = true;
    }
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
  LiteralBody body{std::move(builder.body),
                   static_cast<int>(builder.axes.size()),
                   std::move(builder.numbers),
                   {}};
  for (RuleBuilder::Pending& p : builder.pending)
    body.filters.push_back({{std::move(p.lowered)}, p.relation});
  return body;
}

std::vector<uint32_t> Store::rows_of(std::span<const Relation> relations, const LiteralBody& body,
                                     const std::vector<std::string>& wanted) {
  std::vector<uint32_t> numbers;
  for (const std::string& w : wanted) numbers.push_back(body.numbers.at(w));
  if (!numbers.empty())
    return bindings(relations, body.literals, body.variables, numbers, fixpoint_options());
  return std::vector<uint32_t>(
      holds(relations, body.literals, body.variables, fixpoint_options()) ? 1 : 0, 1);
}

std::vector<uint32_t> Store::solutions(const std::vector<RuleLiteral>& literals,
                                       const std::vector<std::string>& wanted, Place place) {
  LiteralBody body = body_of(literals, place);
  for (const RuleLiteral& l : literals) {
    std::vector<int> reads;
    add_references(names_, l.expr, reads);
    for (const int e : reads) compute(e);
  }
  for (Filter& filter : body.filters) fill_filter(filter);
  try {
    return rows_of(relations_, body, wanted);
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
