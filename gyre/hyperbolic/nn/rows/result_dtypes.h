#pragma once
#include "gyre/hyperbolic/define_curved.h"

// Row ops around matrix products, whose results may be wider or narrower than their operands.

namespace gyre {

/// The dtype of result `i`, where the default is `d`.
using ResultDType = DType (*)(const void* attrs, Inputs in, size_t i, DType d);

/// The definition d of a row op on points (last operand c > 0) with results of these dtypes.
template <class Body, ResultDType dtype>
constexpr OpDef with_result_dtypes(OpDef d) {
  d.infer = [](const OpDef& op, const void* attrs, Inputs in, std::span<Meta> out) {
    curved_infer<Curvature::positive>(op, attrs, in, out);
    for (size_t i = 0; i < out.size(); ++i) out[i].dtype = dtype(attrs, in, i, out[i].dtype);
  };
  d.compose = [](const OpDef& op, const void* attrs, Inputs in) {
    Tensors out = rowwise_compose<Body>(op, attrs, in);
    for (size_t i = 0; i < out.size(); ++i)
      out[i] = to(out[i], dtype(attrs, in, i, out[i].dtype()));
    return out;
  };
  return d;
}

}  // namespace gyre
