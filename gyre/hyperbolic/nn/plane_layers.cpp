#include "gyre/hyperbolic/nn/plane_layers.h"

#include <cmath>

#include "gyre/hyperbolic/nn/rows/planes.h"
#include "gyre/nn/init.h"
#include "gyre/op/samples.h"
#include "gyre/ops/linalg/matmul.h"

namespace gyre::nn {

PlaneLayer::PlaneLayer(const char* layer, Form form, const PlaneOptions& o, Generator* generator)
    : PlaneLayer(layer, form, o.c, o.learn_c) {
  check_record(layer, o);
  draw(o.in, o.out, generator);
}

void PlaneLayer::draw(int64_t in, int64_t out, Generator* generator) {
  weight = normal({out, in}, 1 / std::sqrt(2.0 * static_cast<double>(in * out)), generator);
  bias = zeros({out});
}

Tensor PlaneLayer::run(const Tensor& x, const Tensor& c) const {
  const bool lorentz = form_ == Form::lorentz_mlr, scores = form_ != Form::poincare_linear;
  const PlaneAttrs attrs{.wide = scores};
  Lifted points = (lorentz ? lorentz_lift : poincare_lift)(x, c, attrs);
  Hyperplanes planes = (lorentz ? lorentz_planes : poincare_planes)(weight, bias, c, attrs);
  auto* result = lorentz ? lorentz_scores : scores ? poincare_scores : poincare_from_planes;
  return result(linear(points.space, planes.normal), planes, points.time, c);
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
