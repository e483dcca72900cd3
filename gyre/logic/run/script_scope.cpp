#include "gyre/logic/run/script_scope.h"

namespace gyre::logic {

using enum DiagnosticCode;

ScriptScope::ScriptScope(Names& names, const ScriptVariables& given)
    : names_(names), values_(given.values) {
  for (const auto& [name, value] : given.values) bound_.insert(name);
  for (const auto& [name, value] : given.constants) {
    if (names_.constants.contains(name)) continue;  // declared since
    bound_.insert(name);
    names_.script.constants.emplace(name, value);
  }
}

ScriptVariables ScriptScope::variables() const {
  ScriptVariables all{values_};
  for (const std::string& name : bound_) {
    const auto it = names_.script.constants.find(name);
    if (it != names_.script.constants.end()) all.constants.insert(*it);
  }
  return all;
}

ScriptScope::~ScriptScope() { names_.script = {}; }

void ScriptScope::check(const Let& let, Place place) const {
  const std::string& name = let.name;
  if (!let.rebinds && (bound_.contains(name) || names_.find(name) || names_.constant(name))) {
    refuse(E0104, place, {"'", name, "' has a value already"}, "",
           {name, " := .. gives it another one"});
  }
  if (let.rebinds && !bound_.contains(name)) {
    refuse(E0101, place, {"'", name, "' has no value yet"}, "", {"let ", name, " = .."});
  }
}

void ScriptScope::bind(const std::string& name, int64_t value) {
  bound_.insert(name);
  values_.erase(name);
  names_.script.constants[name] = value;
}

void ScriptScope::bind(const std::string& name, const Tensor& value, Place place) {
  bound_.insert(name);
  names_.script.constants.erase(name);
  Node n{.kind = Node::literal, .place = place};
  n.tensor = value;
  values_[name] = std::make_shared<const Node>(std::move(n));
}

ScriptScope::Loop ScriptScope::loop_of(const For& f, Place place) const {
  Loop loop;
  if (f.first) {
    const std::optional<int64_t> a = names_.constant_value(*f.first),
                                 b = names_.constant_value(*f.last);
    if (!a || !b) refuse(E0002, place, "the bounds of a for loop are integers and constants");
    loop = {*a, *b};
  } else {
    const auto it = names_.domain_of.find(f.domain);
    if (it == names_.domain_of.end()) refuse(E0101, place, {"'", f.domain, "' is not a domain"});
    const Domain& domain = names_.domains[static_cast<size_t>(it->second)];
    loop = {0, domain.size(), domain.numbered < 0 ? it->second : -1};
  }
  if (names_.constant(f.name) || names_.script.symbols.contains(f.name)) {
    refuse(E0104, place, {"'", f.name, "' has a value already"});
  }
  return loop;
}

void ScriptScope::enter(const For& f, const Loop& loop, int64_t at) {
  if (loop.domain < 0) {
    names_.script.constants[f.name] = at;
  } else {
    const Domain& domain = names_.domains[static_cast<size_t>(loop.domain)];
    names_.script.symbols[f.name] = domain.symbol(static_cast<uint32_t>(at)).text;
  }
}

void ScriptScope::leave(const For& f) {
  names_.script.symbols.erase(f.name);
  names_.script.constants.erase(f.name);
}

bool is_atom(const Names& names, const Expr& expr) {
  if (expr.kind != Expr::reference || !expr.bracketed) return false;
  const Entity* entity = names.find(expr.name);
  return entity && entity->is_relation;
}

}  // namespace gyre::logic
