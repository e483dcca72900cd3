#pragma once
#include "gyre/kernel/strided.h"
#include "gyre/op/launch.h"

namespace gyre {

/// A call of a pointwise op. Operands are the inputs, then the results; in the gradient pass the
/// cotangent, the inputs, then the gradients of the inputs.
struct PointwisePlan {
  const OpDef* op;
  Pass pass;
  Compute compute;
  int inputs;
  /// The number of elements if they are few and all operands have one layout or are one number:
  /// `data` holds their addresses. Otherwise -1: `loop` holds the operands.
  int64_t alike = -1;
  uint32_t numbers = 0;       ///< bit k: alike, but operand k is one number
  DType dtype[kMaxOperands];  ///< of numbers
  union {
    std::byte* data[kMaxOperands];
    StridedLoop loop;
  };

  /// `space` is the shape of the result; results without data are not wanted.
  PointwisePlan(const OpDef& o, Pass p, Compute c, const Shape& space, const KernelArgs& args)
      : op(&o), pass(p), compute(c), inputs(static_cast<int>(args.in.size())) {
    // one of the operands that have the shape of the space
    const View& first = p == Pass::forward ? args.out[0] : args.in[0];
    const int64_t n = numel(space);
    if (n <= kGrain && first.dtype == dtype_of(c) && is_contiguous(first.shape, first.strides) &&
        inputs_alike(first, args.in, n) && outputs_alike(first, args.out)) {
      alike = n;
    } else {
      loop_over(space, args);
    }
  }

 private:
  static bool lies_like(const View& first, const View& v) {
    return &v == &first ||
           (v.dtype == first.dtype && v.shape == first.shape && v.strides == first.strides);
  }
  [[gnu::always_inline]] bool inputs_alike(const View& first, std::span<const View> in, int64_t n) {
    for (size_t k = 0; k < in.size(); ++k) {
      data[k] = in[k].data;
      if (lies_like(first, in[k])) continue;
      if (in[k].shape.rank || n > kTile) return false;
      numbers |= 1u << k;
      dtype[k] = in[k].dtype;
    }
    return true;
  }
  [[gnu::always_inline]] bool outputs_alike(const View& first, std::span<const View> out) {
    std::byte** to = data + inputs;
    for (const View& v : out) {
      *to++ = v.data;
      if (v.data && !lies_like(first, v)) return false;
    }
    return true;
  }
  void loop_over(const Shape& space, const KernelArgs& args);
};

Status run_pointwise(const PointwisePlan& plan) noexcept;

}  // namespace gyre
