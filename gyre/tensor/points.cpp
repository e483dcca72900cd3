#include "gyre/tensor/points.h"

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

}  // namespace gyre
