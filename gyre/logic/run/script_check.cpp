#include "gyre/logic/run/script_check.h"

#include "gyre/logic/run/script_scope.h"
#include "gyre/ops/create/create.h"

namespace gyre::logic {
namespace {

using enum DiagnosticCode;

// Visits each statement once, in order: both sides of an `if`, one round of a loop.
class Checker {
 public:
  Checker(Program::Impl& program, Diagnostics& diagnostics)
      : p_(program), diagnostics_(&diagnostics), scope_(program.names, program.variables) {}

  void say_to(Diagnostics& diagnostics) { diagnostics_ = &diagnostics; }

  void body(const Body& statements) {
    for (const Statement& s : statements) statement(s);
  }
  void statement(const Statement& s) {
    guarded([&] { visit(s); });
  }

 private:
  template <class F>
  void guarded(const F& f) {
    try {
      f();
    } catch (const Refused& refused) {
      diagnostics_->add(refused.diagnostic);
    }
  }

  void visit(const Statement& s) {
    if (const auto* l = std::get_if<Let>(&s.what)) {
      let(*l, s.place);
    } else if (const auto* i = std::get_if<If>(&s.what)) {
      value(i->condition);
      body(i->then);
      body(i->otherwise);
    } else if (const auto* f = std::get_if<For>(&s.what)) {
      const ScriptScope::Loop loop = scope_.loop_of(*f, s.place);
      if (loop.first >= loop.last) return;
      scope_.enter(*f, loop, loop.first);
      body(f->body);
      scope_.leave(*f);
    } else if (const auto* l2 = std::get_if<Loop>(&s.what)) {
      if (l2->condition) value(*l2->condition);
      body(l2->body);
    } else if (const auto* print = std::get_if<Show>(&s.what)) {
      for (const Expr& e : print->values) shown(e);
    } else if (std::holds_alternative<Query>(s.what) || std::holds_alternative<Learn>(s.what) ||
               std::holds_alternative<FileWrite>(s.what)) {
      p_.prepare_step(s);
    } else if (!std::holds_alternative<Jump>(s.what) && !std::holds_alternative<Broken>(s.what)) {
      refuse(E0002, s.place, "declarations, equations, facts and rules stand outside of blocks");
    }
  }

  void let(const Let& let, Place place) {
    guarded([&] { scope_.check(let, place); });
    const std::optional<int64_t> constant = p_.names.constant_value(let.value);
    if (constant) return scope_.bind(let.name, *constant);
    guarded([&] { value(let.value); });
    scope_.bind(let.name, zeros({}, {.dtype = p_.store->dtype()}), place);
  }

  void shown(const Expr& e) {
    const bool whole = e.kind == Expr::reference && !e.bracketed &&
                       (p_.names.script.symbols.contains(e.name) || p_.names.find(e.name));
    if (!whole) guarded([&] { value(e); });
  }

  void value(const Expr& expr) {
    const Expr& e = expr.kind == Expr::group ? expr.children[0] : expr;
    std::vector<int> reads;
    add_references(p_.names, e, reads);
    for (const int r : reads) {
      if (p_.store->is_broken(r)) return;  // said where it is defined
    }
    if (is_atom(p_.names, e)) return p_.store->check({{false, e}}, e.place);
    const std::set<int> none;
    LowerContext context = p_.store->context(none);
    context.locals = &scope_.values();
    lower_value(expr, {}, expr.place, context);
  }

  Program::Impl& p_;
  Diagnostics* diagnostics_;
  ScriptScope scope_;
};

}  // namespace

void check_scripts(Program::Impl& p, std::span<const Statement* const> statements,
                   Diagnostics& diagnostics) {
  const auto block_of = [](const Statement& s) { return std::get_if<Block>(&s.what); };
  {
    Checker main(p, diagnostics);
    for (const Statement* s : statements) {
      if (is_script(*s) && !block_of(*s)) main.statement(*s);
    }
    for (const Statement* s : statements) {
      if (const Block* b = block_of(*s); b && b->kind == "main") main.body(b->body);
    }
  }
  for (const Statement* s : statements) {
    const Block* b = block_of(*s);
    if (!b || b->kind == "main") continue;
    Diagnostics said(p.sources);  // in the pass before
    Checker block(p, said);
    for (const Statement* outer : statements) {
      if (std::holds_alternative<Let>(outer->what)) block.statement(*outer);
    }
    block.say_to(diagnostics);
    block.body(b->body);
  }
}

void check_scripts(Program::Impl& p) {
  std::vector<const Statement*> statements;
  for (const Statement* s : p.names.steps) {
    if (s->place.file >= p.first_step) statements.push_back(s);
  }
  check_scripts(p, statements, p.diagnostics);
}

}  // namespace gyre::logic
