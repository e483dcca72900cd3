#include "gyre/logic/program.h"

#include <algorithm>
#include <set>

#include "gyre/base/system/file.h"
#include "gyre/base/system/mapped_file.h"
#include "gyre/base/text/utf8.h"
#include "gyre/io/tensor_file.h"
#include "gyre/logic/run/files.h"
#include "gyre/logic/run/learn.h"
#include "gyre/logic/syntax/parser.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/shape/shape.h"

namespace gyre::logic {
namespace {

using enum DiagnosticCode;

std::string folder_of(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash);
}

std::string text_of_file(const std::string& path) { return std::string(MappedFile(path).text()); }

}  // namespace

/// A query that is ready to run: of a relation, or of numbers.
struct ReadyQuery {
  std::string text;
  Place place;
  bool is_relation = false;
  std::vector<RuleLiteral> literals{};
  std::vector<Variable> variables{};
  std::optional<Lowered> lowered{};
  std::optional<int> whole{};  ///< a tensor without indices
};
struct ReadyWrite {
  std::string path;
  std::string name;
  int entity;
  Place place;
};

struct Program::Impl {
  const OpTable& ops;
  const OptimizerTable& optimizers;
  ProgramOptions options;
  std::string folder{};
  Sources sources{};
  Diagnostics diagnostics{sources};
  Body body{};
  Names names{};
  std::unique_ptr<Store> store{};
  std::vector<std::variant<ReadyQuery, ReadyLearn, ReadyWrite>> steps{};
  std::deque<Statement> asked{};  ///< of query()
  std::vector<LocatedDiagnostic> warnings{};

