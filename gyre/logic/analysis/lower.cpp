#include "gyre/logic/analysis/lower.h"

#include <algorithm>

#include "gyre/logic/analysis/projection.h"

namespace gyre::logic {
namespace {

using enum DiagnosticCode;

// Axes of the left that are not known yet get the range of their variable, or the largest index
// that is written.
void set_left_axes(Names& names, Entity& entity, const Lowered& l, Scope& scope) {
  for (size_t i = 0; i < l.left.size(); ++i) {
    const Position& p = l.left[i];
    Axis axis = names.axis_of(entity, i);
    Axis found;
    if (p.is_virtual) {
      found = {-1, 1};
    } else if (p.kind == Position::variable) {
      found = l.variables[static_cast<size_t>(p.label)].axis;
    } else {
      const int64_t most = p.kind == Position::constant ? p.value : scope.bounds(*p.expr).most;
      found = {-1, std::max<int64_t>(0, most + 1)};
    }
    if (entity.is_relation) {
      if (axis.domain == found.domain ||
          !names.domains[static_cast<size_t>(axis.domain)].name.empty())
        continue;
      if (found.domain < 0) {
        if (names.domains[static_cast<size_t>(axis.domain)].size() > 0) continue;
        names.domains.push_back({.open = false, .numbered = found.size});
        found.domain = static_cast<int>(names.domains.size()) - 1;
      }
      names.slots.set_domain(entity.slots[i], found.domain);
    } else if (!axis.known() || (!entity.dims && axis.domain < 0 && p.kind != Position::variable)) {
      if (axis.known()) found.size = std::max(found.size, axis.size);
      entity.axes[i] = found;
    }
  }
}

Scope scope_of(const std::vector<const Expr*>& exprs, const Expr* left,
               const LowerContext& context) {
  Scope scope(context);
  if (left) scope.find_left(*left);
  for (const Expr* e : exprs) scope.find(*e);
  scope.find_ranges(exprs, left);
  return scope;
}

void check_known(const Node& node, const std::vector<Variable>& variables) {
  for (const Label l : node.axes) {
    const Variable& v = variables[static_cast<size_t>(l)];
    if (!v.axis.known()) {
      refuse(E0206, v.place, {"the range of index '", v.name, "' is not known"},
             "it is known from a tensor or relation that has the index, or from a declaration");
    }
  }
  for (const NodePtr& child : node.children) check_known(*child, variables);
}

Lowered finish(Lowered l, Projector& projector, Scope& scope) {
  l.variables = scope.variables();
  if (l.right) check_known(*l.right, l.variables);
  if (l.mask) check_known(*l.mask, l.variables);
  l.reads.assign(projector.reads().begin(), projector.reads().end());
  return l;
}

}  // namespace

Lowered lower(const Equation& equation, int entity, Place place, const LowerContext& context) {
  Entity& target = context.names.entities[static_cast<size_t>(entity)];
  std::vector<const Expr*> exprs{&equation.right};
  if (equation.where) exprs.push_back(&*equation.where);
  Scope scope = scope_of(exprs, &equation.left, context);
  Projector projector(context, scope);
  Lowered l{
      .entity = entity, .projection = equation.projection, .source = &equation, .place = place};
  LabelSet needed, looped;  // looped: given by the steps of a recursion
  LabelList marked, all;
  for (size_t i = 0; i < equation.left.indices.size(); ++i) {
    const Index& index = equation.left.indices[i];
    Position p = scope.position(index, context.names.axis_of(target, i), equation.left.name);
    if (p.kind == Position::slice)
      refuse(E0002, index.place, "a slice stands on the right of an equation");
    if (p.kind == Position::variable) {
      p.labels = {p.label};
      if (index.marked) marked.push_back(p.label);
    } else if (index.marked) {
      refuse(E0306, index.place, "a marked index is one variable");
    }
    for (const Label label : p.labels) {
      needed.add(label);
      if (p.is_virtual) looped.add(label);
      all.push_back(label);
    }
    l.left.push_back(std::move(p));
  }
  projector.set_marked(marked, all);
  const bool sums =
      equation.projection == Projection::sum || equation.projection == Projection::add;
  const LabelSet in_right = projector.mentions(equation.right);
  if (equation.where) {
    l.mask =
        projector.closed(*equation.where, needed | in_right | projector.mentions(*equation.where));
    projector.set_mask(l.mask);
  }
  l.right = projector.closed(equation.right, sums ? needed : needed | in_right);
  const LabelSet masked = l.mask ? LabelSet(l.mask->axes) : LabelSet();
  const LabelSet missing = needed - LabelSet(l.right->axes) - masked - looped;
  const bool fills =
      l.right->axes.empty() && context.names.entities[static_cast<size_t>(entity)].dims;
  for (const Label label : missing.list()) {
    const Variable& v = scope.variables()[static_cast<size_t>(label)];
    if (!fills && !v.axis.known()) {
      refuse(E0206, v.place, {"the range of index '", v.name, "' is not known"});
    }
    if (!fills)
      refuse(E0301, equation.left.place, {"index '", v.name, "' on the left is not on the right"});
  }
  l = finish(std::move(l), projector, scope);
  set_left_axes(context.names, target, l, scope);
  return l;
}

Lowered lower_query(const Expr& expr, const std::optional<Expr>& where, Place place,
                    const LowerContext& context) {
  std::vector<const Expr*> exprs{&expr};
  if (where) exprs.push_back(&*where);
  Scope scope = scope_of(exprs, nullptr, context);
  Projector projector(context, scope);
  Lowered l{.place = place};
  // slices become variables of their own while the expression is read
  const Expr& inner = expr.kind == Expr::group ? expr.children[0] : expr;
  LabelList all;
  for (size_t i = 0; i < scope.variables().size(); ++i) all.push_back(static_cast<Label>(i));
  LabelSet needed(all);
  projector.set_marked({}, all);
  if (where) {
    l.mask = projector.closed(*where, needed);
    projector.set_mask(l.mask);
  }
  for (Label l2 = static_cast<Label>(all.size()); l2 < LabelSet::kMost; ++l2) needed.add(l2);
  l.right = projector.closed(inner, needed);
  return finish(std::move(l), projector, scope);
}

Lowered lower_value(const Expr& expr, const std::vector<Variable>& wanted, Place place,
                    const LowerContext& context) {
  Scope scope(context);
  for (const Variable& v : wanted) scope.add(v.name, v.axis, v.place);
  scope.find(expr);
  scope.find_ranges({&expr}, nullptr);
  Projector projector(context, scope);
  Lowered l{.place = place};
  LabelSet needed;
  LabelList all;
  for (size_t i = 0; i < wanted.size(); ++i) {
    needed.add(static_cast<Label>(i));
    all.push_back(static_cast<Label>(i));
  }
  projector.set_marked({}, all);
  l.right = projector.closed(expr, needed);
  return finish(std::move(l), projector, scope);
}

}  // namespace gyre::logic
