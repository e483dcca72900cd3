#include <algorithm>

#include "gyre/logic/run/store.h"

namespace gyre::logic {
namespace {

// Which positions of an atom are bound: 'b' or 'f' for each.
using Adornment = std::string;

// Rules that derive only what a query asks for (magic sets; Beeri and Ramakrishnan 1991): beside
// each relation with rules, for the positions that are bound when it is asked for, a relation of
// the values asked for, which guards its rules.
class MagicRules {
 public:
  /// The relations that it makes join those of the store until the end of the scope.
  MagicRules(Store& store, RelationScope& scope) : store_(store), scope_(scope) {}

  /// Replaces the atoms of a body with bound variables by guarded ones. `guard`: what is asked for.
  void rewrite(std::vector<Literal>& body, int variables, const Literal* guard) {
    std::vector<bool> bound(static_cast<size_t>(variables), false);
    std::vector<Literal> before;
    if (guard) {
      before.push_back(*guard);
      for (const Term& t : guard->terms) {
        if (t.variable) bound[t.value] = true;
      }
    }
    for (Literal& l : body) {
      if (l.kind != Literal::positive) continue;
      const int entity = store_.entity_of(l.relation);
      if (entity >= 0 && !store_.rules(entity).empty() && !store_.is_embedded(entity))
        ask(l, entity, variables, bound, before);
      before.push_back(l);
      for (const Term& t : l.terms) {
        if (t.variable) bound[t.value] = true;
      }
    }
  }
  /// Rewrites the rules of everything that was asked for.
  void finish() {
    for (size_t i = 0; i < asked_.size(); ++i) add_rules(i);
  }
  [[nodiscard]] const std::vector<HornRule>& rules() const { return rules_; }

 private:
  struct Asked {
    int entity;
    Adornment adornment;
    int answers, questions;  // relations
  };

  int add_relation(size_t arity) { return scope_.add(Relation(static_cast<int>(arity))); }
  // The relation of the tuples of an entity that no rule gives.
  int base_of(int entity) {
    const auto [it, is_new] = bases_.emplace(entity, -1);
    if (is_new) it->second = scope_.add(store_.base(entity));
    return it->second;
  }

  void ask(Literal& l, int entity, int variables, const std::vector<bool>& bound,
           const std::vector<Literal>& before) {
    Adornment adornment;
    Literal question{Literal::positive, -1, {}};
    for (const Term& t : l.terms) {
      const bool is_bound = !t.variable || bound[t.value];
      adornment += is_bound ? 'b' : 'f';
      if (is_bound) question.terms.push_back(t);
    }
    auto it = std::find_if(asked_.begin(), asked_.end(), [&](const Asked& a) {
      return a.entity == entity && a.adornment == adornment;
    });
    if (it == asked_.end()) {
      const int answers = add_relation(l.terms.size()),
                questions = add_relation(question.terms.size());
      asked_.push_back({entity, adornment, answers, questions});
      it = asked_.end() - 1;
    }
    l.relation = it->answers;
    question.relation = it->questions;
    if (!before.empty()) {
      rules_.push_back({question, before, variables});
      return;
    }
    std::vector<uint32_t> tuple;
    for (const Term& t : question.terms) tuple.push_back(t.value);
    store_.relations()[static_cast<size_t>(question.relation)].insert(tuple);
  }

  void add_rules(size_t number) {
    const Asked asked = asked_[number];
    const auto guard_of = [&](const std::vector<Term>& terms) {
      Literal guard{Literal::positive, asked.questions, {}};
      for (size_t i = 0; i < terms.size(); ++i) {
        if (asked.adornment[i] == 'b') guard.terms.push_back(terms[i]);
      }
      return guard;
    };
    std::vector<Term> all;
    for (uint32_t i = 0; i < asked.adornment.size(); ++i) all.push_back({true, i});
    rules_.push_back({{Literal::positive, asked.answers, all},
                      {guard_of(all), {Literal::positive, base_of(asked.entity), all}},
                      static_cast<int>(all.size())});
    for (const ReadyRule& ready : store_.rules(asked.entity)) {
      HornRule rule = ready.rule;
      rule.head.relation = asked.answers;
      const Literal guard = guard_of(rule.head.terms);
      rewrite(rule.body, rule.variables, &guard);
      rule.body.insert(rule.body.begin(), guard);
      rules_.push_back(std::move(rule));
    }
  }

  Store& store_;
  RelationScope& scope_;
  std::map<int, int> bases_;  // by entity
  std::vector<HornRule> rules_;
  std::vector<Asked> asked_;
};

}  // namespace

void Store::compute_below(int entity, std::set<int>& seen) {
  if (!seen.insert(entity).second) return;
  Cell& cell = cells_[static_cast<size_t>(entity)];
  if (cell.rules.empty() || is_embedded(entity)) return compute(entity);
  for (ReadyRule& r : cell.rules) {
    for (const RuleLiteral& literal : r.site->rule->body) {
      std::vector<int> reads;
      add_references(names_, literal.expr, reads);
      const bool atom =
          !literal.negated && literal.expr.kind == Expr::reference && literal.expr.atom;
      for (const int read : reads) {
        if (atom)
          compute_below(read, seen);
        else
          compute(read);
      }
    }
    fill(r.inputs, r.site->place);
  }
}

std::vector<uint32_t> Store::solutions_backward(const std::vector<RuleLiteral>& literals,
                                                const std::vector<std::string>& wanted,
                                                Place place) {
  RelationScope scope(relations_);
  LiteralBody body = body_of(literals, place);
  std::set<int> seen;
  for (const RuleLiteral& l : literals) {
    std::vector<int> reads;
    add_references(names_, l.expr, reads);
    const bool atom = !l.negated && l.expr.kind == Expr::reference && l.expr.atom;
    for (const int e : reads) {
      if (atom)
        compute_below(e, seen);
      else
        compute(e);
    }
  }
  fill(body.inputs, place);
  MagicRules magic(*this, scope);
  magic.rewrite(body.literals, body.variables, nullptr);
  magic.finish();
  try {
    fixpoint(relations_, magic.rules(), fixpoint_options());
    return rows_of(body, wanted);
  } catch (const LimitError& error) {
    limit(error, place);
  }
}

}  // namespace gyre::logic
