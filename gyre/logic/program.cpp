#include "gyre/logic/program.h"

#include <algorithm>

#include "gyre/base/system/mapped_file.h"
#include "gyre/logic/analysis/integer_domains.h"
#include "gyre/logic/program_impl.h"
#include "gyre/logic/run/files.h"
#include "gyre/logic/run/script.h"
#include "gyre/logic/run/script_check.h"
#include "gyre/logic/syntax/parser.h"
#include "gyre/ops/create/create.h"

namespace gyre::logic {
namespace {

using enum DiagnosticCode;

std::string folder_of(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash);
}

std::string text_of_file(const std::string& path) { return std::string(MappedFile(path).text()); }

}  // namespace

void Program::Impl::add_file(std::string text, const std::string& path,
                             std::vector<std::string>& open, std::set<std::string>& seen) {
  seen.insert(path);
  open.push_back(path);
  const uint32_t file = sources.add({path, std::move(text)});
  for (Statement& s : logic::parse(sources, file, diagnostics)) {
    const auto* import = std::get_if<Import>(&s.what);
    if (!import) {
      body.push_back(std::move(s));
      continue;
    }
    const std::string base = folder_of(path);
    const std::string to =
        import->path.starts_with("/") || base.empty() ? import->path : base + "/" + import->path;
    if (std::find(open.begin(), open.end(), to) != open.end()) {
      diagnostics.add(
          {E0401, s.place, "'" + import->path + "' imports itself, directly or through others"});
    } else if (!seen.contains(to)) {
      try {
        add_file(text_of_file(to), to, open, seen);
      } catch (const Error& e) {
        diagnostics.add({E0402, s.place, e.what()});
      }
    }
  }
  open.pop_back();
}

void Program::Impl::add_root(std::string text, const std::string& path) {
  folder = folder_of(path);
  std::vector<std::string> open;
  std::set<std::string> seen;
  add_file(std::move(text), path, open, seen);
}

void Program::Impl::compile() {
  std::vector<InputName> given;
  for (const NamedTensor& t : inputs.tensors)
    given.push_back({t.name, false, static_cast<size_t>(t.tensor.rank())});
  for (const NamedTuples& t : inputs.relations)
    given.push_back(
        {t.name, true, t.symbols.empty() ? std::nullopt : std::optional<size_t>(t.arity)});
  names = collect_names(body, given, diagnostics);
  for (const NamedTensor& t : inputs.tensors)
    take(names.entities[static_cast<size_t>(names.entity_of.at(t.name))], t.tensor);
  for (const NamedTuples& t : inputs.relations)
    take(names.entities[static_cast<size_t>(names.entity_of.at(t.name))], t);
  read_files(names, folder, diagnostics);
  number_integer_domains(names);
  if (options.reports) reports = std::make_unique<Reports>();
  store = std::make_unique<Store>(names, ops, diagnostics, options, reports.get());
  store->compile();
  for (const Statement* s : names.steps) {
    if (s->place.file < first_step) continue;
    try {
      if (std::optional<ProgramStep> step = is_script(*s) ? ProgramStep(s) : prepare_step(*s)) {
        steps.push_back(std::move(*step));
      }
    } catch (const Refused& refused) {
      diagnostics.add(refused.diagnostic);
    }
  }
  check_scripts(*this);
  diagnostics.check();
  warnings = diagnostics.located();
}

