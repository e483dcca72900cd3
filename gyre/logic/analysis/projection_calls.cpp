#include <algorithm>

#include "gyre/base/text/nearest.h"
#include "gyre/io/json.h"
#include "gyre/io/record_json.h"
#include "gyre/logic/analysis/projection.h"

namespace gyre::logic {
namespace {

using enum DiagnosticCode;

NodePtr shared_node(Node node) { return std::make_shared<const Node>(std::move(node)); }

Json as_json(const Attribute& a) {
  return std::visit([](const auto& value) { return Json(value); }, a.value);
}

}  // namespace

// An argument of a function: its sums come first (S4 d).
NodePtr Projector::argument(const Expr& expr, LabelSet needed) {
  (void)elementwise(expr, needed, true);  // refuses what is not clear
  return closed(expr, needed);
}

NodePtr Projector::call(const Expr& expr, LabelSet needed) {
  if (const auto f = c_.names.functions.find(expr.name); f != c_.names.functions.end()) {
    return inlined(expr, *f->second, needed);
  }
  const Builtin* found = find_builtin(expr.name);
  if (found && found->is_function()) {
    if (expr.children.size() < found->least || expr.children.size() > found->most) {
      refuse(E0102, expr.place,
             {"'", expr.name, "' has ", found->least, found->most > found->least ? " or 2" : "",
              " argument(s), got ", expr.children.size()});
    }
    return found->kind == Builtin::derivative ? gradient(expr, needed)
                                              : builtin(expr, *found, needed);
  }
  if (const OpDef* op = c_.ops.find(expr.name)) return op_call(expr, *op, needed);
  std::vector<std::string> all;
  for (const OpDef* op : c_.ops.ops) all.emplace_back(op->name);
  for (const Builtin& b : builtins()) {
    if (b.is_function()) all.emplace_back(b.name);
  }
  for (const auto& [name, f] : c_.names.functions) all.push_back(name);
  refuse(E0102, expr.place, {"unknown function '", expr.name, "'", suggestion(expr.name, all)});
}

NodePtr Projector::builtin(const Expr& expr, const Builtin& called, LabelSet needed) {
  const bool concatenates = called.id == BuiltinId::concat;
  Node n{.kind = Node::along, .builtin = &called, .place = expr.place};
  LabelSet axes;
  for (const Expr& child : expr.children) {
    // concat lays out what the left does not have; the others keep the marked indices
    n.children.push_back(concatenates ? closed(child, needed | mentions(child))
                                      : argument(child, needed));
    axes = axes | LabelSet(n.children.back()->axes);
  }
  if (called.kind == Builtin::along && !concatenates) {
    n.marked = marked_.empty() ? left_ : marked_;
    n.marked = (LabelSet(n.marked) & axes).list();
    if (n.marked.empty()) {
      refuse(E0306, expr.place, {"'", expr.name, "' has no index of the left side to go along"});
    }
  }
  n.axes = axes.list();
  if (concatenates) {
    const LabelSet left(left_);
    if ((left - axes).list().size() != 1) {
      refuse(E0301, expr.place, "concat has one index on the left that its argument does not have");
    }
    // in the order of first sight in the argument
    n.marked.clear();
    for (const Label l : (axes - left).list()) n.marked.push_back(l);
    n.label = (left - axes).list()[0];
    n.axes = ((axes & left) | LabelSet{n.label}).list();
    int64_t size = 1;
    for (const Label l : n.marked) size *= scope_.size(l);
    Variable& v = scope_.variables()[static_cast<size_t>(n.label)];
    if (v.axis.known() && c_.names.size_of(v.axis) != size) {
      refuse(E0201, expr.place,
             {"concat gives ", size, " elements, but index '", v.name, "' has size ",
              c_.names.size_of(v.axis)});
    }
    if (!v.axis.known()) v.axis = {-1, size};
  }
  return shared_node(std::move(n));
}

NodePtr Projector::op_call(const Expr& expr, const OpDef& op, LabelSet needed) {
  Node n{.kind = Node::call, .place = expr.place};
  n.op = &op;
  if (op.attrs && find_field(*op.attrs, "keepdim")) {
    refuse(E0102, expr.place, {"'", expr.name, "' reduces axes, which an equation does by indices"},
           "sum[i](..), max[i], min[i], avg[i] and prod[i] reduce an index");
  }
  if (expr.children.size() < op.args.required() ||
      (!op.args.variadic() && expr.children.size() > op.args.size())) {
    refuse(E0102, expr.place,
           {"'", expr.name, "' has ", op.args.size(), " argument(s), got ", expr.children.size()});
  }
  LabelSet axes;
  for (const Expr& child : expr.children) {
    n.children.push_back(argument(child, needed));
    axes = axes | LabelSet(n.children.back()->axes);
  }
  n.axes = axes.list();
  n.marked = (LabelSet(marked_) & axes).list();
  if (op.attrs) {
    auto attrs = make_ref<OpenAttrs>(*op.attrs);
    Json given = Json::object();
    for (const Attribute& a : expr.attributes) given[a.name] = as_json(a);
    const Field* axis = find_field(*op.attrs, "axis");
    if (axis && !given.find("axis") && !n.marked.empty()) {
      const auto at = std::find(n.axes.begin(), n.axes.end(), n.marked[0]);
      given["axis"] = at - n.axes.begin();
    }
    try {
      record_from_json(*op.attrs, attrs->memory, given);
    } catch (const Error& e) {
      refuse(E0102, expr.place, e.what());
    }
    n.attrs = Attrs(attrs);
  } else if (!expr.attributes.empty()) {
    refuse(E0102, expr.attributes[0].place, {"'", expr.name, "' has no attributes"});
  }
  return shared_node(std::move(n));
}

// The value rounded to a dtype.
NodePtr Projector::converted(const NodePtr& value, const std::string& dtype, Place place) {
  Node n{.kind = Node::call, .axes = value->axes, .children = {value}, .place = place};
  n.op = c_.ops.find("to");
  auto attrs = make_ref<OpenAttrs>(*n.op->attrs);
  Json given = Json::object();
  given["dtype"] = name_of(dtype_of(dtype, place));
  record_from_json(*n.op->attrs, attrs->memory, given);
  n.attrs = Attrs(attrs);
  return shared_node(std::move(n));
}

NodePtr Projector::gradient(const Expr& expr, LabelSet needed) {
  const Expr& of = expr.children[0];
  const Expr& by = expr.children[1];
  if (by.kind != Expr::reference)
    refuse(E0002, by.place, "a gradient is by a tensor: grad(F, X[i])");
  const LabelSet own = mentions(of), others = mentions(by);
  if (!(own & others).empty()) {
    refuse(E0207, expr.place, "the two arguments of grad have different indices",
           "grad(Y[k], X[i]) has the indices of both");
  }
  Node n{.kind = Node::gradient, .place = expr.place};
  n.children = {closed(
      of, needed | (own & LabelSet(left_)) | (of.kind == Expr::reference ? own : LabelSet()))};
  const NodePtr load = by.bracketed ? reference(by) : name(by);
  if (load->kind != Node::load) refuse(E0002, by.place, "a gradient is by a tensor: grad(F, X[i])");
  n.entity = load->entity;
  n.positions = load->positions;
  n.axes = (LabelSet(n.children[0]->axes) | LabelSet(load->axes)).list();
  return shared_node(std::move(n));
}

// The body of a fn, with the values of its parameters, each computed once.
NodePtr Projector::inlined(const Expr& expr, const FunctionDecl& function, LabelSet needed) {
  if (std::find(inlining_.begin(), inlining_.end(), function.name) != inlining_.end()) {
    refuse(E0105, expr.place, {"fn '", function.name, "' calls itself"});
  }
  if (expr.children.size() != function.parameters.size()) {
    refuse(E0102, expr.place,
           {"fn '", function.name, "' has ", function.parameters.size(), " parameter(s), got ",
            expr.children.size()});
  }
  Bindings inner;
  for (size_t i = 0; i < expr.children.size(); ++i)
    inner[function.parameters[i]] = argument(expr.children[i], needed);
  std::swap(inner, bindings_);
  inlining_.push_back(function.name);
  NodePtr result;
  if (function.value) result = open(*function.value, needed);
  for (const Statement& s : function.body) {
    if (const auto* let = std::get_if<Let>(&s.what)) {
      bindings_[let->name] = closed(let->value, needed);
    } else if (const auto* q = std::get_if<Equation>(&s.what); q && !q->left.bracketed) {
      bindings_[q->left.name] = closed(q->right, needed);
    } else if (const auto* jump = std::get_if<Jump>(&s.what); jump && jump->value) {
      result = closed(*jump->value, needed);
    } else {
      refuse(E0002, s.place, "a fn has let, equations of names without indices, and return");
    }
  }
  std::swap(inner, bindings_);
  inlining_.pop_back();
  if (!result) refuse(E0002, expr.place, {"fn '", function.name, "' returns nothing"});
  return function.dtype.empty() ? result : converted(result, function.dtype, expr.place);
}

}  // namespace gyre::logic
