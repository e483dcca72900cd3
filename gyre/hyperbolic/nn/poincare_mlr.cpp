#include "gyre/hyperbolic/nn/poincare_mlr.h"

#include "gyre/hyperbolic/nn/rows/planes.h"
#include "gyre/ops/linalg/matmul.h"

namespace gyre::nn {

Tensor PoincareMLR::run(const Tensor& x, const Tensor& c) const {
  const PlaneAttrs wide{.wide = true};
  Lifted points = poincare_lift(x, c, wide);
  Hyperplanes planes = poincare_planes(weight, bias, c, wide);
  return poincare_scores(linear(points.space, planes.normal), planes, points.time, c);
}

constinit const LayerDef poincare_mlr_layer = define_layer<PoincareMLR, PlaneOptions>(
    "PoincareMLR",
    "multinomial logistic regression on the Poincaré ball (Shimizu et al. 2021, eq. 6): signed "
    "distances to class hyperplanes",
    plane_samples);

}  // namespace gyre::nn
