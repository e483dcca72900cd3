#include "gyre/relation/join/chain_rule.h"

#include <algorithm>

namespace gyre {

std::optional<ChainRule> chain_rule(const NormalBody& body) {
  const std::vector<Term>& out = body.out;
  if (out.size() != 2 || !out[0].variable || !out[1].variable || out[0] == out[1]) return {};
  ChainRule rule;
  for (const Literal& check : body.checks) {
    const bool ends = check.kind == Literal::not_equal &&
                      std::is_permutation(out.begin(), out.end(), check.terms.begin());
    if (!ends) return {};
    rule.irreflexive = true;
  }
  std::vector<int> uses(static_cast<size_t>(body.variables));
  for (const Literal& atom : body.atoms) {
    if (atom.terms.size() != 2) return {};
    for (const Term& term : atom.terms) {
      if (!term.variable || ++uses[term.value] > 2) return {};
    }
  }
  if (uses[out[0].value] != 1 || uses[out[1].value] != 1) return {};
  Term at = out[0];
  std::vector<bool> taken(body.atoms.size());
  while (!(at == out[1])) {
    size_t a = 0;
    for (; a < body.atoms.size(); ++a) {
      const std::vector<Term>& terms = body.atoms[a].terms;
      if (!taken[a] && (terms[0] == at || terms[1] == at)) break;
    }
    if (a == body.atoms.size()) return {};
    taken[a] = true;
    const std::vector<Term>& terms = body.atoms[a].terms;
    if (terms[0] == terms[1]) return {};
    const bool reversed = terms[1] == at;
    rule.factors.push_back({body.atoms[a].relation, reversed});
    rule.atoms.push_back(static_cast<int>(a));
    at = terms[!reversed];
  }
  if (rule.factors.size() != body.atoms.size()) return {};
  return rule;
}

}  // namespace gyre
