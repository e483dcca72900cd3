#include "gyre/logic/run/script.h"

#include <fmt/format.h>

#include "gyre/ops/create/create.h"
#include "gyre/ops/print.h"
#include "gyre/ops/shape/shape.h"

namespace gyre::logic {
namespace {

using enum DiagnosticCode;

}  // namespace

void Script::check_stop() const { p_.store->check_time(place_); }

void Script::run(const Statement& s) {
  if (!std::holds_alternative<Block>(s.what)) step(s);
}

void Script::run_main() {
  for (const Statement* s : p_.names.steps) {
    const auto* block = std::get_if<Block>(&s->what);
    const bool runs = block && block->kind == "main" && s->place.file >= p_.first_step;
    if (runs) steps(block->body);
  }
}

void Script::run_block(const Body& body) {
  for (const Statement* s : p_.names.steps) {
    if (std::holds_alternative<Let>(s->what)) step(*s);
  }
  steps(body);
}

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
  context.locals = &scope_.values();
  const Tensor t = p_.store->answer(lower_value(expr, {}, expr.place, context)).tensor;
  return to(t.detach(), DType::f64);
}

bool Script::holds(const Expr& expr) {
  const Expr& e = expr.kind == Expr::group ? expr.children[0] : expr;
  if (!is_atom(p_.names, e)) return number(e).item() != 0;
  return !p_.store->solutions({{false, e}}, {}, e.place).empty();
}

void Script::let(const Let& let, Place place) {
  scope_.check(let, place);
  if (const std::optional<int64_t> constant = p_.names.constant_value(let.value)) {
    scope_.bind(let.name, *constant);
  } else {
    scope_.bind(let.name, to(number(let.value), p_.store->dtype()), place);
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
  const ScriptScope::Loop loop = scope_.loop_of(f, place);
  Flow flow = Flow::next;
  for (int64_t i = loop.first; i < loop.last && flow == Flow::next; ++i) {
    check_stop();
    scope_.enter(f, loop, i);
    flow = steps(f.body);
  }
  scope_.leave(f);
  return flow == Flow::returns ? flow : Flow::next;
}

std::string Script::text(const Expr& expr) {
  if (is_atom(p_.names, expr)) return holds(expr) ? "true" : "false";
  if (expr.kind == Expr::reference && !expr.bracketed) {
    if (const auto it = p_.names.script.symbols.find(expr.name);
        it != p_.names.script.symbols.end())
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
