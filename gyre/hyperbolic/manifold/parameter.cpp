#include "gyre/hyperbolic/manifold/parameter.h"

#include "gyre/base/error.h"
#include "gyre/nn/layer.h"
#include "gyre/op/node.h"
#include "gyre/ops/shape/shape.h"

namespace gyre::hyperbolic {
namespace {

void check(const Tensor& x, const Manifold& manifold, const char* op) {
  manifold.require_points(x, op);
  if (size_of(x.dtype()) == 2) {
    throw Error(Code::dtype, op,
                {"expected f32 or f64, got ", x.dtype(), ", whose rounding error moves points off ",
                 manifold.text()},
                "f32 or f64", x.dtype());
  }
}

Tensor leaf_in(const Tensor& x, const Manifold& manifold) {
  check(x, manifold, "ManifoldParameter");
  NoGrad off;
  return points_of(manifold.geometry(), contiguous(x.detach())).set_requires_grad();
}

}  // namespace

ManifoldParameter::ManifoldParameter(const Tensor& x, const Manifold& manifold)
    : Tensor(leaf_in(x, manifold)) {}

TangentParameter::TangentParameter(const Tensor& x, const Manifold& manifold)
    : manifold_(manifold) {
  check(x, manifold, "TangentParameter");
  NoGrad off;
  z = contiguous(manifold.log0(x)).detach();
  z.set_requires_grad();
}

Tensors TangentParameter::forward(Inputs inputs) const {
  nn::LayerInputs(inputs, "TangentParameter", 0, 0);
  return {(*this)()};
}

}  // namespace gyre::hyperbolic
