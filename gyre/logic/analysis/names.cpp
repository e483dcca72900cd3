#include "gyre/logic/analysis/names.h"

#include <algorithm>
#include <charconv>

#include "gyre/base/text/nearest.h"
#include "gyre/logic/analysis/index_value.h"
#include "gyre/logic/analysis/rule_domains.h"

namespace gyre::logic {
namespace {

using enum DiagnosticCode;

class Collector {
 public:
  Collector(Names& names, Diagnostics& diagnostics) : n_(names), diagnostics_(diagnostics) {}

  void run(const Body& program, std::span<const InputName> inputs) {
    each(program, [&](const Statement& s) { declare_first(s); });
    each(program, [&](const Statement& s) { declare(s); });
    for (const InputName& input : inputs) {
      if (n_.entity_of.contains(input.name)) continue;
      set_rank(entity(input.name, input.is_relation, {}),
               input.rank ? *input.rank : rank_in(program, input.name), {});
    }
    each(program, [&](const Statement& s) { define(s); });
  }

 private:
  // The number of indices of the first atom of a relation in rules, equations and queries.
  static size_t rank_in(const Body& program, const std::string& name) {
    std::optional<size_t> rank;
    const auto look = [&](const Expr& expr) {
      visit(expr, [&](const Expr& e) {
        if (!rank && e.kind == Expr::reference && e.bracketed && e.name == name)
          rank = e.indices.size();
      });
    };
    for (const Statement& s : program) {
      if (const auto* rule = std::get_if<Rule>(&s.what)) {
        for (const RuleLiteral& l : rule->body) look(l.expr);
      } else if (const auto* q = std::get_if<Equation>(&s.what)) {
        look(q->right);
        if (q->where) look(*q->where);
      } else if (const auto* query = std::get_if<Query>(&s.what)) {
        look(query->expr);
      }
    }
    return rank.value_or(0);
  }
  template <class F>
  void each(const Body& program, const F& f) {
    for (const Statement& s : program) {
      try {
        f(s);
      } catch (const Refused& refused) {
        diagnostics_.add(refused.diagnostic);
      }
    }
  }

  void new_name(const std::string& name, Place place) {
    const auto [it, is_new] = places_.emplace(name, place);
    if (!is_new) refuse(E0104, place, {"'", name, "' is declared twice"});
  }

  // What the sizes of other declarations may use.
  void declare_first(const Statement& s) {
    if (const auto* b = std::get_if<Broken>(&s.what))
      n_.broken.insert(b->names.begin(), b->names.end());
    if (const auto* p = std::get_if<Pragma>(&s.what)) pragma(*p, s.place);
    if (const auto* c = std::get_if<ConstDecl>(&s.what)) {
      new_name(c->name, s.place);
      const std::optional<int64_t> value = n_.constant_value(c->value);
      if (!value) refuse(E0101, c->value.place, "a constant has integers and constants before it");
      n_.constants[c->name] = *value;
    }
    if (const auto* d = std::get_if<DomainDecl>(&s.what)) domain(*d, s.place);
  }
  void pragma(const Pragma& p, Place place) {
    if (p.name == "prolog_vars") {
      n_.prolog_variables = true;
    } else if (p.name == "dtype") {
      n_.dtype = dtype_of(p.value, place);
    } else if (p.name == "seed") {
      const char* end = p.value.data() + p.value.size();
      const std::from_chars_result read = std::from_chars(p.value.data(), end, n_.seed);
      if (read.ec != std::errc() || read.ptr != end)
        refuse(E0002, place, {"a seed is an integer, got '", p.value, "'"});
    } else {
      refuse(E0101, place, {"unknown pragma '", p.name, "'"}, "pragmas: prolog_vars, dtype, seed");
    }
  }
  int add_domain(Domain domain) {
    n_.domains.push_back(std::move(domain));
    return static_cast<int>(n_.domains.size()) - 1;
  }
  void domain(const DomainDecl& d, Place place) {
    new_name(d.name, place);
    Domain domain{.name = d.name};
    domain.open = !d.size && !d.symbols;
    if (d.size) domain.numbered = *d.size;
    if (d.symbols) {
      domain.open = true;
      for (const Symbol& s : *d.symbols) {
        if (domain.find(s)) refuse(E0104, s.place, {"'", s.text, "' is in the domain twice"});
        domain.add(s);
      }
      domain.open = false;
    }
    n_.domain_of[d.name] = add_domain(std::move(domain));
  }

