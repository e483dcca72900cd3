#include "gyre/logic/run/evaluator.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>

#include "gyre/autograd/backward.h"
#include "gyre/io/record_json.h"
#include "gyre/logic/run/value_relations.h"
#include "gyre/op/apply.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/index/index.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/shape.h"

namespace gyre::logic {
namespace {

ScatterFold fold_of(Projection projection) {
  switch (projection) {
    case Projection::max:
      return ScatterFold::amax;
    case Projection::min:
      return ScatterFold::amin;
    case Projection::mean:
      return ScatterFold::mean;
    case Projection::product:
      return ScatterFold::prod;
    default:
      return ScatterFold::sum;
  }
}

// Ascending, without repeats.
void sort_labels(LabelList& labels) {
  if (std::adjacent_find(labels.begin(), labels.end(), std::greater_equal{}) == labels.end())
    return;
  std::sort(labels.begin(), labels.end());
  labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
}

Tensor reduction(const Tensor& t, Projection projection, const Shape& axes) {
  if (axes.rank == 0) return t;
  const ReduceAttrs attrs{axes};
  switch (projection) {
    case Projection::max:
      return max(t, attrs);
    case Projection::min:
      return min(t, attrs);
    case Projection::mean:
      return mean(t, attrs);
    case Projection::product:
      return prod(t, attrs);
    default:
      return sum(t, attrs);
  }
}

}  // namespace

double identity_of(Projection projection) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  switch (projection) {
    case Projection::max:
      return -kInfinity;
    case Projection::min:
      return kInfinity;
    case Projection::product:
      return 1;
    default:
      return 0;
  }
}

Tensor combined(Projection projection, const Tensor& a, const Tensor& b) {
  switch (projection) {
    case Projection::max:
      return maximum(a, b);
    case Projection::min:
      return minimum(a, b);
    case Projection::product:
      return a * b;
    default:
      return a + b;
  }
}

Tensor resized(const Tensor& t, int axis, int64_t size) {
  if (t.size(axis) == size) return t;
  if (t.size(axis) > size) return narrow(t, axis, 0, size);
  Shape before, after;
  before.rank = after.rank = t.rank();
  for (int i = 0; i < t.rank(); ++i) before[i] = after[i] = 0;
  after[axis] = size - t.size(axis);
  return pad(t, {.before = before, .after = after});
}

Tensor aligned(const Value& value, const LabelList& axes) {
  if (value.axes == axes) return value.tensor;
  Shape order, shape;
  order.rank = static_cast<int>(value.axes.size());
  int next = 0;
  for (const Label l : axes) {
    const int at = place_of(value.axes, l);
    if (at < order.rank) order[next++] = at;
  }
  bool in_order = true;
  for (int i = 0; i < order.rank; ++i) in_order = in_order && order[i] == i;
  const Tensor t = in_order ? value.tensor : permute(value.tensor, order);
  shape.rank = static_cast<int>(axes.size());
  for (size_t i = 0; i < axes.size(); ++i) {
    const int at = place_of(value.axes, axes[i]);
    shape[static_cast<int>(i)] = at < order.rank ? value.tensor.shape()[at] : 1;
  }
  return reshape(t, shape);
}

namespace {

// As aligned(), without the leading axes that it lacks: it broadcasts to them.
Tensor broadcastable(const Value& value, const LabelList& axes) {
  const size_t missing = axes.size() - std::min(axes.size(), value.axes.size());
  const bool trailing = std::equal(value.axes.begin(), value.axes.end(),
                                   axes.begin() + static_cast<std::ptrdiff_t>(missing), axes.end());
  return trailing ? value.tensor : aligned(value, axes);
}

}  // namespace

Tensor Evaluator::number(double value) const { return full({}, value, {.dtype = dtype_}); }

LabelList Evaluator::without_fixed(const LabelList& axes) const {
  LabelList rest = axes;
  rest.erase(std::remove(rest.begin(), rest.end(), fixed_), rest.end());
  return rest;
}

