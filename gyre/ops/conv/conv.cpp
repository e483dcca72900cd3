#include "gyre/ops/conv/conv.h"

#include <numeric>

#include "gyre/kernel/copy.h"
#include "gyre/kernel/strided.h"
#include "gyre/op/apply.h"
#include "gyre/op/launch.h"
#include "gyre/op/samples.h"
#include "gyre/ops/conv/correlation.h"
#include "gyre/ops/conv/window.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/reduce/reduce.h"

namespace gyre {

extern const OpDef conv2d_weight_gradient_def;

namespace {

constexpr Arg kConvArgs[] = {{"x"}, {"weight"}, {.name = "bias", .optional = true}};
constexpr Arg kGradientArgs[] = {{"x"}, {"grad"}};

DType floating_dtype(const OpDef& op, Inputs in) {
  DType d = in[0].dtype();
  for (size_t i = 1; i < in.size(); ++i) {
    if (in[i].defined()) d = promote(d, in[i].dtype());
  }
  if (!is_floating(d)) {
    throw mismatch(Code::dtype, op.name, "expected a floating dtype", "a floating dtype", d);
  }
  return d;
}

bool is_biased(Inputs in) { return in.size() > 2 && in[2].defined(); }

[[noreturn]] void refuse_shapes(const OpDef& op, const Message& what, const Tensor& x,
                                const Tensor& other) {
  refuse(Code::shape, op,
         {what, ", x is ", x.shape(), ", ", op.args[1].name, " is ", other.shape()}, x.shape(),
         other.shape());
}

// Checks ranks and groups of an op on x [N, C, H, W] and another 4-D tensor. `in` and `out` are the
// channels that must be a multiple of groups.
void check_images(const OpDef& op, const Tensor& x, const Tensor& other) {
  if (x.rank() != 4 || other.rank() != 4)
    refuse_shapes(op, "expected two tensors with 4 axes", x, other);
}

void check_groups(const OpDef& op, int64_t groups, int64_t channels, const char* of) {
  if (groups < 1 || channels % groups != 0) {
    throw mismatch(Code::value, op.name,
                   {"groups must divide the channels of ", of, ", ", channels},
                   {"a divisor of ", channels}, groups);
  }
}

void check_bias(const OpDef& op, Inputs in, int64_t out) {
  if (is_biased(in) && !(in[2].shape() == Shape{out})) {
    throw mismatch(Code::shape, op.name, {"expected bias ", Shape{out}, ", one per output channel"},
                   Shape{out}, in[2].shape());
  }
}

Shape last_two(const Shape& s) { return {s.back(1), s.back()}; }

Windows windows_of(const OpDef& op, const ConvAttrs& a, const Shape& weight) {
  return windows_of(op, last_two(weight), a.stride, a.padding, a.dilation);
}

// --- kernels

WindowAxis axis_of(const Window& w, int64_t size, int64_t windows) {
  return {size, windows, w.stride, -w.padding, w.kernel, w.dilation};
}

size_t dense_bytes(const Tensor& t) {
  return t.defined() ? (static_cast<size_t>(t.numel()) * sizeof(double) + 63) / 64 * 64 : 0;
}

// Scratch for copies of weight and bias.
size_t operands_scratch(const void*, Inputs in) {
  return dense_bytes(in[1]) + (is_biased(in) ? dense_bytes(in[2]) : 0);
}

// The bias, without data if there is none.
View bias_of(const KernelArgs& args) { return args.in.size() > 2 ? args.in[2] : View{}; }

Status conv2d_kernel(const OpDef& op, const KernelArgs& args) noexcept {
  const View &x = args.in[0], &weight = args.in[1], &out = args.out[0];
  if (numel(out.shape) == 0) return {};
  const auto& a = attrs_as<ConvAttrs>(args.attrs);
  const Windows w = windows_of(op, a, weight.shape);
  const Compute compute = compute_of(out.dtype);
  std::byte* scratch = args.scratch;
  View weights = weight, bias = bias_of(args);
  for (View* v : {&weights, &bias}) {
    if (!v->data) continue;
    if (Status s = make_dense(*v, dtype_of(compute), scratch); s.failed) return s;
  }
  const CorrelatePlan plan{
      {x, out, axis_of(w.y, x.shape[2], out.shape[2]), axis_of(w.x, x.shape[3], out.shape[3]),
       a.groups, weight.shape[1], weight.shape[0] / a.groups},
      compute,
      weights.data,
      bias.data};
  return launch<run_correlate>(op, args, plan);
}

// --- conv2d

void conv2d_infer(const OpDef& op, const void* attrs, Inputs in, std::span<Meta> out) {
  const auto& a = attrs_as<ConvAttrs>(attrs);
  const Tensor &x = in[0], &weight = in[1];
  check_images(op, x, weight);
  check_groups(op, a.groups, weight.size(0), "the result");
  if (x.size(1) != weight.size(1) * a.groups) {
    refuse_shapes(op,
                  {"x has ", x.size(1), " channels, but weight with groups=", a.groups, " expects ",
                   weight.size(1) * a.groups},
                  x, weight);
  }
  check_bias(op, in, weight.size(0));
  const Pair counts = window_counts(op, windows_of(op, a, weight.shape()), x.shape());
  out[0].shape = {x.size(0), weight.size(0), counts.y, counts.x};
  out[0].dtype = floating_dtype(op, in);
}

// The output_padding of conv_transpose2d that restores an image of this size.
Shape left_over(const Windows& w, const Shape& image) {
  const auto along = [](const Window& v, int64_t size) {
    return (size + 2 * v.padding - v.extent()) % v.stride;
  };
  return {along(w.y, image.back(1)), along(w.x, image.back())};
}

ConvWeightAttrs weight_attrs(const Shape& kernel, const auto& a) {
  return {kernel, a.stride, a.padding, a.dilation, a.groups};
}

// Zeros for the gradient of an operand if that image has no elements: then there are no windows,
// and the gradients of all products are 0.
bool sets_no_elements(const VjpArgs& v, size_t image, size_t i, Tensors& r) {
  if (!v.wanted[i] || numel(v.in_meta[image].shape) != 0) return false;
  r[i] = zeros(v.in_meta[i].shape, {.dtype = v.in_meta[i].dtype, .device = v.in_meta[i].device});
  return true;
}

Tensors conv2d_vjp(const VjpArgs& v) {
  const auto& a = attrs_as<ConvAttrs>(v.attrs);
  const Tensor& g = v.grad[0];
  const Shape &x = v.in_meta[0].shape, &weight = v.in_meta[1].shape;
  Tensors r(v.in_meta.size());
  if (v.wanted[0] && !sets_no_elements(v, 0, 0, r)) {
    const Windows w = windows_of(v.op, a, weight);
    r[0] = conv_transpose2d(g, v.in[1], {},
                            {a.stride, a.padding, left_over(w, x), a.dilation, a.groups});
  }
  if (v.wanted[1]) r[1] = conv2d_weight_gradient(v.in[0], g, weight_attrs(last_two(weight), a));
  if (v.wanted.size() > 2 && v.wanted[2]) r[2] = sum(g, {{0, 2, 3}});
  return r;
}

void conv2d_samples(Samples& s) {
  s.add({s.uniform({2, 3, 5, 6}), s.uniform({4, 3, 3, 2}), s.uniform({4})});
  s.add({s.uniform({2, 4, 7, 6}), s.uniform({6, 2, 3, 3}), Tensor()},
        box(ConvAttrs{{2, 1}, {1, 2}, {1, 2}, 2}));
  s.add({s.uniform({1, 6, 4, 5}), s.uniform({6, 1, 3, 3}), s.uniform({6})},
        box(ConvAttrs{{1}, {1}, {1}, 6}));
  s.add({s.uniform({2, 2, 6, 9}), s.uniform({9, 2, 1, 1}), Tensor()}, box(ConvAttrs{{3}}));
  s.add({s.uniform({2, 3, 8, 7}), s.uniform({5, 3, 2, 3}), s.uniform({5})},
        box(ConvAttrs{{2, 3}, {1, 0}, {3, 2}, 1}));
  s.add({s.uniform({1, 20, 6, 6}, 0, 1), s.uniform({9, 20, 5, 6}, 0, 1), s.uniform({9})},
        box(ConvAttrs{{1}, {2, 3}}));
  s.add({s.uniform({1, 1, 1, 1}), s.uniform({5, 1, 3, 3}), s.uniform({5})},
        box(ConvAttrs{{1}, {2}}));
  s.add({s.uniform({0, 3, 4, 4}), s.uniform({2, 3, 3, 3}), s.uniform({2})});
  s.add({s.uniform({2, 0, 4, 4}), s.uniform({3, 0, 3, 3}), s.uniform({3})});
  const auto with = [&](Code code, const Shape& x, const Shape& weight, const ConvAttrs& a) {
    s.refuse(code, {s.uniform(x), s.uniform(weight), Tensor()}, box(a));
  };
  with(Code::shape, {3, 5, 5}, {4, 3, 3, 3}, {});
  with(Code::shape, {1, 3, 5, 5}, {4, 2, 3, 3}, {});
  with(Code::shape, {1, 3, 2, 5}, {4, 3, 3, 3}, {});
  with(Code::value, {1, 4, 5, 5}, {3, 2, 3, 3}, {{1}, {0}, {1}, 2});
  with(Code::value, {1, 4, 5, 5}, {4, 2, 3, 3}, {{1}, {0}, {1}, 0});
  with(Code::value, {1, 3, 5, 5}, {4, 3, 3, 3}, {{0}});
  with(Code::value, {1, 3, 5, 5}, {4, 3, 3, 3}, {{1}, {-1}});
  with(Code::value, {1, 3, 5, 5}, {4, 3, 3, 3}, {{1}, {int64_t{1} << 40}});
  with(Code::value, {1, 3, 5, 5}, {4, 3, 3, 3}, {{1, 1, 1}});
  s.refuse(Code::shape, {s.uniform({1, 3, 5, 5}), s.uniform({4, 3, 3, 3}), s.uniform({3})});
  s.refuse(Code::dtype, {s.integers({1, 3, 5, 5}, 0, 9), s.integers({4, 3, 3, 3}, 0, 9), Tensor()});
}

// --- conv_transpose2d

int64_t transposed_size(const Window& w, int64_t size, int64_t more) {
  return (size - 1) * w.stride - 2 * w.padding + w.extent() + more;
}

void conv_transpose2d_infer(const OpDef& op, const void* attrs, Inputs in, std::span<Meta> out) {
  const auto& a = attrs_as<ConvTransposeAttrs>(attrs);
  const Tensor &x = in[0], &weight = in[1];
  check_images(op, x, weight);
  check_groups(op, a.groups, x.size(1), "x");
  if (x.size(1) != weight.size(0)) {
    refuse_shapes(op, {"channels ", x.size(1), " and ", weight.size(0), " differ"}, x, weight);
  }
  check_bias(op, in, weight.size(1) * a.groups);
  const Windows w = windows_of(op, last_two(weight.shape()), a.stride, a.padding, a.dilation);
  const Pair more = pair_of(op, "output_padding", a.output_padding, 0);
  if (more.y >= w.y.stride || more.x >= w.x.stride) {
    const Pair strides{w.y.stride, w.x.stride};
    refuse(Code::value, op,
           "output_padding must be less than stride, is " + text_of(more) + ", stride is " +
               text_of(strides),
           "less than " + text_of(strides), text_of(more));
  }
  const Pair size = pair_of(op, "size of x", last_two(x.shape()), 0);
  const Pair result{transposed_size(w.y, size.y, more.y), transposed_size(w.x, size.x, more.x)};
  if (result.y < 1 || result.x < 1) {
    refuse_shapes(op, "the result would be " + text_of(result), x, weight);
  }
  out[0].shape = {x.size(0), weight.size(1) * a.groups, result.y, result.x};
  out[0].dtype = floating_dtype(op, in);
}

/// The results at phase, phase + stride, ... of a transposed convolution see x through windows of
/// every step-th element of the weights, from `last` backwards.
struct Phase {
  WindowAxis axis;
  int64_t last = 0, step = 1;

