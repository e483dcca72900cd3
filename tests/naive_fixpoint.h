#pragma once
#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "gyre/data/draw.h"
#include "gyre/relation/fixpoint.h"

// A reference for the tests of relations: evaluation by definition, and random programs.

namespace gyre::naive {

using Tuples = std::set<std::vector<uint32_t>>;
using Binding = std::vector<std::optional<uint32_t>>;

inline std::optional<uint32_t> value(const Term& term, const Binding& binding) {
  return term.variable ? binding[term.value] : std::optional(term.value);
}

inline bool check(const Literal& literal, const std::vector<Tuples>& relations,
                  const Binding& binding) {
  std::vector<uint32_t> t;
  for (const Term& term : literal.terms) t.push_back(*value(term, binding));
  switch (literal.kind) {
    case Literal::positive:
      return true;
    case Literal::negative:
      return !relations[static_cast<size_t>(literal.relation)].count(t);
    case Literal::equal:
      return t[0] == t[1];
    case Literal::not_equal:
      return t[0] != t[1];
    case Literal::less:
      return t[0] < t[1];
    default:
      return t[0] <= t[1];
  }
}

/// All bindings of a body whose variables occur in positive literals.
inline void for_bindings(const std::vector<Literal>& body, const std::vector<Tuples>& relations,
                         size_t number, const Binding& binding,
                         const std::function<void(const Binding&)>& f) {
  while (number < body.size() && body[number].kind != Literal::positive) ++number;
  if (number == body.size()) {
    for (const Literal& literal : body) {
      if (!check(literal, relations, binding)) return;
    }
    return f(binding);
  }
  const Literal& atom = body[number];
  for (const auto& tuple : relations[static_cast<size_t>(atom.relation)]) {
    Binding next = binding;
    bool fits = true;
    for (size_t c = 0; c < tuple.size() && fits; ++c) {
      const Term& term = atom.terms[c];
      if (auto known = value(term, next)) {
        fits = *known == tuple[c];
      } else {
        next[term.value] = tuple[c];
      }
    }
    if (fits) for_bindings(body, relations, number + 1, next, f);
  }
}

/// Adds the least fixpoint of the rules.
inline void fixpoint(std::vector<Tuples>& relations, std::span<const HornRule> rules) {
  for (bool changed = true; changed;) {
    changed = false;
    for (const HornRule& rule : rules) {
      Tuples found;
      for_bindings(rule.body, relations, 0, Binding(static_cast<size_t>(rule.variables)),
                   [&](const Binding& binding) {
                     std::vector<uint32_t> tuple;
                     for (const Term& term : rule.head.terms)
                       tuple.push_back(*value(term, binding));
                     found.insert(tuple);
                   });
      for (const auto& tuple : found) {
        changed |= relations[static_cast<size_t>(rule.head.relation)].insert(tuple).second;
      }
    }
  }
}

inline Tuples tuples_of(const Relation& relation) {
  Tuples tuples;
  relation.for_each(
      [&](const uint32_t* t) { tuples.insert(std::vector<uint32_t>(t, t + relation.arity())); });
  return tuples;
}

/// Numbers drawn one after the other.
class Draws {
 public:
  explicit Draws(uint64_t seed) : seed_(seed) {}
  uint32_t below(uint32_t n) { return static_cast<uint32_t>(draw(seed_, next_++) % n); }

 private:
  uint64_t seed_, next_ = 0;
};

/// A comparison of a variable that is never true.
inline Literal false_comparison(uint32_t variable, Draws& draws) {
  const Term v{true, variable};
  return {draws.below(2) ? Literal::not_equal : Literal::less, -1, {v, v}};
}

/// Relations with random facts, and two strata of random rules over them. Relations 0 to 2 have no
/// rules, 3 and 4 belong to the first stratum, 5 and 6 to the second, which may negate the first.
struct Program {
  static constexpr int kArities[] = {1, 2, 3, 2, 2, 1, 2};
  uint32_t elements = 6;
  std::vector<Relation> relations{};
  std::vector<HornRule> strata[2];

