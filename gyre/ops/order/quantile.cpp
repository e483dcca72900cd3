// Elements of given ranks: kthvalue, median, quantile. Each sorts its axis.
#include <cmath>
#include <utility>

#include "gyre/op/apply.h"
#include "gyre/op/samples.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/index/index.h"
#include "gyre/ops/order/order.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/shape.h"

namespace gyre {

extern const OpDef kthvalue_def, median_def, quantile_def;

namespace {

constexpr const char* kRankedOutputs[] = {"values", "indices"};

// x with one axis at least.
Tensor as_rows(const Tensor& x) { return x.rank() ? x : reshape(x, {1}); }

// Both results without the axis, or with the axis of size 1; copies, which do not keep the whole
// order in memory.
Tensors along(const Tensor& x, int axis, bool keepdim, Tensor values, Tensor indices) {
  values = clone(values);
  indices = clone(indices);
  if (x.rank() == 0) return {reshape(values, {}), reshape(indices, {})};
  if (keepdim) return {std::move(values), std::move(indices)};
  return {squeeze(values, {axis}), squeeze(indices, {axis})};
}

Tensors kthvalue_compose(const OpDef& op, const void* attrs, Inputs in) {
  const auto& a = attrs_as<KthAttrs>(attrs);
  const int axis = normalize_axis(a.axis, in[0].rank(), op.name);
  const Tensor x = as_rows(in[0]);
  const int64_t n = x.size(axis);
  if (a.k < 1 || a.k > n) {
    throw mismatch(Code::value, op.name,
                   {"expected k from 1 to the size of axis ", axis, ", got ", a.k}, {"1 to ", n},
                   a.k);
  }
  const SortResult sorted = sort(x, {axis});
  return along(in[0], axis, a.keepdim, narrow(sorted.values, axis, a.k - 1, 1),
               narrow(sorted.indices, axis, a.k - 1, 1));
}

void kthvalue_samples(Samples& s) {
  s.add({s.spread(15, -1, 1)}, box(KthAttrs{4}));
  s.add({reshape(s.spread(24, -1, 1), {2, 4, 3})}, box(KthAttrs{2, 1, true}));
  s.add({s.uniform({})});
  s.add({s.integers({3, 5}, -9, 9)}, box(KthAttrs{5, 1}));
  s.add({s.uniform({0, 3})}, box(KthAttrs{2, 1}));
  s.refuse(Code::value, {s.uniform({3})}, box(KthAttrs{0}));
  s.refuse(Code::value, {s.uniform({3})}, box(KthAttrs{4}));
  s.refuse(Code::index, {s.uniform({3})}, box(KthAttrs{1, 1}));
}

void check_not_empty(const OpDef& op, int64_t n) {
  if (n == 0) throw mismatch(Code::value, op.name, "expected at least one element", "> 0", n);
}

// NaN comes last in the order, so the first NaN follows all numbers.
Tensors median_compose(const OpDef& op, const void* attrs, Inputs in) {
  const auto& a = attrs_as<MedianAttrs>(attrs);
  const int axis = normalize_axis(a.axis, in[0].rank(), op.name);
  const Tensor x = as_rows(in[0]);
  const int64_t n = x.size(axis);
  check_not_empty(op, n);
  const SortResult sorted = sort(x, {axis});
  const int64_t middle = (n - 1) / 2;
  if (!is_floating(x.dtype())) {
    return along(in[0], axis, a.keepdim, narrow(sorted.values, axis, middle, 1),
                 narrow(sorted.indices, axis, middle, 1));
  }
  const Tensor nans = sum(isnan(x.detach()), axis, true);
  const Tensor place = where(gt(nans, Tensor(int64_t{0})), sub(Tensor(n), nans), Tensor(middle));
  return along(in[0], axis, a.keepdim, gather(sorted.values, axis, place),
               gather(sorted.indices, axis, place));
}

void median_samples(Samples& s) {
  s.add({s.spread(15, -1, 1)});
  s.add({reshape(s.spread(24, -1, 1), {2, 4, 3})}, box(MedianAttrs{1, true}));
  s.add({s.uniform({})});
  s.add({s.integers({3, 6}, -9, 9)});
  s.add({s.uniform({0, 3})});
  s.extreme({s.values({2, __builtin_nan(""), 1, 3})});
  s.refuse(Code::value, {s.uniform({3, 0})});
  s.refuse(Code::index, {s.uniform({3})}, box(MedianAttrs{1}));
}

// The reduced axes of x as one last axis, and the result's shape with them as axes of size 1.
std::pair<Tensor, Shape> rows_of(const OpDef& op, const Tensor& x, const Shape& given) {
  Shape axes, order, sizes, kept;
  for (int64_t axis : given) axes.push_back(normalize_axis(axis, x.rank(), op.name));
  const auto is_reduced = [&](int axis) {
    bool found = given.rank == 0;
    for (int64_t reduced : axes) found |= reduced == axis;
    return found;
  };
  int64_t n = 1;
  for (int axis = 0; axis < x.rank(); ++axis) {
    if (is_reduced(axis)) {
      kept.push_back(1);
      n *= x.size(axis);
    } else {
      order.push_back(axis);
      sizes.push_back(x.size(axis));
      kept.push_back(x.size(axis));
    }
  }
  for (int axis = 0; axis < x.rank(); ++axis) {
    if (is_reduced(axis)) order.push_back(axis);
  }
  sizes.push_back(n);
  return {reshape(permute(x, order), sizes), kept};
}

Tensors quantile_compose(const OpDef& op, const void* attrs, Inputs in) {
  const auto& a = attrs_as<QuantileAttrs>(attrs);
  if (!(a.q >= 0 && a.q <= 1)) {
    throw mismatch(Code::value, op.name, {"expected q in [0, 1], got ", a.q}, "[0, 1]", a.q);
  }
  const Tensor x = is_floating(in[0].dtype()) ? in[0] : to(in[0], DType::f32);
  const auto [rows, kept] = rows_of(op, x, a.axes);
  const int64_t n = rows.size(-1);
  check_not_empty(op, n);
  const Tensor sorted = sort(rows).values;
  const double place = a.q * static_cast<double>(n - 1);
  const double low = std::floor(place), high = std::ceil(place);
  const auto at = [&](double index) { return narrow(sorted, -1, static_cast<int64_t>(index), 1); };
  const auto between = [&](double weight) {
    return weight == 0 ? at(low) : lerp(at(low), at(high), Tensor(weight));
  };
  const auto value = [&] {
    switch (a.interpolation) {
      case Interpolation::lower:
        return at(low);
      case Interpolation::higher:
        return at(high);
      case Interpolation::midpoint:
        return between(low == high ? 0 : 0.5);
      case Interpolation::nearest:
        return at(std::nearbyint(place));
      case Interpolation::linear:
        break;
    }
    return between(place - low);
  };
  const Tensor last = at(static_cast<double>(n - 1));
  const Tensor result = where(isnan(last), last, value());
  Shape shape = kept;
  if (!a.keepdim) shape = rows.shape().part(0, rows.rank() - 1);
  return {reshape(result, shape)};
}

void quantile_samples(Samples& s) {
  s.add({s.spread(9, -1, 1)}, box(QuantileAttrs{0.3}));
  s.add({reshape(s.spread(24, -1, 1), {2, 4, 3})}, box(QuantileAttrs{0.6, {0, -1}, true}));
  s.add({reshape(s.spread(24, -1, 1), {2, 4, 3})},
        box(QuantileAttrs{0.35, {1}, false, Interpolation::midpoint}));
  s.add({s.spread(10, -1, 1)}, box(QuantileAttrs{0.35, {}, false, Interpolation::nearest}));
  s.add({s.spread(10, -1, 1)}, box(QuantileAttrs{0.35, {}, false, Interpolation::lower}));
  s.add({s.spread(10, -1, 1)}, box(QuantileAttrs{0.35, {}, true, Interpolation::higher}));
  s.add({s.uniform({})}, box(QuantileAttrs{1}));
  s.add({s.integers({7}, -9, 9)}, box(QuantileAttrs{0.25}));
  s.extreme({s.values({2, __builtin_nan(""), 1, 3})});
  s.refuse(Code::value, {s.uniform({3})}, box(QuantileAttrs{1.5}));
  s.refuse(Code::value, {s.uniform({0})});
  s.refuse(Code::index, {s.uniform({3})}, box(QuantileAttrs{0.5, {1}}));
}

}  // namespace

constinit const OpDef kthvalue_def{.name = "kthvalue",
                                   .doc = "k-th smallest value along an axis and its index",
                                   .outputs = kRankedOutputs,
                                   .visible = 2,
                                   .attrs = &record_of<KthAttrs>,
                                   .compose = kthvalue_compose,
                                   .samples = kthvalue_samples};
constinit const OpDef median_def{.name = "median",
                                 .doc = "median along an axis, the lower of two, and its index",
                                 .outputs = kRankedOutputs,
                                 .visible = 2,
                                 .attrs = &record_of<MedianAttrs>,
                                 .compose = median_compose,
                                 .samples = median_samples};
constinit const OpDef quantile_def{.name = "quantile",
                                   .doc = "quantile over axes, interpolated between elements",
                                   .attrs = &record_of<QuantileAttrs>,
                                   .compose = quantile_compose,
                                   .samples = quantile_samples};

SortResult kthvalue(const Tensor& x, const KthAttrs& attrs) {
  Tensors r = apply(kthvalue_def, Inputs(&x, 1), box(attrs));
  return {r[0], r[1]};
}
SortResult median(const Tensor& x, const MedianAttrs& attrs) {
  Tensors r = apply(median_def, Inputs(&x, 1), box(attrs));
  return {r[0], r[1]};
}
GYRE_FUNCTION_1(quantile, QuantileAttrs)

}  // namespace gyre