  Entity& entity(const std::string& name, bool is_relation, Place place) {
    n_.entity_of[name] = static_cast<int>(n_.entities.size());
    return n_.entities.emplace_back(
        Entity{.name = name, .is_relation = is_relation, .place = place});
  }
  Axis axis(const Dim& dim) {
    if (dim.size) return {-1, *dim.size};
    if (dim.domain.empty()) return {};
    if (const auto it = n_.domain_of.find(dim.domain); it != n_.domain_of.end())
      return {it->second, -1};
    if (const auto it = n_.constants.find(dim.domain); it != n_.constants.end())
      return {-1, it->second};
    refuse(
        E0101, dim.place,
        {"'", dim.domain, "' is neither a domain nor a constant", suggestion(dim.domain, n_.all())},
        {}, "'NAME: ?' for an axis whose size the first value tells");
  }
  void declare(const Statement& s) {
    if (const auto* t = std::get_if<TensorDecl>(&s.what)) {
      new_name(t->name, s.place);
      Entity& e = entity(t->name, false, s.place);
      e.ranked = true;
      e.dims = t->dims;
      e.learnable = t->learnable;
      if (!t->dtype.empty()) e.dtype = dtype_of(t->dtype, s.place);
      if (t->init) e.init = &*t->init;
      for (const Dim& dim : t->dims) {
        try {
          e.axes.push_back(axis(dim));
        } catch (const Refused& refused) {  // the rank stays
          diagnostics_.add(refused.diagnostic);
          e.axes.push_back({});
          e.is_broken = true;
        }
      }
    } else if (const auto* r = std::get_if<RelationDecl>(&s.what)) {
      new_name(r->name, s.place);
      Entity& e = entity(r->name, true, s.place);
      e.dims = r->dims;
      if (r->embed_size > 0) {
        e.embed_size = r->embed_size;
        e.embed_dtype = dtype_of(r->embed_dtype, s.place);
        if (!is_floating(e.embed_dtype)) {
          refuse(E0205, s.place,
                 {"an embedding has a floating dtype, got ", name_of(e.embed_dtype)});
        }
      }
      set_rank(e, r->dims.size(), s.place);
      for (size_t i = 0; i < r->dims.size(); ++i) {
        const Axis a = axis(r->dims[i]);
        int domain = a.domain;
        if (domain < 0 && a.size >= 0) domain = add_domain({.open = false, .numbered = a.size});
        if (domain >= 0) n_.slots.set_domain(e.slots[i], domain);
      }
    } else if (const auto* f = std::get_if<FunctionDecl>(&s.what)) {
      new_name(f->name, s.place);
      n_.functions[f->name] = f;
    } else if (const auto* m = std::get_if<EmbeddingDecl>(&s.what)) {
      embedding(*m, s.place);
    }
  }
  void embedding(const EmbeddingDecl& m, Place place) {
    new_name(m.name, place);
    if (m.dimension < 1) refuse(E0202, place, "an embedding has a dimension of at least 1");
    Axis symbols;
    if (m.symbols) {
      Domain domain{.name = {}, .open = true};
      for (const Symbol& s : *m.symbols) domain.add(s);
      domain.open = false;
      symbols.domain = add_domain(std::move(domain));
    } else {
      symbols = axis(Dim{.label = {}, .domain = m.entities, .size = {}, .place = place});
    }
    Entity& e = entity(m.name, false, place);
    e.ranked = e.learnable = e.is_embedding = true;
    e.axes = {symbols, {-1, m.dimension}};
    static const Initializer kUnit{"unit", {}, {}, {}};
    e.init = m.init ? &*m.init : &kUnit;
  }
  void set_rank(Entity& e, size_t rank, Place place) {
    if (!e.ranked) {
      e.ranked = true;
      for (size_t i = 0; i < rank; ++i) {
        if (e.is_relation)
          e.slots.push_back(n_.slots.add());
        else
          e.axes.emplace_back();
      }
    }
    if (e.rank() == rank) return;
    refuse(E0202, place, {"'", e.name, "' has ", e.rank(), " indices, got ", rank});
  }

