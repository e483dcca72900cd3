#include "gyre/ops/norm/norm.h"

#include "gyre/op/apply.h"
#include "gyre/ops/define_rowwise.h"
#include "gyre/ops/reduce/define_reduction.h"

namespace gyre {

#define GYRE_OPS "gyre/ops/norm/norm.def"
#include "gyre/kernel/declare_ops.def"

namespace {

constexpr Arg kNormArgs[] = {
    {"x"}, {.name = "weight", .optional = true}, {.name = "bias", .optional = true}};
constexpr Arg kBackwardArgs[] = {{"g"}, {"y"}};

template <class Attrs>
void axis_samples(Samples& s) {
  auto with = [](int64_t axis) {
    Attrs a;
    a.axis = axis;
    return box(a);
  };
  s.add({s.uniform({3, 5}, -4, 4)}, with(-1));
  s.add({s.uniform({4, 3, 2}, -4, 4)}, with(0));
  s.add({s.uniform({2, 70}, -4, 4)}, with(1));
  s.add({s.uniform({2, 9, 40}, -4, 4)}, with(1));
  s.add({s.uniform({1}, -4, 4)}, with(0));
  if constexpr (requires(Attrs a) { a.keepdim; }) {
    s.add({s.uniform({3, 5, 4}, -4, 4)}, box(Attrs{1, true}));
  }
  s.extreme({s.values({1e4, -1e4, 1e4 - 1})}, with(0));
  s.refuse(Code::index, {s.uniform({2, 3})}, with(2));
  s.refuse(Code::value, {s.uniform({2, 0})}, with(1));
}

// A single axis in place, several merged into one.
Tensors logsumexp_by_rows(const OpDef&, const void* attrs, Inputs in) {
  const auto& a = attrs_as<ReduceAttrs>(attrs);
  const Tensor& x = in[0];
  if (a.axes.rank == 1) {
    return {apply_one(logsumexp_rows_def, {x}, box(AxisKeepAttrs{a.axes[0], a.keepdim}))};
  }
  JoinedAxes joined(logsumexp_def, a.axes, x.shape());
  Tensor y = apply_one(logsumexp_rows_def, {joined.join(x)}, box(AxisKeepAttrs{}));
  return {reshape(y, reduced_shape(logsumexp_def, a, x.shape()))};
}

void logsumexp_samples(Samples& s) {
  reduction_samples(s, -4, 4);
  s.add({s.uniform({3, 0, 2})}, box(ReduceAttrs{{0}, false}));
  s.extreme({s.values({1e4, -1e4, 1e4 - 1})});
  s.refuse(Code::value, {s.uniform({2, 0})});
  s.refuse(Code::value, {s.uniform({2, 0})}, box(ReduceAttrs{{1}, false}));
}

// Gradient from the output: x may be freed and exp is not recomputed.
Tensors softmax_vjp(const VjpArgs& a) {
  return {softmax_backward(a.grad[0], a.out[0], attrs_as<AxisAttrs>(a.attrs))};
}
Tensors log_softmax_vjp(const VjpArgs& a) {
  return {log_softmax_backward(a.grad[0], a.out[0], attrs_as<AxisAttrs>(a.attrs))};
}

void backward_samples(Samples& s) {
  s.add({s.uniform({3, 5}), s.uniform({3, 5})});
  s.add({s.uniform({4, 3, 2}), s.uniform({4, 3, 2})}, box(AxisAttrs{0}));
  s.add({s.uniform({2, 70}), s.uniform({2, 70})}, box(AxisAttrs{1}));
  s.refuse(Code::index, {s.uniform({2, 3}), s.uniform({2, 3})}, box(AxisAttrs{2}));
  s.refuse(Code::shape, {s.uniform({2, 3}), s.uniform({2, 4})});
}

void layer_norm_samples(Samples& s) {
  s.add({s.uniform({3, 5}), s.uniform({5}), s.uniform({5})});
  s.add({s.uniform({4, 2, 70}), s.uniform({70}), s.uniform({70})}, box(NormAttrs{-1, 1e-3}));
  s.add({s.uniform({6, 4, 3}), s.uniform({6, 1, 1}), s.uniform({3})}, box(NormAttrs{0, 1e-5}));
  s.add({s.uniform({3, 70}), Tensor(), Tensor()});
  s.add({s.uniform({4, 9, 2}), s.uniform({9, 2}), Tensor()}, box(NormAttrs{1, 1e-5}));
  s.extreme({s.values({2, 2, 2}), s.values({1, 2, 3}), s.values({0, 0, 0})});
  s.extreme({s.uniform({1}, 1e7, 2e7), s.values({1, 2, 3}), s.values({0, 0, 0})});
  s.refuse(Code::shape, {s.uniform({3, 5}), s.uniform({4}), s.uniform({5})});
}

void rms_norm_samples(Samples& s) {
  s.add({s.uniform({3, 5}), s.uniform({5})});
  s.add({s.uniform({4, 2, 70}), s.uniform({70})}, box(NormAttrs{-1, 1e-3}));
  s.add({s.uniform({6, 4, 3}), s.uniform({6, 1, 1})}, box(NormAttrs{0, 1e-5}));
  s.add({s.uniform({3, 70}), Tensor()});
  s.add({s.uniform({2, 9, 3}), Tensor()}, box(NormAttrs{1, 1e-5}));
  s.refuse(Code::shape, {s.uniform({3, 5}), s.uniform({4})});
}

void cosine_similarity_samples(Samples& s) {
  s.add({s.uniform({3, 5}), s.uniform({1, 5})});
  s.add({s.uniform({4, 3, 2}), s.uniform({3, 1})}, box(CosineAttrs{1, 1e-8}));
  s.add({s.uniform({2, 70}), s.uniform({70})}, box(CosineAttrs{-1, 1e-3}));
  s.extreme({s.values({0, 0}), s.values({1, 2})}, box(CosineAttrs{-1, 1e-3}));
  s.refuse(Code::shape, {s.uniform({2, 3}), s.uniform({2, 4})});
  s.refuse(Code::index, {s.uniform({2, 3}), s.uniform({2, 3})}, box(CosineAttrs{2, 1e-8}));
}

template <class Body>
constexpr OpDef define_axis(const char* name, const char* doc, const PerIsa<RowwiseTiles>& tiles) {
  return define_rowwise<Body>(name, doc, kOneArg, tiles, axis_samples<typename Body::Attrs>);
}

// A row op whose gradient uses the output only: no hidden outputs are saved.
constexpr OpDef by_result(OpDef d, Vjp vjp) {
  d.outputs = d.outputs.first(static_cast<size_t>(d.visible));
  d.vjp = vjp;
  d.vjp_first = nullptr;
  d.saves_in = 0;
  d.saves_out = 1;
  return d;
}

}  // namespace

constinit const OpDef softmax_def = by_result(
    define_axis<Softmax>("softmax", "softmax along an axis: e^x / sum e^x", GYRE_TILES_OF(softmax)),
    softmax_vjp);
constinit const OpDef log_softmax_def =
    by_result(define_axis<LogSoftmax>("log_softmax", "log-softmax along an axis: x - log sum e^x",
                                      GYRE_TILES_OF(log_softmax)),
              log_softmax_vjp);
constinit const OpDef softmax_backward_def = define_rowwise<SoftmaxBackward>(
    "softmax_backward", "gradient of softmax from its output", kBackwardArgs,
    GYRE_TILES_OF(softmax_backward), backward_samples);
constinit const OpDef log_softmax_backward_def = [] {
  OpDef d = define_rowwise<LogSoftmaxBackward>(
      "log_softmax_backward", "gradient of log_softmax from its output", kBackwardArgs,
      GYRE_TILES_OF(log_softmax_backward), backward_samples);
  d.ulp = 8;  // gradients cancel in their sum
  return d;
}();
constinit const OpDef logsumexp_rows_def = define_axis<LogSumExp>(
    "logsumexp_rows", "log-sum-exp along one axis: log sum e^x", GYRE_TILES_OF(logsumexp_rows));
constinit const OpDef logsumexp_def{.name = "logsumexp",
                                    .doc = "log-sum-exp over axes: log sum e^x",
                                    .attrs = &record_of<ReduceAttrs>,
                                    .compose = logsumexp_by_rows,
                                    .samples = logsumexp_samples};
constinit const OpDef layer_norm_def = define_rowwise<LayerNorm>(
    "layer_norm", "layer normalisation: (x - mean) / sqrt(variance + eps) * weight + bias",
    kNormArgs, GYRE_TILES_OF(layer_norm), layer_norm_samples);
constinit const OpDef rms_norm_def = define_rowwise<RmsNorm>(
    "rms_norm", "root mean square normalisation: x / sqrt(mean(x^2) + eps) * weight",
    std::span(kNormArgs).first(2), GYRE_TILES_OF(rms_norm), rms_norm_samples);
constinit const OpDef cosine_similarity_def = define_rowwise<CosineSimilarity>(
    "cosine_similarity", "cosine similarity along an axis: x . y / (|x| |y|)", kTwoArgs,
    GYRE_TILES_OF(cosine_similarity), cosine_similarity_samples);

GYRE_FUNCTION_1(softmax, AxisAttrs)
GYRE_FUNCTION_1(log_softmax, AxisAttrs)
GYRE_FUNCTION_2(softmax_backward, AxisAttrs)
GYRE_FUNCTION_2(log_softmax_backward, AxisAttrs)
GYRE_FUNCTION_1(logsumexp, ReduceAttrs)
GYRE_FUNCTION_3(layer_norm, NormAttrs)
GYRE_FUNCTION_2(rms_norm, NormAttrs)
GYRE_FUNCTION_2(cosine_similarity, CosineAttrs)

}  // namespace gyre