Value Evaluator::value(const NodePtr& node) {
  const bool keeps = checks_overflow_ || node.use_count() > 1;
  if (!keeps) return computed(*node);
  if (const auto it = shared_.find(node.get()); it != shared_.end()) return it->second;
  Value v = computed(*node);
  if (checks_overflow_) check_overflow(*node, v);
  shared_[node.get()] = v;
  return v;
}

Value Evaluator::computed(const Node& node) {
  if (node.kind == Node::call || node.kind == Node::along) {
    if (std::optional<Value> done = linear_layer(node)) return std::move(*done);
  }
  switch (node.kind) {
    case Node::number:
      return {number(node.value), {}};
    case Node::index:
      if (node.label == fixed_) return {number(static_cast<double>(fixed_value_)), {}};
      return {numbers_of(names_, l_.variables[static_cast<size_t>(node.label)].axis, dtype_,
                         node.place),
              {node.label}};
    case Node::load:
      return load(node);
    case Node::product:
      return product(node);
    case Node::sum:
      return sum_of(node);
    case Node::call:
      return call(node);
    case Node::along:
      return node.builtin->id == BuiltinId::concat ? concat(node) : along(node);
    case Node::gradient:
      return gradient(node);
    case Node::reduce:
      return reduced(node);
    default:
      return {node.tensor, {}};  // a literal
  }
}

Value Evaluator::reduced(const Node& node) {
  const LabelList axes = without_fixed(node.axes);
  if (std::optional<Value> found = semiring_product(*node.children[0], node.projection, axes))
    return std::move(*found);
  const Value inner = value(node.children[0]);
  Shape over;
  for (size_t i = 0; i < inner.axes.size(); ++i) {
    if (!has(node.axes, inner.axes[i])) over.push_back(static_cast<int64_t>(i));
  }
  return {reduction(inner.tensor, node.projection, over), axes};
}

Value Evaluator::sum_of(const Node& node) {
  const LabelList axes = without_fixed(node.axes);
  Tensor total;
  for (size_t i = 0; i < node.children.size(); ++i) {
    const Tensor t = broadcastable(value(node.children[i]), axes);
    if (!total.defined())
      total = node.inverse[i] ? -t : t;
    else
      total = node.inverse[i] ? total - t : total + t;
  }
  if (total.rank() != static_cast<int>(axes.size())) {  // no addend has them all
    Shape shape;
    for (const Label l : axes) shape.push_back(size(l));
    total = expand(total, shape);
  }
  return {total, axes};
}

// Whether == or != compares two indices over one domain, whose elements may be words.
bool Evaluator::compares_elements(const Node& node) const {
  const std::string_view op = node.op->name;
  if ((op != "eq" && op != "ne") || node.children.size() != 2) return false;
  const Node &a = *node.children[0], &b = *node.children[1];
  if (a.kind != Node::index || b.kind != Node::index || a.label == fixed_ || b.label == fixed_)
    return false;
  const auto domain = [&](const Node& n) {
    return l_.variables[static_cast<size_t>(n.label)].axis.domain;
  };
  return domain(a) >= 0 && domain(a) == domain(b);
}

Value Evaluator::places_of(const Node& index) const {
  return {arange(0, static_cast<double>(size(index.label)), 1, {.dtype = dtype_}), {index.label}};
}

// Those of a call, with its axis counted without the fixed one.
Attrs Evaluator::attributes_of(const Node& node) const {
  const int skipped = place_of(node.axes, fixed_);
  if (skipped == static_cast<int>(node.axes.size()) || !node.attrs ||
      !find_field(*node.op->attrs, "axis"))
    return node.attrs;
  const Ref<OpenAttrs> copy = copy_of(*node.attrs);
  Json all = record_to_json(*node.op->attrs, copy->memory);
  const Json axis = all["axis"];
  if (!axis.is_integer() || axis.as_integer() <= skipped) return node.attrs;
  Json given = Json::object();
  given["axis"] = axis.as_integer() - 1;
  record_from_json(*node.op->attrs, copy->memory, given);
  return Attrs(copy);
}