Program::Program(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Program::Program(Program&&) noexcept = default;
Program::~Program() = default;

Program Program::parse(std::string text, const std::string& path, const OpTable& ops,
                       const OptimizerTable& optimizers, const ProgramOptions& options,
                       const ProgramInputs& inputs) {
  std::unique_ptr<Impl> impl(new Impl{ops, optimizers, options, inputs});
  impl->add_root(std::move(text), path);
  impl->compile();
  return Program(std::move(impl));
}

Program Program::read(const std::string& path, const OpTable& ops, const OptimizerTable& optimizers,
                      const ProgramOptions& options) {
  return parse(text_of_file(path), path, ops, optimizers, options);
}

const std::vector<LocatedDiagnostic>& Program::warnings() const { return impl_->warnings; }

void Program::Impl::run(const ProgramStep& step, std::vector<Answer>& answers,
                        std::vector<Answer>& curves) {
  if (const auto* q = std::get_if<ReadyQuery>(&step)) {
    answers.push_back(answer(*q));
  } else if (const auto* l = std::get_if<ReadyLearn>(&step)) {
    const Reports::Timed timed(reports.get(), l->place);
    const std::vector<double> losses = logic::run(*l, *store, optimizers);
    Answer curve{Answer::loss_curve};
    curve.values = gyre::tensor(losses, {static_cast<int64_t>(losses.size())});
    curves.push_back(std::move(curve));
  } else if (const auto* w = std::get_if<ReadyWrite>(&step)) {
    write(*w);
  }
}

std::vector<Answer> Program::Impl::run(ScriptVariables& bound) {
  return located([&] {
    std::vector<Answer> answers, curves;
    Script script(*this, answers, curves);
    for (const ProgramStep& step : steps) {
      const auto* statement = std::get_if<const Statement*>(&step);
      if (statement)
        script.run(**statement);
      else
        run(step, answers, curves);
    }
    script.run_main();
    bound = script.variables();
    std::move(curves.begin(), curves.end(), std::back_inserter(answers));
    return answers;
  });
}

std::vector<Answer> Program::run() {
  ScriptVariables bound;
  return impl_->run(bound);
}

std::vector<std::string> Program::blocks(std::string_view kind) const {
  std::vector<std::string> found;
  for (const Statement* s : impl_->names.steps) {
    const auto* block = std::get_if<Block>(&s->what);
    if (block && block->kind == kind) found.push_back(block->name);
  }
  return found;
}

std::vector<Answer> Program::run_block(std::string_view kind, std::string_view name) {
  return impl_->located([&] {
    std::vector<Answer> answers, curves;
    for (const Statement* s : impl_->names.steps) {
      const auto* block = std::get_if<Block>(&s->what);
      if (!block || block->kind != kind || block->name != name) continue;
      Script(*impl_, answers, curves).run_block(block->body);
      std::move(curves.begin(), curves.end(), std::back_inserter(answers));
      return answers;
    }
    throw Error(Code::value, "program", {"no ", kind, " '", name, "'"});
  });
}

std::vector<std::string> Program::names() const {
  std::vector<std::string> all;
  for (const Entity& e : impl_->names.entities) all.push_back(e.name);
  return all;
}

bool Program::contains(const std::string& name) const {
  return impl_->names.entity_of.contains(name);
}

void Program::Impl::take(Entity& entity, const Tensor& value) {
  const Shape shape = value.shape();
  if (entity.is_relation)
    throw Error(Code::value, "program", {"'", entity.name, "' is a relation, got a tensor"});
  if (!entity.equations.empty())
    throw Error(Code::value, "program", {"'", entity.name, "' is defined by an equation"});
  bool fits = static_cast<size_t>(shape.rank) == entity.axes.size();
  Shape wanted;
  for (size_t i = 0; i < entity.axes.size(); ++i) {
    Axis& axis = entity.axes[i];
    if (!axis.known() && fits) axis.size = shape[static_cast<int>(i)];
    wanted.push_back(names.size_of(axis));
    fits = fits && wanted[static_cast<int>(i)] == shape[static_cast<int>(i)];
  }
  if (!fits) {
    throw mismatch(Code::shape, "program", {"'", entity.name, "' has shape ", to_string(wanted)},
                   to_string(wanted), to_string(shape));
  }
  if (entity.dtype && *entity.dtype != value.dtype()) {
    throw mismatch(Code::dtype, "program",
                   {"'", entity.name, "' has dtype ", name_of(*entity.dtype)},
                   name_of(*entity.dtype), name_of(value.dtype()));
  }
  entity.dtype = value.dtype();
  entity.loaded = value;
}

void Program::Impl::take(Entity& entity, const NamedTuples& tuples) {
  if (!entity.is_relation)
    throw Error(Code::value, "program", {"'", entity.name, "' is a tensor, got tuples"});
  if (tuples.symbols.empty()) return;
  if (entity.rank() != tuples.arity) {
    throw mismatch(Code::shape, "program", {"'", entity.name, "' has ", entity.rank(), " indices"},
                   std::to_string(entity.rank()), std::to_string(tuples.arity));
  }
  const auto domain_of = [&](size_t i) -> Domain& {
    return names.domains[static_cast<size_t>(names.axis_of(entity, i % tuples.arity).domain)];
  };
  for (size_t i = 0; i < tuples.symbols.size(); ++i) {  // before any symbol joins a domain
    const Symbol& symbol = tuples.symbols[i];
    const Domain& domain = domain_of(i);
    if (!domain.accepts(symbol)) {
      throw Error(Code::value, "program",
                  domain.open
                      ? Message{"'", entity.name, "' has integers here, got '", symbol.text, "'"}
                      : Message{"'", symbol.text, "' is not in domain ", domain.name, " of '",
                                entity.name, "'"});
    }
  }
  for (size_t i = 0; i < tuples.symbols.size(); ++i)
    entity.tuples.push_back(domain_of(i).add(tuples.symbols[i]).value());
}

void Program::bind(const std::string& name, const Tensor& value) {
  const auto it = impl_->names.entity_of.find(name);
  if (it == impl_->names.entity_of.end())
    throw Error(Code::value, "program", {"no tensor '", name, "'"});
  impl_->take(impl_->names.entities[static_cast<size_t>(it->second)], value);
  impl_->store->changed({it->second});
}

void Program::add(const NamedTuples& tuples) {
  const auto it = impl_->names.entity_of.find(tuples.name);
  if (it == impl_->names.entity_of.end())
    throw Error(Code::value, "program", {"no relation '", tuples.name, "'"});
  Impl& p = *impl_;
  const auto elements = [&p] {
    int64_t count = 0;
    for (const Domain& d : p.names.domains) count += d.size();
    return count;
  };
  Entity& entity = p.names.entities[static_cast<size_t>(it->second)];
  const int64_t before = elements();
  const size_t known = entity.tuples.size();
  p.take(entity, tuples);
  p.located([&] {
    p.store->start_clock();
    p.store->grow(it->second, std::span(entity.tuples).subspan(known), elements() != before);
    return 0;
  });
}

void Program::forget() { impl_->store->forget_results(); }

StatementReport Program::Impl::report_of(const Reports::Entry& entry) const {
  return {std::string(sources.text(entry.place)),
          sources[entry.place.file].path,
          sources.where(entry.place).line,
          entry.runs,
          entry.seconds,
          entry.plan,
          entry.result};
}

std::vector<StatementReport> Program::reports() const {
  std::vector<StatementReport> all;
  if (!impl_->reports) return all;
  for (const EquationSite& site : impl_->names.equations) impl_->reports->of(site.place);
  for (const RuleSite& site : impl_->names.rules) impl_->reports->of(site.place);
  for (const auto& [place, entry] : impl_->reports->all()) all.push_back(impl_->report_of(entry));
  return all;
}

namespace {

// The text of a query, the last file of a program, which is removed again: with what is warned of
// in it, and unless reports refer to it.
class QueryText {
 public:
  explicit QueryText(Program::Impl& program) : program_(program), known_(program.diagnostics) {}
  QueryText(const QueryText&) = delete;
  ~QueryText() {
    program_.diagnostics = std::move(known_);
    if (!program_.reports) program_.sources.remove_last();
  }

 private:
  Program::Impl& program_;
  Diagnostics known_;
};

}  // namespace

Answer Program::query(std::string_view text) {
  const uint32_t file = impl_->sources.add({"query", std::string(text)});
  const QueryText forgotten(*impl_);
  Diagnostics diagnostics(impl_->sources);
  const std::optional<Statement> s = parse_query(impl_->sources, file, diagnostics);
  diagnostics.check();
  return impl_->located([&] {
    const std::optional<ReadyQuery> ready =
        impl_->prepare_query(std::get<Query>(s->what), s->place);
    return impl_->answer(*ready);
  });
}

Tensor Program::tensor(std::string_view name) {
  const auto it = impl_->names.entity_of.find(std::string(name));
  if (it == impl_->names.entity_of.end())
    throw Error(Code::value, "program", {"no tensor or relation '", name, "'"});
  return impl_->located([&] { return impl_->store->tensor(it->second); });
}

}  // namespace gyre::logic
