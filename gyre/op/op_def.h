#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "gyre/base/error.h"
#include "gyre/base/record.h"
#include "gyre/op/attrs.h"
#include "gyre/op/family.h"
#include "gyre/tensor/tensor.h"

namespace gyre {

struct OpDef;
class Samples;

/// A tensor as kernels see it; `data` is null for an absent optional operand or an unwanted result.
struct View {
  std::byte* data = nullptr;
  Shape shape, strides;
  DType dtype = DType::f32;
  bool weak = false;  ///< of a literal
};

/// A view of a tensor's elements.
inline View view_of(const Tensor& t) {
  if (!t) return {};
  return {t.bytes(), t.shape(), t.strides(), t.dtype(), t.meta().weak};
}

struct KernelArgs {
  std::span<const View> in, out;
  const void* attrs = nullptr;
  std::byte* scratch = nullptr;
  void* stream = nullptr;
};

/// How a kernel ended. `what` is a static text, `where` the place (row, element) and `value` the
/// offending number, if there is one.
struct Status {
  bool failed = false;
  Code code = Code::internal;
  int64_t where = 0, value = 0;
  const char* what = "";
};

/// Runs an op on views that infer() agreed to. Never throws, never allocates.
using Kernel = Status (*)(const OpDef&, const KernelArgs&) noexcept;

/// What the reverse rule of an op gets. Entries of `in` and `out` that the op does not save are
/// empty; `in_meta` always tells their shape and dtype. Missing cotangents are empty.
struct VjpArgs {
  const OpDef& op;
  const void* attrs;
  std::span<const Meta> in_meta;
  Inputs in, out, grad;
  std::span<const bool> wanted;
};

/// Cotangents of the inputs; empty where not wanted or zero. They may have the broadcast shape or
/// the promoted dtype: backward sums and casts them to what the input was.
using Vjp = Tensors (*)(const VjpArgs&);

struct Arg {
  const char* name;
  bool optional = false, variadic = false, differentiable = true;
};

/// Shape, strides and offset of a view of in[0].
struct Layout {
  Shape shape, strides;
  int64_t offset = 0;
};

/// An op: all that is known of it, declared once and constant-initialised. Everything else (Python,
/// language, docs, tests) iterates the table of these.
struct OpDef {
  const char *name = nullptr, *doc = nullptr;
  std::span<const Arg> args;
  /// results; those past `visible` are kept for backward only
  std::span<const char* const> outputs;
  int visible = 1;
  const Record* attrs = nullptr;
  Family family{};

  /// Shapes and dtypes of the outputs, or an Error that says what does not fit.
  void (*infer)(const OpDef&, const void* attrs, Inputs in, std::span<Meta> out) = nullptr;
  std::array<Kernel, Device::kinds> kernels{};
  /// Bytes of scratch a call needs.
  size_t (*scratch)(const void* attrs, Inputs in) = nullptr;
  /// View ops: the layout of the result over in[0]'s storage; false when it needs a copy, which
  /// `compose` then makes.
  bool (*view)(const OpDef&, const void* attrs, const Tensor& in, Layout& out) = nullptr;
  /// The op in terms of others: used for higher orders, and as the op itself if it has no kernel.
  Tensors (*compose)(const void* attrs, Inputs in) = nullptr;

  /// Reverse rule in differentiable ops: right for every order.
  Vjp vjp = nullptr;
  /// Faster reverse rule for first order, not differentiable itself.
  Vjp vjp_first = nullptr;
  uint64_t saves_in = 0, saves_out = 0;  ///< bit i: backward needs input (output) i

  /// Valid and invalid calls for tests; at least three valid ones.
  void (*samples)(Samples&) = nullptr;
  /// Error against the f64 reference that one call may have, in units in the last place of the
  /// result's norm (per element for pointwise ops).
  double ulp = 4;

  bool differentiable() const { return vjp || vjp_first || (compose && !is_discrete); }
  bool is_discrete = false;  ///< results do not vary smoothly: no gradient by design
};

/// "matmul" and so on; the common front of an op's messages.
[[noreturn]] void refuse(Code code, const OpDef& op, const std::string& message,
                         std::string expected = {}, std::string actual = {});

}  // namespace gyre
