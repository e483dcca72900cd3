#include "gyre/logic/analysis/rule_domains.h"

#include "gyre/base/text/nearest.h"

namespace gyre::logic {
namespace {

using enum DiagnosticCode;

bool looks_like_variable(const std::string& word) { return word[0] < 'A' || word[0] > 'Z'; }

// Visits the atoms of relations in rules.
class RuleDomains {
 public:
  RuleDomains(Names& names, Diagnostics& diagnostics) : n_(names), diagnostics_(diagnostics) {}

  void run() {
    for (const Entity& e : n_.entities) {
      for (const Fact* fact : e.facts) words_of(e, *fact);
    }
    // a union may bring words that make a constant of what was a variable
    for (int pass = 0; pass < 2; ++pass) {
      for (const RuleSite& site : n_.rules) each_atom(site, pass == 1);
      for (const EquationSite& site : n_.equations) share_domains(*site.equation);
    }
    for (int slot = 0; slot < n_.slots.size(); ++slot) {
      if (n_.slots.find(slot) != slot || n_.slots.domain(slot) >= 0) continue;
      n_.domains.emplace_back();
      n_.slots.set_domain(slot, static_cast<int>(n_.domains.size()) - 1);
    }
    for (const Entity& e : n_.entities) {
      for (const Fact* fact : e.facts) symbols_of(e, *fact);
    }
    for (const RuleSite& site : n_.rules) add_symbols(site);
    for (Domain& domain : n_.domains) domain.written = static_cast<uint32_t>(domain.symbols.size());
  }

 private:
  void words_of(const Entity& e, const Fact& fact) {
    for (size_t i = 0; i < fact.symbols.size(); ++i) {
      const Symbol& s = fact.symbols[i];
      if (!s.quoted && s.text.size() == 1 && s.text[0] >= 'a' && s.text[0] <= 'z') {
        diagnostics_.add({W03, s.place, "'" + s.text + "' is a symbol: facts have no variables",
                          "in rules, '" + s.text + "' is this symbol at such a position",
                          "a query ends with ?; a symbol may stand in quotes"});
      }
      if (!s.quoted && !s.is_integer && looks_like_variable(s.text))
        n_.slots.words(e.slots[i]).insert(s.text);
    }
  }
  void symbols_of(const Entity& e, const Fact& fact) {
    for (size_t i = 0; i < fact.symbols.size(); ++i) add(e.slots[i], fact.symbols[i]);
  }
  void add(int slot, const Symbol& symbol) {
    Domain& domain = n_.domains[static_cast<size_t>(n_.slots.domain(slot))];
    if (domain.add(symbol)) return;
    std::vector<std::string> near;
    for (uint32_t i = 0; domain.numbered < 0 && i < domain.size(); ++i)
      near.push_back(domain.symbol(i).text);
    diagnostics_.add(
        {E0103, symbol.place,
         "'" + symbol.text + "' is not in domain " + domain.name + suggestion(symbol.text, near)});
  }

  const Domain* domain_at(int slot) const {
    const int domain = n_.slots.domain(slot);
    return domain < 0 ? nullptr : &n_.domains[static_cast<size_t>(domain)];
  }
  // The variable of an index, if it is one.
  const std::string* variable(const Index& index, int slot) {
    if (index.kind != Index::value || index.is_virtual) return nullptr;
    return variable(index.bounds[0], slot);
  }
  const std::string* variable(const Expr& e, int slot) {
    if (e.kind != Expr::reference || n_.slots.words(slot).contains(e.name)) return nullptr;
    return kind_of_word(n_, e.name, domain_at(slot)) == WordKind::variable ? &e.name : nullptr;
  }

  template <class F>
  void atoms(const RuleSite& site, const F& f) {
    f(site.rule->head);
    for (const RuleLiteral& literal : site.rule->body) {
      if (literal.expr.kind == Expr::reference) {
        f(literal.expr);
      } else {
        visit(literal.expr, [&](const Expr& e) {
          if (e.kind == Expr::reference && e.atom) f(e);
        });
      }
    }
  }

  // Calls f(slot of a variable, the other side, its slot or -1) for each `==` and `!=` of a rule
  // with a variable of an atom. `variables`: the slots of those of the atoms.
  template <class F>
  void equalities(const RuleSite& site, const std::map<std::string, int>& variables, const F& f) {
    for (const RuleLiteral& literal : site.rule->body) {
      const Expr& e = literal.expr;
      if (e.kind != Expr::operation || (e.op != Operator::equal && e.op != Operator::not_equal))
        continue;
      const auto slot_of = [&](const Expr& side) {
        const bool bare = side.kind == Expr::reference && !side.bracketed;
        const auto it = bare ? variables.find(side.name) : variables.end();
        return it == variables.end() ? -1 : it->second;
      };
      const int a = slot_of(e.children[0]), b = slot_of(e.children[1]);
      if (a >= 0)
        f(a, e.children[1], b);
      else if (b >= 0)
        f(b, e.children[0], a);
    }
  }

