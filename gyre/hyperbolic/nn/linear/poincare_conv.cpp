#include "gyre/hyperbolic/nn/linear/poincare_conv.h"

#include <cmath>

#include "gyre/hyperbolic/ball/ball.h"
#include "gyre/hyperbolic/nn/linear/point_windows.h"
#include "gyre/hyperbolic/nn/rows/planes.h"
#include "gyre/nn/init.h"
#include "gyre/op/samples.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/linalg/matmul.h"
#include "gyre/ops/shape/shape.h"

namespace gyre::nn {
namespace {

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
    : CurvedLayer(layer, o.c, o.learn_c),
      name_(layer),
      kernel_(for_axes(layer, "kernel", o.kernel, axes, 1)),
      stride_(for_axes(layer, "stride", o.stride, axes, 1)),
      padding_(for_axes(layer, "padding", o.padding, axes, 0)) {
  check_record(layer, o);
  const int64_t joined = numel(kernel_) * o.in;
  share_ = std::exp(log_beta(joined) - log_beta(o.in));
  weight =
      normal({o.out, joined}, 1 / std::sqrt(2.0 * static_cast<double>(joined * o.out)), generator);
  bias = zeros({o.out});
}

Tensor PoincareConv::run(const Tensor& x, const Tensor& c) const {
  Tensor tangents = poincare_log0(with_origins(x, padding_), c, {1}) * Tensor(share_);
  Tensor windows = flatten(point_windows(name_, tangents, kernel_, stride_), -2, -1);
  Lifted points = poincare_lift(poincare_project(poincare_exp0(windows, c), c), c);
  Hyperplanes planes = poincare_planes(weight, bias, c);
  return as_channels(
      poincare_from_planes(linear(points.space, planes.normal), planes, points.time, c));
}

void PoincareConv::visit(Visitor& v) {
  v.parameter("weight", weight);
  v.parameter("bias", bias);
  CurvedLayer::visit(v);
}

namespace {

template <int axes>
void conv_samples(LayerSamples& s) {
  using Options = PoincareConvOptions;
  Samples draw;
  auto points = [&](int64_t size) {
    Shape shape{2, 2};
    for (int i = 0; i < axes; ++i) shape.push_back(size);
    return draw.uniform(shape, -0.4, 0.4);
  };
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

}  // namespace gyre::nn
