#include "gyre/ops/norm/norm.h"

#include "gyre/kernel/strided.h"
#include "gyre/op/apply.h"
#include "gyre/ops/define_rowwise.h"
#include "gyre/ops/reduce/define_reduction.h"

namespace gyre {

#define OP(name) extern const OpDef name##_def;
#define ROWWISE(name, Body) GYRE_DECLARE_TILES(RowwiseTiles, name) OP(name)
#include "gyre/ops/norm/norm.def"
#undef ROWWISE
#undef OP

namespace {

constexpr Arg kNormArgs[] = {{"x"}, {"weight", true}, {"bias", true}};
constexpr Arg kBackwardArgs[] = {{"g"}, {"y"}};
constexpr Arg kTargetArgs[] = {{"logits"}, {"target", false, false, false}};

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

// One axis where it lies, several joined to one.
Tensors logsumexp_by_rows(const void* attrs, Inputs in) {
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
  s.extreme({s.values({1e4, -1e4, 1e4 - 1})}, box(ReduceAttrs{}));
  s.refuse(Code::value, {s.uniform({2, 0})}, box(ReduceAttrs{}));
  s.refuse(Code::value, {s.uniform({2, 0})}, box(ReduceAttrs{{1}, false}));
}

// Backward from the result: x may be freed, and no exp is taken again.
Tensors softmax_vjp(const VjpArgs& a) {
  return {softmax_backward(a.grad[0], a.out[0], attrs_as<AxisAttrs>(a.attrs))};
}
Tensors log_softmax_vjp(const VjpArgs& a) {
  return {log_softmax_backward(a.grad[0], a.out[0], attrs_as<AxisAttrs>(a.attrs))};
}

void backward_samples(Samples& s) {
  s.add({s.uniform({3, 5}), s.uniform({3, 5})}, box(AxisAttrs{-1}));
  s.add({s.uniform({4, 3, 2}), s.uniform({4, 3, 2})}, box(AxisAttrs{0}));
  s.add({s.uniform({2, 70}), s.uniform({2, 70})}, box(AxisAttrs{1}));
  s.refuse(Code::index, {s.uniform({2, 3}), s.uniform({2, 3})}, box(AxisAttrs{2}));
  s.refuse(Code::shape, {s.uniform({2, 3}), s.uniform({2, 4})}, box(AxisAttrs{}));
}

void layer_norm_samples(Samples& s) {
  s.add({s.uniform({3, 5}), s.uniform({5}), s.uniform({5})}, box(NormAttrs{}));
  s.add({s.uniform({4, 2, 70}), s.uniform({70}), s.uniform({70})}, box(NormAttrs{-1, 1e-3}));
  s.add({s.uniform({6, 4, 3}), s.uniform({6, 1, 1}), s.uniform({3})}, box(NormAttrs{0, 1e-5}));
  s.add({s.uniform({3, 70}), Tensor(), Tensor()}, box(NormAttrs{}));
  s.add({s.uniform({4, 9, 2}), s.uniform({9, 2}), Tensor()}, box(NormAttrs{1, 1e-5}));
  s.extreme({s.values({2, 2, 2}), s.values({1, 2, 3}), s.values({0, 0, 0})}, box(NormAttrs{}));
  s.extreme({s.uniform({1}, 1e7, 2e7), s.values({1, 2, 3}), s.values({0, 0, 0})}, box(NormAttrs{}));
  s.refuse(Code::shape, {s.uniform({3, 5}), s.uniform({4}), s.uniform({5})}, box(NormAttrs{}));
}

void rms_norm_samples(Samples& s) {
  s.add({s.uniform({3, 5}), s.uniform({5})}, box(NormAttrs{}));
  s.add({s.uniform({4, 2, 70}), s.uniform({70})}, box(NormAttrs{-1, 1e-3}));
  s.add({s.uniform({6, 4, 3}), s.uniform({6, 1, 1})}, box(NormAttrs{0, 1e-5}));
  s.add({s.uniform({3, 70}), Tensor()}, box(NormAttrs{}));
  s.add({s.uniform({2, 9, 3}), Tensor()}, box(NormAttrs{1, 1e-5}));
  s.refuse(Code::shape, {s.uniform({3, 5}), s.uniform({4})}, box(NormAttrs{}));
}

void cross_entropy_samples(Samples& s) {
  s.add({s.uniform({4, 5}, -3, 3), s.integers({4}, 0, 5)}, box(AxisAttrs{}));
  s.add({s.uniform({2, 6, 3}, -3, 3), s.integers({2, 3}, 0, 6)}, box(AxisAttrs{1}));
  s.add({s.uniform({3, 80}, -3, 3), s.integers({3}, 0, 80)}, box(AxisAttrs{-1}));
  s.extreme({s.values({1e4, -1e4, 0}), s.integers({}, 0, 3)}, box(AxisAttrs{}));
  s.refuse(Code::index, {s.uniform({2, 3}), s.indices({0, 3})}, box(AxisAttrs{}));
  s.refuse(Code::index, {s.uniform({2, 3}), s.indices({0, -1})}, box(AxisAttrs{}));
  s.refuse(Code::shape, {s.uniform({2, 3}), s.indices({0, 1, 2})}, box(AxisAttrs{}));
  s.refuse(Code::dtype, {s.uniform({2, 3}), s.uniform({2})}, box(AxisAttrs{}));
  s.refuse(Code::shape, {s.uniform({}), s.integers({}, 0, 1)}, box(AxisAttrs{}));
}

void target_infer(const OpDef& op, const void* attrs, Inputs in, std::span<Meta> out) {
  if (DType d = in[1].dtype(); d != DType::i32 && d != DType::i64) {
    refuse(Code::dtype, op, std::string("target must be i32 or i64, is ") + name_of(d),
           "i32 or i64", name_of(d));
  }
  if (in[0].rank() == 0)
    refuse(Code::shape, op, "logits need an axis of classes", "[..., classes]", "[]");
  rowwise_infer(op, attrs, in, out);
}

Status check_targets(const View& logits, const View& target, int64_t axis) {
  if (numel(target.shape) == 0) return {};
  int rank = logits.shape.rank;
  int64_t classes = logits.shape[static_cast<int>(axis < 0 ? axis + rank : axis)];
  const View* views[] = {&target};
  StridedLoop loop(target.shape, views);
  Reader reader(loop, 0, Compute::i64);
  int64_t values[kTile];
  for (int64_t i = 0, n = loop.size(); i < n; i += kTile) {
    int64_t m = n - i < kTile ? n - i : kTile;
    const auto* t = static_cast<const int64_t*>(reader.read(i, m, values));
    for (int64_t j = 0; j < m; ++j) {
      if (t[j] < 0 || t[j] >= classes) return {true, Code::index, i + j, t[j], "target", classes};
    }
  }
  return {};
}

Status cross_entropy_cpu(const OpDef& op, const KernelArgs& args) noexcept {
  int64_t axis = attrs_as<AxisAttrs>(args.attrs).axis;
  if (Status s = check_targets(args.in[0], args.in[1], axis); s.failed) return s;
  return rowwise_cpu(op, args);
}

Tensors cross_entropy_compose(const void* attrs, Inputs in) {
  const auto& a = attrs_as<AxisAttrs>(attrs);
  const Shape &logits = in[0].shape(), &target = in[1].shape();
  int axis = normalize_axis(a.axis, logits.rank, cross_entropy_def.name);
  Shape rows;
  for (int i = 0; i < logits.rank; ++i) {
    if (i != axis) rows.push_back(logits[i]);
  }
  if (!(target == rows)) {
    refuse(Code::shape, cross_entropy_def,
           "logits " + to_string(logits) + " need target " + to_string(rows) + ", got " +
               to_string(target),
           to_string(rows), to_string(target));
  }
  return {mean(cross_entropy_rows(in[0], in[1], a))};
}

Tensors mse_compose(const void*, Inputs in) {
  const Shape &x = in[0].shape(), &y = in[1].shape();
  if (!(x == y)) {
    refuse(Code::shape, mse_def, "shapes differ, x is " + to_string(x) + ", y is " + to_string(y),
           to_string(x), to_string(y));
  }
  Tensor d = in[0] - in[1];
  return {mean(d * d)};
}

void mse_samples(Samples& s) {
  s.add({s.uniform({3, 5}), s.uniform({3, 5})});
  s.add({s.uniform({2, 3, 4}), s.uniform({2, 3, 4})});
  s.add({s.uniform({}), s.uniform({})});
  s.refuse(Code::shape, {s.uniform({2}), s.uniform({3})});
  s.refuse(Code::shape, {s.uniform({4, 1}), s.uniform({4})});
}

template <class Body>
constexpr OpDef define_axis(const char* name, const char* doc, const PerIsa<RowwiseTiles>& tiles) {
  OpDef d = define_rowwise<Body>(name, doc, kOneArg, tiles);
  d.samples = axis_samples<typename Body::Attrs>;
  return d;
}

// A row op whose reverse rule takes the result only: nothing hidden is kept.
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
    define_axis<Softmax>("softmax", "e^x / sum e^x along an axis", GYRE_TILES_OF(softmax)),
    softmax_vjp);
constinit const OpDef log_softmax_def =
    by_result(define_axis<LogSoftmax>("log_softmax", "x - log sum e^x along an axis",
                                      GYRE_TILES_OF(log_softmax)),
              log_softmax_vjp);
constinit const OpDef softmax_backward_def = [] {
  OpDef d = define_rowwise<SoftmaxBackward>("softmax_backward",
                                            "cotangent of softmax's operand by its result",
                                            kBackwardArgs, GYRE_TILES_OF(softmax_backward));
  d.samples = backward_samples;
  return d;
}();
constinit const OpDef log_softmax_backward_def = [] {
  OpDef d = define_rowwise<LogSoftmaxBackward>("log_softmax_backward",
                                               "cotangent of log_softmax's operand by its result",
                                               kBackwardArgs, GYRE_TILES_OF(log_softmax_backward));
  d.samples = backward_samples;
  d.ulp = 8;  // cotangents cancel in their sum
  return d;
}();
constinit const OpDef logsumexp_rows_def = define_axis<LogSumExp>(
    "logsumexp_rows", "log sum e^x along an axis", GYRE_TILES_OF(logsumexp_rows));
constinit const OpDef logsumexp_def = [] {
  OpDef d = define_op("logsumexp", "log sum e^x over axes", &record_of<ReduceAttrs>);
  d.compose = logsumexp_by_rows;
  d.samples = logsumexp_samples;
  return d;
}();
constinit const OpDef layer_norm_def = [] {
  OpDef d =
      define_rowwise<LayerNorm>("layer_norm", "(x - mean) / sqrt(variance + eps) * weight + bias",
                                kNormArgs, GYRE_TILES_OF(layer_norm));
  d.samples = layer_norm_samples;
  return d;
}();
constinit const OpDef rms_norm_def = [] {
  OpDef d = define_rowwise<RmsNorm>("rms_norm", "x / sqrt(mean of x^2 + eps) * weight",
                                    std::span(kNormArgs).first(2), GYRE_TILES_OF(rms_norm));
  d.samples = rms_norm_samples;
  return d;
}();
Tensor rms_norm(const Tensor& x, const Tensor& weight, const NormAttrs& a) {
  return apply_one(rms_norm_def, {x, weight}, box(a));
}
constinit const OpDef cross_entropy_rows_def = [] {
  OpDef d =
      define_rowwise<CrossEntropy>("cross_entropy_rows", "-log softmax(logits)[target] per row",
                                   kTargetArgs, GYRE_TILES_OF(cross_entropy_rows));
  d.infer = target_infer;
  d.kernels[Device::cpu] = cross_entropy_cpu;
  d.samples = cross_entropy_samples;
  return d;
}();
constinit const OpDef cross_entropy_def = [] {
  OpDef d;
  d.name = "cross_entropy";
  d.doc = "mean of -log softmax(logits)[target]";
  d.args = kTargetArgs;
  d.outputs = kOneOutput;
  d.attrs = &record_of<AxisAttrs>;
  d.compose = cross_entropy_compose;
  d.samples = cross_entropy_samples;
  return d;
}();
constinit const OpDef mse_def = [] {
  OpDef d;
  d.name = "mse";
  d.doc = "mean of (x - y)^2";
  d.args = kTwoArgs;
  d.outputs = kOneOutput;
  d.compose = mse_compose;
  d.samples = mse_samples;
  return d;
}();

Tensor softmax(const Tensor& x, const AxisAttrs& a) { return apply_one(softmax_def, {x}, box(a)); }
Tensor log_softmax(const Tensor& x, const AxisAttrs& a) {
  return apply_one(log_softmax_def, {x}, box(a));
}
Tensor softmax_backward(const Tensor& g, const Tensor& y, const AxisAttrs& a) {
  return apply_one(softmax_backward_def, {g, y}, box(a));
}
Tensor log_softmax_backward(const Tensor& g, const Tensor& y, const AxisAttrs& a) {
  return apply_one(log_softmax_backward_def, {g, y}, box(a));
}
Tensor logsumexp(const Tensor& x, const ReduceAttrs& a) {
  return apply_one(logsumexp_def, {x}, box(a));
}
Tensor layer_norm(const Tensor& x, const Tensor& weight, const Tensor& bias, const NormAttrs& a) {
  return apply_one(layer_norm_def, {x, weight, bias}, box(a));
}
Tensor cross_entropy_rows(const Tensor& logits, const Tensor& target, const AxisAttrs& a) {
  return apply_one(cross_entropy_rows_def, {logits, target}, box(a));
}
Tensor cross_entropy(const Tensor& logits, const Tensor& target, const AxisAttrs& a) {
  return apply_one(cross_entropy_def, {logits, target}, box(a));
}
Tensor mse(const Tensor& x, const Tensor& y) { return apply_one(mse_def, {x, y}); }

}  // namespace gyre