Value Evaluator::call(const Node& node) {
  const LabelList axes = without_fixed(node.axes);
  Tensors in;
  Shape shape;
  shape.rank = static_cast<int>(axes.size());
  for (int i = 0; i < shape.rank; ++i) shape[i] = size(axes[static_cast<size_t>(i)]);
  const bool by_place = compares_elements(node);
  for (const NodePtr& child : node.children) {
    Tensor t = aligned(by_place ? places_of(*child) : value(child), axes);
    if (node.op->local != Locality::element && t.shape() != shape && !axes.empty())
      t = expand(t, shape);
    in.push_back(std::move(t));
  }
  Tensor out = apply_one(*node.op, in, attributes_of(node));
  const bool rounds = node.op->name == std::string_view("to");  // numbers stay of one dtype
  if (out.dtype() == DType::boolean || rounds) out = to(out, dtype_);
  if (out.shape() != shape) {
    throw Error(Code::shape, node.op->name,
                {"expected a result of shape ", to_string(shape), ", got ", to_string(out.shape()),
                 ": only functions that keep the indices can stand in an equation"});
  }
  return {out, axes};
}

int64_t Evaluator::at(const IndexFormula& formula, const LabelList& labels,
                      const std::vector<int64_t>& values) const {
  return formula.at([&](Label label) {
    return label == fixed_ ? fixed_value_ : values[static_cast<size_t>(place_of(labels, label))];
  });
}

// The values of an index expression over all values of its labels, row-major.
std::vector<int64_t> Evaluator::indices(const IndexFormula& formula,
                                        const LabelList& labels) const {
  int64_t count = 1;
  for (const Label l : labels) count *= size(l);
  std::vector<int64_t> found(static_cast<size_t>(count)), values(labels.size(), 0);
  for (int64_t& index : found) {
    index = at(formula, labels, values);
    for (size_t i = labels.size(); i-- > 0 && ++values[i] == size(labels[i]);) values[i] = 0;
  }
  return found;
}

Value Evaluator::load(const Node& node) {
  if (sliced_) {
    if (const auto it = sliced_->find(node.entity); it != sliced_->end()) {
      const Position& p = node.positions[it->second];
      const int64_t where = p.kind == Position::constant   ? p.value
                            : p.kind == Position::variable ? fixed_value_
                                                           : at(p.formula, {}, {});
      return at_positions((*slice_)(node.entity, where), node.positions, {},
                          static_cast<int>(it->second));
    }
  }
  Tensor t = load_(node.entity);
  if (t.dtype() == DType::boolean) t = to(t, dtype_);
  return at_positions(std::move(t), node.positions, {}, -1);
}

namespace {

// Elements along an axis at indices, 0 outside (S3).
Tensor picked(const Tensor& t, int axis, const std::vector<int64_t>& indices) {
  const int64_t n = t.size(axis);
  std::vector<int64_t> inside = indices;
  bool outside = false;
  for (int64_t& i : inside) {
    if (i >= 0 && i < n) continue;
    outside = true;
    i = n;
  }
  Tensor source = t;
  if (outside) {
    Shape before, after;
    before.rank = after.rank = t.rank();
    for (int i = 0; i < t.rank(); ++i) before[i] = after[i] = 0;
    after[axis] = 1;
    source = pad(t, {.before = before, .after = after});
  }
  return index_select(source, axis, tensor(inside, {static_cast<int64_t>(inside.size())}));
}

// Elements offset to offset + count - 1 along an axis, 0 outside (S3).
Tensor shifted(const Tensor& t, int axis, int64_t offset, int64_t count) {
  const int64_t n = t.size(axis), begin = std::clamp<int64_t>(offset, 0, n),
                end = std::clamp<int64_t>(offset + (count - 1), begin - 1, n - 1) + 1;
  const Tensor inside = narrow(t, axis, begin, end - begin);
  if (end - begin == count) return inside;
  Shape before, after;
  before.rank = after.rank = t.rank();
  for (int i = 0; i < t.rank(); ++i) before[i] = after[i] = 0;
  before[axis] = std::clamp<int64_t>(-std::max(offset, -count), 0, count - (end - begin));
  after[axis] = count - (end - begin) - before[axis];
  return pad(inside, {.before = before, .after = after});
}

}  // namespace

