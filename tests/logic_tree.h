#pragma once
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "gyre/logic/syntax/lexer.h"
#include "gyre/logic/syntax/parser.h"

// The syntax tree of a program as text, for tests that compare trees.

namespace gyre::logic {

/// A tree as text, "(= Y[(i)] (* W[(i)] X[(i)]))": everything of the tree but the places.
class TreeText {
 public:
  static std::string of(const Body& body) {
    TreeText text;
    text.body(body);
    return text.out_;
  }
  static std::string of(const Expr& e) {
    TreeText text;
    text.expr(e);
    return text.out_;
  }

 private:
  void word(std::string_view w) {
    if (!out_.empty() && std::string_view("([,").find(out_.back()) == std::string_view::npos) {
      out_ += ' ';
    }
    out_ += w;
  }
  void open(std::string_view head) { word("("), out_ += head; }
  void close() { out_ += ')'; }
  void number(double v) {
    char buffer[40];
    std::snprintf(buffer, sizeof buffer, "%.17g", v);
    word(buffer);
  }
  void text(std::string_view content) { word(quoted(content)); }

  void body(const Body& b) {
    for (const Statement& s : b)
      std::visit([&](const auto& what) { this->statement(what); }, s.what);
  }
  void block(const Body& b) { open("do"), body(b), close(); }

  void expr(const Expr& e) {
    switch (e.kind) {
      case Expr::none:
        return word("_");
      case Expr::number:
        if (e.is_integer) return word(e.name);
        return number(e.value);
      case Expr::boolean:
        return word(e.value != 0 ? "true" : "false");
      case Expr::reference:
        word(e.name);
        if (e.bracketed) indices(e, e.atom ? "()" : "[]");
        return;
      case Expr::reduce:
        open(e.name), indices(e, "[]"), expr(e.children[0]);
        return close();
      case Expr::operation:
        open(e.op == Operator::join && e.bracketed ? "." : name_of(e.op));
        break;
      case Expr::call:
        open("call " + e.name);
        break;
      case Expr::array:
        open("array");
        break;
      case Expr::group:
        open("group");
        break;
    }
    for (const Expr& child : e.children) expr(child);
    attributes(e.attributes);
    close();
  }
  void indices(const Expr& e, std::string_view brackets) {
    out_ += brackets[0];
    for (size_t i = 0; i < e.indices.size(); ++i) {
      if (i > 0) out_ += ',';
      const Index& index = e.indices[i];
      if (index.is_virtual) word("virtual");
      if (index.kind == Index::string) text(index.text);
      for (const Expr& bound : index.bounds) expr(bound);
      if (index.kind == Index::slice) word("slice");
      if (index.marked) word("marked");
    }
    out_ += brackets[1];
  }
  void attributes(const std::vector<Attribute>& all) {
    for (const Attribute& a : all) {
      word(a.name + "=");
      if (auto* d = std::get_if<double>(&a.value)) number(*d);
      if (auto* n = std::get_if<int64_t>(&a.value)) word(std::to_string(*n));
      if (auto* b = std::get_if<bool>(&a.value)) word(*b ? "true" : "false");
      if (auto* s = std::get_if<std::string>(&a.value)) text(*s);
    }
  }
  void optional(const std::optional<Expr>& e) {
    if (e) expr(*e);
  }
  void symbols(const std::vector<Symbol>& all) {
    for (const Symbol& s : all) s.quoted ? text(s.text) : word(s.text);
  }
  void dims(const std::vector<Dim>& all) {
    for (const Dim& d : all) {
      open("dim");
      if (!d.label.empty()) word(d.label + ":");
      word(d.size ? std::to_string(*d.size) : d.domain.empty() ? "?" : d.domain);
      close();
    }
  }
  void initializer(const std::optional<Initializer>& init) {
    if (!init) return;
    open("init");
    if (!init->name.empty()) word(init->name);
    attributes(init->attributes), optional(init->value), close();
  }

