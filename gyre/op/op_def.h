#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "gyre/base/error.h"
#include "gyre/base/record.h"
#include "gyre/base/status.h"
#include "gyre/op/attrs.h"
#include "gyre/op/family.h"
#include "gyre/tensor/tensor.h"

namespace gyre {

struct OpDef;
struct View;
class Samples;
struct BatchedCall;

/// The key to Views of operands that are not readable(); only apply() and what runs kernels beside
/// it have it.
class RunsKernels {
  RunsKernels() = default;
  friend Status run_checked(const OpDef& op, const struct CheckedRun& run);
  friend View memory_of(const Tensor& t);
};

/// A tensor as kernels see it; `data` is null for an omitted optional operand or an output that is
/// not needed.
struct View {
  std::byte* data = nullptr;
  Shape shape, strides;
  DType dtype = DType::f32;
  Device device;
  bool weak = false;  ///< a number, which takes the dtype of the tensors (Meta::weak)

  View() {}  // = default would have View() clear all 16 sizes
  View(std::byte* data, const Shape& shape, const Shape& strides, DType dtype, Device device = {})
      : data(data), shape(shape), strides(strides), dtype(dtype), device(device) {}
  /// All elements of a tensor; an empty View for an empty Tensor. Error{unsupported} when it is not
  /// readable().
  explicit View(const Tensor& t) : View(t.impl(), t.defined() ? t.bytes() : nullptr) {}
  /// The same of any kind and device, for kernels whose operands were checked.
  View(const Tensor& t, RunsKernels) : View(t.impl(), t.defined() ? t.impl()->bytes() : nullptr) {}

 private:
  friend View layout_of(const Tensor& t);
  View(const TensorImpl* t, std::byte* data)
      : data(data),
        shape(t ? t->meta.shape : kNone),
        strides(t ? t->strides : kNone),
        dtype(t ? t->meta.dtype : DType::f32),
        device(t ? t->meta.device : Device{}),
        weak(t && t->meta.weak) {}
  static constexpr Shape kNone{};
};

/// A view of a tensor's elements.
inline View view_of(const Tensor& t) { return View(t); }
/// For infer(), which also gets operands that are not readable(): their `data` is null.
inline View layout_of(const Tensor& t) {
  return View(t.impl(), t.defined() && t.readable() ? t.bytes() : nullptr);
}

struct KernelArgs {
  std::span<const View> in{}, out{};
  const void* attrs = nullptr;
  std::byte* scratch = nullptr;
  Device device{};
};

/// Runs an op on views that infer() has checked; op/launch.h says in which two steps. Never throws.
/// Temporary memory is passed as `scratch`; if a kernel allocates more (thread_scratch) and fails,
/// it returns Code::resource.
using Kernel = Status (*)(const OpDef&, const KernelArgs&) noexcept;

/// The kernels of an op by kind of device: one on every device (op/launch.h), or on the host only,
/// with the reason; a composition has none.
struct Kernels : std::array<Kernel, Device::kinds> {
  const char* host_only;
  constexpr Kernels(Kernel cpu = nullptr, const char* host_only = nullptr)
      : array{cpu}, host_only(host_only) {}
};

/// The elements of the operands that an element of a result depends on, after broadcasting: all,
/// those of its row along the attribute `axis`, or those at its place.
enum class Locality : uint8_t { any, row, element };
inline constexpr const char* kLocalityNames[] = {"any", "row", "element"};

/// Arguments of the backward rule of an op. Entries of `in` and `out` that the op does not save are
/// empty; `in_meta` always has their shape and dtype. Missing output gradients are empty.
struct VjpArgs {
  const OpDef& op;
  const void* attrs;
  std::span<const Meta> in_meta;
  Inputs in, out, grad;
  std::span<const bool> wanted;
};

/// Gradients of the inputs; empty where not wanted or zero. They may have the broadcast shape or
/// the promoted dtype: backward sums and casts them to those of the input.
using Vjp = Tensors (*)(const VjpArgs&);

struct Arg {
  const char* name;
  bool optional = false, variadic = false, differentiable = true;
  /// default of an omitted optional argument, a literal; NaN: none
  double otherwise = std::numeric_limits<double>::quiet_NaN();
  /// takes packed tensors as they are: its kernel gets a View of their words
  bool packed = false;
};

inline constexpr Arg kOneArg[] = {{"x"}};
inline constexpr Arg kDiscreteArgs[] = {{.name = "x", .differentiable = false}};
inline constexpr Arg kTwoArgs[] = {{"x"}, {"y"}};
inline constexpr const char* kOneOutput[] = {"out"};

/// Arguments of an op in order; a variadic last one takes any number of tensors.
class ArgList {
 public:
  constexpr ArgList() = default;
  constexpr ArgList(std::span<const Arg> args) : args_(args) {
    for (const Arg& a : args) required_ += !a.optional && !a.variadic;
    variadic_ = !args.empty() && args.back().variadic;
  }
  template <size_t N>
  constexpr ArgList(const Arg (&args)[N]) : ArgList(std::span<const Arg>(args)) {}

