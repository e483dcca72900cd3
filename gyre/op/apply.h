#pragma once
#include "gyre/base/function_ref.h"
#include "gyre/op/node.h"

namespace gyre {

/// Runs one op: checks devices, infers shapes, allocates, runs the kernel, records. Every call goes
/// through here. Returns the visible outputs. Errors: those of the op's infer and kernel; device
/// when operands are on different devices (literals excepted); resource when out of memory.
Tensors apply(const OpDef& op, Inputs in, const Attrs& attrs = {});

/// Like apply(), but also returns the outputs saved only for backward. For batching rules that
/// combine several calls.
Tensors apply_keeping(const OpDef& op, Inputs in, const Attrs& attrs);

/// apply() for an op with one result.
Tensor apply_one(const OpDef& op, Inputs in, const Attrs& attrs = {});

/// An operand of a call; converts from a Tensor without incrementing its reference count.
struct Operand {
  TensorImpl* impl;
  Operand(const Tensor& t) : impl(t.impl()) {}
};
/// The same for operands passed one by one.
template <size_t N>
Tensor apply_one(const OpDef& op, const Operand (&in)[N], const Attrs& attrs = {}) {
  // handles that borrow the caller's references: not counted and never destroyed
  alignas(Tensor) std::byte memory[N * sizeof(Tensor)];
  Tensor* handles = reinterpret_cast<Tensor*>(memory);
  size_t n = 0;
  for (const Operand& o : in) new (handles + n++) Tensor(Ref<TensorImpl>::adopt(o.impl));
  return apply_one(op, Inputs(handles, n), attrs);
}

/// Defines the function of an op on one to four tensors with attributes:
///   GYRE_FUNCTION_1(argmax, ReduceAttrs)
#define GYRE_FUNCTION_1(name, Attrs)                         \
  Tensor name(const Tensor& x, const Attrs& attrs) {         \
    return apply_one(name##_def, Inputs(&x, 1), box(attrs)); \
  }
#define GYRE_FUNCTION_2(name, Attrs)                                  \
  Tensor name(const Tensor& x, const Tensor& y, const Attrs& attrs) { \
    return apply_one(name##_def, {x, y}, box(attrs));                 \
  }
#define GYRE_FUNCTION_3(name, Attrs)                                                   \
  Tensor name(const Tensor& x, const Tensor& y, const Tensor& z, const Attrs& attrs) { \
    return apply_one(name##_def, {x, y, z}, box(attrs));                               \
  }
#define GYRE_FUNCTION_4(name, Attrs)                                              \
  Tensor name(const Tensor& x, const Tensor& y, const Tensor& z, const Tensor& c, \
              const Attrs& attrs) {                                               \
    return apply_one(name##_def, {x, y, z, c}, box(attrs));                       \
  }
/// Of an op on one tensor, with its only attribute as an argument of that type:
///   GYRE_FUNCTION_OF(reshape, ReshapeAttrs, const Shape&)
#define GYRE_FUNCTION_OF(name, Attrs, Type)                        \
  Tensor name(const Tensor& x, Type only) {                        \
    return apply_one(name##_def, Inputs(&x, 1), box(Attrs{only})); \
  }

/// The first checks of apply(): Error{value} for a wrong number of operands and for a required one
/// that is empty. Returns whether one is not plain.
bool check_operands(const OpDef& op, Inputs in);
/// Whether the op takes operand i as it is: empty, plain, or packed where its argument says so.
inline bool takes(const OpDef& op, size_t i, const Tensor& t) {
  return !t.defined() || t.plain() || (t.kind() == TensorKind::packed && op.args.of(i).packed);
}
/// The operands, with omitted trailing ones filled in: their defaults, or empty tensors.
Tensors completed(const OpDef& op, Inputs in);

/// Runs an op into tensors that exist: the only way to change their elements. For an op that
/// `writes`, `out` are what it overwrites; if its kernel fails, nothing has been written. For an
/// ordinary op they are its results, with the shapes and dtypes that its infer gives, contiguous
/// and apart from the operands unless the op is pointwise; if its kernel fails, it may have
/// written. The versions of their storages rise, so that backward detects saved values that were
/// overwritten, and observers see the call. Autograd does not record it; ops/in_place.h does.
/// Errors: value without an output; unavailable for an op without a kernel; unsupported for kinds
/// that it does not take; device; those of the kernel.
void write(const OpDef& op, Inputs in, Inputs out, const Attrs& attrs = {});
/// The same, and calls `written` between the write and the observers, which may throw: for what
/// must follow the values, such as the history of the tensor.
void write(const OpDef& op, Inputs in, Inputs out, const Attrs& attrs, FunctionRef<void()> written);

/// Runs another kernel than the op's own, such as that of a reverse rule, into `out` and does
/// nothing else: no version rises, nothing is recorded or observed. `scratch`: bytes of temporary
/// memory. Returns the kernel's status. The caller has checked that the kernel takes the operands,
/// which are on `device`.
Status try_kernel(const OpDef& op, Kernel kernel, Inputs in, Inputs out, const void* attrs,
                  Device device, size_t scratch = 0);

/// Throws Error{status.code} naming the op.
[[noreturn]] void refuse(const OpDef& op, const Status& failed);

/// Throws if the kernel failed.
inline void check(const OpDef& op, const Status& status) {
  if (status.failed) [[unlikely]]
    refuse(op, status);
}

}  // namespace gyre
