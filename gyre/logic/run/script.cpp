#include "gyre/logic/run/script.h"

#include <fmt/format.h>

#include "gyre/ops/create/create.h"
#include "gyre/ops/print.h"
#include "gyre/ops/shape/shape.h"

namespace gyre::logic {
namespace {

using enum DiagnosticCode;

bool is_atom(const Names& names, const Expr& e) {
  if (e.kind != Expr::reference || !e.bracketed) return false;
  const Entity* entity = names.find(e.name);
  return entity && entity->is_relation;
}

}  // namespace

void Script::check_stop() const { p_.store->check_time(place_); }

void Script::run(const Statement& s) {
  if (!std::holds_alternative<Block>(s.what)) step(s);
}

void Script::run_main() {
  for (const Statement* s : p_.names.steps) {
    const auto* block = std::get_if<Block>(&s->what);
    if (block && block->kind == "main") steps(block->body);
  }
}

void Script::run_body(const Body& body) { steps(body); }

Script::Flow Script::steps(const Body& body) {
  for (const Statement& s : body) {
    if (const Flow flow = step(s); flow != Flow::next) return flow;
  }
  return Flow::next;
}

Script::Flow Script::step(const Statement& s) {
  place_ = s.place;
  check_stop();
  if (const auto* l = std::get_if<Let>(&s.what)) {
    let(*l, s.place);
  } else if (const auto* i = std::get_if<If>(&s.what)) {
    return steps(holds(i->condition) ? i->then : i->otherwise);
  } else if (const auto* f = std::get_if<For>(&s.what)) {
    return for_each(*f, s.place);
  } else if (const auto* l2 = std::get_if<Loop>(&s.what)) {
    return loop(*l2);
  } else if (const auto* jump = std::get_if<Jump>(&s.what)) {
    return jump->returns ? Flow::returns : Flow::breaks;
  } else if (const auto* print = std::get_if<Show>(&s.what)) {
    show(*print, s.place);
  } else if (std::holds_alternative<Query>(s.what) || std::holds_alternative<Learn>(s.what) ||
             std::holds_alternative<FileWrite>(s.what)) {
    if (const std::optional<ProgramStep> ready = p_.prepare_step(s))
      p_.run(*ready, answers_, curves_);
  } else {
    refuse(E0002, s.place, "declarations, equations, facts and rules stand outside of blocks");
  }
  return Flow::next;
}

Tensor Script::number(const Expr& expr) {
  const std::set<int> none;
  LowerContext context = p_.store->context(none);
  context.locals = &values_;
  const Tensor t = p_.store->answer(lower_value(expr, {}, expr.place, context)).tensor;
  return to(t.detach(), DType::f64);
}

bool Script::holds(const Expr& expr) {
  const Expr& e = expr.kind == Expr::group ? expr.children[0] : expr;
  if (!is_atom(p_.names, e)) return number(e).item() != 0;
  return !p_.store->solutions({{false, e}}, {}, e.place).empty();
}

void Script::let(const Let& let, Place place) {
  const std::string& name = let.name;
  if (!let.rebinds &&
      (bound_.contains(name) || p_.names.find(name) || p_.names.constants.contains(name))) {
    refuse(E0104, place, {"'", name, "' has a value already"}, "",
           {name, " := .. gives it another one"});
  }
  if (let.rebinds && !bound_.contains(name)) {
    refuse(E0101, place, {"'", name, "' has no value yet"}, "", {"let ", name, " = .."});
  }
  // an integer may also stand in an index
  const std::optional<int64_t> constant = p_.names.constant_value(let.value);
  const Tensor value = constant ? Tensor() : number(let.value);
  bound_.insert(name);
  p_.names.constants.erase(name);
  values_.erase(name);
  if (constant) {
    p_.names.constants[name] = *constant;
  } else {
    Node n{.kind = Node::literal, .place = place};
    n.tensor = to(value, p_.store->dtype());
    values_[name] = std::make_shared<const Node>(std::move(n));
  }
}

Script::Flow Script::loop(const Loop& loop) {
  while (!loop.condition || holds(*loop.condition)) {
    check_stop();
    const Flow flow = steps(loop.body);
    if (flow == Flow::breaks) break;
    if (flow == Flow::returns) return flow;
  }
  return Flow::next;
}

Script::Flow Script::for_each(const For& f, Place place) {
  Names& names = p_.names;
  int64_t first = 0, last = 0;
  const Domain* domain = nullptr;
  if (f.first) {
    const std::optional<int64_t> a = names.constant_value(*f.first),
                                 b = names.constant_value(*f.last);
    if (!a || !b) refuse(E0002, place, "the bounds of a for loop are integers and constants");
    first = *a;
    last = *b;
  } else {
    const auto it = names.domain_of.find(f.domain);
    if (it == names.domain_of.end()) refuse(E0101, place, {"'", f.domain, "' is not a domain"});
    domain = &names.domains[static_cast<size_t>(it->second)];
    last = domain->size();
  }
  if (names.constants.contains(f.name) || names.symbols.contains(f.name)) {
    refuse(E0104, place, {"'", f.name, "' has a value already"});
  }
  Flow flow = Flow::next;
  for (int64_t i = first; i < last && flow == Flow::next; ++i) {
    check_stop();
    const bool is_symbol = domain && domain->numbered < 0;
    if (is_symbol)
      names.symbols[f.name] = domain->symbol(static_cast<uint32_t>(i)).text;
    else
      names.constants[f.name] = i;
    flow = steps(f.body);
  }
  names.symbols.erase(f.name);
  names.constants.erase(f.name);
  return flow == Flow::returns ? flow : Flow::next;
}

std::string Script::text(const Expr& expr) {
  if (is_atom(p_.names, expr)) return holds(expr) ? "true" : "false";
  if (expr.kind == Expr::reference && !expr.bracketed) {
    if (const auto it = p_.names.symbols.find(expr.name); it != p_.names.symbols.end())
      return it->second;
    if (const auto it = p_.names.entity_of.find(expr.name); it != p_.names.entity_of.end()) {
      return to_string(to(p_.store->tensor(it->second).detach(), DType::f64));
    }
  }
  const Tensor t = number(expr);
  return t.rank() == 0 ? fmt::format("{:.12g}", t.item()) : to_string(t);
}

void Script::show(const Show& show, Place) {
  if (show.asserts) {
    for (const Expr& e : show.values) assert_that(e);
    return;
  }
  std::string line;
  for (const Expr& e : show.values) line += (line.empty() ? "" : " ") + text(e);
  if (p_.options.print) p_.options.print(line);
}

void Script::assert_that(const Expr& expr) {
  if (holds(expr)) return;
  if (expr.kind == Expr::operation && is_comparison(expr.op)) {
    refuse(R05, expr.place,
           {"the assertion failed: ", text(expr.children[0]), " ", name_of(expr.op), " ",
            text(expr.children[1])});
  }
  refuse(R05, expr.place, {"the assertion failed: ", p_.sources.text(expr.place)});
}

}  // namespace gyre::logic
