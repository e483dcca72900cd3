#include "gyre/hyperbolic/nn/linear/poincare_linear.h"

#include "gyre/hyperbolic/nn/rows/planes.h"
#include "gyre/ops/linalg/matmul.h"

namespace gyre::nn {

Tensor PoincareLinear::run(const Tensor& x, const Tensor& c) const {
  Lifted points = poincare_lift(x, c);
  Hyperplanes planes = poincare_planes(weight, bias, c);
  return poincare_from_planes(linear(points.space, planes.normal), planes, points.time, c);
}

constinit const LayerDef poincare_linear_layer = define_layer<PoincareLinear, PlaneOptions>(
    "PoincareLinear", "Poincaré fully connected layer (Shimizu et al. 2021, eq. 7)", plane_samples);

}  // namespace gyre::nn