  void each_atom(const RuleSite& site, bool complain) {
    std::map<std::string, int> variables;
    std::vector<std::pair<const Index*, int>> indices;  // others, and their slots
    atoms(site, [&](const Expr& atom) {
      const Entity* e = n_.find(atom.name);
      if (!e || e->rank() != atom.indices.size()) {
        if (complain) wrong_atom(atom, e);
        return;
      }
      if (!e->is_relation) return;
      for (size_t i = 0; i < atom.indices.size(); ++i) {
        const std::string* name = variable(atom.indices[i], e->slots[i]);
        if (!name) indices.emplace_back(&atom.indices[i], e->slots[i]);
        if (!name || *name == "_") continue;
        const auto [it, is_new] = variables.emplace(*name, e->slots[i]);
        if (is_new || n_.slots.merge(it->second, e->slots[i]) || !complain) continue;
        diagnostics_.add({E0201, atom.indices[i].place,
                          "'" + *name + "' is of domain " + domain_at(it->second)->name +
                              ", but this position of '" + atom.name + "' is of domain " +
                              domain_at(e->slots[i])->name});
      }
    });
    for (const auto& [index, slot] : indices) computed(*index, slot, variables);
    // different ones are refused, unless both are numbered, when the rule is compiled
    equalities(site, variables, [&](int slot, const Expr&, int other) {
      if (other >= 0) n_.slots.merge(slot, other);
    });
  }
  // Relations that share an index in an equation share a domain, unless both have one already.
  void share_domains(const Equation& equation) {
    std::map<std::string, int> variables;
    const auto share = [&](const Expr& root) {
      visit(root, [&](const Expr& e) {
        const Entity* entity = e.kind == Expr::reference ? n_.find(e.name) : nullptr;
        if (!entity || !entity->is_relation || entity->rank() != e.indices.size()) return;
        for (size_t i = 0; i < e.indices.size(); ++i) {
          const std::string* name = variable(e.indices[i], entity->slots[i]);
          if (!name) continue;
          const auto [it, is_new] = variables.emplace(*name, entity->slots[i]);
          if (!is_new) n_.slots.merge(it->second, entity->slots[i]);
        }
      });
    };
    share(equation.left);
    share(equation.right);
    if (equation.where) share(*equation.where);
  }
  // t+1 is of the domain of t.
  void computed(const Index& index, int slot, const std::map<std::string, int>& variables) {
    if (index.kind != Index::value || index.bounds[0].kind != Expr::operation) return;
    visit(index.bounds[0], [&](const Expr& e) {
      const auto it = e.kind == Expr::reference ? variables.find(e.name) : variables.end();
      if (it != variables.end()) n_.slots.merge(it->second, slot);
    });
  }
  void wrong_atom(const Expr& atom, const Entity* e) {
    if (e) {
      diagnostics_.add({E0202, atom.place,
                        "'" + atom.name + "' has " + std::to_string(e->rank()) + " indices, got " +
                            std::to_string(atom.indices.size())});
    } else if (!n_.constants.contains(atom.name) && atom.bracketed &&
               !n_.broken.contains(atom.name)) {
      diagnostics_.add({E0101, atom.place,
                        "'" + atom.name + "' is not defined" + suggestion(atom.name, n_.all())});
    }
  }

  void add_symbols(const RuleSite& site) {
    std::map<std::string, int> variables;
    atoms(site, [&](const Expr& atom) {
      const Entity* e = n_.find(atom.name);
      if (!e || !e->is_relation || e->rank() != atom.indices.size()) return;
      for (size_t i = 0; i < atom.indices.size(); ++i) {
        const Index& index = atom.indices[i];
        const int slot = e->slots[i];
        if (const std::string* name = variable(index, slot)) {
          if (*name != "_") variables.emplace(*name, slot);
        } else if (index.kind == Index::string) {
          add(slot, {index.text, false, true, index.place});
        } else if (index.kind == Index::value) {
          const std::optional<Symbol> symbol = symbol_of(index.bounds[0], slot);
          if (!symbol) continue;
          warn_of_upper_case(*symbol, slot);
          add(slot, *symbol);
        }
      }
    });
    // those of closed domains are refused when the rule is compiled, with the variable's name
    equalities(site, variables, [&](int slot, const Expr& other, int) {
      const bool refused = !domain_at(slot)->open || domain_at(slot)->numbered >= 0;
      if (refused || other.bracketed || n_.find(other.name)) return;
      if (std::optional<Symbol> symbol = symbol_of(other, slot)) add(slot, *symbol);
    });
  }
  void warn_of_upper_case(const Symbol& symbol, int slot) {
    const char first = symbol.text[0];
    const bool looks_like_variable = symbol.text.size() == 1 && first >= 'A' && first <= 'Z';
    if (!looks_like_variable || domain_at(slot)->find(symbol) ||
        !warned_.insert(symbol.text).second)
      return;
    diagnostics_.add({W03, symbol.place, "'" + symbol.text + "' is a symbol, not a variable",
                      "variables begin with a lower-case letter",
                      "pragma prolog_vars makes variables of single upper-case letters"});
  }
  std::optional<Symbol> symbol_of(const Expr& e, int slot) {
    if (const std::optional<int64_t> value = n_.constant_value(e))
      return Symbol{std::to_string(*value), true, false, e.place};
    if (e.kind != Expr::reference || variable(e, slot)) return std::nullopt;
    return Symbol{e.name, false, false, e.place};
  }

  Names& n_;
  Diagnostics& diagnostics_;
  std::set<std::string> warned_{};  // W03
};

}  // namespace

void find_rule_domains(Names& names, Diagnostics& diagnostics) {
  RuleDomains(names, diagnostics).run();
}

}  // namespace gyre::logic
