#include "gyre/hyperbolic/nn/plane_layer.h"

#include <cmath>

#include "gyre/nn/init.h"
#include "gyre/op/samples.h"

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

}  // namespace gyre::nn
