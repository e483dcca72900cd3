#include "gyre/hyperbolic/nn/midpoint_pool.h"

#include "gyre/hyperbolic/nn/linear/point_windows.h"
#include "gyre/hyperbolic/sets.h"
#include "gyre/op/samples.h"
#include "gyre/ops/create/create.h"

namespace gyre::nn {

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
void pool_samples(LayerSamples& s) {
  using Options = MidpointPoolOptions;
  Samples draw;
  auto points = [&](int64_t size) {
    Shape shape{2, 3};
    for (int i = 0; i < axes; ++i) shape.push_back(size);
    return draw.uniform(shape, -0.4, 0.4);
  };
  s.add(Options{.kernel = {2}}, {points(4)});
  s.add(Options{.kernel = {3}, .stride = {1}, .c = 0.7, .learn_c = true}, {points(4)});
  s.refuse(Code::value, Options{});
  s.refuse(Code::value, Options{.kernel = {0}});
  s.refuse(Code::value, Options{.kernel = {1, 1, 1}});
  s.refuse(Code::value, Options{.kernel = {2}, .stride = {0}});
  s.refuse(Code::value, Options{.kernel = {2}, .c = 0});
}

}  // namespace

constinit const LayerDef midpoint_pool1d_layer = define_layer<MidpointPool1d, MidpointPoolOptions>(
    "MidpointPool1d", "pooling by midpoints of windows of points of the Poincaré ball",
    pool_samples<1>);
constinit const LayerDef midpoint_pool2d_layer = define_layer<MidpointPool2d, MidpointPoolOptions>(
    "MidpointPool2d", "pooling by midpoints of windows of points of the Poincaré ball",
    pool_samples<2>);

}  // namespace gyre::nn
