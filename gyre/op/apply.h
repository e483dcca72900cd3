#pragma once
#include "gyre/op/node.h"

namespace gyre {

/// Runs one op: checks devices, infers shapes, allocates, runs the kernel, records. The only way
/// in. Results are the visible outputs. Errors: those of the op's infer and kernel; device when
/// operands lie on different devices (literals excepted); resource when memory ends.
Tensors apply(const OpDef& op, Inputs in, const Attrs& attrs = {});

/// The one result of an op that has one.
Tensor apply_one(const OpDef& op, Inputs in, const Attrs& attrs = {});

/// An operand named in a call; converts from a Tensor without counting a reference.
struct Operand {
  TensorImpl* impl;
  Operand(const Tensor& t) : impl(t.impl()) {}
};
inline constexpr size_t kMostOperands = 8;

/// The same for operands that are named one by one, at most kMostOperands.
template <size_t N>
Tensor apply_one(const OpDef& op, const Operand (&in)[N], const Attrs& attrs = {}) {
  static_assert(N <= kMostOperands);
  // handles that borrow the caller's references: made without a count and never destroyed
  alignas(Tensor) std::byte memory[kMostOperands * sizeof(Tensor)];
  Tensor* handles = reinterpret_cast<Tensor*>(memory);
  size_t n = 0;
  for (const Operand& o : in) new (handles + n++) Tensor(Ref<TensorImpl>::adopt(o.impl));
  return apply_one(op, Inputs(handles, n), attrs);
}

/// What apply() does first: Error{value} for a wrong number of operands and for one that is needed
/// and empty. Whether one stands for slices of a batch.
bool check_operands(const OpDef& op, Inputs in);
/// The operands with those at the end that a call left out: absent, or what stands for them.
Tensors completed(const OpDef& op, Inputs in);

/// Runs a kernel on given tensors, for drivers that call each other. Throws what the status says.
void run_kernel(const OpDef& op, Inputs in, Inputs out, const void* attrs);

/// The same, as a call that observers (call_observer.h) see.
void call_kernel(const OpDef& op, Inputs in, Inputs out, const void* attrs);

/// Throws Error{status.code} naming the op.
[[noreturn]] void refuse(const OpDef& op, const Status& failed);

/// Refuses when the kernel failed.
inline void check(const OpDef& op, const Status& status) {
  if (status.failed) [[unlikely]]
    refuse(op, status);
}

}  // namespace gyre
