#include "gyre/hyperbolic/nn/poincare_batch_norm.h"

#include <cmath>

#include "gyre/hyperbolic/ball/ball.h"
#include "gyre/hyperbolic/sets.h"
#include "gyre/nn/init.h"
#include "gyre/op/node.h"
#include "gyre/op/samples.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/shape.h"

namespace gyre::nn {

PoincareBatchNorm::PoincareBatchNorm(const PoincareBatchNormOptions& o)
    : CurvedLayer("PoincareBatchNorm", o.c, o.learn_c), options_(o) {
  check_record("PoincareBatchNorm", o);
  weight = ones({});
  bias = zeros({o.width});
  running_mean = buffer({o.width}, 0);
  running_var = buffer({}, 1);
}

Tensor PoincareBatchNorm::run(const Tensor& x, const Tensor& c) const {
  if (x.rank() == 0 || x.size(-1) != options_.width) {
    throw Error(Code::shape, "PoincareBatchNorm",
                {"x has shape ", x.shape(), ", expected [..., ", options_.width, "]"},
                {"[..., ", options_.width, "]"}, x.shape());
  }
  Tensor mean = running_mean, variance = running_var;
  if (training()) {
    Tensor points = reshape(x, {x.numel() / options_.width, options_.width});
    if (points.size(0) < 2) {
      throw Error(Code::value, "PoincareBatchNorm",
                  "expected more than one point in training, got one", "more than one point",
                  x.shape());
    }
    mean = poincare_midpoint(points, gyre::ones({points.size(0)}, {.device = points.device()}), c);
    variance = gyre::mean(poincare_dist2(points, mean, c));
    follow(mean, variance, c);
  }
  Tensor centred = poincare_add(-mean, x, c);
  Tensor scaled = poincare_scalar(weight / sqrt(variance + Tensor(options_.eps)), centred, c);
  return gyre::to(poincare_project(poincare_add(poincare_exp0(bias, c), scaled, c), c), x.dtype());
}

void PoincareBatchNorm::follow(const Tensor& mean, const Tensor& variance, const Tensor& c) const {
  NoGrad off;
  // NaN: a point was outside the ball; the batch will be refused
  const Tensor share(options_.momentum), valid = variance == variance;
  const auto kept = [&](const Tensor& now, const Tensor& before) {
    return where(valid, now, before);
  };
  assign(running_mean, kept(poincare_geodesic(running_mean, mean, share, c), running_mean),
         "running_mean");
  assign(running_var, kept(running_var + share * (variance - running_var), running_var),
         "running_var");
}

void PoincareBatchNorm::visit(Visitor& v) {
  v.parameter("weight", weight);
  v.parameter("bias", bias);
  v.buffer("running_mean", running_mean);
  v.buffer("running_var", running_var);
  CurvedLayer::visit(v);
}

constinit const LayerDef poincare_batch_norm_layer = define_layer<PoincareBatchNorm,
                                                                  PoincareBatchNormOptions>(
    "PoincareBatchNorm",
    "batch normalisation of points of the Poincaré ball by midpoint and variance",
    [](LayerSamples& s) {
      using Options = PoincareBatchNormOptions;
      Samples draw;
      auto points = [&](const Shape& shape) { return draw.uniform(shape, -0.4, 0.4); };
      s.add(Options{.width = 3}, {points({4, 3})});
      s.add(Options{.width = 2, .momentum = 0.5, .c = 0.7, .learn_c = true}, {points({2, 3, 2})});
      s.refuse(Code::value, Options{});
      s.refuse(Code::value, Options{.width = 2, .momentum = 1.5});
      s.refuse(Code::value, Options{.width = 2, .c = 0});
    });

}  // namespace gyre::nn