  explicit Program(uint64_t seed, bool chains = false) {
    Draws draws(seed);
    elements = 3 + draws.below(7);
    for (int arity : kArities) relations.emplace_back(arity);
    for (size_t r = 0; r < 5; ++r) {
      const uint32_t facts = draws.below(r < 3 ? 12 : 3);
      for (uint32_t f = 0; f < facts; ++f) relations[r].insert(random_tuple(kArities[r], draws));
    }
    for (int stratum = 0; stratum < 2; ++stratum) {
      const uint32_t rules = 2 + draws.below(4);
      for (uint32_t r = 0; r < rules; ++r) {
        strata[stratum].push_back(chains ? random_chain(stratum, draws)
                                         : random_rule(stratum, draws));
      }
    }
  }

  [[nodiscard]] std::vector<uint32_t> random_tuple(int arity, Draws& draws) const {
    std::vector<uint32_t> tuple;
    for (int c = 0; c < arity; ++c) tuple.push_back(draws.below(elements));
    return tuple;
  }

  [[nodiscard]] std::vector<Tuples> expected() const {
    std::vector<Tuples> sets;
    for (const Relation& relation : relations) sets.push_back(tuples_of(relation));
    for (const auto& stratum : strata) fixpoint(sets, stratum);
    return sets;
  }

 private:
  HornRule random_rule(int stratum, Draws& draws) const {
    HornRule rule;
    rule.variables = 4;
    std::vector<uint32_t> bound;
    auto term = [&](bool fresh) -> Term {
      if (draws.below(8) == 0) return {false, draws.below(elements)};
      if (!fresh) return {true, bound[draws.below(static_cast<uint32_t>(bound.size()))]};
      const uint32_t v = draws.below(4);
      bound.push_back(v);
      return {true, v};
    };
    auto atom = [&](Literal::Kind kind, int relation, bool fresh) {
      Literal literal{kind, relation};
      for (int c = 0; c < kArities[relation]; ++c) literal.terms.push_back(term(fresh));
      return literal;
    };
    const uint32_t atoms = 1 + draws.below(3);
    const auto known = static_cast<uint32_t>(stratum == 0 ? 5 : 7);
    for (uint32_t a = 0; a < atoms || bound.empty(); ++a) {
      rule.body.push_back(atom(Literal::positive, static_cast<int>(draws.below(known)), true));
    }
    if (draws.below(3) == 0) {
      const auto relation = static_cast<int>(draws.below(stratum == 0 ? 3 : 5));
      rule.body.push_back(atom(Literal::negative, relation, false));
    }
    if (draws.below(3) == 0) {
      const auto kind = static_cast<Literal::Kind>(Literal::equal + draws.below(4));
      rule.body.push_back({kind, -1, {term(false), term(false)}});
    }
    rule.head = atom(Literal::positive, 3 + 2 * stratum + static_cast<int>(draws.below(2)), false);
    return rule;
  }

  // A chain of binary atoms from the first to the second variable of the head.
  HornRule random_chain(int stratum, Draws& draws) const {
    HornRule rule;
    const uint32_t length = 1 + draws.below(3);
    rule.variables = static_cast<int>(length) + 1;
    constexpr int kBinary[] = {1, 3, 4, 6};
    for (uint32_t i = 0; i < length; ++i) {
      const int relation = kBinary[draws.below(stratum == 0 ? 3 : 4)];
      Term from{true, i}, to{true, i + 1};
      if (draws.below(2)) std::swap(from, to);
      rule.body.push_back({Literal::positive, relation, {from, to}});
    }
    for (size_t i = rule.body.size(); i-- > 1;) {
      std::swap(rule.body[i], rule.body[draws.below(static_cast<uint32_t>(i) + 1)]);
    }
    Term first{true, 0}, last{true, length};
    if (draws.below(2)) std::swap(first, last);
    if (draws.below(16) == 0) rule.body.push_back(false_comparison(draws.below(length), draws));
    rule.head = {
        Literal::positive, stratum == 0 ? 3 + static_cast<int>(draws.below(2)) : 6, {first, last}};
    return rule;
  }
};

}  // namespace gyre::naive
