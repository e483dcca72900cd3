#include "gyre/logic/session.h"

#include <algorithm>

#include "gyre/base/system/mapped_file.h"
#include "gyre/logic/program_impl.h"
#include "gyre/logic/run/script.h"
#include "gyre/logic/run/script_check.h"
#include "gyre/logic/syntax/parser.h"
#include "gyre/logic/syntax/token_stream.h"
#include "gyre/ops/shape/shape.h"

namespace gyre::logic {
namespace {

constexpr const char* kPrompt = "<input>";  // the path of what is typed

// Whether a statement runs once and defines nothing.
bool only_runs(const Statement& s) {
  if (const auto* learn = std::get_if<Learn>(&s.what)) return learn->equations.empty();
  return std::holds_alternative<Query>(s.what) || std::holds_alternative<FileWrite>(s.what) ||
         is_script(s);
}

// The statements of a text alone; nothing where it has an error.
Body parsed_alone(const std::string& text) {
  Sources sources;
  Diagnostics diagnostics(sources);
  Body body = parse(sources, sources.add({kPrompt, text}), diagnostics);
  return diagnostics.has_errors() ? Body() : std::move(body);
}

bool is_query(const std::string& text) {
  Sources sources;
  Diagnostics diagnostics(sources);
  return parse_query(sources, sources.add({kPrompt, text}), diagnostics).has_value();
}

// Without spaces and comments at its end.
std::string trimmed(const std::string& text) {
  Sources sources;
  Diagnostics diagnostics(sources);
  size_t end = 0;
  for (const Token& t : tokens_of(sources, sources.add({kPrompt, text}), diagnostics)) {
    if (t.kind != Token::newline && t.kind != Token::end) end = t.place.end;
  }
  return text.substr(0, end);
}

// An expression as a query, other text unchanged.
std::string as_statement(const std::string& text) {
  if (!parsed_alone(text).empty()) return text;
  const std::string expression = trimmed(text);
  for (const std::string& query : {expression + "?", "(" + expression + ")?"}) {
    if (is_query(query)) return query;
  }
  return text;
}

void evaluate(Program::Impl& program, int entity) {
  program.located([&] {
    if (program.names.entities[static_cast<size_t>(entity)].is_relation)
      (void)program.store->relation(entity);
    else
      (void)program.store->tensor(entity);
    return 0;
  });
}

// The equations and rules of a tensor or relation.
std::vector<Place> definitions(const Names& names, int entity) {
  std::vector<Place> places;
  for (const EquationSite& site : names.equations) {
    if (site.entity == entity) places.push_back(site.place);
  }
  for (const RuleSite& site : names.rules) {
    if (site.entity == entity) places.push_back(site.place);
  }
  return places;
}

// Those that are new in a list of diagnostics.
std::vector<LocatedDiagnostic> added(const std::vector<LocatedDiagnostic>& before,
                                     const std::vector<LocatedDiagnostic>& after) {
  std::vector<LocatedDiagnostic> found;
  for (const LocatedDiagnostic& d : after) {
    const bool is_old = std::any_of(before.begin(), before.end(), [&](const LocatedDiagnostic& b) {
      return headline_of(b) == headline_of(d);
    });
    if (!is_old) found.push_back(d);
  }
  return found;
}

}  // namespace

// Restores what a run may have learned, unless it is kept.
class Session::Restored {
 public:
  explicit Restored(Store& store, size_t entities) : store_(store) {
    for (size_t i = 0; i < entities; ++i) {
      const Tensor leaf = store_.leaf(static_cast<int>(i));
      if (leaf.defined()) leaves_.emplace_back(static_cast<int>(i), clone(leaf.detach()));
    }
  }
  Restored(const Restored&) = delete;
  ~Restored() {
    for (const auto& [entity, value] : leaves_) store_.set_leaf(entity, value);
  }
  void keep() { leaves_.clear(); }

