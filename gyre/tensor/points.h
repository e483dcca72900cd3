#pragma once
#include <string>

#include "gyre/base/function_ref.h"
#include "gyre/tensor/tensor.h"

// Parameters on manifolds: optimisers must know on which space their points lie.

namespace gyre {

/// A space (manifold) that the rows of a tensor can lie on; see hyperbolic/manifold/.
struct Space : RefCounted {
  /// "PoincareBall(c=1)", for messages.
  [[nodiscard]] virtual std::string text() const = 0;
  /// Projects rows onto the space.
  [[nodiscard]] virtual Tensor project(const Tensor& x) const = 0;
  /// The same space with each tensor t that defines it replaced by now(t); may be null for a space
  /// without tensors.
  [[nodiscard]] virtual Ref<const Space> with(FunctionRef<Tensor(const Tensor&)>) const {
    return {};
  }
};

/// A new leaf over the memory of `t`, marked as points of `space`; it requires grad if `t` does.
Tensor points_of(Ref<const Space> space, const Tensor& t);
/// The space of such a leaf; null for all other tensors, including results of ops on it.
const Space* space_of(const Tensor& t);
/// Whether the elements of a parameter may change one by one: it is plain and not points.
bool has_free_elements(const Tensor& t);
/// The error text for another one, which `optimizer` cannot update: "is on the manifold ...".
std::string why_not_free(const Tensor& t, const char* optimizer);
/// The axes of points [..., d] without the last: the shape of one value per point.
inline Shape row_axes(const Tensor& points) { return points.shape().part(0, points.rank() - 1); }

}  // namespace gyre
