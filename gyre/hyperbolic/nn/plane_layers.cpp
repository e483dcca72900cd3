#include "gyre/hyperbolic/nn/plane_layers.h"

#include <cmath>

#include "gyre/hyperbolic/nn/rows/planes.h"
#include "gyre/nn/init.h"
#include "gyre/op/samples.h"
#include "gyre/ops/linalg/matmul.h"

namespace gyre::nn {

PlaneLayer::PlaneLayer(const char* layer, const PlaneOptions& o, Generator* generator)
    : CurvedLayer(layer, o.c, o.learn_c) {
  check_record(layer, o);
  weight = normal({o.out, o.in}, 1 / std::sqrt(2.0 * static_cast<double>(o.in * o.out)), generator);
  bias = zeros({o.out});
}

void PlaneLayer::visit(Visitor& v) {
  v.parameter("weight", weight);
  v.parameter("bias", bias);
  CurvedLayer::visit(v);
}

Tensor PoincareMLR::run(const Tensor& x, const Tensor& c) const {
  const PlaneAttrs wide{.wide = true};
  Lifted points = poincare_lift(x, c, wide);
  Hyperplanes planes = poincare_planes(weight, bias, c, wide);
  return poincare_scores(linear(points.space, planes.normal), planes, points.time, c);
}

Tensor LorentzMLR::run(const Tensor& x, const Tensor& c) const {
  const PlaneAttrs wide{.wide = true};
  Lifted points = lorentz_lift(x, c, wide);
  Hyperplanes planes = lorentz_planes(weight, bias, c, wide);
  return lorentz_scores(linear(points.space, planes.normal), planes, points.time, c);
}

Tensor PoincareLinear::run(const Tensor& x, const Tensor& c) const {
  Lifted points = poincare_lift(x, c);
  Hyperplanes planes = poincare_planes(weight, bias, c);
  return poincare_from_planes(linear(points.space, planes.normal), planes, points.time, c);
}

namespace {

void plane_samples(LayerSamples& s) {
  Samples draw;
  auto points = [&](const Shape& shape) { return draw.uniform(shape, -0.4, 0.4); };
  s.add(PlaneOptions{.in = 3, .out = 4}, {points({2, 3})});
  s.add(PlaneOptions{.in = 2, .out = 1, .c = 0.7}, {points({3, 2, 2})});
  s.add(PlaneOptions{.in = 1, .out = 2, .c = 0.5, .learn_c = true}, {points({1})});
  s.refuse(Code::value, PlaneOptions{.in = 0, .out = 3});
  s.refuse(Code::value, PlaneOptions{.in = 3, .out = 0});
  s.refuse(Code::value, PlaneOptions{.in = 3, .out = 3, .c = -1});
  s.refuse(Code::value, PlaneOptions{.in = 3, .out = 3, .c = NAN});
}

}  // namespace

constinit const LayerDef poincare_mlr_layer = define_layer<PoincareMLR, PlaneOptions>(
    "PoincareMLR",
    "multinomial logistic regression on the Poincaré ball (Shimizu et al. 2021, eq. 6): signed "
    "distances to class hyperplanes",
    plane_samples);

constinit const LayerDef lorentz_mlr_layer = define_layer<LorentzMLR, PlaneOptions>(
    "LorentzMLR",
    "multinomial logistic regression on the hyperboloid (Bdeir et al. 2024): signed distances to "
    "class hyperplanes",
    plane_samples);

constinit const LayerDef poincare_linear_layer = define_layer<PoincareLinear, PlaneOptions>(
    "PoincareLinear", "Poincaré fully connected layer (Shimizu et al. 2021, eq. 7)", plane_samples);

}  // namespace gyre::nn
