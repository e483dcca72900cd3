#include "gyre/relation/join/normal_body.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "gyre/base/error.h"

namespace gyre {
namespace {

bool is_comparison(Literal::Kind kind) { return kind >= Literal::equal; }

bool compares(Literal::Kind kind, uint32_t a, uint32_t b) {
  switch (kind) {
    case Literal::equal:
      return a == b;
    case Literal::not_equal:
      return a != b;
    case Literal::less:
      return a < b;
    default:
      return a <= b;
  }
}

// Checks terms, and substitutes variables that are equal to others or to constants.
class Substitution {
 public:
  Substitution(std::span<const Relation> relations, int variables, std::string_view where)
      : relations_(relations), where_(where), stands_for_(static_cast<size_t>(variables)) {
    for (uint32_t v = 0; v < stands_for_.size(); ++v) stands_for_[v] = {true, v};
  }

  [[noreturn]] void fail(const std::string& message) const {
    throw Error(Code::value, "fixpoint", fmt::format("{}: {}", where_, message));
  }

  void check(const Literal& literal) const {
    size_t wanted = 2;
    if (!is_comparison(literal.kind)) {
      if (literal.relation < 0 || literal.relation >= static_cast<int>(relations_.size())) {
        fail(fmt::format("expected a relation below {}, got {}", relations_.size(),
                         literal.relation));
      }
      wanted = static_cast<size_t>(relations_[static_cast<size_t>(literal.relation)].arity());
    }
    if (literal.terms.size() != wanted) {
      fail(fmt::format("expected {} terms in a literal, got {}", wanted, literal.terms.size()));
    }
    for (const Term& term : literal.terms) check(term);
  }

  void check(const Term& term) const {
    if (term.variable && term.value >= stands_for_.size()) {
      fail(fmt::format("expected a variable below {}, got {}", stands_for_.size(), term.value));
    }
  }

  [[nodiscard]] Term of(Term term) const {
    while (term.variable && !(stands_for_[term.value] == term)) term = stands_for_[term.value];
    return term;
  }

  // False if the terms are different constants.
  bool unite(Term a, Term b) {
    a = of(a);
    b = of(b);
    if (a.variable) {
      stands_for_[a.value] = b;
    } else if (b.variable) {
      stands_for_[b.value] = a;
    }
    return a.variable || b.variable || a == b;
  }

 private:
  std::span<const Relation> relations_;
  std::string_view where_;
  std::vector<Term> stands_for_;
};

}  // namespace

NormalBody normal_body(std::span<const Relation> relations, std::span<const Literal> body,
                       std::span<const Term> out, int variables, std::string_view where) {
  NormalBody normal;
  normal.variables = variables;
  Substitution terms(relations, variables, where);
  for (const Literal& literal : body) {
    terms.check(literal);
    if (literal.kind != Literal::equal) continue;
    if (!terms.unite(literal.terms[0], literal.terms[1])) normal.never = true;
  }
  for (const Term& term : out) {
    terms.check(term);
    normal.out.push_back(terms.of(term));
  }
  std::vector<bool> bound(static_cast<size_t>(variables));
  for (Literal literal : body) {
    if (literal.kind == Literal::equal) continue;
    for (Term& term : literal.terms) term = terms.of(term);
    if (literal.kind == Literal::positive) {
      for (const Term& term : literal.terms) {
        if (term.variable) bound[term.value] = true;
      }
      normal.atoms.push_back(std::move(literal));
      continue;
    }
    const std::vector<Term>& t = literal.terms;
    if (is_comparison(literal.kind) && (t[0] == t[1] || (!t[0].variable && !t[1].variable))) {
      if (!compares(literal.kind, t[0].value, t[1].value)) normal.never = true;
    } else {
      normal.checks.push_back(std::move(literal));
    }
  }
  auto check_bound = [&](const std::vector<Term>& list) {
    for (const Term& term : list) {
      if (term.variable && !bound[term.value]) {
        terms.fail(fmt::format("no positive literal binds variable {}", term.value));
      }
    }
  };
  check_bound(normal.out);
  for (const Literal& literal : normal.checks) check_bound(literal.terms);
  return normal;
}

}  // namespace gyre