// `t` has the axes `leading`, then one for each position but the sliced one.
Value Evaluator::at_positions(Tensor t, const std::vector<Position>& positions,
                              const LabelList& leading, int sliced) {
  LabelList axes = leading;
  int axis = static_cast<int>(leading.size());
  for (size_t i = 0; i < positions.size(); ++i) {
    if (static_cast<int>(i) == sliced) continue;
    const Position& p = positions[i];
    const bool is_fixed = p.kind == Position::variable && p.label == fixed_;
    if (p.is_virtual) {
      t = select(t, {axis, 0});
    } else if (p.kind == Position::constant || is_fixed) {
      const int64_t at = is_fixed ? fixed_value_ : p.value;
      t = at >= 0 && at < t.size(axis) ? select(t, {axis, at})
                                       : select(picked(t, axis, {-1}), {axis, 0});
    } else if (p.kind == Position::affine) {
      const LabelList labels = without_fixed(p.labels);
      const auto& linear = p.formula.linear();
      if (linear && labels.size() == 1 && p.labels.size() == 1 && linear->factors[0] == 1) {
        t = shifted(t, axis++, linear->offset, size(labels[0]));
        axes.push_back(labels[0]);
        continue;
      }
      const Tensor flat = picked(t, axis, indices(p.formula, labels));
      Shape shape;
      for (int j = 0; j < axis; ++j) shape.push_back(flat.shape()[j]);
      for (const Label l : labels) shape.push_back(size(l)), axes.push_back(l);
      for (int j = axis + 1; j < flat.rank(); ++j) shape.push_back(flat.shape()[j]);
      t = reshape(flat, shape);
      axis += static_cast<int>(labels.size());
    } else {
      if (p.kind == Position::slice)
        t = narrow(t, axis, p.value, p.end - p.value);
      else
        t = resized(t, axis, size(p.label));
      axes.push_back(p.label);
      ++axis;
    }
  }
  LabelList order = axes;
  sort_labels(order);
  if (order == axes) return {t, axes};
  if (order.size() == axes.size()) return {aligned({t, axes}, order), order};
  ProductPlans::Plan plan;
  return {contracted(plan, {{t, axes}}, order), order};
}

Value Evaluator::gradient(const Node& node) {
  const Value of = value(node.children[0]);
  const Tensor by = load_(node.entity);
  Shape shape = of.tensor.shape();
  for (int i = 0; i < by.rank(); ++i) shape.push_back(by.shape()[i]);
  Tensor result;
  if (!of.tensor.tracked() || !by.tracked()) {
    result = zeros(shape, {.dtype = dtype_});
  } else {
    const Tensor flat = reshape(of.tensor, {of.tensor.numel()});
    Tensors rows;
    for (int64_t i = 0; i < flat.numel(); ++i) {
      Tensor g = grad(Inputs{{select(flat, {0, i})}}, Inputs{{by}}, {},
                      {.create_graph = true, .retain_graph = true, .allow_unused = true})[0];
      rows.push_back(g.defined() ? g : zeros_like(by));
    }
    result = rows.empty() ? zeros(shape, {.dtype = dtype_}) : reshape(stack(rows, 0), shape);
  }
  return at_positions(result, node.positions, of.axes, -1);
}

Tensor Evaluator::inside(const LabelList& axes) {
  Value mask = value(l_.mask);
  for (size_t i = mask.axes.size(); i-- > 0;) {
    if (has(axes, mask.axes[i])) continue;
    mask.tensor = max(mask.tensor, {{static_cast<int64_t>(i)}});
    mask.axes.erase(mask.axes.begin() + i, mask.axes.begin() + i + 1);
  }
  return aligned(mask, axes) != Tensor(0.0);
}

