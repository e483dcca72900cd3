#include "gyre/ops/linalg/products/products.h"

#include "gyre/op/apply.h"
#include "gyre/op/samples.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/linalg/matmul.h"
#include "gyre/ops/reduce/reduce.h"

namespace gyre {

extern const OpDef addmm_def, tensordot_def, kron_def, cross_def, trace_def, cdist_def;

namespace {

// A factor of 1 is left out, since a float would make integers floats.
Tensor scaled(const Tensor& x, double factor) { return factor == 1 ? x : mul(x, Tensor(factor)); }

Tensors addmm_compose(const OpDef& op, const void* attrs, Inputs in) {
  const auto& a = attrs_as<AddmmAttrs>(attrs);
  const Tensor product = scaled(matmul(in[1], in[2]), a.alpha);
  const Shape& shape = product.shape();
  if (broadcast(in[0].shape(), shape, op.name) != shape) {
    refuse(Code::shape, op, {"x is ", in[0].shape(), ", which does not broadcast to ", shape},
           shape, in[0].shape());
  }
  return {a.beta == 0 ? product : add(scaled(in[0], a.beta), product)};
}

void addmm_samples(Samples& s) {
  s.add({s.uniform({4}), s.uniform({2, 3}), s.uniform({3, 4})});
  s.add({s.uniform({2, 4}), s.uniform({2, 3}), s.uniform({3, 4})}, box(AddmmAttrs{0.5, -2}));
  s.add({s.uniform({2, 1}), s.uniform({2, 3}), s.uniform({3, 4})}, box(AddmmAttrs{0, 1}));
  s.add({s.uniform({5, 2, 4}), s.uniform({5, 2, 3}), s.uniform({3, 4})});
  s.add({s.uniform({}), s.uniform({2, 0}), s.uniform({0, 4})});
  s.refuse(Code::shape, {s.uniform({3}), s.uniform({2, 3}), s.uniform({3, 4})});
  s.refuse(Code::shape, {s.uniform({7, 2, 4}), s.uniform({2, 3}), s.uniform({3, 4})});
  s.refuse(Code::shape, {s.uniform({4}), s.uniform({2, 3}), s.uniform({4, 4})});
}

// The given axes, each once and from 0.
Shape checked_axes(const OpDef& op, const Shape& axes, int rank) {
  Shape all;
  for (int64_t given : axes) {
    const int axis = normalize_axis(given, rank, op.name);
    for (int64_t before : all) {
      if (before == axis) refuse(Code::value, op, {"axes ", axes, " repeat axis ", axis});
    }
    all.push_back(axis);
  }
  return all;
}

// x as a matrix: its axes that are not in `summed`, then those, or the other way round; the sizes
// of the former are appended to `kept`.
Tensor as_factor(const Tensor& x, const Shape& summed, bool summed_first, Shape& kept) {
  Shape others;
  int64_t n = 1;
  for (int64_t axis : summed) n *= x.size(axis);
  for (int axis = 0; axis < x.rank(); ++axis) {
    bool is_summed = false;
    for (int64_t s : summed) is_summed |= s == axis;
    if (is_summed) continue;
    others.push_back(axis);
    kept.push_back(x.size(axis));
  }
  int64_t m = 1;
  for (int64_t axis : others) m *= x.size(axis);
  const Tensor ordered = permute(x, summed_first ? concat(summed, others) : concat(others, summed));
  return reshape(ordered, summed_first ? Shape{n, m} : Shape{m, n});
}

Tensors tensordot_compose(const OpDef& op, const void* attrs, Inputs in) {
  const auto& a = attrs_as<TensordotAttrs>(attrs);
  if (a.x_axes.rank != a.y_axes.rank) {
    refuse(Code::value, op,
           {"x_axes ", a.x_axes, " and y_axes ", a.y_axes, " must have the same length"});
  }
  const Shape of_x = checked_axes(op, a.x_axes, in[0].rank());
  const Shape of_y = checked_axes(op, a.y_axes, in[1].rank());
  for (int i = 0; i < of_x.rank; ++i) {
    const int64_t m = in[0].size(of_x[i]), n = in[1].size(of_y[i]);
    if (m != n) {
      refuse(Code::shape, op,
             {"axis ", of_x[i], " of x has ", m, " elements, axis ", of_y[i], " of y has ", n}, m,
             n);
    }
  }
  if (in[0].rank() == 0 || in[1].rank() == 0) return {mul(in[0], in[1])};  // numbers stay weak
  Shape kept;
  const Tensor x = as_factor(in[0], of_x, false, kept), y = as_factor(in[1], of_y, true, kept);
  return {reshape(matmul(x, y), kept)};
}

void tensordot_samples(Samples& s) {
  s.add({s.uniform({2, 3}), s.uniform({3, 4})}, box(TensordotAttrs{{1}, {0}}));
  s.add({s.uniform({2, 3, 4}), s.uniform({4, 5, 3})}, box(TensordotAttrs{{1, -1}, {2, 0}}));
  s.add({s.uniform({2, 3}), s.uniform({2, 3})}, box(TensordotAttrs{{0, 1}, {0, 1}}));
  s.add({s.uniform({2}), s.uniform({3})});
  s.add({s.uniform({2, 0}), s.uniform({0, 3})}, box(TensordotAttrs{{1}, {0}}));
  s.refuse(Code::shape, {s.uniform({2, 3}), s.uniform({4, 3})}, box(TensordotAttrs{{1}, {0}}));
  s.refuse(Code::value, {s.uniform({2, 3}), s.uniform({3})}, box(TensordotAttrs{{1}, {}}));
  s.refuse(Code::value, {s.uniform({3, 3}), s.uniform({3, 3})},
           box(TensordotAttrs{{1, 1}, {0, 1}}));
  s.refuse(Code::index, {s.uniform({2, 3}), s.uniform({3})}, box(TensordotAttrs{{2}, {0}}));
}

Tensors kron_compose(const OpDef&, const void*, Inputs in) {
  if (in[0].rank() == 0 || in[1].rank() == 0) return {mul(in[0], in[1])};  // numbers stay weak
  const int rank = in[0].rank() > in[1].rank() ? in[0].rank() : in[1].rank();
  Shape of_x, of_y, product;
  for (int i = 0; i < rank; ++i) {
    const int j = i - (rank - in[0].rank()), k = i - (rank - in[1].rank());
    const int64_t m = j < 0 ? 1 : in[0].shape()[j], n = k < 0 ? 1 : in[1].shape()[k];
    for (int64_t size : {m, int64_t{1}}) of_x.push_back(size);
    for (int64_t size : {int64_t{1}, n}) of_y.push_back(size);
    product.push_back(m * n);
  }
  return {reshape(mul(reshape(in[0], of_x), reshape(in[1], of_y)), product)};
}

void kron_samples(Samples& s) {
  s.add({s.uniform({2, 3}), s.uniform({5, 4})});
  s.add({s.uniform({4}), s.uniform({2, 3})});
  s.add({s.uniform({}), s.uniform({3})});
  s.add({s.uniform({0, 2}), s.uniform({3, 1})});
  s.add({s.integers({2, 2}, -5, 5), s.integers({3}, -5, 5)});
  s.refuse(Code::shape, {s.uniform({1, 1, 1, 1, 1, 1, 1, 1, 1}), s.uniform({2})});
}

// x_(i+1) y_(i+2) - x_(i+2) y_(i+1), indices modulo 3.
Tensors cross_compose(const OpDef& op, const void* attrs, Inputs in) {
  const Shape shape = broadcast(in[0].shape(), in[1].shape(), op.name);
  const int axis = normalize_axis(attrs_as<CrossAttrs>(attrs).axis, shape.rank, op.name);
  const int64_t n = in[0].rank() && in[1].rank() ? shape[axis] : 1;
  if (n != 3) {
    refuse(Code::shape, op,
           {"expected vectors of 3 elements along axis ", axis, ", got ", n, " elements"}, 3, n);
  }
  const Tensor x = expand(in[0], shape), y = expand(in[1], shape);
  const auto next = [axis](const Tensor& v, int64_t by) { return roll(v, -by, axis); };
  return {sub(mul(next(x, 1), next(y, 2)), mul(next(x, 2), next(y, 1)))};
}

void cross_samples(Samples& s) {
  s.add({s.uniform({3}), s.uniform({3})});
  s.add({s.uniform({4, 3}), s.uniform({3})});
  s.add({s.uniform({3, 2}), s.uniform({3, 1})}, box(CrossAttrs{0}));
  s.add({s.integers({2, 3}, -5, 5), s.integers({2, 3}, -5, 5)});
  s.refuse(Code::shape, {s.uniform({2}), s.uniform({2})});
  s.refuse(Code::shape, {s.uniform({}), s.uniform({})});
  s.refuse(Code::shape, {s.uniform({4, 3}), s.uniform({5, 3})});
  s.refuse(Code::index, {s.uniform({3}), s.uniform({3})}, box(CrossAttrs{1}));
}

Tensors trace_compose(const OpDef&, const void* attrs, Inputs in) {
  return {sum(diagonal(in[0], attrs_as<DiagonalAttrs>(attrs)), -1)};
}

void trace_samples(Samples& s) {
  s.add({s.uniform({3, 4})});
  s.add({s.uniform({3, 4})}, box(DiagonalAttrs{1, 0, 1}));
  s.add({s.uniform({2, 3, 3})}, box(DiagonalAttrs{0, -2, -1}));
  s.add({s.uniform({0, 3})});
  s.add({s.integers({3, 3}, -5, 5)});
  s.refuse(Code::shape, {s.uniform({3})});
  s.refuse(Code::value, {s.uniform({3, 3})}, box(DiagonalAttrs{0, 1, 1}));
}

Tensors cdist_compose(const OpDef& op, const void* attrs, Inputs in) {
  const Shape &x = in[0].shape(), &y = in[1].shape();
  if (x.rank < 2 || y.rank < 2 || x.back() != y.back()) {
    refuse(Code::shape, op, {"expected x [..., m, d] and y [..., n, d], got ", x, " and ", y},
           "[..., m, d] and [..., n, d]", {x, " and ", y});
  }
  const auto floats = [](const Tensor& t) {
    return is_floating(t.dtype()) ? t : to(t, DType::f32);
  };
  const Tensor differences = sub(unsqueeze(floats(in[0]), -2), unsqueeze(floats(in[1]), -3));
  return {norm(differences, PNormAttrs{{-1}, false, attrs_as<CdistAttrs>(attrs).p})};
}

void cdist_samples(Samples& s) {
  s.add({s.uniform({3, 4}), s.uniform({5, 4}, 2, 3)});
  s.add({s.uniform({2, 3, 2}), s.uniform({1, 4, 2}, 2, 3)}, box(CdistAttrs{1}));
  s.add({s.uniform({3, 2}), s.uniform({2, 3, 2}, 2, 3)}, box(CdistAttrs{3}));
  s.add({s.uniform({0, 4}), s.uniform({5, 4})});
  s.extreme({reshape(s.values({1, 2, 3, 4}), {2, 2}), reshape(s.values({1, 2, 5, 6}), {2, 2})});
  s.refuse(Code::shape, {s.uniform({3, 4}), s.uniform({3, 5})});
  s.refuse(Code::shape, {s.uniform({4}), s.uniform({3, 4})});
}

constexpr Arg kAddmmArgs[] = {{"x"}, {"a"}, {"b"}};

}  // namespace

constinit const OpDef addmm_def{.name = "addmm",
                                .doc = "matrix product added to a tensor: beta x + alpha a b",
                                .args = kAddmmArgs,
                                .attrs = &record_of<AddmmAttrs>,
                                .compose = addmm_compose,
                                .samples = addmm_samples};
constinit const OpDef tensordot_def{.name = "tensordot",
                                    .doc = "sum of products over pairs of axes of two tensors",
                                    .args = kTwoArgs,
                                    .attrs = &record_of<TensordotAttrs>,
                                    .compose = tensordot_compose,
                                    .samples = tensordot_samples};
constinit const OpDef kron_def{.name = "kron",
                               .doc = "Kronecker product: every element of x times y",
                               .args = kTwoArgs,
                               .compose = kron_compose,
                               .samples = kron_samples};
constinit const OpDef cross_def{.name = "cross",
                                .doc = "cross product of 3-d vectors along an axis",
                                .args = kTwoArgs,
                                .attrs = &record_of<CrossAttrs>,
                                .compose = cross_compose,
                                .samples = cross_samples};
constinit const OpDef trace_def{.name = "trace",
                                .doc = "trace: sum of the diagonal of two axes",
                                .attrs = &record_of<DiagonalAttrs>,
                                .compose = trace_compose,
                                .samples = trace_samples};
constinit const OpDef cdist_def{.name = "cdist",
                                .doc = "pairwise distances of rows: p-norm of x_i - y_j",
                                .args = kTwoArgs,
                                .attrs = &record_of<CdistAttrs>,
                                .compose = cdist_compose,
                                .samples = cdist_samples};

GYRE_FUNCTION_3(addmm, AddmmAttrs)
GYRE_FUNCTION_2(tensordot, TensordotAttrs)
Tensor kron(const Tensor& x, const Tensor& y) { return apply_one(kron_def, {x, y}); }
GYRE_FUNCTION_2(cross, CrossAttrs)
GYRE_FUNCTION_1(trace, DiagonalAttrs)
GYRE_FUNCTION_2(cdist, CdistAttrs)

}  // namespace gyre
