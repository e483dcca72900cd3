#include "gyre/logic/symbols.h"

#include <algorithm>

#include "gyre/base/text/counted.h"
#include "gyre/logic/program_impl.h"
#include "gyre/logic/syntax/lexer.h"

namespace gyre::logic {
namespace {

constexpr int64_t kShownSymbols = 8;

std::string elements_text(const Domain& domain) {
  std::string text = "{";
  const int64_t shown = std::min(domain.symbols.size(), kShownSymbols);
  for (int64_t i = 0; i < shown; ++i)
    text += (i > 0 ? ", " : "") + domain.symbol(static_cast<uint32_t>(i)).text;
  return text + (shown < domain.symbols.size() ? ", ..}" : "}");
}

std::string axis_text(const Names& names, const Axis& axis) {
  if (axis.domain < 0) return axis.size < 0 ? "?" : std::to_string(axis.size);
  const Domain& domain = names.domains[static_cast<size_t>(axis.domain)];
  if (!domain.name.empty()) return domain.name + " (" + std::to_string(domain.size()) + ")";
  return domain.numbered >= 0 ? std::to_string(domain.numbered) : elements_text(domain);
}

std::string type_text(const Entity& e, const Names& names, DType dtype) {
  std::string text = e.is_relation ? "relation " : "tensor ";
  text += e.name;
  text += e.is_relation ? "(" : "[";
  for (size_t i = 0; i < e.rank(); ++i) {
    if (i > 0) text += ", ";
    if (e.dims && !(*e.dims)[i].label.empty()) text += (*e.dims)[i].label + ": ";
    text += axis_text(names, names.axis_of(e, i));
  }
  if (e.is_relation) return text + ")";
  text += std::string("]: ") + gyre::name_of(e.dtype.value_or(dtype));
  return e.learnable ? text + ", learnable" : text;
}

std::string type_text(const Domain& d) {
  const std::string start = "domain " + d.name + " = ";
  return start + (d.numbered >= 0 ? std::to_string(d.numbered) : elements_text(d));
}

std::string origin_text(const Entity& e) {
  std::string text;
  const auto add = [&](size_t count, const char* what) {
    if (count > 0)
      text += (text.empty() ? "" : ", ") + gyre::counted(static_cast<int64_t>(count), what);
  };
  add(e.facts.size(), "fact");
  add(e.rules.size(), "rule");
  add(e.equations.size(), "equation");
  add(e.files.size(), "file");
  return text;
}

// The tokens of the files of a program, read once.
class NamePlaces {
 public:
  explicit NamePlaces(const Sources& sources) : sources_(sources), tokens_(sources.size()) {}

  // The first place of a name in a statement, or the statement.
  Place of(std::string_view name, Place statement) {
    std::vector<Token>& tokens = tokens_[statement.file];
    if (tokens.empty()) {
      Diagnostics ignored(sources_);
      tokens = tokens_of(sources_, statement.file, ignored);
    }
    const auto first = std::lower_bound(
        tokens.begin(), tokens.end(), statement.begin,
        [](const Token& token, uint32_t begin) { return token.place.begin < begin; });
    for (auto t = first; t != tokens.end() && t->place.begin < statement.end; ++t) {
      if (t->is_name(name)) return t->place;
    }
    return statement;
  }

 private:
  const Sources& sources_;
  std::vector<std::vector<Token>> tokens_;
};

}  // namespace

std::vector<ProgramSymbol> collect_symbols(const Program::Impl& program) {
  std::vector<ProgramSymbol> found;
  const Names& names = program.names;
  NamePlaces places(program.sources);
  const auto add = [&](ProgramSymbol::Kind kind, const std::string& name, Place statement,
                       std::string type, std::string origin = {}) {
    found.push_back(
        {kind, name, places.of(name, statement), statement, std::move(type), std::move(origin)});
  };
  for (const Statement& s : program.body) {
    if (const auto* c = std::get_if<ConstDecl>(&s.what)) {
      const auto it = names.constants.find(c->name);
      const std::string value = it == names.constants.end() ? "?" : std::to_string(it->second);
      add(ProgramSymbol::constant, c->name, s.place, "const " + c->name + " = " + value);
    } else if (const auto* d = std::get_if<DomainDecl>(&s.what)) {
      const auto it = names.domain_of.find(d->name);
      add(ProgramSymbol::domain, d->name, s.place,
          it == names.domain_of.end() ? "domain " + d->name
                                      : type_text(names.domains[static_cast<size_t>(it->second)]));
    } else if (const auto* f = std::get_if<FunctionDecl>(&s.what)) {
      std::string parameters;
      for (const std::string& p : f->parameters) parameters += (parameters.empty() ? "" : ", ") + p;
      add(ProgramSymbol::function, f->name, s.place, "fn " + f->name + "(" + parameters + ")");
    }
  }
  const DType dtype = program.options.dtype.value_or(names.dtype.value_or(DType::f64));
  for (const Entity& e : names.entities) {
    add(e.is_relation ? ProgramSymbol::relation : ProgramSymbol::tensor, e.name, e.place,
        type_text(e, names, dtype), origin_text(e));
  }
  return found;
}

const ProgramSymbol* ProgramSymbols::find(std::string_view name) const {
  const auto it = std::find_if(symbols.begin(), symbols.end(),
                               [&](const ProgramSymbol& s) { return s.name == name; });
  return it == symbols.end() ? nullptr : &*it;
}

ProgramSymbols symbols_of(std::string text, const std::string& path, const OpTable& ops,
                          const OptimizerTable& optimizers) {
  Program::Impl program{ops, optimizers, {}};
  ProgramSymbols found;
  try {
    program.add_root(std::move(text), path);
    program.compile();
  } catch (const ProgramError&) {  // located below, as its warnings are
  } catch (const std::exception& error) {
    found.failure = error.what();
  }
  found.diagnostics = program.diagnostics.located();
  found.symbols = collect_symbols(program);
  found.sources = std::move(program.sources);
  return found;
}

}  // namespace gyre::logic