Value Evaluator::projected() {
  LabelList left;
  for (const Position& p : l_.left) {
    for (const Label l : p.labels) {
      if (l != fixed_) left.push_back(l);
    }
  }
  sort_labels(left);
  if (!l_.mask) {
    if (std::optional<Value> v = semiring_product(*l_.right, l_.projection, left)) return *v;
  }
  const Value v = value(l_.right);
  LabelList axes = v.axes;
  for (const Label l : left) {
    if (place_of(axes, l) == static_cast<int>(axes.size())) axes.push_back(l);
  }
  sort_labels(axes);
  Tensor t = aligned(v, axes), weights;
  Shape shape, over;
  for (size_t i = 0; i < axes.size(); ++i) {
    shape.push_back(size(axes[i]));
    if (!std::binary_search(left.begin(), left.end(), axes[i]))
      over.push_back(static_cast<int64_t>(i));
  }
  if (t.shape() != shape) t = expand(t, shape);
  if (l_.mask) {
    const Tensor holds = inside(axes);
    t = where(holds, t, Tensor(identity_of(l_.projection)));
    if (l_.projection == Projection::mean) weights = expand(to(holds, dtype_), shape);
  }
  if (weights.defined()) {
    t = divided(reduction(t, Projection::sum, over), reduction(weights, Projection::sum, over),
                l_.place, "avg= of no values");
  } else {
    t = reduction(t, l_.projection, over);
  }
  return {t, left};
}

Tensor Evaluator::placed(const Value& v, const Shape& shape, int skipped) {
  LabelList order;
  bool plain = true;
  for (size_t i = 0; i < l_.left.size(); ++i) {
    if (static_cast<int>(i) == skipped) continue;
    const Position& p = l_.left[i];
    plain = plain && p.kind == Position::variable && p.label != fixed_ &&
            place_of(order, p.label) == static_cast<int>(order.size());
    order.push_back(p.label);
  }
  const Tensor& t = v.tensor;
  if (plain) {
    Tensor result = aligned(v, order);
    for (int i = 0; i < shape.rank; ++i) {
      if (identity_of(l_.projection) == 0 || result.size(i) >= shape[i])
        result = resized(result, i, shape[i]);
      else
        plain = false;
    }
    if (plain) return result;
  }
  // the flat place of every element; those outside go to one element more, which is cut off
  const int64_t count = numel(shape);
  std::vector<int64_t> places(static_cast<size_t>(t.numel()), 0);
  std::vector<int64_t> values(v.axes.size(), 0);
  for (int64_t& place : places) {
    int axis = 0;
    for (size_t i = 0; i < l_.left.size(); ++i) {
      if (static_cast<int>(i) == skipped) continue;
      const Position& p = l_.left[i];
      const int64_t index = p.kind == Position::constant ? p.value
                            : p.kind == Position::affine ? at(p.formula, v.axes, values)
                            : p.label == fixed_
                                ? fixed_value_
                                : values[static_cast<size_t>(place_of(v.axes, p.label))];
      const int64_t n = shape[axis++];
      place = place == count || index < 0 || index >= n ? count : place * n + index;
    }
    for (size_t i = v.axes.size(); i-- > 0 && ++values[i] == t.shape()[static_cast<int>(i)];)
      values[i] = 0;
  }
  const Tensor start = full({count + 1}, identity_of(l_.projection), {.dtype = t.dtype()});
  const bool mean = l_.projection == Projection::mean;
  const Tensor sums =
      scatter_reduce(start, tensor(places, {t.numel()}), reshape(t, {t.numel()}),
                     {.axis = 0, .reduce = fold_of(l_.projection), .include_self = !mean});
  return reshape(narrow(sums, 0, 0, count), shape);
}

}  // namespace gyre::logic
