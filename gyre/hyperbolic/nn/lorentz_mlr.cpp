#include "gyre/hyperbolic/nn/lorentz_mlr.h"

#include "gyre/hyperbolic/nn/rows/planes.h"
#include "gyre/ops/linalg/matmul.h"

namespace gyre::nn {

Tensor LorentzMLR::run(const Tensor& x, const Tensor& c) const {
  const PlaneAttrs wide{.wide = true};
  Lifted points = lorentz_lift(x, c, wide);
  Hyperplanes planes = lorentz_planes(weight, bias, c, wide);
  return lorentz_scores(linear(points.space, planes.normal), planes, points.time, c);
}

constinit const LayerDef lorentz_mlr_layer = define_layer<LorentzMLR, PlaneOptions>(
    "LorentzMLR",
    "multinomial logistic regression on the hyperboloid (Bdeir et al. 2024): signed distances to "
    "class hyperplanes",
    plane_samples);

}  // namespace gyre::nn
