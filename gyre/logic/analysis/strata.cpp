#include "gyre/logic/analysis/strata.h"

#include <algorithm>

namespace gyre::logic {
namespace {

using enum DiagnosticCode;

struct Edge {
  int to;
  bool strict;  ///< through a negation, or between numbers and truth: not inside a recursion
  Place place;
};

class Strata {
 public:
  Strata(const Names& names, Diagnostics& diagnostics)
      : n_(names),
        diagnostics_(diagnostics),
        edges_(names.entities.size()),
        number_(edges_.size(), -1),
        low_(edges_.size(), 0),
        on_stack_(edges_.size(), false) {}

  std::vector<Component> run() {
    for (size_t i = 0; i < edges_.size(); ++i) edges_of(static_cast<int>(i));
    for (size_t i = 0; i < edges_.size(); ++i) {
      if (number_[i] < 0) search(static_cast<int>(i));
    }
    for (Component& c : found_) classify(c);
    return std::move(found_);
  }

 private:
  void add(int from, const Expr& expr, bool strict) {
    std::vector<int> to;
    add_references(n_, expr, to);
    const bool relation = n_.entities[static_cast<size_t>(from)].is_relation;
    for (const int t : to) {
      const bool other = n_.entities[static_cast<size_t>(t)].is_relation != relation;
      edges_[static_cast<size_t>(from)].push_back({t, strict || other, expr.place});
    }
  }
  void edges_of(int from) {
    const Entity& e = n_.entities[static_cast<size_t>(from)];
    for (const int q : e.equations) {
      const Equation& equation = *n_.equations[static_cast<size_t>(q)].equation;
      add(from, equation.right, e.is_relation);
      if (equation.where) add(from, *equation.where, true);
    }
    for (const int r : e.rules) {
      for (const RuleLiteral& literal : n_.rules[static_cast<size_t>(r)].rule->body) {
        add(from, literal.expr, literal.negated || literal.expr.kind != Expr::reference);
      }
    }
    if (e.init && e.init->value) add(from, *e.init->value, true);
    for (size_t i = 0; e.embed_size > 0 && i < e.rank(); ++i) {
      const int embedding = n_.embedding_of(e, i);
      if (embedding >= 0) edges_[static_cast<size_t>(from)].push_back({embedding, true, e.place});
    }
  }

  // Tarjan's search, with a stack of its own: a chain of equations may be long.
  void search(int root) {
    struct Frame {
      int node;
      size_t next;
    };
    std::vector<Frame> frames{{root, 0}};
    open(root);
    while (!frames.empty()) {
      Frame& f = frames.back();
      const auto node = static_cast<size_t>(f.node);
      if (f.next < edges_[node].size()) {
        const int to = edges_[node][f.next++].to;
        if (number_[static_cast<size_t>(to)] < 0) {
          open(to);
          frames.push_back({to, 0});
        } else if (on_stack_[static_cast<size_t>(to)]) {
          low_[node] = std::min(low_[node], number_[static_cast<size_t>(to)]);
        }
        continue;
      }
      if (low_[node] == number_[node]) close(f.node);
      const int done = f.node;
      frames.pop_back();
      if (!frames.empty()) {
        int& low = low_[static_cast<size_t>(frames.back().node)];
        low = std::min(low, low_[static_cast<size_t>(done)]);
      }
    }
  }
  void open(int node) {
    number_[static_cast<size_t>(node)] = low_[static_cast<size_t>(node)] = next_++;
    stack_.push_back(node);
    on_stack_[static_cast<size_t>(node)] = true;
  }
  void close(int node) {
    Component c;
    int top;
    do {
      top = stack_.back();
      stack_.pop_back();
      on_stack_[static_cast<size_t>(top)] = false;
      c.entities.push_back(top);
    } while (top != node);
    std::sort(c.entities.begin(), c.entities.end());
    found_.push_back(std::move(c));
  }

  void classify(Component& c) {
    bool recursive = c.entities.size() > 1, extremes = true, relations = true;
    for (const int e : c.entities) {
      for (const Edge& edge : edges_[static_cast<size_t>(e)]) {
        if (!std::binary_search(c.entities.begin(), c.entities.end(), edge.to)) continue;
        recursive = true;
        if (edge.strict) return not_stratified(e, edge);
      }
      const Entity& entity = n_.entities[static_cast<size_t>(e)];
      relations = relations && entity.is_relation;
      for (const int q : entity.equations) {
        const Projection p = n_.equations[static_cast<size_t>(q)].equation->projection;
        extremes = extremes && (p == Projection::min || p == Projection::max);
      }
    }
    if (relations)
      c.kind = Component::rules;
    else if (recursive)
      c.kind = extremes ? Component::extremes : Component::ordered;
  }
  void not_stratified(int from, const Edge& edge) {
    const std::string& name = n_.entities[static_cast<size_t>(from)].name;
    const std::string& other = n_.entities[static_cast<size_t>(edge.to)].name;
    diagnostics_.add(
        {E0302, edge.place,
         "'" + name + "' depends on itself through a negation or an aggregate of '" + other + "'",
         "the negated or aggregated relation must be complete before it is used",
         "define '" + other + "' without '" + name + "'"});
  }

  const Names& n_;
  Diagnostics& diagnostics_;
  std::vector<std::vector<Edge>> edges_;
  std::vector<int> number_, low_, stack_;
  std::vector<bool> on_stack_;
  int next_ = 0;
  std::vector<Component> found_;
};

void collect(const Names& names, const Expr& expr, std::vector<int>& found,
             std::set<std::string>& functions) {
  if (expr.kind == Expr::reference) {
    const auto it = names.entity_of.find(expr.name);
    if (it != names.entity_of.end()) found.push_back(it->second);
    return;  // words in its indices are variables and symbols
  }
  for (const Expr& child : expr.children) collect(names, child, found, functions);
  if (expr.kind != Expr::call) return;
  const auto f = names.functions.find(expr.name);
  if (f == names.functions.end() || !functions.insert(expr.name).second) return;
  if (f->second->value) collect(names, *f->second->value, found, functions);
  for (const Statement& s : f->second->body) {
    if (const auto* let = std::get_if<Let>(&s.what)) collect(names, let->value, found, functions);
    if (const auto* q = std::get_if<Equation>(&s.what)) collect(names, q->right, found, functions);
    if (const auto* j = std::get_if<Jump>(&s.what); j && j->value)
      collect(names, *j->value, found, functions);
  }
}

}  // namespace

void add_references(const Names& names, const Expr& expr, std::vector<int>& found) {
  std::set<std::string> functions;
  collect(names, expr, found, functions);
}

std::vector<Component> components_of(const Names& names, Diagnostics& diagnostics) {
  return Strata(names, diagnostics).run();
}

}  // namespace gyre::logic
