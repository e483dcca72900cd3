#include "gyre/base/thread_pool.h"
#include "gyre/kernel/strided.h"
#include "gyre/op/apply.h"
#include "gyre/op/launch.h"
#include "gyre/op/samples.h"
#include "gyre/ops/conv/patches.h"
#include "gyre/ops/conv/pool.h"
#include "gyre/ops/conv/pool_axis.h"
#include "gyre/ops/shape/shape.h"

namespace gyre {
namespace {

constexpr Arg kGradArgs[] = {{"grad"}};

// Row y of image and channel number `plane`.
const std::byte* row_of(const View& v, int64_t plane, int64_t y) {
  const int64_t at = plane / v.shape[1] * v.strides[0] + plane % v.shape[1] * v.strides[1];
  return v.data + (at + y * v.strides[2]) * static_cast<int64_t>(size_of(v.dtype));
}

// Calls make(plane, row, rows of memory, result) for all rows of `out` and writes the results.
void for_rows(const View& out, int64_t in_width, auto make) {
  const int64_t width = out.shape[3], height = out.shape[2];
  const auto size = static_cast<int64_t>(size_of(out.dtype));
  const int64_t longer = in_width > width ? in_width : width;
  parallel_for(numel(out.shape) / width, kGrain / (2 * longer) + 1,
               [&](int64_t begin, int64_t end) {
                 Pieces pieces(3 * Pieces::size_for<double>(longer));
                 auto *row = pieces.take<double>(longer), *sums = pieces.take<double>(longer),
                      *result = pieces.take<double>(longer);
                 for (int64_t i = begin; i < end; ++i) {
                   make(i / height, i % height, row, sums, result);
                   write_elements(result, out.data + i * width * size, out.dtype, 1, width);
                 }
               });
}

// Average pooling: sums columns first, then along the row.
void pool(const AvgPoolPlan& p) {
  const View& x = p.in;
  const PoolAxes& axes = p.axes;
  const ConvTiles<double>& tiles = conv_tiles<double>();
  const int64_t width = x.shape[3];
  const std::vector<PoolSpan> spans = spans_of(axes.x);
  for_rows(p.out, width, [&](int64_t plane, int64_t u, double* row, double* sums, double* result) {
    tiles.fill(0, sums, width);
    for (int64_t y = axes.y.first(u); y < axes.y.end(u); ++y) {
      load_row(row_of(x, plane, y), x.dtype, x.strides[3], row, width);
      tiles.add(row, sums, width);
    }
    const double rows = axes.y.count(u);
    for (const PoolSpan& span : spans) {
      double sum = 0;
      for (int64_t c = span.first; c < span.end; ++c) sum += sums[c];
      *result++ = sum / (rows * span.count);
    }
  });
}

// The first window that ends after a position.
int64_t first_over(const PoolAxis& axis, int64_t place) {
  int64_t low = 0, high = axis.windows;
  while (low < high) {
    const int64_t middle = (low + high) / 2;
    if (axis.end(middle) > place) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

// Distributes each value over its window.
void share_out(const AvgPoolPlan& p) {
  const View& grad = p.in;
  const PoolAxes& axes = p.axes;
  const ConvTiles<double>& tiles = conv_tiles<double>();
  const int64_t width = axes.x.windows;
  const std::vector<PoolSpan> spans = spans_of(axes.x);
  for_rows(p.out, width, [&](int64_t plane, int64_t y, double* row, double* sums, double* result) {
    tiles.fill(0, sums, width);
    for (int64_t u = first_over(axes.y, y); u < axes.y.windows && axes.y.first(u) <= y; ++u) {
      load_row(row_of(grad, plane, u), grad.dtype, grad.strides[3], row, width);
      const double rows = axes.y.count(u);
      for (size_t v = 0; v < spans.size(); ++v) sums[v] += row[v] / (rows * spans[v].count);
    }
    tiles.fill(0, result, axes.x.size);
    for (size_t v = 0; v < spans.size(); ++v) {
      for (int64_t c = spans[v].first; c < spans[v].end; ++c) result[c] += sums[v];
    }
  });
}

// --- means

template <class PoolAttrs>
void avg_pool_infer(const OpDef& op, const void* attrs, Inputs in, std::span<Meta> out) {
  check_pooled(op, in[0]);
  const PoolAxes axes = pool_axes(op, attrs_as<PoolAttrs>(attrs), in[0].shape());
  out[0].shape = {in[0].size(0), in[0].size(1), axes.y.windows, axes.x.windows};
  out[0].dtype = in[0].dtype();
}

Status run_avg_pool(const AvgPoolPlan& p) noexcept {
  return run_or_report([&] { pool(p); });
}

template <class PoolAttrs>
Status avg_pool_kernel(const OpDef& op, const KernelArgs& args) noexcept {
  const View &x = args.in[0], &out = args.out[0];
  if (numel(out.shape) == 0) return {};
  const PoolAxes axes = pool_axes(op, attrs_as<PoolAttrs>(args.attrs), x.shape);
  return launch<run_avg_pool>(op, args, AvgPoolPlan{x, out, axes});
}

Tensors avg_pool2d_vjp(const VjpArgs& v) {
  const auto& a = attrs_as<AvgPoolAttrs>(v.attrs);
  const Shape& x = v.in_meta[0].shape;
  return {avg_pool2d_gradient(
      v.grad[0], {{x[2], x[3]}, a.kernel, a.stride, a.padding, a.ceil_mode, a.count_include_pad})};
}

Tensors adaptive_avg_pool2d_vjp(const VjpArgs& v) {
  const Shape& x = v.in_meta[0].shape;
  return {adaptive_avg_pool2d_gradient(v.grad[0], {{x[2], x[3]}})};
}

void avg_pool2d_samples(Samples& s) {
  s.add({s.uniform({2, 3, 4, 6})}, box(AvgPoolAttrs{{2}}));
  s.add({s.uniform({2, 1, 5, 7})}, box(AvgPoolAttrs{{3, 2}, {2, 1}, {1}}));
  s.add({s.uniform({1, 2, 6, 5})}, box(AvgPoolAttrs{{3}, {2}, {1}, true, false}));
  s.add({s.uniform({1, 2, 6, 4})}, box(AvgPoolAttrs{{3, 2}, {2, 3}, {1}, true, true}));
  s.add({s.uniform({0, 2, 4, 4})}, box(AvgPoolAttrs{{2}}));
  s.refuse(Code::shape, {s.uniform({3, 4, 4})}, box(AvgPoolAttrs{{2}}));
  s.refuse(Code::shape, {s.uniform({1, 1, 4, 4})}, box(AvgPoolAttrs{{5}}));
  s.refuse(Code::value, {s.uniform({1, 1, 4, 4})}, box(AvgPoolAttrs{{2}, {2}, {2}}));
  s.refuse(Code::dtype, {s.integers({1, 1, 4, 4}, 0, 9)}, box(AvgPoolAttrs{{2}}));
}

// --- their transposes

AvgPoolAttrs pool_attrs(const AvgPoolGradientAttrs& a) {
  return {a.kernel, a.stride, a.padding, a.ceil_mode, a.count_include_pad};
}

// The axes of the resulting image [N, C, size].
PoolAxes gradient_axes(const OpDef& op, const AvgPoolGradientAttrs& a, const Shape&) {
  const Pair size = pair_of(op, "size", a.size, 1);
  return pool_axes(op, pool_attrs(a), Shape{size.y, size.x});
}
PoolAxes gradient_axes(const OpDef& op, const AdaptivePoolAttrs& a, const Shape& grad) {
  const Pair size = pair_of(op, "size", a.size, 1);
  const AdaptivePoolAttrs windows{{grad.back(1), grad.back()}};
  return pool_axes(op, windows, Shape{size.y, size.x});
}

template <class PoolAttrs>
void gradient_infer(const OpDef& op, const void* attrs, Inputs in, std::span<Meta> out) {
  check_pooled(op, in[0]);
  const Shape& grad = in[0].shape();
  const PoolAxes axes = gradient_axes(op, attrs_as<PoolAttrs>(attrs), grad);
  if (grad[2] != axes.y.windows || grad[3] != axes.x.windows) {
    const Shape wanted{grad[0], grad[1], axes.y.windows, axes.x.windows};
    throw mismatch(Code::shape, op.name, {"grad must have shape ", wanted}, wanted, grad);
  }
  out[0].shape = {grad[0], grad[1], axes.y.size, axes.x.size};
  out[0].dtype = in[0].dtype();
}

Status run_avg_pool_gradient(const AvgPoolPlan& p) noexcept {
  return run_or_report([&] { share_out(p); });
}

template <class PoolAttrs>
Status avg_pool_gradient_kernel(const OpDef& op, const KernelArgs& args) noexcept {
  const View &grad = args.in[0], &out = args.out[0];
  if (numel(out.shape) == 0) return {};
  const PoolAxes axes = gradient_axes(op, attrs_as<PoolAttrs>(args.attrs), grad.shape);
  return launch<run_avg_pool_gradient>(op, args, AvgPoolPlan{grad, out, axes});
}

Tensors avg_pool2d_gradient_vjp(const VjpArgs& v) {
  return {avg_pool2d(v.grad[0], pool_attrs(attrs_as<AvgPoolGradientAttrs>(v.attrs)))};
}

Tensors adaptive_avg_pool2d_gradient_vjp(const VjpArgs& v) {
  const Shape& grad = v.in_meta[0].shape;
  return {adaptive_avg_pool2d(v.grad[0], {{grad[2], grad[3]}})};
}

void avg_pool2d_gradient_samples(Samples& s) {
  s.add({s.uniform({2, 3, 2, 3})}, box(AvgPoolGradientAttrs{{4, 6}, {2}}));
  s.add({s.uniform({2, 1, 3, 8})}, box(AvgPoolGradientAttrs{{5, 7}, {3, 2}, {2, 1}, {1}}));
  s.add({s.uniform({1, 2, 4, 3})}, box(AvgPoolGradientAttrs{{6, 5}, {3}, {2}, {1}, true, false}));
  s.add({s.uniform({0, 2, 2, 2})}, box(AvgPoolGradientAttrs{{4}, {2}}));
  s.refuse(Code::shape, {s.uniform({2, 3, 2, 2})}, box(AvgPoolGradientAttrs{{4, 6}, {2}}));
  s.refuse(Code::shape, {s.uniform({3, 2, 2})}, box(AvgPoolGradientAttrs{{4}, {2}}));
  s.refuse(Code::value, {s.uniform({2, 3, 2, 2})}, box(AvgPoolGradientAttrs{{0}, {2}}));
  s.refuse(Code::dtype, {s.integers({2, 3, 2, 2}, 0, 9)}, box(AvgPoolGradientAttrs{{4}, {2}}));
}

void adaptive_avg_pool2d_gradient_samples(Samples& s) {
  s.add({s.uniform({2, 3, 2, 3})}, box(AdaptivePoolAttrs{{4, 6}}));
  s.add({s.uniform({1, 2, 3, 4})}, box(AdaptivePoolAttrs{{5, 7}}));
  s.add({s.uniform({2, 2, 5, 1})}, box(AdaptivePoolAttrs{{3, 4}}));
  s.refuse(Code::shape, {s.uniform({3, 4, 4})}, box(AdaptivePoolAttrs{{4}}));
  s.refuse(Code::value, {s.uniform({1, 3, 4, 4})}, box(AdaptivePoolAttrs{{0}}));
  s.refuse(Code::value, {s.uniform({1, 3, 0, 4})}, box(AdaptivePoolAttrs{{4}}));
  s.refuse(Code::dtype, {s.integers({1, 3, 4, 4}, 0, 9)}, box(AdaptivePoolAttrs{{4}}));
}

// --- signals

Tensors avg_pool1d_compose(const OpDef& op, const void* attrs, Inputs in) {
  const auto& a = attrs_as<AvgPoolAttrs>(attrs);
  const AvgPoolAttrs wide{
      along_signal(op, "kernel", a.kernel, 1), along_signal(op, "stride", a.stride, 1),
      along_signal(op, "padding", a.padding, 0), a.ceil_mode, a.count_include_pad};
  return {squeeze(avg_pool2d(as_image(op, in[0]), wide), {2})};
}

void avg_pool1d_samples(Samples& s) {
  s.add({s.uniform({2, 2, 6})}, box(AvgPoolAttrs{{2}}));
  s.add({s.uniform({1, 2, 9})}, box(AvgPoolAttrs{{3}, {2}, {1}, true, false}));
  s.add({s.uniform({0, 2, 4})}, box(AvgPoolAttrs{{2}}));
  s.refuse(Code::shape, {s.uniform({2, 4})}, box(AvgPoolAttrs{{2}}));
  s.refuse(Code::value, {s.uniform({2, 2, 4})}, box(AvgPoolAttrs{{2, 2}}));
}

}  // namespace

extern constinit const OpDef avg_pool2d_def{
    .name = "avg_pool2d",
    .doc = "2-D average pooling",
    .attrs = &record_of<AvgPoolAttrs>,
    .infer = avg_pool_infer<AvgPoolAttrs>,
    .kernels = on_every_device(avg_pool_kernel<AvgPoolAttrs>),
    .vjp = avg_pool2d_vjp,
    .samples = avg_pool2d_samples};

extern constinit const OpDef adaptive_avg_pool2d_def{
    .name = "adaptive_avg_pool2d",
    .doc = "adaptive 2-D average pooling to a given output size",
    .attrs = &record_of<AdaptivePoolAttrs>,
    .infer = avg_pool_infer<AdaptivePoolAttrs>,
    .kernels = on_every_device(avg_pool_kernel<AdaptivePoolAttrs>),
    .vjp = adaptive_avg_pool2d_vjp,
    .samples = adaptive_pool2d_samples};

extern constinit const OpDef avg_pool2d_gradient_def{
    .name = "avg_pool2d_gradient",
    .doc = "gradient of avg_pool2d with respect to its input",
    .args = kGradArgs,
    .attrs = &record_of<AvgPoolGradientAttrs>,
    .infer = gradient_infer<AvgPoolGradientAttrs>,
    .kernels = on_every_device(avg_pool_gradient_kernel<AvgPoolGradientAttrs>),
    .vjp = avg_pool2d_gradient_vjp,
    .samples = avg_pool2d_gradient_samples};

extern constinit const OpDef adaptive_avg_pool2d_gradient_def{
    .name = "adaptive_avg_pool2d_gradient",
    .doc = "gradient of adaptive_avg_pool2d with respect to its input",
    .args = kGradArgs,
    .attrs = &record_of<AdaptivePoolAttrs>,
    .infer = gradient_infer<AdaptivePoolAttrs>,
    .kernels = on_every_device(avg_pool_gradient_kernel<AdaptivePoolAttrs>),
    .vjp = adaptive_avg_pool2d_gradient_vjp,
    .samples = adaptive_avg_pool2d_gradient_samples};

extern constinit const OpDef avg_pool1d_def{.name = "avg_pool1d",
                                            .doc = "1-D average pooling",
                                            .attrs = &record_of<AvgPoolAttrs>,
                                            .compose = avg_pool1d_compose,
                                            .samples = avg_pool1d_samples};

extern constinit const OpDef adaptive_avg_pool1d_def = define_adaptive_pool1d<adaptive_avg_pool2d>(
    "adaptive_avg_pool1d", "adaptive 1-D average pooling to a given output size");

GYRE_FUNCTION_1(avg_pool2d, AvgPoolAttrs)
GYRE_FUNCTION_1(avg_pool1d, AvgPoolAttrs)
GYRE_FUNCTION_1(avg_pool2d_gradient, AvgPoolGradientAttrs)
GYRE_FUNCTION_1(adaptive_avg_pool2d, AdaptivePoolAttrs)
GYRE_FUNCTION_1(adaptive_avg_pool1d, AdaptivePoolAttrs)
GYRE_FUNCTION_1(adaptive_avg_pool2d_gradient, AdaptivePoolAttrs)

}  // namespace gyre
