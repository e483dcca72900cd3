#pragma once
#include <vector>

#include "gyre/ops/conv/plans.h"
#include "gyre/ops/conv/pool.h"
#include "gyre/ops/shape/shape.h"

namespace gyre {

/// Precomputed bounds of the windows of an axis, for loops.
struct PoolSpan {
  int64_t first, end;
  double count;
};
std::vector<PoolSpan> spans_of(const PoolAxis& axis);

/// The axes of a call on an image of these last two axes. Error{shape, value} naming op.
PoolAxes pool_axes(const OpDef& op, const MaxPoolAttrs& attrs, const Shape& image);
PoolAxes pool_axes(const OpDef& op, const AvgPoolAttrs& attrs, const Shape& image);
PoolAxes pool_axes(const OpDef& op, const AdaptivePoolAttrs& attrs, const Shape& image);

/// Checks that x is floating and [N, C, H, W]. Error{shape, dtype} naming op.
void check_pooled(const OpDef& op, const Tensor& x);

/// Numbers far enough apart that finite differences do not change a maximum.
Tensor apart(Samples& s, const Shape& shape);
/// Samples of adaptive pooling of images and of signals.
void adaptive_pool2d_samples(Samples& s);
void adaptive_pool1d_samples(Samples& s);

/// A 1-D attribute extended to an image one row high: {other, given}. Error{value} for more than
/// one number. Empty stays empty.
Shape along_signal(const OpDef& op, const char* name, const Shape& given, int64_t other);
/// x [N, C, L] as an image one row high. Error{shape} naming op.
Tensor as_image(const OpDef& op, const Tensor& x);

/// Adaptive pooling of signals by that of images.
template <Tensor (*pool2d)(const Tensor&, const AdaptivePoolAttrs&)>
constexpr OpDef define_adaptive_pool1d(const char* name, const char* doc) {
  return {.name = name,
          .doc = doc,
          .attrs = &record_of<AdaptivePoolAttrs>,
          .compose = [](const OpDef& op, const void* attrs, Inputs in) -> Tensors {
            const auto& a = attrs_as<AdaptivePoolAttrs>(attrs);
            const AdaptivePoolAttrs wide{along_signal(op, "size", a.size, 1)};
            return {squeeze(pool2d(as_image(op, in[0]), wide), {2})};
          },
          .samples = adaptive_pool1d_samples};
}

}  // namespace gyre
