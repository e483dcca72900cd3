#include "gyre/tensor/tensor.h"

#include <cstring>
#include <new>

#include "gyre/base/error.h"
#include "gyre/base/memory/small_blocks.h"
#include "gyre/base/memory/tally.h"
#include "gyre/cuda/device_library.h"
#include "gyre/tensor/allocator.h"
#include "gyre/tensor/kind.h"
#include "gyre/tensor/replaced.h"

namespace gyre {
namespace {

struct PooledStorage final : Storage {
  PooledStorage(size_t n, Device where) : Storage(allocator::allocate(n), n, where) {}
  ~PooledStorage() override { allocator::free(data, bytes); }
};

struct BorrowedStorage final : Storage {
  using Storage::Storage;
  void* owner = nullptr;
  void (*release)(void*) noexcept = nullptr;
  ~BorrowedStorage() override {
    if (release) release(owner);
  }
};

const DeviceLibrary& library_of(Device device) {
  require_available(device, "allocate");
  return *device_library();
}

// Memory of a device other than the CPU.
struct DeviceStorage final : Storage {
  DeviceStorage(size_t n, Device where)
      : Storage(library_of(where).allocate(n, where.index), n, where) {
    if (!data && n) {
      throw Error(Code::resource, "allocate", {"cannot allocate ", n, " bytes on ", where});
    }
  }
  ~DeviceStorage() override {
    const DeviceLibrary* library = device_library();
    if (data && library) library->release(data, bytes, device.index);
  }
};

// Small storage: header and data in one block.
struct SmallStorage final : Storage {
  using Storage::Storage;
  static constexpr size_t kHeader = 64, kMostBytes = kLargestSmallBlock - kHeader;
  static Ref<Storage> make(size_t bytes, Device device) {
    auto* block = static_cast<std::byte*>(allocator::allocate(kHeader + bytes));
    tally(Tally::objects, 1);
    return Ref<Storage>(::new (block) SmallStorage(block + kHeader, bytes, device));
  }
  static void operator delete(SmallStorage* s, std::destroying_delete_t) {
    size_t bytes = s->bytes;
    s->~SmallStorage();
    tally(Tally::objects, -1);
    allocator::free(s, kHeader + bytes);
  }
};
static_assert(sizeof(SmallStorage) <= SmallStorage::kHeader);

double as_double(f16 x) { return static_cast<double>(to_float(x)); }
double as_double(bf16 x) { return static_cast<double>(to_float(x)); }
double as_double(auto x) { return static_cast<double>(x); }

double element(const std::byte* p, DType dtype) {
  return visit_dtype(dtype, [&](auto value) {
    std::memcpy(&value, p, sizeof value);
    return as_double(value);
  });
}

}  // namespace

Ref<Storage> allocate_storage(size_t bytes, Device device) {
  if (device.kind != Device::cpu) return make_ref<DeviceStorage>(bytes, device);
  if (bytes <= SmallStorage::kMostBytes) [[likely]]
    return SmallStorage::make(bytes, device);
  return make_ref<PooledStorage>(bytes, device);
}

TensorImpl::TensorImpl() { tally(Tally::tensors, 1); }
TensorImpl::TensorImpl(const Meta& m) : meta(m), strides(contiguous_strides(m.shape)) {
  tally(Tally::tensors, 1);
}
TensorImpl::~TensorImpl() {
  tally(Tally::tensors, -1);
  if (in_succession.load(std::memory_order_relaxed)) [[unlikely]]
    leave_succession(*this);
}

int64_t live_tensors() noexcept { return total(Tally::tensors); }

template <class T>
Tensor Tensor::literal(T value) {
  Meta meta;
  meta.dtype = kDTypeOf<T>;
  meta.weak = true;
  Tensor t = empty(meta);
  std::memcpy(t.bytes(), &value, sizeof value);
  return t;
}
template Tensor Tensor::literal(double);
template Tensor Tensor::literal(int64_t);
template Tensor Tensor::literal(bool);
Tensor Tensor::literal(uint64_t value) {
  if (std::in_range<int64_t>(value)) return literal(static_cast<int64_t>(value));
  return literal<uint64_t>(value);
}

int64_t Tensor::size(int64_t axis) const { return shape()[normalize_axis(axis, rank(), "size")]; }

double Tensor::item() const {
  if (numel() != 1) {
    throw Error(Code::shape, "item", {"expected a tensor with one element, got shape ", shape()},
                "one element", shape());
  }
  if (!plain()) refuse_unreadable();
  alignas(8) std::byte value[8];
  read_bytes(*this, value, size_of(dtype()));
  return element(value, dtype());
}

void read_bytes(const Tensor& t, void* to, size_t bytes) {
  const std::byte* from = t.impl()->bytes();
  const Device device = t.device();
  if (device.kind == Device::cpu) {
    std::memcpy(to, from, bytes);
    return;
  }
  const Status read = library_of(device).read(to, from, bytes, device.index);
  if (read.failed) throw Error(read.code, "read", read.what);
}

bool Tensor::view_tracked() const noexcept {
  const bool renewed = __atomic_load_n(&impl_->history_at, __ATOMIC_ACQUIRE) !=
                       impl_->storage->recorded_writes.load(std::memory_order_relaxed);
  return renewed ? impl_->base->node || impl_->base->requires_grad : bool(impl_->node);
}

Tensor& Tensor::set_requires_grad(bool wanted) {
  if (wanted && !is_floating(dtype())) {
    throw mismatch(Code::dtype, "requires_grad", "expected a floating tensor", "a floating dtype",
                   dtype());
  }
  if (held().node || (impl_->base && view_tracked())) {
    throw Error(Code::value, "requires_grad",
                "expected a leaf, got the result of an op; use detach() first");
  }
  impl_->requires_grad = wanted;
  if (wanted) impl_->base = {};  // a leaf of its own
  return *this;
}

void Tensor::refuse_empty() {
  throw Error(Code::value, "Tensor",
              "the tensor is empty: default-constructed, moved from, or an absent gradient or "
              "optional part");
}

void Tensor::refuse_unreadable() const {
  require_readable(*this, "Tensor");
  __builtin_unreachable();
}

Tensor Tensor::grad() const { return held().grad ? Tensor(impl_->grad) : Tensor(); }

void Tensor::set_grad(const Tensor& grad) {
  if (grad.defined() && !(grad.shape() == shape())) {
    throw mismatch(Code::shape, "set_grad", {"expected a gradient of shape ", shape()}, shape(),
                   grad.shape());
  }
  if (grad.defined() && grad.dtype() != dtype()) {
    throw mismatch(Code::dtype, "set_grad",
                   std::string("expected a gradient of dtype ") + name_of(dtype()), dtype(),
                   grad.dtype());
  }
  if (grad.defined() && !(grad.device() == device())) {
    throw mismatch(Code::device, "set_grad", {"expected a gradient on ", device()}, device(),
                   grad.device());
  }
  held().grad = grad.ref();
}

Tensor Tensor::detach() const {
  Tensor same = alias_of(*this);
  if (!plain()) same.impl()->storage = kind_storage(*this).detached();
  return same;
}

void Tensor::check_dtype(DType asked) const {
  if (asked != dtype()) {
    throw mismatch(Code::dtype, "data", std::string("expected data of dtype ") + name_of(asked),
                   name_of(asked), dtype());
  }
}

Tensor empty(const Meta& meta) {
  check_shape(meta.shape, size_of(meta.dtype), "empty");
  auto impl = make_ref<TensorImpl>(meta);
  impl->storage =
      allocate_storage(static_cast<size_t>(numel(meta.shape)) * size_of(meta.dtype), meta.device);
  return Tensor(std::move(impl));
}

Tensor empty(const Shape& shape, DType dtype, Device device) {
  Meta meta;
  meta.shape = shape;
  meta.dtype = dtype;
  meta.device = device;
  return empty(meta);
}

Tensor borrow(void* data, const Meta& meta, const Shape& strides, void* owner,
              void (*release)(void* owner) noexcept) {
  check_shape(meta.shape, size_of(meta.dtype), "borrow");
  if (reinterpret_cast<uintptr_t>(data) % size_of(meta.dtype) != 0) {
    throw Error(Code::value, "borrow",
                {"the address is not a multiple of the size of ", meta.dtype,
                 "; copy the bytes into a tensor"});
  }
  auto impl = make_ref<TensorImpl>();
  auto storage = make_ref<BorrowedStorage>(
      data, static_cast<size_t>(numel(meta.shape)) * size_of(meta.dtype), meta.device);
  storage->borrowed = true;
  storage->owner = owner;
  storage->release = release;
  impl->meta = meta;
  impl->strides = strides;
  impl->storage = std::move(storage);
  return Tensor(std::move(impl));
}

static Tensor view_of_any_kind(const Tensor& base, const Shape& shape, const Shape& strides,
                               int64_t offset) {
  auto impl = make_ref<TensorImpl>();
  impl->meta.shape = shape;
  impl->meta.dtype = base.dtype();
  impl->meta.device = base.device();
  impl->strides = strides;
  impl->offset = offset;
  impl->storage = base.impl()->storage;
  impl->kind = base.impl()->kind;
  return Tensor(std::move(impl));
}

Tensor make_view(const Tensor& base, const Shape& shape, const Shape& strides, int64_t offset) {
  require_plain(base, "make_view");
  return view_of_any_kind(base, shape, strides, offset);
}

Tensor alias_of(const Tensor& base) {
  const Meta& meta = base.meta();  // throws if empty
  Tensor same = view_of_any_kind(base, meta.shape, base.strides(), base.impl()->offset);
  same.impl()->meta.weak = meta.weak;
  return same;
}

}  // namespace gyre