  // The statements of a file and of those that it imports, each file once.
  void add_file(std::string text, const std::string& path, std::vector<std::string>& open,
                std::set<std::string>& seen) {
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

  void compile() {
    names = collect_names(body, diagnostics);
    read_files(names, folder, diagnostics);
    store = std::make_unique<Store>(names, ops, diagnostics, options);
    store->compile();
    for (const Statement* s : names.steps) {
      try {
        add_step(*s);
      } catch (const Refused& refused) {
        diagnostics.add(refused.diagnostic);
      }
    }
    diagnostics.check();
    warnings = diagnostics.located();
  }
  void add_step(const Statement& s) {
    if (const auto* q = std::get_if<Query>(&s.what)) {
      std::optional<ReadyQuery> ready = prepare_query(*q, s.place);
      if (ready) steps.emplace_back(std::move(*ready));
    } else if (const auto* l = std::get_if<Learn>(&s.what)) {
      steps.emplace_back(prepare(*l, s.place, *store, optimizers));
    } else if (const auto* w = std::get_if<FileWrite>(&s.what)) {
      const auto it = names.entity_of.find(w->from.name);
      if (it == names.entity_of.end())
        refuse(E0101, w->from.place, {"'", w->from.name, "' is not defined"});
      const size_t hash = w->path.rfind('#');
      const std::string path = w->path.substr(0, hash);
      steps.emplace_back(
          ReadyWrite{path.starts_with("/") || folder.empty() ? path : folder + "/" + path,
                     hash == std::string::npos ? w->from.name : w->path.substr(hash + 1),
                     it->second, s.place});
    }
  }

  // Nothing for a query of what has an error.
  std::optional<ReadyQuery> prepare_query(const Query& q, Place place) {
    const std::set<int> none;
    ReadyQuery ready{std::string(sources.text(place)), place};
    for (const QueryMode& mode : q.modes) {
      if (mode.name != "forward") refuse(E0003, mode.place, {"@", mode.name, " does not run yet"});
    }
    const Expr& e = q.expr;
    const Entity* entity = e.kind == Expr::reference ? names.find(e.name) : nullptr;
    std::vector<int> reads;
    add_references(names, e, reads);
    if (std::any_of(reads.begin(), reads.end(), [&](int r) { return store->is_broken(r); }))
      return std::nullopt;
    if (entity && entity->is_relation) {
      ready.is_relation = true;
      ready.literals = {{false, e}};
      if (!e.bracketed) add_all_positions(ready.literals[0].expr, *entity);
      if (q.where) {
        for (RuleLiteral& l : literals_of(*q.where)) ready.literals.push_back(std::move(l));
      }
      ready.variables = store->variables_of(ready.literals);
      store->check(ready.literals, place);
    } else if (entity && !e.bracketed && entity->ranked && entity->rank() > 0) {
      ready.whole = names.entity_of.at(e.name);
    } else {
      ready.lowered = lower_query(e, q.where, place, store->context(none));
    }
    return ready;
  }
  static void add_all_positions(Expr& e, const Entity& entity) {
    e.bracketed = e.atom = true;
    for (size_t i = 0; i < entity.rank(); ++i) {
      Index index;
      Expr variable;
      variable.kind = Expr::reference;
      variable.name = "_" + std::to_string(i);
      variable.place = index.place = e.place;
      index.bounds = {variable};
      e.indices.push_back(std::move(index));
    }
  }

  Answer answer(const ReadyQuery& q) {
    Answer a{Answer::array, q.text};
    if (q.whole) {
      a.values = to(store->tensor(*q.whole).detach(), DType::f64);
    } else if (!q.is_relation) {
      const Value v = store->answer(*q.lowered);
      std::vector<Label> order = v.axes;
      const Node& node = *q.lowered->right;
      if (node.kind == Node::load) {  // as the positions are written
        order.clear();
        for (const Position& p : node.positions) {
          if (p.label >= 0 && !p.is_virtual &&
              std::find(order.begin(), order.end(), p.label) == order.end())
            order.push_back(p.label);
        }
        if (order.size() != v.axes.size()) order = v.axes;
      }
      a.values = contiguous(to(aligned(v, order).detach(), DType::f64));
    } else {
      std::vector<std::string> wanted;
      for (const Variable& v : q.variables) wanted.push_back(v.name);
      const std::vector<uint32_t> found = store->solutions(q.literals, wanted, q.place);
      a.kind = wanted.empty() ? Answer::boolean : Answer::tuples;
      a.holds = !found.empty();
      for (size_t at = 0; a.kind == Answer::tuples && at < found.size(); at += wanted.size()) {
        std::vector<Symbol>& row = a.tuples_.emplace_back();
        for (size_t i = 0; i < wanted.size(); ++i) {
          row.push_back(
              names.domains[static_cast<size_t>(q.variables[i].axis.domain)].symbol(found[at + i]));
        }
      }
      std::sort(a.tuples_.begin(), a.tuples_.end(), [](const auto& x, const auto& y) {
        return std::lexicographical_compare(
            x.begin(), x.end(), y.begin(), y.end(), [](const Symbol& s, const Symbol& t) {
              if (s.is_integer && t.is_integer && s.text.size() != t.text.size())
                return s.text.size() < t.text.size();
              return s.is_integer != t.is_integer ? s.is_integer : s.text < t.text;
            });
      });
    }
    return a;
  }

  void write(const ReadyWrite& w) {
    const Tensor t = contiguous(store->tensor(w.entity).detach());
    const std::vector<NamedTensor> all{{w.path.ends_with(".npy") ? "" : w.name, t}};
    write_tensors(w.path, all);
  }

  // Errors of a run, with their place.
  template <class F>
  auto located(const F& f) {
    try {
      return f();
    } catch (const Refused& refused) {
      Diagnostics found(sources);
      found.add(refused.diagnostic);
      throw ProgramError(found.located());
    }
  }
};

Program::Program(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Program::Program(Program&&) noexcept = default;
Program::~Program() = default;

Program Program::parse(std::string text, const std::string& path, const OpTable& ops,
                       const OptimizerTable& optimizers, const ProgramOptions& options) {
  std::unique_ptr<Impl> impl(new Impl{ops, optimizers, options});
  impl->folder = folder_of(path);
  std::vector<std::string> open;
  std::set<std::string> seen;
  impl->add_file(std::move(text), path, open, seen);
  impl->compile();
  return Program(std::move(impl));
}

Program Program::read(const std::string& path, const OpTable& ops, const OptimizerTable& optimizers,
                      const ProgramOptions& options) {
  return parse(text_of_file(path), path, ops, optimizers, options);
}

const std::vector<LocatedDiagnostic>& Program::warnings() const { return impl_->warnings; }

std::vector<Answer> Program::run() {
  return impl_->located([&] {
    std::vector<Answer> answers, curves;
    for (const auto& step : impl_->steps) {
      if (const auto* q = std::get_if<ReadyQuery>(&step)) {
        answers.push_back(impl_->answer(*q));
      } else if (const auto* l = std::get_if<ReadyLearn>(&step)) {
        const std::vector<double> losses =
            logic::run(*l, *impl_->store, impl_->optimizers, impl_->options);
        Answer curve{Answer::loss_curve};
        curve.values = gyre::tensor(losses, {static_cast<int64_t>(losses.size())});
        curves.push_back(std::move(curve));
      } else {
        impl_->write(std::get<ReadyWrite>(step));
      }
    }
    std::move(curves.begin(), curves.end(), std::back_inserter(answers));
    return answers;
  });
}

Answer Program::query(std::string_view text) {
  const uint32_t file = impl_->sources.add({"query", std::string(text)});
  Diagnostics diagnostics(impl_->sources);
  std::optional<Statement> s = parse_query(impl_->sources, file, diagnostics);
  diagnostics.check();
  impl_->asked.push_back(std::move(*s));
  return impl_->located([&] {
    const std::optional<ReadyQuery> ready =
        impl_->prepare_query(std::get<Query>(impl_->asked.back().what), impl_->asked.back().place);
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
