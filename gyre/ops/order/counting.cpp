// unique and bincount: the size of the results depends on the values.
#include "gyre/op/apply.h"
#include "gyre/op/op_def.h"
#include "gyre/op/samples.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/index/index.h"
#include "gyre/ops/order/keys.h"
#include "gyre/ops/order/order.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/shape.h"

namespace gyre {
namespace {

constexpr Arg kBincountArgs[] = {{.name = "x", .differentiable = false},
                                 {.name = "weights", .optional = true}};
constexpr const char* kUniqueOutputs[] = {"values", "inverse", "counts"};

// ---- unique ----

// Calls run(start, length) for each run of equal elements in a sorted list.
void each_run(const auto* sorted, int64_t n, auto run) {
  for (int64_t start = 0, end; start < n; start = end) {
    for (end = start + 1; end < n && key_of(sorted[end]) == key_of(sorted[start]);) ++end;
    run(start, end - start);
  }
}

// On the host: the number of distinct elements is known only there.
template <class T>
Tensors runs_of(const SortResult& list, const Shape& shape) {
  const T* sorted = list.values.data<T>();
  const int64_t* places = list.indices.data<int64_t>();
  int64_t n = list.values.numel(), distinct = 0;
  each_run(sorted, n, [&](int64_t, int64_t) { ++distinct; });
  Tensor values = empty(Shape{distinct}, list.values.dtype());
  Tensor inverse = empty(shape, DType::i64), counts = empty(Shape{distinct}, DType::i64);
  int64_t at = 0;
  each_run(sorted, n, [&](int64_t start, int64_t length) {
    values.data<T>()[at] = sorted[start];
    counts.data<int64_t>()[at] = length;
    for (int64_t i = 0; i < length; ++i) inverse.data<int64_t>()[places[start + i]] = at;
    ++at;
  });
  return {values, inverse, counts};
}

Tensors runs_by_dtype(const SortResult& list, const Shape& shape) {
  return visit_dtype(list.values.dtype(),
                     [&](auto t) { return runs_of<decltype(t)>(list, shape); });
}

Tensors unique_by_sort(const OpDef&, const void*, Inputs in) {
  NoGrad guard;
  const Tensor& x = in[0];
  SortResult list = sort(reshape(x, {x.numel()}), {0, false});
  list = {on_device(list.values, {}), on_device(list.indices, {})};
  Tensors found = runs_by_dtype(list, x.shape());
  for (Tensor& t : found) t = on_device(t, x.device());
  return found;
}

void unique_samples(Samples& s) {
  s.add({s.uniform({3, 5})});
  s.add({s.integers({4, 6}, 0, 7)});
  s.add({s.mask({9})});
  s.add({s.uniform({})});
  s.add({s.uniform({2, 0})});
  s.extreme({s.values({2, __builtin_nan(""), -0.0, 0, __builtin_nan(""), 2})});
  s.refuse(Code::value, {});
}

// ---- bincount ----

int64_t bins_of(const OpDef& op, const Tensor& x, int64_t minlength) {
  if (x.numel() == 0) return minlength;
  const Tensor most = max(x);
  const int64_t largest =  // of u64 above those of i64, too
      most.item() >= 0x1p63 ? INT64_MAX : to_vector<int64_t>(most)[0];
  if (largest == INT64_MAX) refuse(Code::resource, op, "too many bins");
  return largest + 1 > minlength ? largest + 1 : minlength;
}

Tensors bincount_by_scatter_add(const OpDef& op, const void* attrs, Inputs in) {
  int64_t minlength = attrs_as<BincountAttrs>(attrs).minlength;
  const Tensor& x = in[0];
  const Tensor weights = in.size() > 1 ? in[1] : Tensor();
  if (x.rank() != 1) {
    throw mismatch(Code::shape, op.name, "expected a 1-D tensor", "[n]", x.shape());
  }
  if (is_floating(x.dtype()) || x.dtype() == DType::boolean) {
    throw mismatch(Code::dtype, op.name, "expected integers", "an integer", x.dtype());
  }
  if (minlength < 0) refuse(Code::value, op, "minlength must not be negative", ">= 0", minlength);
  if (weights.defined() && !(weights.shape() == x.shape())) {
    throw mismatch(Code::shape, op.name, {"x ", x.shape(), " and weights must have the same shape"},
                   x.shape(), weights.shape());
  }
  DType dtype = weights.defined() && is_floating(weights.dtype()) ? weights.dtype() : DType::i64;
  Tensor each = weights.defined() ? to(weights, dtype) : ones(x.shape(), {dtype, x.device()});
  Tensor none = zeros({bins_of(op, x, minlength)}, {dtype, x.device()});
  try {
    return {scatter_add(none, 0, to(x, DType::i64), each)};
  } catch (const Error& e) {
    refuse(e.code, op, e.message(), e.expected, e.actual);
  }
}

void bincount_samples(Samples& s) {
  s.add({s.integers({12}, 0, 5)});
  s.add({s.integers({12}, 0, 5), s.uniform({12})}, box(BincountAttrs{9}));
  s.add({s.indices({3, 3, 0}), Tensor()}, box(BincountAttrs{2}));
  s.add({s.integers({0}, 0, 1), s.uniform({0})}, box(BincountAttrs{3}));
  s.add({s.indices({1, 1, 4}), s.mask({3})});
  s.refuse(Code::shape, {s.integers({2, 3}, 0, 5)});
  s.refuse(Code::shape, {s.indices({1, 2}), s.uniform({3})});
  s.refuse(Code::dtype, {s.uniform({3})});
  s.refuse(Code::index, {s.indices({1, -2})});
  s.refuse(Code::value, {s.indices({1})}, box(BincountAttrs{-1}));
  s.refuse(Code::resource, {s.indices({INT64_MAX})});
}

}  // namespace

extern constinit const OpDef unique_def{.name = "unique",
                                        .doc = "sorted unique values, inverse indices and counts",
                                        .args = kDiscreteArgs,
                                        .outputs = kUniqueOutputs,
                                        .visible = 3,
                                        .compose = unique_by_sort,
                                        .samples = unique_samples,
                                        .is_discrete = true};
UniqueResult unique(const Tensor& x) {
  Tensors r = apply(unique_def, Inputs(&x, 1));
  return {r[0], r[1], r[2]};
}

extern constinit const OpDef bincount_def{.name = "bincount",
                                          .doc = "counts of each non-negative integer",
                                          .args = kBincountArgs,
                                          .attrs = &record_of<BincountAttrs>,
                                          .compose = bincount_by_scatter_add,
                                          .samples = bincount_samples};
Tensor bincount(const Tensor& x, const Tensor& weights, int64_t minlength) {
  return apply_one(bincount_def, {x, weights}, box(BincountAttrs{minlength}));
}

}  // namespace gyre
