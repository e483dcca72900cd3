#include "gyre/hyperbolic/nn/ball_maps.h"

#include <cmath>

#include "gyre/hyperbolic/ball/ball.h"
#include "gyre/op/samples.h"

namespace gyre::nn {
namespace {

void map_samples(LayerSamples& s) {
  Samples draw;
  s.add(BallMapOptions{}, {draw.uniform({2, 3}, -0.4, 0.4)});
  s.add(BallMapOptions{.c = 0.5, .learn_c = true}, {draw.uniform({2, 2, 3}, -0.4, 0.4)});
  s.refuse(Code::value, BallMapOptions{.c = 0});
  s.refuse(Code::value, BallMapOptions{.c = NAN});
}

}  // namespace

Tensor ToBall::run(const Tensor& x, const Tensor& c) const {
  return poincare_project(poincare_exp0(x, c), c);
}
Tensor FromBall::run(const Tensor& x, const Tensor& c) const { return poincare_log0(x, c); }

constinit const LayerDef to_ball_layer = define_layer<ToBall, BallMapOptions>(
    "ToBall", "exponential map at the origin: features to points of the Poincaré ball",
    map_samples);
constinit const LayerDef from_ball_layer = define_layer<FromBall, BallMapOptions>(
    "FromBall", "logarithmic map at the origin: points of the Poincaré ball to features",
    map_samples);

}  // namespace gyre::nn
