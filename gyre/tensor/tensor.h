#pragma once
#include <atomic>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>

#include "gyre/base/memory/ref.h"
#include "gyre/base/memory/small_vector.h"
#include "gyre/tensor/device.h"
#include "gyre/tensor/dtype.h"
#include "gyre/tensor/shape.h"

namespace gyre {

/// Shape, dtype and device of a tensor. `weak` marks a number such as the 2.0 of x * 2.0, which
/// does not raise the dtype of the result within its class: promote_weak() in dtype.h.
struct Meta {
  Shape shape;
  DType dtype = DType::f32;
  Device device;
  bool weak = false;
};

struct Subscript;
class TensorPart;
class Selection;

/// Memory shared by tensors. `version` counts in-place writes, so that backward detects saved
/// values that were overwritten; `recorded_writes` counts those made while gradients were recorded,
/// so that other tensors over this memory are known to have an outdated gradient history.
struct Storage : RefCounted {
  Storage(void* from, size_t n, Device where)
      : data(static_cast<std::byte*>(from)), bytes(n), device(where) {}
  std::byte* data;
  size_t bytes;
  Device device;
  bool borrowed = false;  ///< memory of another library, which may also access it
  std::atomic<uint32_t> version{0}, recorded_writes{0};
};

/// Uninitialised memory from the caching allocator, aligned to 64 bytes.
Ref<Storage> allocate_storage(size_t bytes, Device device);

/// How a tensor holds its values. A call with operands that are not plain goes to the handler of
/// the highest kind among them (op/kind_handler.h). Values after the last are free for extensions.
enum class TensorKind : uint8_t { plain, batched, packed, factored, watched };
inline constexpr size_t kMaxTensorKinds = 8;

struct TensorImpl : RefCounted {
  Meta meta;
  Shape strides;       ///< in elements
  int64_t offset = 0;  ///< in elements
  Ref<Storage> storage;
  /// Of a view made while gradients were recorded: the tensor that holds all of the memory. A write
  /// through one of its views, or to it, renews the histories of all (op/view_history.h).
  Ref<TensorImpl> base;
  Ref<RefCounted> node;     ///< the Node (op/node.h) that produced this tensor, if recorded
  uint32_t output = 0;      ///< index of the output
  uint32_t history_at = 0;  ///< recorded_writes of the storage when `node` was set
  bool requires_grad = false;
  bool is_view = false;  ///< made by a view op of another tensor
  TensorKind kind = TensorKind::plain;
  std::atomic<bool> in_succession{false};  ///< replaced, or replaces another (tensor/replaced.h)
  Ref<TensorImpl> grad;
  Ref<RefCounted> hooks;  ///< functions called with the gradient (autograd/hooks.h)

  TensorImpl();
  /// Contiguous, without storage yet.
  explicit TensorImpl(const Meta& meta);
  ~TensorImpl() override;

  std::byte* bytes() const {
    const auto size = static_cast<int64_t>(size_of(meta.dtype));
    std::byte* at = storage->data + offset * size;
    assert(reinterpret_cast<uintptr_t>(at) % static_cast<uintptr_t>(size) == 0);
    return at;
  }
};

/// Number of live tensors in the process, to detect leaks.
int64_t live_tensors() noexcept;

/// A strided n-dimensional array; a handle: copies share memory. Ops are free functions in
/// gyre/ops/*: operators (`a + b`) in ops/elementwise/elementwise.h, slicing (`slice`, `select`) in
/// ops/shape/shape.h, printing (`to_string`) in ops/print.h; gyre/gyre.h includes them all.
/// A default-constructed Tensor is empty and stands for an omitted optional argument.
class Tensor {
 public:
  Tensor() = default;
  explicit Tensor(Ref<TensorImpl> impl) : impl_(std::move(impl)) {}
  /// A 0-d literal: takes the dtype of the other operand (alone: f64, i64 for an integer, boolean
  /// for a bool, u64 for an integer above those of i64). An integer must be representable in that
  /// dtype.
  template <class T>
    requires(std::is_arithmetic_v<T>)
  Tensor(T value) : Tensor(literal(static_cast<Literal<T>>(value))) {}

