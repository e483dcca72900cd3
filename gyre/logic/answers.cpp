#include <algorithm>

#include "gyre/io/tensor_file.h"
#include "gyre/logic/program_impl.h"
#include "gyre/ops/shape/shape.h"

namespace gyre::logic {
namespace {

using enum DiagnosticCode;

void add_all_positions(Expr& e, const Entity& entity) {
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

}  // namespace

std::optional<ProgramStep> Program::Impl::prepare_step(const Statement& s) {
  if (const auto* q = std::get_if<Query>(&s.what)) {
    std::optional<ReadyQuery> ready = prepare_query(*q, s.place);
    if (ready) return std::move(*ready);
  } else if (const auto* l = std::get_if<Learn>(&s.what)) {
    return prepare(*l, s.place, *store, optimizers);
  } else if (const auto* w = std::get_if<FileWrite>(&s.what)) {
    const auto it = names.entity_of.find(w->from.name);
    if (it == names.entity_of.end())
      refuse(E0101, w->from.place, {"'", w->from.name, "' is not defined"});
    const size_t hash = w->path.rfind('#');
    const std::string path = w->path.substr(0, hash);
    return ReadyWrite{path.starts_with("/") || folder.empty() ? path : folder + "/" + path,
                      hash == std::string::npos ? w->from.name : w->path.substr(hash + 1),
                      it->second, s.place};
  }
  return std::nullopt;
}

std::optional<ReadyQuery> Program::Impl::prepare_query(const Query& q, Place place) {
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

Answer Program::Impl::answer(const ReadyQuery& q) {
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

void Program::Impl::write(const ReadyWrite& w) {
  const Tensor t = contiguous(store->tensor(w.entity).detach());
  const std::vector<NamedTensor> all{{w.path.ends_with(".npy") ? "" : w.name, t}};
  write_tensors(w.path, all);
}

}  // namespace gyre::logic
