#pragma once
#include "gyre/kernel/per_isa.h"
#include "gyre/kernel/reduction.h"
#include "gyre/op/launch.h"
#include "gyre/op/samples.h"
#include "gyre/ops/batch_rules.h"

// Shared parts of the definitions of reductions.

namespace gyre {

/// A reduced tensor with the reduced axes restored as size 1.
Tensor with_axes(const Tensor& y, const ReduceAttrs& attrs, const Shape& shape, const OpDef& op);

/// reduction_infer that accumulates boolean and integers in i64.
void gathering_infer(const OpDef& op, const void* attrs, Inputs in, std::span<Meta> out);

/// Sample calls of a reduction of floats in [low, high); folded_samples adds empty ones.
void reduction_samples(Samples& s, double low, double high);
inline void reduction_samples(Samples& s) { reduction_samples(s, -1, 1); }
void folded_samples(Samples& s);

/// Start of the definition of a reduction op; set the remaining members.
constexpr OpDef define_reduction(const char* name, const char* doc,
                                 const PerIsa<ReductionTiles>& tiles) {
  return {.name = name,
          .doc = doc,
          .attrs = &record_of<ReduceAttrs>,
          .family = {.reduction = tiles},
          .infer = reduction_infer,
          .kernels = on_every_device(reduction_kernel),
          .scratch = reduction_scratch,
          .batch = batch_reduction,
          .samples = reduction_samples};
}

/// Merges the reduced axes of a tensor into one last axis, so that ops over one axis can reduce
/// several. Axes with a common stride are merged without a copy.
class JoinedAxes {
 public:
  /// Error{index, value} for bad axes, in the name of op.
  JoinedAxes(const OpDef& op, const Shape& axes, const Shape& shape);
  /// x as [kept..., length].
  Tensor join(const Tensor& x) const;
  /// The reverse of join.
  Tensor split(const Tensor& rows) const;
  int64_t length() const { return rows_.back(); }

 private:
  Shape order_, back_;  ///< permutations: kept axes first, and their inverse
  Shape moved_, rows_;  ///< shapes after the first one, and after the join
};

}  // namespace gyre