  /// Whether the tensor is not empty. All members below except impl, ref, tracked and requires_grad
  /// throw Error{value} on an empty one.
  bool defined() const { return static_cast<bool>(impl_); }
  /// `if (x)` is ambiguous: use defined() or item() != 0.
  explicit operator bool() const = delete;
  TensorImpl* impl() const { return impl_.get(); }
  const Ref<TensorImpl>& ref() const { return impl_; }
  const Meta& meta() const { return held().meta; }
  const Shape& shape() const { return held().meta.shape; }
  const Shape& strides() const { return held().strides; }
  DType dtype() const { return held().meta.dtype; }
  Device device() const { return held().meta.device; }
  int rank() const { return held().meta.shape.rank; }
  /// Size of an axis; a negative axis counts from the end. Error{index}.
  int64_t size(int64_t axis) const;
  int64_t numel() const { return gyre::numel(held().meta.shape); }
  bool is_contiguous() const { return gyre::is_contiguous(shape(), strides()); }
  TensorKind kind() const { return held().kind; }
  bool plain() const { return held().kind == TensorKind::plain; }
  /// Whether bytes() may be read: plain, and in host memory.
  bool readable() const { return plain() && impl_->meta.device.kind == Device::cpu; }

  /// Address of the first element. data<T>() is checked: Error{dtype} when T is not the dtype.
  /// Error{unsupported} when it is not readable().
  std::byte* bytes() const {
    if (!readable()) [[unlikely]]
      refuse_unreadable();
    return impl_->bytes();
  }
  template <class T>
  T* data() const {
    check_dtype(kDTypeOf<std::remove_const_t<T>>);
    return reinterpret_cast<T*>(bytes());
  }
  /// The only element as double. Error{shape} unless there is exactly one.
  double item() const;

  /// Whether ops on this tensor are recorded for gradients.
  bool tracked() const {
    return impl_ && (impl_->requires_grad || (impl_->base ? view_tracked() : bool(impl_->node)));
  }
  bool requires_grad() const { return impl_ && impl_->requires_grad; }
  /// Sets whether backward() accumulates a gradient in this leaf. Error{dtype} for integers,
  /// Error{value} for results of ops.
  Tensor& set_requires_grad(bool wanted = true);
  /// The gradient accumulated by backward(), or an empty Tensor.
  Tensor grad() const;
  /// Error{shape, dtype, device} when it differs from this tensor in one of these.
  void set_grad(const Tensor& grad);
  void zero_grad() { held().grad = {}; }
  /// The same data without gradient history.
  Tensor detach() const;
  /// Accumulates the gradients of this 0-d tensor in the leaves; see autograd/backward.h.
  void backward(bool retain_graph = false) const;

  /// Parts by subscripts, to read or to assign to: x[0], x[Slice(1, 3)], x[{0, Slice()}], x[mask];
  /// see ops/index/subscript.h.
  TensorPart operator[](int64_t place) const;
  TensorPart operator[](const Subscript& part) const;
  TensorPart operator[](std::initializer_list<Subscript> parts) const;
  Selection operator[](const Tensor& index) const;

 private:
  template <class T>
  using Literal = std::conditional_t<
      std::is_floating_point_v<T>, double,
      std::conditional_t<std::is_same_v<std::remove_cv_t<T>, bool>, bool,
                         std::conditional_t<std::is_unsigned_v<T>, uint64_t, int64_t>>>;
  template <class T>
  static Tensor literal(T value);  // double, int64_t or bool
  static Tensor literal(uint64_t value);
  void check_dtype(DType asked) const;
  bool view_tracked() const noexcept;
  TensorImpl& held() const {
    if (!impl_) [[unlikely]]
      refuse_empty();
    return *impl_;
  }
  [[noreturn]] static void refuse_empty();
  [[noreturn]] void refuse_unreadable() const;
  Ref<TensorImpl> impl_;
};

using Tensors = SmallVector<Tensor, 4>;
using Inputs = std::span<const Tensor>;

/// Copies the first `bytes` bytes of a plain tensor's elements, in the order of memory, to the
/// host. Error{unavailable} and errors of the device.
void read_bytes(const Tensor& t, void* to, size_t bytes);

/// A new contiguous tensor with uninitialised values. Error{value, resource}.
Tensor empty(const Meta& meta);
Tensor empty(const Shape& shape, DType dtype = DType::f32, Device device = {});

/// A tensor over external memory: `release(owner)` is called when the last view is destroyed.
/// Strides are in elements. Error{value} for negative sizes and for an address that is not a
/// multiple of the element size (copy such bytes into a tensor instead), Error{resource}; on error
/// the caller keeps the owner and release is not called.
Tensor borrow(void* data, const Meta& meta, const Shape& strides, void* owner,
              void (*release)(void* owner) noexcept);

/// Another view of the same storage; strides and offset (from the start of the storage) in
/// elements. Error{unsupported} unless `base` is plain.
Tensor make_view(const Tensor& base, const Shape& shape, const Shape& strides, int64_t offset);

/// Another tensor with the same values and meta, of any kind, without gradient history; a view.
Tensor alias_of(const Tensor& base);

}  // namespace gyre
