#include "gyre/tensor/dlpack.h"

#include "gyre/base/error.h"
#include "gyre/tensor/kind.h"

namespace gyre {
namespace {

constexpr uint8_t kSigned = 0, kUnsigned = 1, kFloating = 2, kBfloat = 4, kBoolean = 6;
constexpr int32_t kHost = 1;

dlpack::DataType type_of(DType d) {
  auto bits = static_cast<uint8_t>(size_of(d) * 8);
  if (d == DType::bf16) return {kBfloat, bits, 1};
  switch (kDTypeInfo[static_cast<int>(d)].kind) {
    case DTypeClass::boolean_class:
      return {kBoolean, bits, 1};
    case DTypeClass::unsigned_integer:
      return {kUnsigned, bits, 1};
    case DTypeClass::signed_integer:
      return {kSigned, bits, 1};
    case DTypeClass::floating:
      return {kFloating, bits, 1};
  }
  return {};
}

DType dtype_of(dlpack::DataType type) {
  for (int d = 0; d < kDTypes; ++d) {
    auto ours = type_of(static_cast<DType>(d));
    if (ours.code == type.code && ours.bits == type.bits && type.lanes == 1) {
      return static_cast<DType>(d);
    }
  }
  throw Error(Code::dtype, "from_dlpack",
              {"elements of type code ", type.code, " with ", type.bits, " bits and ", type.lanes,
               " lanes are not supported"});
}

Device device_of(dlpack::Device device) {
  if (device.type != kHost) {
    throw Error(Code::unavailable, "from_dlpack",
                {"memory of a device of type ", device.type,
                 " is not accessible: move it to the host first"});
  }
  return {};
}

// State owned by an exported array.
template <class M>
struct ExportedArray {
  M managed{};
  Tensor tensor;
  Shape shape, strides;
};

template <class M>
M* hand_out(const Tensor& x) {
  require_readable(x, "to_dlpack");
  auto* e = new ExportedArray<M>;
  e->tensor = x.detach();
  e->shape = x.shape();
  e->strides = x.strides();
  e->managed.array = {x.bytes(),        {kHost, 0},         x.rank(), type_of(x.dtype()),
                      e->shape.begin(), e->strides.begin(), 0};
  e->managed.context = e;
  e->managed.release = [](M* self) { delete static_cast<ExportedArray<M>*>(self->context); };
  return &e->managed;
}

template <class M>
void give_back(void* managed) noexcept {
  auto* m = static_cast<M*>(managed);
  if (m->release) m->release(m);
}

template <class M>
Tensor take_in(M* managed) {
  const dlpack::Array& a = managed->array;
  if (a.rank < 0 || a.rank > kMaxRank) {
    throw Error(Code::shape, "from_dlpack",
                {"expected a rank of 0 to ", kMaxRank, ", got ", a.rank});
  }
  Meta meta;
  meta.dtype = dtype_of(a.dtype);
  meta.device = device_of(a.device);
  for (int i = 0; i < a.rank; ++i) meta.shape.push_back(a.shape[i]);
  Shape strides = contiguous_strides(meta.shape);
  for (int i = 0; a.strides && i < a.rank; ++i) {
    if (a.strides[i] < 0 && a.shape[i] > 1) {
      throw Error(Code::value, "from_dlpack", "negative strides: copy the array first");
    }
    strides[i] = a.strides[i] < 0 ? 0 : a.strides[i];
  }
  if (!a.data && numel(meta.shape)) {
    throw Error(Code::value, "from_dlpack", "the array has elements but no memory");
  }
  return borrow(static_cast<std::byte*>(a.data) + a.byte_offset, meta, strides, managed,
                give_back<M>);
}

}  // namespace

dlpack::Managed* to_dlpack(const Tensor& x) { return hand_out<dlpack::Managed>(x); }
dlpack::VersionedManaged* to_dlpack_versioned(const Tensor& x) {
  auto* managed = hand_out<dlpack::VersionedManaged>(x);
  managed->major = 1;
  return managed;
}

Tensor from_dlpack(dlpack::Managed* array) { return take_in(array); }
Tensor from_dlpack(dlpack::VersionedManaged* array) {
  if (array->major != 1) {
    throw Error(Code::value, "from_dlpack", {"version ", array->major, " is not supported"});
  }
  if (array->flags & dlpack::kReadOnly) {
    throw Error(Code::value, "from_dlpack",
                "the array is read-only and must not be written: copy it first");
  }
  return take_in(array);
}

}  // namespace gyre