  void statement(const Pragma& p) { open("pragma"), word(p.name), text(p.value), close(); }
  void statement(const Import& i) { open("import"), text(i.path), close(); }
  void statement(const DomainDecl& d) {
    open("domain"), word(d.name);
    if (d.symbols) symbols(*d.symbols);
    if (d.size) word("size"), word(std::to_string(*d.size));
    close();
  }
  void statement(const ConstDecl& c) { open("const"), word(c.name), expr(c.value), close(); }
  void statement(const TensorDecl& t) {
    open("tensor"), word(t.name), word(t.dtype), dims(t.dims);
    if (t.learnable) word("learnable");
    initializer(t.init), close();
  }
  void statement(const RelationDecl& r) {
    open("relation"), word(r.name), dims(r.dims);
    if (r.embed_size) word(r.embed_dtype), word(std::to_string(r.embed_size));
    close();
  }
  void statement(const EmbeddingDecl& e) {
    open("embedding"), word(e.name), word(e.entities);
    if (e.symbols) symbols(*e.symbols);
    word(std::to_string(e.dimension)), initializer(e.init), close();
  }
  void statement(const FunctionDecl& f) {
    open("fn"), word(f.name);
    for (const std::string& p : f.parameters) word(p);
    word("->"), word(f.dtype), optional(f.value), block(f.body), close();
  }
  void statement(const Equation& e) {
    constexpr const char* kNames[] = {"=", "+=", "*=", "max=", "min=", "avg="};
    open(kNames[static_cast<size_t>(e.projection)]), expr(e.left), expr(e.right);
    if (e.where) word("where"), expr(*e.where);
    close();
  }
  void statement(const Fact& f) { open("fact"), word(f.relation), symbols(f.symbols), close(); }
  void statement(const Rule& r) {
    open("rule"), expr(r.head);
    for (const RuleLiteral& l : r.body) {
      if (l.negated) word("not");
      expr(l.expr);
    }
    close();
  }
  void statement(const Query& q) {
    open("query"), expr(q.expr);
    if (q.where) word("where"), expr(*q.where);
    for (const QueryMode& m : q.modes) word("@" + m.name), attributes(m.attributes);
    close();
  }
  void statement(const FileRead& f) { open("read"), expr(f.to), text(f.path), close(); }
  void statement(const FileWrite& f) { open("write"), text(f.path), expr(f.from), close(); }
  void statement(const Learn& l) {
    open("learn"), block(l.equations), optional(l.objective);
    word(l.optimizer), attributes(l.optimizer_options), word(std::to_string(l.epochs));
    if (!l.scheduler.empty()) word(l.scheduler), attributes(l.scheduler_options);
    for (const std::string& p : l.params) word(p);
    close();
  }
  void statement(const Block& b) { open(b.kind), word(b.name), block(b.body), close(); }
  void statement(const Let& l) {
    open(l.rebinds ? ":=" : "let"), word(l.name), expr(l.value), close();
  }
  void statement(const If& i) {
    open("if"), expr(i.condition), block(i.then), block(i.otherwise), close();
  }
  void statement(const For& f) {
    open("for"), word(f.name), word(f.domain), optional(f.first), optional(f.last);
    block(f.body), close();
  }
  void statement(const Loop& l) { open("loop"), optional(l.condition), block(l.body), close(); }
  void statement(const Jump& j) {
    open(j.returns ? "return" : "break"), optional(j.value), close();
  }
  void statement(const Broken&) {}  // says what it may have defined, not what it means
  void statement(const Show& s) {
    open(s.asserts ? "assert" : "print");
    for (const Expr& e : s.values) expr(e);
    close();
  }

  std::string out_;
};

/// What the parser makes of a text.
struct Parsed {
  std::string tree;
  std::vector<LocatedDiagnostic> diagnostics;
  bool has_errors = false;

  /// "LINE:COLUMN CODE" of each diagnostic, separated by ", ".
  [[nodiscard]] std::string places() const {
    std::string all;
    for (const LocatedDiagnostic& d : diagnostics) {
      all += (all.empty() ? "" : ", ") + std::to_string(d.where.line) + ':' +
             std::to_string(d.where.column) + ' ' + name_of(d.diagnostic.code);
    }
    return all;
  }
};
inline Parsed parsed(std::string_view text) {
  Sources sources;
  const uint32_t file = sources.add({"test.tl", std::string(text)});
  Diagnostics diagnostics(sources);
  const Body body = parse(sources, file, diagnostics);
  return {TreeText::of(body), diagnostics.located(), diagnostics.has_errors()};
}

}  // namespace gyre::logic
