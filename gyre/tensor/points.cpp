#include "gyre/tensor/points.h"

#include "gyre/tensor/kind.h"

namespace gyre {
namespace {

struct PointsImpl final : TensorImpl {
  Ref<const Space> space;
};

}  // namespace

Tensor points_of(Ref<const Space> space, const Tensor& t) {
  auto points = make_ref<PointsImpl>();
  points->meta = t.meta();
  points->strides = t.strides();
  points->offset = t.impl()->offset;
  points->storage = t.impl()->storage;
  points->kind = t.kind();
  points->requires_grad = t.requires_grad();
  points->space = std::move(space);
  return Tensor(Ref<TensorImpl>(std::move(points)));
}

const Space* space_of(const Tensor& t) {
  const auto* points = dynamic_cast<const PointsImpl*>(t.impl());
  return points ? points->space.get() : nullptr;
}

bool has_free_elements(const Tensor& t) { return t.plain() && !space_of(t); }

std::string why_not_free(const Tensor& t, const char* optimizer) {
  if (t.kind() == TensorKind::packed)
    return "is packed weights, which " + std::string(optimizer) +
           " does not support; use the optimiser hybrid";
  if (!t.plain()) return "is " + describe_kind(t);
  std::string on = "is on the manifold " + space_of(t)->text();
  if (size_of(t.dtype()) > 2)
    return on + ", which " + optimizer + " does not support; use a Riemannian optimiser";
  return on + " in " + name_of(t.dtype()) + ", whose rounding error is too large; use f32 or f64";
}

}  // namespace gyre
