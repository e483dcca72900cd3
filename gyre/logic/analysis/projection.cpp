#include "gyre/logic/analysis/projection.h"

#include <algorithm>

namespace gyre::logic {
namespace {

using enum DiagnosticCode;

NodePtr share(Node node) { return std::make_shared<const Node>(std::move(node)); }

NodePtr number_node(double value) { return share({.kind = Node::number, .value = value}); }

LabelSet axes_of(const std::vector<NodePtr>& nodes) {
  LabelSet all;
  for (const NodePtr& n : nodes) all = all | LabelSet(n->axes);
  return all;
}

const char* op_of(Operator op) {
  switch (op) {
    case Operator::remainder:
      return "remainder";
    case Operator::power:
      return "pow";
    case Operator::equal:
      return "eq";
    case Operator::not_equal:
      return "ne";
    case Operator::less:
      return "lt";
    case Operator::less_equal:
      return "le";
    case Operator::greater:
      return "gt";
    case Operator::greater_equal:
      return "ge";
    case Operator::conjunction:
      return "logical_and";
    case Operator::disjunction:
      return "logical_or";
    default:
      return "logical_not";
  }
}

bool is_sum(const Expr& e) {
  return e.kind == Expr::operation && e.children.size() == 2 &&
         (e.op == Operator::add || e.op == Operator::subtract);
}

}  // namespace

LabelSet Projector::mentions(const Expr& expr) const {
  LabelSet found;
  if (expr.kind == Expr::reference && !expr.bracketed) {
    if (const auto bound = bindings_.find(expr.name); bound != bindings_.end())
      return LabelSet(bound->second->axes);
    if (!c_.names.find(expr.name) && !c_.names.constant(expr.name)) {
      if (const std::optional<Label> l = scope_.label(expr.name)) found.add(*l);
    }
    return found;
  }
  if (expr.kind == Expr::reference) {
    const Entity* entity = c_.names.find(expr.name);
    for (size_t i = 0; entity && i < expr.indices.size() && i < entity->rank(); ++i) {
      const Index& index = expr.indices[i];
      if (index.kind != Index::value) continue;
      const Domain* domain = scope_.domain_of(c_.names.axis_of(*entity, i));
      visit(index.bounds[0], [&](const Expr& e) {
        if (e.kind != Expr::reference ||
            kind_of_word(c_.names, e.name, domain) != WordKind::variable)
          return;
        if (const std::optional<Label> l = scope_.label(e.name)) found.add(*l);
      });
    }
    return found;
  }
  for (const Expr& child : expr.children) found = found | mentions(child);
  if (expr.kind == Expr::reduce) {
    for (const Index& i : expr.indices) {
      if (i.kind == Index::value && i.bounds[0].kind == Expr::reference) {
        if (const std::optional<Label> l = scope_.label(i.bounds[0].name))
          found = found - LabelSet{*l};
      }
    }
  }
  return found;
}

void Projector::factors(const Expr& expr, bool inverse, std::vector<Factor>& found, double& sign) {
  const bool product =
      expr.kind == Expr::operation && (expr.op == Operator::join || expr.op == Operator::divide);
  if (product) {
    const Expr& left = expr.children[0];
    const bool warns = expr.op == Operator::join && expr.bracketed &&
                       left.kind == Expr::operation && left.op == Operator::divide;
    if (warns) {
      c_.diagnostics.add(
          {W02, expr.place, "a / b c is (a / b) c", {}, "write parentheses to say which is meant"});
    }
    factors(left, inverse, found, sign);
    factors(expr.children[1], inverse != (expr.op == Operator::divide), found, sign);
  } else if (expr.kind == Expr::operation && expr.op == Operator::negate) {
    sign = -sign;
    factors(expr.children[0], inverse, found, sign);
  } else {
    found.push_back({&expr, inverse});
  }
}

void Projector::addends(const Expr& expr, bool negative, std::vector<Factor>& found) {
  if (!is_sum(expr)) return found.push_back({&expr, negative});
  addends(expr.children[0], negative, found);
  addends(expr.children[1], negative != (expr.op == Operator::subtract), found);
}

// The labels, beyond those needed, that stay in a parenthesised sum: of which every addend that
// names them has them in one factor. Those that are shared by factors are contracted inside (S4 c).
LabelSet Projector::elementwise(const Expr& inner, LabelSet needed, bool argument) {
  std::vector<Factor> parts;
  addends(inner, false, parts);
  LabelSet single, shared;
  for (const Factor& part : parts) {
    double sign = 1;
    std::vector<Factor> in;
    factors(*part.expr, false, in, sign);
    LabelSet once, twice;
    for (const Factor& f : in) {
      const LabelSet here = mentions(*f.expr) - needed;
      twice = twice | (once & here);
      once = once | here;
    }
    shared = shared | twice;
    single = single | (once - twice);
  }
  const LabelSet both = single & shared;
  const LabelSet unclear = argument && parts.size() > 1 ? single : both;
  if (!unclear.empty()) {
    const std::string& name = scope_.variables()[static_cast<size_t>(unclear.list()[0])].name;
    refuse(E0207, inner.place, {"it is not clear where index '", name, "' is summed"},
           argument ? "a function has one value for each index on the left of the equation"
                    : "an addend has it in one factor, another one in several",
           {"write sum[", name, "](...) around what is summed"});
  }
  return single;
}

NodePtr Projector::pointwise(const char* op, std::vector<NodePtr> children, Place place) {
  Node n{.kind = Node::call, .axes = axes_of(children).list(), .place = place};
  n.children = std::move(children);
  n.op = c_.ops.find(op);
  return share(std::move(n));
}

// Sums a node over the labels that are not needed, within the mask.
NodePtr Projector::projected(NodePtr node, LabelSet needed) {
  LabelSet axes(node->axes);
  if ((axes - needed).empty()) return node;
  Node n{.kind = Node::product, .place = node->place};
  if (node->kind == Node::product) {
    n.children = node->children;
    n.inverse = node->inverse;
  } else {
    n.children = {node};
    n.inverse = {false};
  }
  if (mask_ && !(LabelSet(mask_->axes) & (axes - needed)).empty()) {
    n.children.push_back(mask_);
    n.inverse.push_back(false);
    axes = axes | LabelSet(mask_->axes);
  }
  n.axes = (axes & needed).list();
  return share(std::move(n));
}

NodePtr Projector::closed(const Expr& expr, LabelSet needed) {
  if (!is_sum(expr)) return projected(open(expr, needed), needed);
  std::vector<Factor> parts;
  addends(expr, false, parts);
  Node n{.kind = Node::sum, .place = expr.place};
  for (const Factor& part : parts) {
    n.children.push_back(closed(*part.expr, needed));
    n.inverse.push_back(part.inverse);
  }
  n.axes = axes_of(n.children).list();
  return share(std::move(n));
}

NodePtr Projector::product(const Expr& expr, LabelSet needed) {
  std::vector<Factor> in;
  double sign = 1;
  factors(expr, false, in, sign);
  Node n{.kind = Node::product, .place = expr.place};
  if (sign < 0) {
    n.children.push_back(number_node(-1));
    n.inverse.push_back(false);
  }
  for (size_t i = 0; i < in.size(); ++i) {
    LabelSet outside = needed;
    for (size_t j = 0; j < in.size(); ++j) {
      if (j != i) outside = outside | mentions(*in[j].expr);
    }
    n.children.push_back(open(*in[i].expr, outside));
    n.inverse.push_back(in[i].inverse);
  }
  n.axes = axes_of(n.children).list();
  return share(std::move(n));
}

NodePtr Projector::group(const Expr& expr, LabelSet needed) {
  const Expr& inner = expr.children[0];
  return closed(inner, needed | elementwise(inner, needed, false));
}

NodePtr Projector::open(const Expr& expr, LabelSet needed) {
  switch (expr.kind) {
    case Expr::number:
    case Expr::boolean:
      return number_node(expr.value);
    case Expr::reference:
      return expr.bracketed ? reference(expr) : name(expr);
    case Expr::group:
      return group(expr, needed);
    case Expr::call:
      return call(expr, needed);
    case Expr::reduce:
      return reduction(expr, needed);
    case Expr::operation:
      return operation(expr, needed);
    default:
      break;
  }
  refuse(E0204, expr.place, "an array stands alone on the right: T = [..]");
}

NodePtr Projector::operation(const Expr& expr, LabelSet needed) {
  if (is_sum(expr)) return closed(expr, needed);
  if (expr.op == Operator::join || expr.op == Operator::divide || expr.op == Operator::negate) {
    return product(expr, needed);
  }
  if (expr.op == Operator::power) {
    NodePtr base = open(expr.children[0], needed | mentions(expr.children[1]));
    NodePtr exponent = open(expr.children[1], needed | LabelSet(base->axes));
    if (exponent->kind == Node::number && exponent->value == 2) {
      return pointwise("square", {std::move(base)}, expr.place);
    }
    return pointwise("pow", {std::move(base), std::move(exponent)}, expr.place);
  }
  std::vector<NodePtr> sides;
  for (size_t i = 0; i < expr.children.size(); ++i) {
    LabelSet outside = needed;
    for (size_t j = 0; j < expr.children.size(); ++j) {
      if (j != i) outside = outside | mentions(expr.children[j]);
    }
    sides.push_back(
        closed(expr.children[i], outside | elementwise(expr.children[i], outside, false)));
  }
  return pointwise(op_of(expr.op), std::move(sides), expr.place);
}

NodePtr Projector::name(const Expr& expr) {
  if (const auto bound = bindings_.find(expr.name); bound != bindings_.end()) return bound->second;
  if (const auto c = c_.names.constant(expr.name)) return number_node(static_cast<double>(*c));
  if (const Entity* entity = c_.names.find(expr.name)) {
    if (entity->rank() == 0 || !entity->ranked) return reference(expr);
    refuse(E0204, expr.place,
           {"'", expr.name, "' has ", entity->rank(), entity->rank() == 1 ? " index" : " indices"},
           "", {"write ", expr.name, entity->is_relation ? "(..)" : "[..]"});
  }
  const std::optional<Label> label = scope_.label(expr.name);
  if (!label) {
    c_.names.refuse_unknown(expr.name, expr.place);
  }
  if (!scope_.variables()[static_cast<size_t>(*label)].axis.known()) {
    refuse(E0206, expr.place, {"the range of index '", expr.name, "' is not known"},
           "it is known from a tensor or relation that has the index, or from a declaration of the "
           "tensor on the left");
  }
  return share({.kind = Node::index, .axes = {*label}, .label = *label, .place = expr.place});
}

void Projector::mark(const Index& index, Label label) {
  if (!index.marked) return;
  if (std::find(left_.begin(), left_.end(), label) == left_.end()) {
    refuse(E0306, index.place,
           {"marked index '", scope_.variables()[static_cast<size_t>(label)].name,
            ".' is not on the left of the equation"});
  }
  if (std::find(marked_.begin(), marked_.end(), label) == marked_.end()) marked_.push_back(label);
}

NodePtr Projector::reference(const Expr& expr) {
  const Entity* entity = c_.names.find(expr.name);
  if (!entity) {
    c_.names.refuse_unknown(expr.name, expr.place);
  }
  if (expr.atom != entity->is_relation && expr.bracketed && !entity->is_relation) {
    refuse(E0202, expr.place, {"'", expr.name, "' is a tensor"}, "", {"write ", expr.name, "[..]"});
  }
  if (entity->ranked && entity->rank() != expr.indices.size()) {
    refuse(E0202, expr.place,
           {"'", expr.name, "' has ", entity->rank(), " indices, got ", expr.indices.size()});
  }
  Node n{.kind = Node::load, .place = expr.place};
  n.entity = c_.names.entity_of.at(expr.name);
  reads_.insert(n.entity);
  LabelSet axes;
  for (size_t i = 0; i < expr.indices.size(); ++i) {
    Position p = scope_.position(expr.indices[i], c_.names.axis_of(*entity, i), expr.name);
    if (p.label >= 0 && !p.is_virtual) {  // a virtual index is one slice
      mark(expr.indices[i], p.label);
      axes.add(p.label);
    }
    for (const Label l : p.labels) axes.add(l);
    n.positions.push_back(std::move(p));
  }
  n.axes = axes.list();
  return share(std::move(n));
}

NodePtr Projector::reduction(const Expr& expr, LabelSet needed) {
  LabelSet over;
  for (const Index& i : expr.indices) {
    const std::optional<Label> label = scope_.plain(i, nullptr);
    if (!label) refuse(E0002, i.place, "a reduction has variables");
    over.add(*label);
  }
  NodePtr inner = closed(expr.children[0], needed | over);
  if (!(over - LabelSet(inner->axes)).empty()) {
    refuse(E0301, expr.place, "the expression does not have an index of this reduction");
  }
  Node n{.kind = Node::reduce,
         .axes = (LabelSet(inner->axes) - over).list(),
         .children = {inner},
         .place = expr.place};
  n.projection = projection_of(find_builtin(expr.name)->id);
  return share(std::move(n));
}

}  // namespace gyre::logic
