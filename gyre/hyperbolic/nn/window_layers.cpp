#include "gyre/hyperbolic/nn/window_layers.h"

#include <cmath>

#include "gyre/hyperbolic/ball/ball.h"
#include "gyre/hyperbolic/sets.h"
#include "gyre/op/samples.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/shape/shape.h"

namespace gyre::nn {
namespace {

// One number per axis from an option with one number per axis or one for all. Error{value} in the
// name of `layer` for another count or numbers below `least`.
Shape for_axes(const char* layer, const char* option, const Shape& given, int axes, int64_t least) {
  if (given.rank != 1 && given.rank != axes) {
    refuse_option(
        layer, option, given,
        axes == 1 ? std::string("1 number") : "1 or " + std::to_string(axes) + " numbers");
  }
  Shape all;
  for (int i = 0; i < axes; ++i) {
    all.push_back(given[given.rank == 1 ? 0 : i]);
    if (all[i] < least) refuse_option(layer, option, given, {least, " or more"});
  }
  return all;
}

// Sliding windows over the spatial axes of x [n, width, ...], points along axis 1: [n,
// positions..., points of a window, width]. Error{shape} in the name of `layer` for x of another
// rank; Error{shape} for a window larger than an axis.
Tensor point_windows(const char* layer, const Tensor& x, const Shape& kernel, const Shape& stride) {
  const int axes = kernel.rank;
  if (x.rank() != axes + 2) {
    throw Error(Code::shape, layer, {"x has shape ", x.shape(), ", expected ", axes + 2, " axes"},
                axes + 2, x.rank());
  }
  Tensor cut = x;
  for (int i = 0; i < axes; ++i) {
    cut = unfold(cut, {.axis = i + 2, .size = kernel[i], .step = stride[i]});
  }
  Shape order{0}, shape{x.size(0)};
  for (int i = 0; i < axes; ++i) {
    order.push_back(i + 2);
    shape.push_back(cut.size(i + 2));
  }
  for (int i = 0; i < axes; ++i) order.push_back(axes + 2 + i);
  order.push_back(1);
  shape.push_back(numel(kernel));
  shape.push_back(x.size(1));
  return reshape(permute(cut, order), shape);
}

// Points [n, positions..., width] as [n, width, positions...].
Tensor as_channels(const Tensor& points) {
  Shape order{0, points.rank() - 1};
  for (int i = 1; i + 1 < points.rank(); ++i) order.push_back(i);
  return permute(points, order);
}

// log B(n / 2, 1 / 2).
double log_beta(int64_t n) {
  const double half = static_cast<double>(n) / 2;
  return std::lgamma(half) + std::lgamma(0.5) - std::lgamma(half + 0.5);
}

Tensor with_origins(const Tensor& x, const Shape& padding) {
  Shape around{0, 0};
  bool some = false;
  for (int64_t p : padding) {
    around.push_back(p);
    some |= p > 0;
  }
  return some ? pad(x, {.before = around, .after = around}) : x;
}

}  // namespace

PoincareConv::PoincareConv(const char* layer, const PoincareConvOptions& o, int axes,
                           Generator* generator)
    : PlaneLayer(layer, Form::poincare_linear, o.c, o.learn_c),
      name_(layer),
      kernel_(for_axes(layer, "kernel", o.kernel, axes, 1)),
      stride_(for_axes(layer, "stride", o.stride, axes, 1)),
      padding_(for_axes(layer, "padding", o.padding, axes, 0)) {
  check_record(layer, o);
  const int64_t joined = numel(kernel_) * o.in;
  share_ = std::exp(log_beta(joined) - log_beta(o.in));
  draw(joined, o.out, generator);
}

Tensor PoincareConv::run(const Tensor& x, const Tensor& c) const {
  Tensor tangents = poincare_log0(with_origins(x, padding_), c, {1}) * Tensor(share_);
  Tensor windows = flatten(point_windows(name_, tangents, kernel_, stride_), -2, -1);
  return as_channels(PlaneLayer::run(poincare_project(poincare_exp0(windows, c), c), c));
}

MidpointPool::MidpointPool(const char* layer, const MidpointPoolOptions& o, int axes)
    : CurvedLayer(layer, o.c, o.learn_c),
      kernel_(for_axes(layer, "kernel", o.kernel, axes, 1)),
      stride_(o.stride.rank ? for_axes(layer, "stride", o.stride, axes, 1) : kernel_) {}

Tensor MidpointPool::run(const Tensor& x, const Tensor& c) const {
  Tensor windows = point_windows("MidpointPool", x, kernel_, stride_);
  return as_channels(
      poincare_midpoint(windows, gyre::ones({windows.size(-2)}, {x.dtype(), x.device()}), c));
}

namespace {

template <int axes>
Tensor image_of_points(Samples& draw, int64_t channels, int64_t size) {
  Shape shape{2, channels};
  for (int i = 0; i < axes; ++i) shape.push_back(size);
  return draw.uniform(shape, -0.4, 0.4);
}

template <int axes>
void conv_samples(LayerSamples& s) {
  using Options = PoincareConvOptions;
  Samples draw;
  auto points = [&](int64_t size) { return image_of_points<axes>(draw, 2, size); };
  s.add(Options{.in = 2, .out = 3, .kernel = {2}}, {points(3)});
  s.add(Options{.in = 2,
                .out = 1,
                .kernel = {3},
                .stride = {2},
                .padding = {1},
                .c = 0.7,
                .learn_c = true},
        {points(4)});
  s.refuse(Code::value, Options{.in = 0, .out = 1, .kernel = {1}});
  s.refuse(Code::value, Options{.in = 1, .out = 0, .kernel = {1}});
  s.refuse(Code::value, Options{.in = 1, .out = 1});
  s.refuse(Code::value, Options{.in = 1, .out = 1, .kernel = {0}});
  s.refuse(Code::value, Options{.in = 1, .out = 1, .kernel = {1, 1, 1}});
  s.refuse(Code::value, Options{.in = 1, .out = 1, .kernel = {1}, .stride = {0}});
  s.refuse(Code::value, Options{.in = 1, .out = 1, .kernel = {1}, .padding = {-1}});
  s.refuse(Code::value, Options{.in = 1, .out = 1, .kernel = {1}, .c = 0});
}

template <int axes>
void pool_samples(LayerSamples& s) {
  using Options = MidpointPoolOptions;
  Samples draw;
  auto points = [&](int64_t size) { return image_of_points<axes>(draw, 3, size); };
  s.add(Options{.kernel = {2}}, {points(4)});
  s.add(Options{.kernel = {3}, .stride = {1}, .c = 0.7, .learn_c = true}, {points(4)});
  s.refuse(Code::value, Options{});
  s.refuse(Code::value, Options{.kernel = {0}});
  s.refuse(Code::value, Options{.kernel = {1, 1, 1}});
  s.refuse(Code::value, Options{.kernel = {2}, .stride = {0}});
  s.refuse(Code::value, Options{.kernel = {2}, .c = 0});
}

}  // namespace

constinit const LayerDef poincare_conv1d_layer = define_layer<PoincareConv1d, PoincareConvOptions>(
    "PoincareConv1d",
    "Poincaré convolution: beta-concatenation of windows, then a fully connected layer (Shimizu et "
    "al. 2021)",
    conv_samples<1>);
constinit const LayerDef poincare_conv2d_layer = define_layer<PoincareConv2d, PoincareConvOptions>(
    "PoincareConv2d",
    "Poincaré convolution: beta-concatenation of windows, then a fully connected layer (Shimizu et "
    "al. 2021)",
    conv_samples<2>);
constinit const LayerDef midpoint_pool1d_layer = define_layer<MidpointPool1d, MidpointPoolOptions>(
    "MidpointPool1d", "pooling by midpoints of windows of points of the Poincaré ball",
    pool_samples<1>);
constinit const LayerDef midpoint_pool2d_layer = define_layer<MidpointPool2d, MidpointPoolOptions>(
    "MidpointPool2d", "pooling by midpoints of windows of points of the Poincaré ball",
    pool_samples<2>);

}  // namespace gyre::nn