 private:
  Store& store_;
  std::vector<std::pair<int, Tensor>> leaves_;
};

Session::Session(const OpTable& ops, const OptimizerTable& optimizers,
                 const ProgramOptions& options)
    : ops_(ops), optimizers_(optimizers), options_(options) {
  options_.reports = true;
  program_ = compiled({kPrompt, ""});
}

Session::~Session() = default;

std::vector<Answer> Session::add(const std::string& text) {
  return add(Part{kPrompt, as_statement(text)});
}

std::vector<Answer> Session::load(const std::string& path) {
  Part part{path, std::string(MappedFile(path).text())};
  const std::string before = folder_;
  const size_t slash = path.rfind('/');
  if (parts_.empty() && slash != std::string::npos) folder_ = path.substr(0, slash);
  try {
    return add(std::move(part));
  } catch (...) {
    folder_ = before;
    throw;
  }
}

std::vector<Answer> Session::add(Part part) {
  warnings_.clear();
  const Body alone = parsed_alone(part.text);
  if (!alone.empty() && std::all_of(alone.begin(), alone.end(), only_runs)) return run_alone(part);
  std::unique_ptr<Program::Impl> next = compiled(part);
  keep_values(*next);
  std::vector<Answer> answers = next->run(next->variables);
  for (const LocatedDiagnostic& d : next->warnings) {
    if (d.diagnostic.place.file >= next->first_step) warnings_.push_back(d);
  }
  program_ = std::move(next);
  parts_.push_back(std::move(part));
  return answers;
}

// All parts and a new one, whose steps alone run.
std::unique_ptr<Program::Impl> Session::compiled(const Part& part) const {
  auto p = std::unique_ptr<Program::Impl>(new Program::Impl{ops_, optimizers_, options_});
  p->folder = folder_;
  if (program_) p->variables = program_->variables;
  std::vector<std::string> open;
  std::set<std::string> seen;
  for (const Part& before : parts_) p->add_file(before.text, before.path, open, seen);
  p->first_step = p->sources.size();
  p->add_file(part.text, part.path, open, seen);
  p->compile();
  return p;
}

// Gives a program that was compiled anew what was learned before.
void Session::keep_values(Program::Impl& next) const {
  for (const auto& [name, entity] : program_->names.entity_of) {
    const Tensor leaf = program_->store->leaf(entity);
    const auto it = next.names.entity_of.find(name);
    if (!leaf.defined() || it == next.names.entity_of.end()) continue;
    const Entity& e = next.names.entities[static_cast<size_t>(it->second)];
    bool fits = e.learnable && e.rank() == static_cast<size_t>(leaf.rank());
    for (size_t i = 0; fits && i < e.rank(); ++i)
      fits = next.names.size_of(e.axes[i]) == leaf.shape()[static_cast<int>(i)];
    if (fits && e.dtype.value_or(next.store->dtype()) == leaf.dtype())
      next.store->set_leaf(it->second, leaf);
  }
}

// Runs statements that add nothing in the program as it is.
std::vector<Answer> Session::run_alone(const Part& part) {
  Program::Impl& p = *program_;
  const uint32_t file = p.sources.add({part.path, part.text});
  const std::vector<LocatedDiagnostic> before = p.diagnostics.located();
  Diagnostics found(p.sources);
  std::vector<const Statement*> statements;
  for (Statement& s : parse(p.sources, file, found)) {
    p.asked.push_back(std::move(s));
    statements.push_back(&p.asked.back());
  }
  check_scripts(p, statements, found);
  found.check();
  Restored restored(*p.store, p.names.entities.size());
  std::vector<Answer> answers, curves;
  p.located([&] {
    Script script(p, answers, curves);
    for (const Statement* s : statements) {
      const auto* block = std::get_if<Block>(&s->what);
      if (!block) script.run(*s);
      if (block && block->kind == "main") script.run_body(block->body);
    }
    p.variables = script.variables();
    return 0;
  });
  restored.keep();
  warnings_ = added(before, p.diagnostics.located());
  std::move(curves.begin(), curves.end(), std::back_inserter(answers));
  return answers;
}

std::string Session::text() const {
  std::string all;
  for (const Part& part : parts_) all += part.text + (part.text.ends_with('\n') ? "" : "\n");
  return all;
}

std::vector<ProgramSymbol> Session::symbols() const { return collect_symbols(*program_); }

std::vector<StatementReport> Session::plan(const std::string& text) {
  std::vector<StatementReport> found;
  if (const auto it = program_->names.entity_of.find(text); it != program_->names.entity_of.end()) {
    evaluate(*program_, it->second);
    for (const Place place : definitions(program_->names, it->second))
      found.push_back(program_->report_of(program_->reports->of(place)));
    return found;
  }
  const Part part{kPrompt, as_statement(text)};
  const Body alone = parsed_alone(part.text);
  const std::unique_ptr<Program::Impl> scratch = compiled(part);  // refuses what has errors
  const Statement* one = alone.size() == 1 ? &alone[0] : nullptr;
  const bool is_plan =
      one && (std::holds_alternative<Equation>(one->what) ||
              std::holds_alternative<Rule>(one->what) || std::holds_alternative<Query>(one->what));
  if (!is_plan) {
    throw Error(Code::value, "",
                "expected the name of a tensor or relation, or one equation, rule or query");
  }
  keep_values(*scratch);
  (void)scratch->run(scratch->variables);
  const uint32_t first = scratch->first_step;
  for (size_t i = 0; i < scratch->names.entities.size(); ++i) {
    const std::vector<Place> places = definitions(scratch->names, static_cast<int>(i));
    if (std::any_of(places.begin(), places.end(), [&](Place p) { return p.file >= first; }))
      evaluate(*scratch, static_cast<int>(i));
  }
  for (const auto& [place, entry] : scratch->reports->all()) {
    if (entry.place.file >= first) found.push_back(scratch->report_of(entry));
  }
  return found;
}

bool is_complete(const std::string& text) {
  Sources sources;
  Diagnostics diagnostics(sources);
  int open = 0;
  const Token* last = nullptr;
  const std::vector<Token> tokens =
      tokens_of(sources, sources.add({kPrompt, text}), diagnostics, true);
  for (const Token& t : tokens) {
    if (t.kind == Token::comment) {
      if (t.text.starts_with("/*") && (t.text.size() < 4 || !t.text.ends_with("*/"))) return false;
    } else if (t.kind != Token::newline && t.kind != Token::end) {
      last = &t;
    }
    if (t.is("(") || t.is("[") || t.is("{")) ++open;
    if (t.is(")") || t.is("]") || t.is("}")) --open;
  }
  return open <= 0 && !(last && goes_on(*last));
}

}  // namespace gyre::logic