  Phase(const Window& w, int64_t size, int64_t results, int64_t phase) {
    const int64_t common = std::gcd(w.stride, w.dilation);
    step = w.stride / common;
    int64_t first = 0;
    while (first < step && (phase + w.padding - first * w.dilation) % w.stride != 0) ++first;
    const bool met = first < step && first < w.kernel;
    axis.size = size;
    axis.windows = (results - phase + w.stride - 1) / w.stride;
    axis.taps = met ? (w.kernel - 1 - first) / step + 1 : 0;
    axis.pace = w.dilation / common;
    last = met ? first + (axis.taps - 1) * step : 0;
    axis.first = (phase + w.padding - last * w.dilation) / w.stride;
  }
};

// The weights of a phase (position modulo stride) as [groups, out, in, taps, taps].
View weights_of(const View& weight, int64_t groups, const Phase& y, const Phase& x) {
  const Shape& s = weight.strides;
  const int64_t channels = weight.shape[0] / groups;
  View v = weight;
  v.shape = {groups, weight.shape[1], channels, y.axis.taps, x.axis.taps};
  v.strides = {channels * s[0], s[1], s[0], -y.step * s[2], -x.step * s[3]};
  v.data += (y.last * s[2] + x.last * s[3]) * static_cast<int64_t>(size_of(v.dtype));
  return v;
}

Status conv_transpose2d_kernel(const OpDef& op, const KernelArgs& args) noexcept {
  const View &x = args.in[0], &weight = args.in[1], &out = args.out[0];
  if (numel(out.shape) == 0) return {};
  const auto& a = attrs_as<ConvTransposeAttrs>(args.attrs);
  const Windows w = windows_of(op, last_two(weight.shape), a.stride, a.padding, a.dilation);
  const Compute compute = compute_of(out.dtype);
  std::byte* scratch = args.scratch;
  View bias = bias_of(args);
  if (bias.data) {
    if (Status s = make_dense(bias, dtype_of(compute), scratch); s.failed) return s;
  }
  CorrelatePlan plan{{x, out, {}, {}, a.groups, x.shape[1] / a.groups, weight.shape[1]},
                     compute,
                     nullptr,
                     bias.data};
  for (int64_t i = 0; i < w.y.stride && i < out.shape[2]; ++i) {
    const Phase y(w.y, x.shape[2], out.shape[2], i);
    const View rows = slice_of(out, 2, i, w.y.stride, y.axis.windows);
    for (int64_t j = 0; j < w.x.stride && j < out.shape[3]; ++j) {
      const Phase across(w.x, x.shape[3], out.shape[3], j);
      plan.c.rows = y.axis;
      plan.c.cols = across.axis;
      plan.c.values = slice_of(rows, 3, j, w.x.stride, across.axis.windows);
      std::byte* memory = scratch;
      View weights = weights_of(weight, a.groups, y, across);
      if (Status s = make_dense(weights, dtype_of(compute), memory); s.failed) return s;
      plan.weights = weights.data;
      if (Status s = launch<run_correlate>(op, args, plan); s.failed) return s;
    }
  }
  return {};
}

Tensors conv_transpose2d_vjp(const VjpArgs& v) {
  const auto& a = attrs_as<ConvTransposeAttrs>(v.attrs);
  const Tensor& g = v.grad[0];
  Tensors r(v.in_meta.size());
  if (v.wanted[0] && !sets_no_elements(v, 0, 0, r))
    r[0] = conv2d(g, v.in[1], {}, {a.stride, a.padding, a.dilation, a.groups});
  if (v.wanted[1] && !sets_no_elements(v, 0, 1, r)) {
    r[1] = conv2d_weight_gradient(g, v.in[0], weight_attrs(last_two(v.in_meta[1].shape), a));
  }
  if (v.wanted.size() > 2 && v.wanted[2]) r[2] = sum(g, {{0, 2, 3}});
  return r;
}

void conv_transpose2d_samples(Samples& s) {
  s.add({s.uniform({2, 3, 4, 5}), s.uniform({3, 4, 3, 2}), s.uniform({4})});
  s.add({s.uniform({2, 4, 3, 4}), s.uniform({4, 3, 3, 3}), Tensor()},
        box(ConvTransposeAttrs{{2, 3}, {1, 0}, {1, 2}, {1}, 2}));
  s.add({s.uniform({1, 4, 3, 5}), s.uniform({4, 1, 2, 3}), s.uniform({4})},
        box(ConvTransposeAttrs{{3, 2}, {1}, {0}, {2, 4}, 4}));
  s.add({s.uniform({1, 2, 3, 3}), s.uniform({2, 5, 1, 2}), s.uniform({5})},
        box(ConvTransposeAttrs{{4}, {0}, {3, 1}}));
  s.add({s.uniform({1, 2, 3, 3}), s.uniform({2, 2, 2, 2}), s.uniform({2})},
        box(ConvTransposeAttrs{{4}, {1}, {0}, {2}}));
  s.add({s.uniform({0, 2, 3, 3}), s.uniform({2, 2, 2, 2}), s.uniform({2})});
  s.add({s.uniform({1, 0, 3, 3}), s.uniform({0, 2, 2, 2}), s.uniform({2})});
  const auto with = [&](Code code, const Shape& x, const Shape& weight,
                        const ConvTransposeAttrs& a) {
    s.refuse(code, {s.uniform(x), s.uniform(weight), Tensor()}, box(a));
  };
  with(Code::shape, {1, 3, 5, 5}, {3, 4, 3}, {});
  with(Code::shape, {1, 3, 5, 5}, {4, 3, 3, 3}, {});
  with(Code::shape, {1, 3, 1, 5}, {3, 4, 1, 3}, {{1}, {1}});
  with(Code::value, {1, 3, 5, 5}, {3, 4, 3, 3}, {{1}, {0}, {0}, {1}, 2});
  with(Code::value, {1, 3, 5, 5}, {3, 4, 3, 3}, {{2}, {0}, {2, 1}});
  with(Code::value, {1, 3, 5, 5}, {3, 4, 3, 3}, {{2}, {0}, {-1}});
  s.refuse(Code::shape, {s.uniform({1, 3, 5, 5}), s.uniform({3, 4, 3, 3}), s.uniform({3})});
  s.refuse(Code::dtype, {s.integers({1, 3, 5, 5}, 0, 9), s.integers({3, 4, 3, 3}, 0, 9), Tensor()});
}

// --- conv2d_weight_gradient

Windows windows_of(const OpDef& op, const ConvWeightAttrs& a) {
  return windows_of(op, a.kernel, a.stride, a.padding, a.dilation);
}

void conv2d_weight_gradient_infer(const OpDef& op, const void* attrs, Inputs in,
                                  std::span<Meta> out) {
  const auto& a = attrs_as<ConvWeightAttrs>(attrs);
  const Tensor &x = in[0], &grad = in[1];
  check_images(op, x, grad);
  check_groups(op, a.groups, x.size(1), "x");
  check_groups(op, a.groups, grad.size(1), "grad");
  const Windows w = windows_of(op, a);
  const Pair counts = window_counts(op, w, x.shape());
  if (grad.size(0) != x.size(0) || grad.size(2) != counts.y || grad.size(3) != counts.x) {
    const Shape wanted{x.size(0), grad.size(1), counts.y, counts.x};
    refuse_shapes(op, {"grad must be ", wanted}, x, grad);
  }
  out[0].shape = {grad.size(1), x.size(1) / a.groups, w.y.kernel, w.x.kernel};
  out[0].dtype = floating_dtype(op, in);
}

Correlation weight_correlation(const OpDef& op, const ConvWeightAttrs& a, const View& x,
                               const View& grad) {
  const Windows w = windows_of(op, a);
  return {x,
          grad,
          axis_of(w.y, x.shape[2], grad.shape[2]),
          axis_of(w.x, x.shape[3], grad.shape[3]),
          a.groups,
          x.shape[1] / a.groups,
          grad.shape[1] / a.groups};
}

size_t conv2d_weight_gradient_scratch(const void* attrs, Inputs in) {
  const Correlation c =
      weight_correlation(conv2d_weight_gradient_def, attrs_as<ConvWeightAttrs>(attrs),
                         layout_of(in[0]), layout_of(in[1]));
  const bool wide = promote(in[0].dtype(), in[1].dtype()) == DType::f64;
  return wide ? weight_sums_bytes<double>(c) : weight_sums_bytes<float>(c);
}

Status conv2d_weight_gradient_kernel(const OpDef& op, const KernelArgs& args) noexcept {
  const View &x = args.in[0], &grad = args.in[1], &out = args.out[0];
  if (numel(out.shape) == 0) return {};
  if (numel(grad.shape) == 0) return zero_elements(out);
  const CorrelateWeightsPlan plan{
      weight_correlation(op, attrs_as<ConvWeightAttrs>(args.attrs), x, grad), compute_of(out.dtype),
      out, args.scratch};
  return launch<run_correlate_weights>(op, args, plan);
}

Tensors conv2d_weight_gradient_vjp(const VjpArgs& v) {
  const auto& a = attrs_as<ConvWeightAttrs>(v.attrs);
  const Tensor& g = v.grad[0];
  Tensors r(2);
  if (v.wanted[0] && !sets_no_elements(v, 0, 0, r)) {
    const Shape left = left_over(windows_of(v.op, a), v.in_meta[0].shape);
    r[0] = conv_transpose2d(v.in[1], g, {}, {a.stride, a.padding, left, a.dilation, a.groups});
  }
  if (v.wanted[1]) r[1] = conv2d(v.in[0], g, {}, {a.stride, a.padding, a.dilation, a.groups});
  return r;
}

void conv2d_weight_gradient_samples(Samples& s) {
  s.add({s.uniform({2, 3, 5, 6}), s.uniform({2, 9, 3, 5})}, box(ConvWeightAttrs{{3, 2}}));
  s.add({s.uniform({2, 4, 7, 6}), s.uniform({2, 6, 4, 6})},
        box(ConvWeightAttrs{{3}, {2, 1}, {1, 2}, {1, 2}, 2}));
  s.add({s.uniform({3, 5, 4, 4}), s.uniform({3, 5, 4, 4})},
        box(ConvWeightAttrs{{3}, {1}, {1}, {1}, 5}));
  s.add({s.uniform({0, 2, 4, 4}), s.uniform({0, 3, 2, 2})}, box(ConvWeightAttrs{{3}}));
  s.add({s.uniform({2, 0, 4, 4}), s.uniform({2, 3, 2, 2})}, box(ConvWeightAttrs{{3}}));
  const auto with = [&](Code code, const Shape& x, const Shape& grad, const ConvWeightAttrs& a) {
    s.refuse(code, {s.uniform(x), s.uniform(grad)}, box(a));
  };
  with(Code::shape, {1, 2, 4, 4}, {2, 3, 2, 2}, {{3}});
  with(Code::shape, {1, 2, 4, 4}, {1, 3, 2, 3}, {{3}});
  with(Code::shape, {1, 2, 4}, {1, 3, 2, 3}, {{3}});
  with(Code::shape, {1, 2, 2, 4}, {1, 3, 1, 2}, {{3}});
  with(Code::value, {1, 3, 4, 4}, {1, 4, 2, 2}, {{3}, {1}, {0}, {1}, 2});
  with(Code::value, {1, 4, 4, 4}, {1, 3, 2, 2}, {{3}, {1}, {0}, {1}, 2});
  with(Code::value, {1, 2, 4, 4}, {1, 3, 2, 2}, {{0}});
  s.refuse(Code::dtype, {s.integers({1, 2, 4, 4}, 0, 9), s.integers({1, 3, 2, 2}, 0, 9)},
           box(ConvWeightAttrs{{3}}));
}

}  // namespace

extern constinit const OpDef conv2d_def{
    .name = "conv2d",
    .doc = "2-D convolution of x [N, in, H, W] by weight [out, in / groups, h, w]",
    .args = kConvArgs,
    .attrs = &record_of<ConvAttrs>,
    .infer = conv2d_infer,
    .kernels = on_every_device(conv2d_kernel),
    .scratch = operands_scratch,
    .vjp = conv2d_vjp,
    .saves_in = 3,
    .saves_for_others = 3,
    .samples = conv2d_samples,
    .ulp = 8 /* f32 sums of hundreds of products */};

extern constinit const OpDef conv_transpose2d_def{
    .name = "conv_transpose2d",
    .doc = "2-D transposed convolution of x [N, in, H, W] by weight [in, out / groups, h, w]",
    .args = kConvArgs,
    .attrs = &record_of<ConvTransposeAttrs>,
    .infer = conv_transpose2d_infer,
    .kernels = on_every_device(conv_transpose2d_kernel),
    .scratch = operands_scratch,
    .vjp = conv_transpose2d_vjp,
    .saves_in = 3,
    .saves_for_others = 3,
    .samples = conv_transpose2d_samples};

extern constinit const OpDef conv2d_weight_gradient_def{
    .name = "conv2d_weight_gradient",
    .doc = "gradient of conv2d with respect to its weight",
    .args = kGradientArgs,
    .attrs = &record_of<ConvWeightAttrs>,
    .infer = conv2d_weight_gradient_infer,
    .kernels = on_every_device(conv2d_weight_gradient_kernel),
    .scratch = conv2d_weight_gradient_scratch,
    .vjp = conv2d_weight_gradient_vjp,
    .saves_in = 3,
    .saves_for_others = 3,
    .samples = conv2d_weight_gradient_samples};

GYRE_FUNCTION_3(conv2d, ConvAttrs)

GYRE_FUNCTION_3(conv_transpose2d, ConvTransposeAttrs)

GYRE_FUNCTION_2(conv2d_weight_gradient, ConvWeightAttrs)

}  // namespace gyre
