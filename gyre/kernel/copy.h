#pragma once
#include "gyre/op/op_def.h"

// Copies elements between layouts and dtypes: the kernel under clone, to, cat and other data
// movement.

namespace gyre {

/// Copies `from`, which must broadcast to to.shape, into `to`, casting as `to()` does, also between
/// devices. The two may not overlap. On the CPU it runs on the threads of the pool and does not
/// fail. Throws only what isa() does, before anything is written, so never inside a kernel.
[[nodiscard]] Status copy_elements(const View& from, const View& to);
/// Makes v contiguous elements of a dtype: as it is, or by a copy in `memory`, which is advanced
/// behind it to a multiple of 64 bytes.
[[nodiscard]] Status make_dense(View& v, DType dtype, std::byte*& memory);
/// The bytes that make_dense() needs for it.
size_t dense_bytes(const View& v, DType dtype);
/// copy_elements() of the only operand to the only result.
Status copy_kernel(const OpDef&, const KernelArgs& args) noexcept;
/// The write() of one tensor into another: `values` broadcast and cast to x.
extern const OpDef copy_def;

/// A plain tensor on any device as the functions here take it: for new tensors and for reading
/// elements. Error{unsupported} for tensors of other kinds.
View memory_of(const Tensor& t);

/// Sets every element of `to` to the one at `element`, which has its dtype and is on the host.
[[nodiscard]] Status fill_elements(const View& to, const void* element);
/// Sets every element to zero (false).
[[nodiscard]] Status zero_elements(const View& to);

/// The plan (op/launch.h) of copy_elements(), op copy_: one of the two may be on the host and the
/// other on a device.
struct CopyPlan {
  View from, to;
};

/// The plan of fill_elements(), op fill_, with an element of the dtype of `to`.
struct FillPlan {
  View to;
  alignas(8) std::byte element[8];
};

/// The slice of a view along an axis: `count` indices from `start`.
View slice_of(const View& v, int axis, int64_t start, int64_t step, int64_t count);
/// The view with an axis, which must not be empty, reversed.
View reversed(const View& v, int axis);

}  // namespace gyre
