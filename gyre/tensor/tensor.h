#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "gyre/base/memory/ref.h"
#include "gyre/base/memory/small_vector.h"
#include "gyre/tensor/device.h"
#include "gyre/tensor/dtype.h"
#include "gyre/tensor/shape.h"

namespace gyre {

/// What is known of a tensor without its data. `weak` marks a literal: it takes the dtype of what
/// it meets.
struct Meta {
  Shape shape;
  DType dtype = DType::f32;
  Device device;
  bool weak = false;
};

/// Bytes that tensors share. `version` counts in-place writes, so that backward notices when a
/// value it needs is gone; `recorded_writes` those made while gradients were recorded, so that the
/// other tensors of these bytes are known to have an outdated history.
struct Storage : RefCounted {
  Storage(void* from, size_t n, Device where)
      : data(static_cast<std::byte*>(from)), bytes(n), device(where) {}
  std::byte* data;
  size_t bytes;
  Device device;
  bool borrowed = false;  ///< somebody else may see these bytes, too
  std::atomic<uint32_t> version{0}, recorded_writes{0};
};

/// Fresh bytes of the caching allocator, not initialised, on a 64-byte boundary.
Ref<Storage> allocate_storage(size_t bytes, Device device);

/// How a tensor holds its values. An op with operands of a kind other than plain goes to the handler
/// of the highest kind among them (op/kind_handler.h). Numbers after `packed` are free for
/// extensions.
enum class TensorKind : uint8_t { plain, batched, packed };
inline constexpr size_t kMaxTensorKinds = 8;

struct TensorImpl : RefCounted {
  Meta meta;
  Shape strides;       ///< in elements
  int64_t offset = 0;  ///< in elements
  Ref<Storage> storage;
  Ref<RefCounted> node;     ///< the Node (op/node.h) whose output this is, if recorded
  uint32_t output = 0;      ///< which output
  uint32_t history_at = 0;  ///< the storage's recorded_writes when `node` was told
  bool requires_grad = false;
  bool is_view = false;  ///< made by a view op of another tensor
  TensorKind kind = TensorKind::plain;
  Ref<TensorImpl> grad;
  Ref<RefCounted> hooks;  ///< functions that see the gradient (autograd/hooks.h)

  TensorImpl();
  /// Contiguous, without storage yet.
  explicit TensorImpl(const Meta& meta);
  ~TensorImpl() override;

  std::byte* bytes() const {
    return storage->data + offset * static_cast<int64_t>(size_of(meta.dtype));
  }
};

/// Tensors alive in the process; a loop that leaks shows here.
int64_t live_tensors() noexcept;

/// A strided n-dimensional array; a handle: copies share. Ops are free functions in gyre/ops/*:
/// operators (`a + b`) in ops/elementwise/elementwise.h, parts (`slice`, `select`) in
/// ops/shape/shape.h, printing (`to_string`) in ops/print.h; gyre/gyre.h has them all.
/// A default-constructed Tensor holds nothing and stands for an absent optional argument.
class Tensor {
 public:
  Tensor() = default;
  explicit Tensor(Ref<TensorImpl> impl) : impl_(std::move(impl)) {}
  /// A 0-d literal: takes the dtype of what it meets (f64 by itself, i64 for an integer, boolean
  /// for a bool). An integer must be one of that dtype's numbers.
  template <class T>
    requires(std::is_arithmetic_v<T>)
  Tensor(T value) : Tensor(literal(static_cast<Literal<T>>(value))) {}

  /// Whether it holds anything. All below but impl, ref, tracked and requires_grad is Error{value}
  /// where it does not.
  bool defined() const { return static_cast<bool>(impl_); }
  /// Neither `if (x)` nor `if (x < y)` says whether values or their being there are meant:
  /// defined(), item() != 0.
  explicit operator bool() const = delete;
  TensorImpl* impl() const { return impl_.get(); }
  const Ref<TensorImpl>& ref() const { return impl_; }
  const Meta& meta() const { return held().meta; }
  const Shape& shape() const { return held().meta.shape; }
  const Shape& strides() const { return held().strides; }
  DType dtype() const { return held().meta.dtype; }
  Device device() const { return held().meta.device; }
  int rank() const { return held().meta.shape.rank; }
  /// Size of an axis, which may be negative. Error{index}.
  int64_t size(int64_t axis) const;
  int64_t numel() const { return gyre::numel(held().meta.shape); }
  bool is_contiguous() const { return gyre::is_contiguous(shape(), strides()); }
  TensorKind kind() const { return held().kind; }
  bool plain() const { return held().kind == TensorKind::plain; }
  /// Whether bytes() may be read: plain, and in host memory.
  bool readable() const { return plain() && impl_->meta.device.kind == Device::cpu; }

  /// The first element's address. data<T>() is checked: Error{dtype} when T is not what is stored.
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
  /// The one element as double. Error{shape} when there is not exactly one.
  double item() const;

  /// True when ops on this are recorded.
  bool tracked() const { return impl_ && (impl_->requires_grad || impl_->node); }
  bool requires_grad() const { return impl_ && impl_->requires_grad; }
  /// Marks a leaf as wanting a gradient. Error{dtype} for integers, Error{value} for results of
  /// ops.
  Tensor& set_requires_grad(bool wanted = true);
  /// The gradient gathered by backward(), or an empty Tensor.
  Tensor grad() const;
  /// Error{shape, dtype, device} when it is not like this tensor.
  void set_grad(const Tensor& grad);
  void zero_grad() { held().grad = {}; }
  /// The same data without history.
  Tensor detach() const;
  /// Gradients of this 0-d tensor into the leaves; defined in autograd/backward.cpp.
  void backward(bool retain_graph = false) const;

 private:
  template <class T>
  using Literal = std::conditional_t<
      std::is_floating_point_v<T>, double,
      std::conditional_t<std::is_same_v<std::remove_cv_t<T>, bool>, bool, int64_t>>;
  template <class T>
  static Tensor literal(T value);  // double, int64_t or bool
  void check_dtype(DType asked) const;
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

/// A new contiguous tensor whose values are not set. Error{value, resource}.
Tensor empty(const Meta& meta);
Tensor empty(const Shape& shape, DType dtype = DType::f32, Device device = {});

/// A tensor over bytes of somebody else: `release(owner)` is called when the last view is gone.
/// Strides are in elements. Error{value} for negative sizes and for an address that is no multiple
/// of the element's size (kernels read whole elements: copy such bytes into a tensor instead),
/// Error{resource}; the owner then stays with the caller and release is not called.
Tensor borrow(void* data, const Meta& meta, const Shape& strides, void* owner,
              void (*release)(void* owner) noexcept);

/// Another view of the same storage: shape, strides and offset (elements, from storage start).
/// Error{unsupported} unless `base` is plain.
Tensor make_view(const Tensor& base, const Shape& shape, const Shape& strides, int64_t offset);

/// Another handle of the same values, of any kind, without history.
Tensor alias_of(const Tensor& base);

}  // namespace gyre