  constexpr const Arg* begin() const { return args_.data(); }
  constexpr const Arg* end() const { return args_.data() + args_.size(); }
  constexpr size_t size() const { return args_.size(); }
  constexpr bool empty() const { return args_.empty(); }
  constexpr const Arg& operator[](size_t i) const { return args_[i]; }
  /// The argument of tensor i of a call.
  constexpr const Arg& of(size_t i) const { return args_[i < size() ? i : size() - 1]; }
  constexpr bool variadic() const { return variadic_; }
  /// Minimum number of tensors in a call.
  constexpr size_t required() const { return required_; }

 private:
  std::span<const Arg> args_;
  size_t required_ = 0;
  bool variadic_ = false;
};

/// Shape, strides and offset of a view of in[0].
struct Layout {
  Shape shape, strides;
  int64_t offset = 0;
};

/// The definition of an op, declared once and constant-initialised. Python functions, documentation
/// and tests are derived from the table of these. An op has kernels, or is a view or composition.
struct OpDef {
  const char *name = nullptr, *doc = nullptr;
  /// operator symbol in expressions, "+" or "<="; unary and binary minus differ by the number of
  /// operands
  const char* symbol = nullptr;
  ArgList args = kOneArg;
  /// results; those past `visible` are kept for backward only. A composition may return any number,
  /// all visible
  std::span<const char* const> outputs = kOneOutput;
  int visible = 1;
  const Record* attrs = nullptr;
  int version = 1;  ///< of its meaning in saved graphs
  Locality local = Locality::any;
  Family family{};

  /// Shapes and dtypes of the outputs, or an Error for operands that do not match.
  void (*infer)(const OpDef&, const void* attrs, Inputs in, std::span<Meta> out) = nullptr;
  Kernels kernels{};
  /// Its outputs are tensors that exist, which it reads and overwrites: it has no infer and runs by
  /// write() only. Over a list of tensors, the outputs repeat.
  bool writes = false;
  /// Its operands may be on different devices: it copies.
  bool crosses_devices = false;
  /// Bytes of scratch memory for a call.
  size_t (*scratch)(const void* attrs, Inputs in) = nullptr;
  /// View ops: the layout of the result over the storage of in[0]; false when a copy is needed,
  /// which `compose` then makes.
  bool (*view)(const OpDef&, const void* attrs, const Tensor& in, Layout& out) = nullptr;
  /// The op as a composition of other ops: used for higher-order gradients, and as the op itself if
  /// it has no kernel. It is then recorded as its parts or, if it has a vjp, as one call.
  Tensors (*compose)(const OpDef&, const void* attrs, Inputs in) = nullptr;

  /// Backward rule (vector-Jacobian product) in differentiable ops: correct for every order.
  Vjp vjp = nullptr;
  /// Faster backward rule for first-order gradients, not differentiable itself.
  Vjp vjp_first = nullptr;
  uint64_t saves_in = 0, saves_out = 0;  ///< inputs, outputs that backward needs: is_saved()
  /// Those of saves_in that the gradient of the same input does not depend on, such as both factors
  /// of a product: they are not saved when no other input is tracked, and the rule then gets zeros.
  uint64_t saves_for_others = 0;

  /// Batching rule (op/batching.h): runs the op on a whole batch; results with the batch as axis 0,
  /// or none where only a loop over slices works. Without it an op with no kernel runs as its
  /// composition.
  Tensors (*batch)(const BatchedCall&) = nullptr;

  /// Random ops, whose attributes `seed` and `offset` come from a Generator: number of its words
  /// that a call consumes.
  uint64_t (*words)(const void* attrs, Inputs in, Inputs out) = nullptr;

  /// User data of an op created at run time (autograd/custom_function.h).
  const void* context = nullptr;

  /// Valid and invalid calls for tests, which Samples(op) collects; at least three valid ones.
  void (*samples)(Samples&) = nullptr;
  /// Error bound of one call against the f64 reference, in units in the last place of the norm of
  /// the result or, with by_element, of each element.
  double ulp = 4;
  bool by_element = false;

  bool differentiable() const { return vjp || vjp_first || (compose && !is_discrete); }
  bool is_discrete = false;  ///< discrete results, which have no gradient by design
};

/// Whether backward needs operand i by OpDef::saves_in, or result i by saves_out: bit i; the last
/// bit stands for all later ones.
constexpr bool is_saved(uint64_t bits, size_t i) { return bits >> (i < 63 ? i : 63) & 1; }

/// An infer, or a part of one: the first result has the shape and dtype of the first operand.
inline void infer_like_first(const OpDef&, const void*, Inputs in, std::span<Meta> out) {
  out[0].shape = in[0].shape();
  out[0].dtype = in[0].dtype();
}

/// Throws an Error that names the op.
[[noreturn]] void refuse(Code code, const OpDef& op, const Message& message,
                         const Message& expected = {}, const Message& actual = {});

}  // namespace gyre
