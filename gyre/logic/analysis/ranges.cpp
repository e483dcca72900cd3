#include "gyre/logic/analysis/ranges.h"

#include <algorithm>

#include "gyre/base/text/nearest.h"
#include "gyre/logic/analysis/index_value.h"
#include "gyre/logic/analysis/label_set.h"

namespace gyre::logic {
namespace {

using enum DiagnosticCode;

std::string text_of(const Names& names, const Axis& axis) {
  const int64_t size = names.size_of(axis);
  if (axis.domain < 0) return "size " + std::to_string(size);
  const Domain& d = names.domains[static_cast<size_t>(axis.domain)];
  return d.name.empty() ? std::to_string(size) + " symbols" : "domain " + d.name;
}

}  // namespace

std::optional<Label> Scope::label(const std::string& name) const {
  for (size_t i = 0; i < variables_.size(); ++i) {
    if (variables_[i].name == name) return static_cast<Label>(i);
  }
  return std::nullopt;
}

Label Scope::add(const std::string& name, Axis axis, Place place) {
  if (!name.empty()) {
    if (std::optional<Label> known = label(name)) return *known;
  }
  if (variables_.size() >= LabelSet::kMost)
    refuse(E0202, place, {"an equation has at most ", LabelSet::kMost, " indices"});
  variables_.push_back({name, axis, place});
  return static_cast<Label>(variables_.size()) - 1;
}

void Scope::find(const Expr& expr) {
  visit(expr, [&](const Expr& e) {
    if (e.kind == Expr::reduce) {
      for (const Index& i : e.indices) {
        if (i.kind == Index::value && i.bounds[0].kind == Expr::reference)
          add(i.bounds[0].name, {}, i.place);
      }
    } else if (e.kind == Expr::reference && e.bracketed) {
      find_left(e);
    }
  });
}

void Scope::find_left(const Expr& left) {
  const Entity* entity = c_.names.find(left.name);
  for (size_t i = 0; i < left.indices.size(); ++i) {
    const Domain* domain =
        entity && i < entity->rank() ? domain_of(c_.names.axis_of(*entity, i)) : nullptr;
    for (const Expr& bound : left.indices[i].bounds) {
      visit(bound, [&](const Expr& e) {
        if (e.kind == Expr::reference &&
            kind_of_word(c_.names, e.name, domain) == WordKind::variable) {
          add(e.name, {}, e.place);
        }
      });
    }
  }
}

std::optional<Label> Scope::plain(const Index& index, const Domain* domain) const {
  if (index.kind != Index::value || index.bounds[0].kind != Expr::reference) return std::nullopt;
  const std::string& name = index.bounds[0].name;
  if (kind_of_word(c_.names, name, domain) != WordKind::variable) return std::nullopt;
  return label(name);
}

void Scope::agree(Label label, const Axis& axis, const Expr& reference) {
  Variable& v = variables_[static_cast<size_t>(label)];
  if (!axis.known()) return;
  if (!v.axis.known()) {
    v.axis = axis;
    v.place = reference.place;
    return;
  }
  const auto has_places = [&](const Axis& a) {
    const Domain* domain = domain_of(a);
    return !domain || domain->numbered >= 0 || !domain->open;
  };
  const bool same = v.axis.domain >= 0 && axis.domain >= 0
                        ? v.axis.domain == axis.domain
                        : has_places(v.axis) && has_places(axis) &&
                              c_.names.size_of(v.axis) == c_.names.size_of(axis);
  if (v.axis.domain < 0 && axis.domain >= 0 && same) v.axis = axis;
  if (same) return;
  refuse(E0201, reference.place,
         {"index '", v.name, "' has ", text_of(c_.names, axis), " in '", reference.name, "', but ",
          text_of(c_.names, v.axis), " elsewhere in the equation"},
         has_places(v.axis) && has_places(axis)
             ? ""
             : "symbols have the places of an axis only in a declared domain: domain D = {A, B}");
}

// Plain uses in references to entities that are, or are not, of the equation's own component.
void Scope::take_plain(const Expr& expr, bool own) {
  visit(expr, [&](const Expr& e) {
    const Entity* entity = e.kind == Expr::reference ? c_.names.find(e.name) : nullptr;
    if (!entity || entity->rank() != e.indices.size()) return;
    if (c_.component.contains(c_.names.entity_of.at(e.name)) != own) return;
    for (size_t i = 0; i < e.indices.size(); ++i) {
      const Axis axis = c_.names.axis_of(*entity, i);
      const std::optional<Label> label = plain(e.indices[i], domain_of(axis));
      if (!label || e.indices[i].is_virtual) continue;
      if (own && variables_[static_cast<size_t>(*label)].axis.known()) continue;
      agree(*label, axis, e);
    }
  });
}

IndexFormula Scope::formula(const Expr& expr) const {
  if (const std::optional<int64_t> value = c_.names.constant_value(expr))
    return IndexFormula::of_integer(*value);
  if (expr.kind == Expr::reference) {
    const std::optional<Label> found = label(expr.name);
    if (!found) refuse(E0101, expr.place, {"'", expr.name, "' is not an index of the equation"});
    return IndexFormula::of_label(*found);
  }
  if (expr.children.size() != 2) refuse(E0002, expr.place, "expected an index");
  return IndexFormula::of_operation(expr.op, formula(expr.children[0]), formula(expr.children[1]));
}

Scope::Bounds Scope::bounds(const Expr& expr) const {
  if (const std::optional<int64_t> value = c_.names.constant_value(expr)) return {*value, *value};
  if (expr.kind == Expr::reference) {
    const std::optional<Label> found = label(expr.name);
    if (!found) refuse(E0101, expr.place, {"'", expr.name, "' is not an index of the equation"});
    if (!variables_[static_cast<size_t>(*found)].axis.known()) {
      refuse(E0206, expr.place, {"the range of index '", expr.name, "' is not known"});
    }
    return {0, size(*found) - 1};
  }
  if (expr.children.size() != 2) refuse(E0002, expr.place, "expected an index");
  const Bounds a = bounds(expr.children[0]), b = bounds(expr.children[1]);
  const bool divides = expr.op == Operator::divide || expr.op == Operator::remainder;
  if (divides && b.least < 1) refuse(E0202, expr.place, "an index is divided by a number below 1");
  if (expr.op == Operator::remainder) return {0, b.most - 1};
  Bounds found{INT64_MAX, INT64_MIN};
  for (const int64_t x : {a.least, a.most}) {
    for (const int64_t y : {b.least, b.most}) {
      const std::optional<int64_t> value = index_value(expr.op, x, y);
      if (!value) refuse(E0202, expr.place, "an index is beyond 64 bits");
      found = {std::min(found.least, *value), std::max(found.most, *value)};
    }
  }
  return found;
}

// size - sum of (other sizes - 1): the places at which all of the window lies inside (S2).
void Scope::take_affine_index(const Expr& index, int64_t size) {
  LabelList unknown;
  const IndexFormula f = formula(index);
  for (const Label l : f.labels()) {
    if (!variables_[static_cast<size_t>(l)].axis.known()) unknown.push_back(l);
  }
  if (unknown.size() != 1) return;
  Variable& v = variables_[static_cast<size_t>(unknown[0])];
  // the largest n for which index <= size - 1 at n - 1, found by the slope of a linear index
  v.axis = {-1, 1};
  const int64_t at_0 = bounds(index).most;
  v.axis = {-1, 2};
  const int64_t slope = bounds(index).most - at_0;
  v.axis = {};
  if (slope > 0) v.axis = {-1, std::max<int64_t>(0, (size - 1 - at_0) / slope + 1)};
}

void Scope::take_affine(const Expr& expr) {
  visit(expr, [&](const Expr& e) {
    const Entity* entity = e.kind == Expr::reference ? c_.names.find(e.name) : nullptr;
    if (!entity || entity->rank() != e.indices.size()) return;
    for (size_t i = 0; i < e.indices.size(); ++i) {
      const Axis axis = c_.names.axis_of(*entity, i);
      if (e.indices[i].kind != Index::value || !axis.known()) continue;
      if (e.indices[i].is_virtual && c_.names.size_of(axis) == 1) continue;  // the slice it keeps
      const Expr& index = e.indices[i].bounds[0];
      if (index.kind == Expr::operation) take_affine_index(index, c_.names.size_of(axis));
    }
  });
}

void Scope::take_virtual(const Expr& left) {
  for (const Index& index : left.indices) {
    if (!index.is_virtual) continue;
    visit(index.bounds[0], [&](const Expr& e) {
      const std::optional<Label> l = e.kind == Expr::reference ? label(e.name) : std::nullopt;
      if (l && !variables_[static_cast<size_t>(*l)].axis.known())
        variables_[static_cast<size_t>(*l)].axis = {-1, kEndless};
    });
  }
}

void Scope::find_ranges(const std::vector<const Expr*>& exprs, const Expr* left) {
  for (const Expr* e : exprs) take_plain(*e, false);
  for (const Expr* e : exprs) take_plain(*e, true);
  if (left) take_plain(*left, false), take_plain(*left, true);
  for (const Expr* e : exprs) take_affine(*e);
  if (left) take_affine(*left), take_virtual(*left);
}

Position Scope::position(const Index& index, const Axis& axis, const std::string& of) {
  const Domain* domain = domain_of(axis);
  const auto constant = [&](const Symbol& symbol) {
    const std::optional<uint32_t> number = domain ? domain->find(symbol) : std::nullopt;
    if (number) return Position{.kind = Position::constant, .value = *number};
    if (!domain && symbol.is_integer)
      return Position{.kind = Position::constant, .value = std::atoll(symbol.text.c_str())};
    if (!domain)
      refuse(E0101, symbol.place, {"'", symbol.text, "' is not an index of the equation"},
             "indices of numbered axes are integers and variables in lower case");
    std::vector<std::string> near;
    for (uint32_t i = 0; domain->numbered < 0 && i < domain->size() && i < 10000; ++i)
      near.push_back(domain->symbol(i).text);
    refuse(
        E0103, symbol.place,
        {"'", symbol.text, "' is not in the domain of '", of, "'", suggestion(symbol.text, near)});
  };
  if (index.kind == Index::string) return constant({index.text, false, true, index.place});
  if (index.kind == Index::slice) {
    const int64_t size = c_.names.size_of(axis);
    const auto bound = [&](const Expr& e, int64_t otherwise) {
      if (e.kind == Expr::none) return otherwise;
      const std::optional<int64_t> value = c_.names.constant_value(e);
      if (!value) refuse(E0206, e.place, "a slice has integers and constants");
      return std::clamp<int64_t>(*value, 0, size);
    };
    const int64_t begin = bound(index.bounds[0], 0),
                  end = std::max(begin, bound(index.bounds[1], size));
    const Axis range = end - begin == size ? axis : Axis{-1, end - begin};
    return {
        .kind = Position::slice, .label = add("", range, index.place), .value = begin, .end = end};
  }
  const Expr& e = index.bounds[0];
  if (std::optional<Label> found = plain(index, domain)) {
    return {.kind = Position::variable, .label = *found, .is_virtual = index.is_virtual};
  }
  if (const std::optional<int64_t> value = c_.names.constant_value(e)) {
    if (domain) return constant({std::to_string(*value), true, false, e.place});
    return {.kind = Position::constant, .value = *value, .is_virtual = index.is_virtual};
  }
  if (e.kind == Expr::reference) {
    const auto bound = c_.names.script.symbols.find(e.name);
    return constant(
        {bound == c_.names.script.symbols.end() ? e.name : bound->second, false, false, e.place});
  }
  (void)bounds(e);  // refuses what has no value
  IndexFormula f = formula(e);
  const LabelList labels(f.labels().begin(), f.labels().end());
  for (const Label l : labels) {
    const Variable& v = variables_[static_cast<size_t>(l)];
    const Domain* of_variable = domain_of(v.axis);
    if (!of_variable || of_variable->numbered >= 0 || !of_variable->open) continue;
    refuse(E0201, e.place,
           {"index '", v.name, "' is over symbols of an open domain, which have no places"},
           "arithmetic on an index needs a domain of integers: domain N = 10");
  }
  return {.kind = Position::affine,
          .expr = &e,
          .formula = std::move(f),
          .labels = labels,
          .is_virtual = index.is_virtual};
}

}  // namespace gyre::logic