  // The relation or tensor that a statement defines, made at its first definition.
  Entity& defined(const std::string& name, bool is_relation, size_t rank, Place place) {
    if (n_.constants.contains(name) || n_.domain_of.contains(name) || n_.functions.contains(name)) {
      refuse(E0104, place, {"'", name, "' is declared as something else"});
    }
    const auto it = n_.entity_of.find(name);
    Entity& e = it == n_.entity_of.end() ? entity(name, is_relation, place)
                                         : n_.entities[static_cast<size_t>(it->second)];
    if (e.is_relation != is_relation) {
      refuse(E0104, place,
             {"'", name, "' is a ", e.is_relation ? "relation" : "tensor", ", written as a ",
              is_relation ? "relation" : "tensor"},
             "R(x) is a relation, T[x] is a tensor");
    }
    set_rank(e, rank, place);
    return e;
  }
  void define(const Statement& s) {
    if (const auto* f = std::get_if<Fact>(&s.what)) {
      defined(f->relation, true, f->symbols.size(), s.place).facts.push_back(f);
    } else if (const auto* r = std::get_if<Rule>(&s.what)) {
      Entity& e = defined(r->head.name, true, r->head.indices.size(), s.place);
      e.rules.push_back(static_cast<int>(n_.rules.size()));
      n_.rules.push_back({r, n_.entity_of[e.name], s.place});
    } else if (const auto* q = std::get_if<Equation>(&s.what)) {
      equation(*q, s.place);
    } else if (const auto* read = std::get_if<FileRead>(&s.what)) {
      read_file(*read, s.place);
    } else if (const auto* l = std::get_if<Learn>(&s.what)) {
      for (const Statement& inner : l->equations) define(inner);
      n_.steps.push_back(&s);
    } else if (std::holds_alternative<Query>(s.what) || std::holds_alternative<FileWrite>(s.what)) {
      n_.steps.push_back(&s);
    } else if (is_script(s)) {
      n_.steps.push_back(&s);
    }
  }
  void equation(const Equation& q, Place place) {
    const bool is_value = !q.left.bracketed && q.right.kind == Expr::array;
    if (is_value && !n_.entity_of.contains(q.left.name)) {
      const Shape shape = shape_of_array(q.right);
      Entity& e = defined(q.left.name, false, static_cast<size_t>(shape.rank), place);
      e.value = &q.right;
      for (int i = 0; i < shape.rank; ++i) e.axes[static_cast<size_t>(i)].size = shape[i];
      return;
    }
    Entity& e = defined(q.left.name, q.left.atom, q.left.indices.size(), place);
    e.equations.push_back(static_cast<int>(n_.equations.size()));
    n_.equations.push_back({&q, n_.entity_of[e.name], place});
  }
  void read_file(const FileRead& read, Place place) {
    const auto it = n_.entity_of.find(read.to.name);
    if (it == n_.entity_of.end() && !read.to.atom) {
      entity(read.to.name, false, place).files.emplace_back(read.path, place);
      return;
    }
    Entity& e = it != n_.entity_of.end()
                    ? n_.entities[static_cast<size_t>(it->second)]
                    : defined(read.to.name, true, read.to.indices.size(), place);
    e.files.emplace_back(read.path, place);
  }

