#include <algorithm>

#include "gyre/io/tensor_file.h"
#include "gyre/logic/program_impl.h"
#include "gyre/logic/run/files.h"
#include "gyre/logic/run/proof.h"
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

// Integers by value, before words by their bytes.
bool comes_before(const Symbol& s, const Symbol& t) {
  if (s.is_integer != t.is_integer) return s.is_integer;
  if (s.is_integer && s.text.size() != t.text.size()) return s.text.size() < t.text.size();
  return s.text < t.text;
}

AnswerAxis answer_axis(const Names& names, std::string name, const Axis& axis) {
  AnswerAxis a{std::move(name)};
  if (axis.domain < 0) return a;
  const Domain& domain = names.domains[static_cast<size_t>(axis.domain)];
  if (domain.numbered >= 0 || domain.size() > AnswerAxis::kMostNamed) return a;
  for (int64_t i = 0; i < domain.size(); ++i)
    a.symbols.push_back(domain.symbol(static_cast<uint32_t>(i)).text);
  return a;
}

bool rows_in_order(const std::vector<Symbol>& x, const std::vector<Symbol>& y) {
  return std::lexicographical_compare(x.begin(), x.end(), y.begin(), y.end(), comes_before);
}

EmbeddedReading reading_of(const QueryMode& mode) {
  EmbeddedReading reading;
  for (const Attribute& a : mode.attributes) {
    const auto* flag = std::get_if<bool>(&a.value);
    const auto* real = std::get_if<double>(&a.value);
    const auto* whole = std::get_if<int64_t>(&a.value);
    const double number = real ? *real : whole ? static_cast<double>(*whole) : 0;
    if (a.name == "cleanup" && flag)
      reading.cleanup = *flag;
    else if (a.name == "threshold" && (real || whole))
      reading.threshold = number;
    else if (a.name == "T" && (real || whole) && number >= 0)
      reading.temperature = number;
    else
      refuse(E0002, a.place, "@embedded has threshold=0.5, T=0 (0 or more) and cleanup=true");
  }
  return reading;
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
    const Entity& from = names.entities[static_cast<size_t>(it->second)];
    if (is_tuple_file(path) && !from.is_relation) {
      refuse(E0402, s.place, {"'", from.name, "' is a tensor: .npy, .npz or .safetensors"});
    } else if (!is_tuple_file(path)) {
      try {
        (void)tensor_format(path);
      } catch (const Error& e) {
        refuse(E0402, s.place, e.message(), "",
               from.is_relation ? "tuples are written to .csv and .tsv" : "");
      }
    }
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
    if (mode.name == "why") {
      ready.wants_proofs = true;
    } else if (mode.name == "backward") {
      ready.is_backward = true;
    } else if (mode.name == "embedded") {
      ready.embedded = reading_of(mode);
    } else if (mode.name != "forward") {
      refuse(E0002, mode.place, {"a query has no mode '", mode.name, "'"},
             "modes: forward, backward, embedded, why");
    }
    if (!mode.attributes.empty() && !ready.embedded)
      refuse(E0002, mode.place, {"@", mode.name, " has no arguments"});
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
    if (ready.embedded) {
      if (entity->embed_size == 0 || q.where || ready.wants_proofs || ready.is_backward) {
        refuse(
            E0002, place,
            "@embedded is for one relation declared with embed, without where, @why and @backward");
      }
      if (ready.embedded->temperature > 0)
        ready.lowered = lower_query(ready.literals[0].expr, {}, place, store->context(none));
    }
  } else if (ready.wants_proofs || ready.is_backward || ready.embedded) {
    refuse(E0002, place, "@why, @backward and @embedded are for queries of relations");
  } else if (entity && !e.bracketed && entity->ranked && entity->rank() > 0) {
    ready.whole = names.entity_of.at(e.name);
  } else {
    ready.lowered = lower_query(e, q.where, place, store->context(none));
  }
  return ready;
}

