#pragma once
#include <string>

#include "gyre/base/function_ref.h"
#include "gyre/tensor/tensor.h"

// Parameters that are points of a space other than R^n: who steps them has to know of which.

namespace gyre {

/// A space whose points the rows of a tensor can be (hyperbolic/manifold/ has such).
struct Space : RefCounted {
  /// "PoincareBall(c=1)", for messages.
  [[nodiscard]] virtual std::string text() const = 0;
  /// The points that rows near the space are brought to.
  [[nodiscard]] virtual Tensor project(const Tensor& x) const = 0;
  /// The same space of what `now` gives for each tensor that it is made of; may be null where that
  /// is none.
  [[nodiscard]] virtual Ref<const Space> with(FunctionRef<Tensor(const Tensor&)>) const {
    return {};
  }
};

/// A leaf of its own over the memory of `t` that is known to lie in `space`; it wants a gradient
/// where `t` does.
Tensor points_of(Ref<const Space> space, const Tensor& t);
/// The space that such a leaf lies in; null for all other tensors, also for what ops make of it.
const Space* space_of(const Tensor& t);
/// The axes of points [..., d] but the last: the shape of what there is one of a row.
Shape row_axes(const Tensor& points);

}  // namespace gyre
