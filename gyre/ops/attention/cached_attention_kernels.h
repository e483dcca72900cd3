#pragma once
#include "gyre/op/op_def.h"

// How cached_attention is computed.

namespace gyre {

/// The dtype of q and of the computation for a cache of a dtype.
inline DType cached_working_dtype(DType stored) {
  return stored == DType::f64 ? DType::f64 : DType::f32;
}
/// Widest head whose block of one key fits the stack as f32.
inline constexpr int64_t kMostCachedWidth = 16384;

Status cached_attention_kernel(const OpDef& op, const KernelArgs& args) noexcept;
size_t cached_attention_scratch(const void* attrs, Inputs in);

}  // namespace gyre
