#include <algorithm>
#include <limits>

#include "gyre/logic/run/evaluator.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/index/index.h"
#include "gyre/ops/norm/norm.h"
#include "gyre/ops/order/order.h"
#include "gyre/ops/shape/shape.h"

namespace gyre::logic {
namespace {

// Positions in descending order; of equal elements, the first comes first.
Tensor ranks(const Tensor& rows) {
  const Tensor order = argsort(rows, {.axis = -1, .descending = true});
  return argsort(order, {.axis = -1});
}

Tensor run_along(BuiltinId id, const Tensor& rows, const Tensor& second, DType dtype) {
  if (id == BuiltinId::softmax) return softmax(rows, -1);
  if (id == BuiltinId::log_softmax) return log_softmax(rows, -1);
  if (id == BuiltinId::lnorm) return layer_norm(rows, {}, {});
  const Tensor rank = ranks(rows.detach());
  if (id == BuiltinId::rank) return to(rank, dtype);
  if (id == BuiltinId::argmax) return to(rank == Tensor(int64_t{0}), dtype);
  return to(to(rank, dtype) < second, dtype);  // topk
}

}  // namespace

Value Evaluator::along(const Node& node) {
  const LabelList axes = without_fixed(node.axes);
  const BuiltinId id = node.builtin->id;
  if (node.builtin->kind == Builtin::pointwise) {
    const Tensor x = aligned(value(node.children[0]), axes);
    if (id == BuiltinId::sig && node.children.size() == 1) return {sigmoid(x), axes};
    const Tensor step = to(x > Tensor(0.0), dtype_);
    if (id == BuiltinId::step) return {step, axes};
    const Tensor t = aligned(value(node.children[1]), axes);  // sig(x, 0) = H(x)
    const Tensor is_zero = t == Tensor(0.0);
    return {where(is_zero, step, sigmoid(x / where(is_zero, Tensor(1.0), t))), axes};
  }
  // the marked axes last, as one
  LabelList order;
  for (const Label l : axes) {
    if (std::find(node.marked.begin(), node.marked.end(), l) == node.marked.end())
      order.push_back(l);
  }
  Shape rows;
  for (const Label l : order) rows.push_back(size(l));
  rows.push_back(-1);
  for (const Label l : node.marked) order.push_back(l);
  Shape shape;
  for (const Label l : order) shape.push_back(size(l));
  Tensor x = expand(aligned(value(node.children[0]), axes), [&] {
    Shape all;
    for (const Label l : axes) all.push_back(size(l));
    return all;
  }());
  Tensor inside;
  if (l_.mask) {
    const Value mask = value(l_.mask);
    const bool covered = std::all_of(mask.axes.begin(), mask.axes.end(), [&](Label l) {
      return std::find(axes.begin(), axes.end(), l) != axes.end();
    });
    if (covered) inside = aligned(mask, axes) != Tensor(0.0);
    if (covered) x = where(inside, x, Tensor(-std::numeric_limits<double>::infinity()));
  }
  const Tensor second = node.children.size() > 1 ? value(node.children[1]).tensor : Tensor();
  const Tensor done = run_along(id, reshape(aligned({x, axes}, order), rows), second, dtype_);
  Tensor t = aligned({reshape(done, shape), order}, axes);
  if (inside.defined()) t = where(inside, t, Tensor(0.0));
  return {t, axes};
}

Value Evaluator::concat(const Node& node) {
  const Value inner = value(node.children[0]);
  const LabelList axes = without_fixed(node.axes);
  LabelList kept, order;
  for (const Label l : inner.axes) {
    if (std::find(node.marked.begin(), node.marked.end(), l) == node.marked.end())
      kept.push_back(l);
  }
  order = kept;
  for (const Label l : node.marked) order.push_back(l);
  Shape shape;
  for (const Label l : kept) shape.push_back(size(l));
  shape.push_back(size(node.label));
  kept.push_back(node.label);
  return {aligned({reshape(aligned(inner, order), shape), kept}, axes), axes};
}

}  // namespace gyre::logic