  Names& n_;
  Diagnostics& diagnostics_;
  std::unordered_map<std::string, Place> places_;
};

}  // namespace

bool Slots::merge(int a, int b) {
  a = find(a);
  b = find(b);
  if (a == b) return true;
  const auto from = static_cast<size_t>(std::max(a, b)), to = static_cast<size_t>(std::min(a, b));
  if (domains_[to] >= 0 && domains_[from] >= 0 && domains_[to] != domains_[from]) return false;
  if (domains_[to] < 0) domains_[to] = domains_[from];
  parents_[from] = static_cast<int>(to);
  words_[to].merge(words_[from]);
  return true;
}

Shape shape_of_array(const Expr& expr) {
  Shape shape;
  if (expr.kind != Expr::array) return shape;
  if (expr.children.empty()) refuse(E0203, expr.place, "an array has at least one element");
  shape.push_back(static_cast<int64_t>(expr.children.size()));
  const Shape inner = shape_of_array(expr.children[0]);
  for (const Expr& child : expr.children) {
    if (shape_of_array(child) != inner) {
      refuse(E0203, child.place, "the rows of this array differ in length");
    }
  }
  for (int i = 0; i < inner.rank; ++i) shape.push_back(inner[i]);
  return shape;
}

DType dtype_of(const std::string& name, Place place) {
  constexpr struct {
    const char* name;
    DType dtype;
  } kTypes[] = {{"bool", DType::boolean}, {"i16", DType::i16},     {"i32", DType::i32},
                {"i64", DType::i64},      {"f16", DType::f16},     {"bf16", DType::bf16},
                {"f32", DType::f32},      {"f64", DType::f64},     {"float16", DType::f16},
                {"float32", DType::f32},  {"float64", DType::f64}, {"int16", DType::i16},
                {"int32", DType::i32},    {"int64", DType::i64}};
  std::vector<std::string> all;
  for (const auto& t : kTypes) {
    if (name == t.name) return t.dtype;
    all.emplace_back(t.name);
  }
  refuse(E0205, place, {"unknown dtype '", name, "'", suggestion(name, all)});
}

int Names::embedding_of(const Entity& entity, size_t position) const {
  const int domain = axis_of(entity, position).domain;
  const auto it = std::find_if(entities.begin(), entities.end(), [&](const Entity& e) {
    return e.is_embedding && e.axes[0].domain == domain && e.axes[1].size == entity.embed_size;
  });
  return it == entities.end() ? -1 : static_cast<int>(it - entities.begin());
}

std::optional<int64_t> Names::constant(const std::string& name) const {
  for (const auto* known : {&script.constants, &constants}) {
    if (const auto it = known->find(name); it != known->end()) return it->second;
  }
  return std::nullopt;
}

std::optional<int64_t> Names::constant_value(const Expr& expr) const {
  return index_value(expr, [this](const std::string& name) { return constant(name); });
}

void Names::refuse_unknown(const std::string& name, Place place) const {
  if (broken.contains(name)) refuse_silently();
  refuse(E0101, place, {"'", name, "' is not defined", suggestion(name, all())});
}

std::vector<std::string> Names::all() const {
  std::vector<std::string> names;
  for (const Entity& e : entities) names.push_back(e.name);
  for (const auto* known : {&constants, &script.constants}) {
    for (const auto& [name, value] : *known) names.push_back(name);
  }
  for (const auto& [name, domain] : domain_of) names.push_back(name);
  std::sort(names.begin(), names.end());
  return names;
}

WordKind kind_of_word(const Names& names, const std::string& word, const Domain* domain) {
  if (names.constant(word)) return WordKind::constant;
  if (names.script.symbols.contains(word)) return WordKind::symbol;
  if (domain && domain->has_word(word)) return WordKind::symbol;
  const bool upper = word[0] >= 'A' && word[0] <= 'Z';
  if (!upper) return WordKind::variable;
  const size_t letters = word.find('\'') == std::string::npos ? word.size() : word.find('\'');
  return names.prolog_variables && letters == 1 ? WordKind::variable : WordKind::symbol;
}

Names collect_names(const Body& program, std::span<const InputName> inputs,
                    Diagnostics& diagnostics) {
  Names names;
  Collector(names, diagnostics).run(program, inputs);
  find_rule_domains(names, diagnostics);
  return names;
}

}  // namespace gyre::logic