Answer Program::Impl::answer(const ReadyQuery& q) {
  Answer a{Answer::array, q.text};
  if (q.is_relation && !q.lowered) return tuples(q);
  if (q.whole) {
    a.values = to(store->tensor(*q.whole).detach(), DType::f64);
    const Entity& e = names.entities[static_cast<size_t>(*q.whole)];
    for (size_t i = 0; i < e.rank(); ++i)
      a.axes.push_back(answer_axis(names, e.dims ? (*e.dims)[i].label : "", names.axis_of(e, i)));
    return a;
  }
  const Tensor soft =
      q.embedded ? store->embedded_values(q.lowered->right->entity, *q.embedded) : Tensor();
  const Value v = store->answer(*q.lowered, soft);
  LabelList order = v.axes;
  const Node& node = *q.lowered->right;
  if (node.kind == Node::load) {  // as the positions are written
    order.clear();
    for (const Position& p : node.positions) {
      const bool is_new = std::find(order.begin(), order.end(), p.label) == order.end();
      if (p.label >= 0 && !p.is_virtual && is_new) order.push_back(p.label);
    }
    if (order.size() != v.axes.size()) order = v.axes;
  }
  a.values = contiguous(to(aligned(v, order).detach(), DType::f64));
  for (const Label l : order) {
    const Variable& variable = q.lowered->variables[static_cast<size_t>(l)];
    a.axes.push_back(answer_axis(names, variable.name, variable.axis));
  }
  return a;
}

Answer Program::Impl::tuples(const ReadyQuery& q) {
  const Reports::Timed timed(reports.get(), q.place);
  std::vector<std::string> wanted;
  for (const Variable& v : q.variables) wanted.push_back(v.name);
  const std::vector<uint32_t> found =
      q.embedded      ? store->solutions_embedded(q.literals, wanted, q.place, *q.embedded)
      : q.is_backward ? store->solutions_backward(q.literals, wanted, q.place)
                      : store->solutions(q.literals, wanted, q.place);
  Answer a{wanted.empty() ? Answer::boolean : Answer::tuples, q.text};
  a.variables = wanted;
  a.holds = !found.empty();
  struct Row {
    std::vector<Symbol> symbols;
    std::span<const uint32_t> numbers;
  };
  std::vector<Row> rows;
  for (size_t at = 0; at < found.size(); at += std::max<size_t>(1, wanted.size())) {
    Row& row = rows.emplace_back();
    row.numbers = std::span(found).subspan(at, wanted.size());
    for (size_t i = 0; i < wanted.size(); ++i) {
      const int domain = q.variables[i].axis.domain;
      row.symbols.push_back(names.domains[static_cast<size_t>(domain)].symbol(row.numbers[i]));
    }
  }
  std::sort(rows.begin(), rows.end(),
            [](const Row& x, const Row& y) { return rows_in_order(x.symbols, y.symbols); });
  Prover prover(*store, sources, q.place);
  for (Row& row : rows) {
    if (q.wants_proofs) {
      const Expr& atom = q.literals[0].expr;
      a.proofs.push_back(prover.prove(names.entity_of.at(atom.name),
                                      store->tuple_of(atom, q.variables, row.numbers)));
    }
    if (a.kind == Answer::tuples) a.rows.push_back(std::move(row.symbols));
  }
  return a;
}

void Program::Impl::write(const ReadyWrite& w) {
  if (is_tuple_file(w.path)) {
    const Entity& e = names.entities[static_cast<size_t>(w.entity)];
    std::vector<std::vector<Symbol>> rows;
    store->relation(w.entity).for_each([&](const uint32_t* tuple) {
      std::vector<Symbol>& row = rows.emplace_back();
      for (size_t i = 0; i < e.rank(); ++i) {
        const auto domain = static_cast<size_t>(names.axis_of(e, i).domain);
        row.push_back(names.domains[domain].symbol(tuple[i]));
      }
    });
    std::sort(rows.begin(), rows.end(), rows_in_order);
    return write_tuples(w.path, rows);
  }
  const Tensor t = contiguous(store->tensor(w.entity).detach());
  const std::vector<NamedTensor> all{{w.path.ends_with(".npy") ? "" : w.name, t}};
  write_tensors(w.path, all);
}

}  // namespace gyre::logic
