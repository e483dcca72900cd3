#pragma once
#include "gyre/tensor/tensor.h"

// Tensors handed to other libraries and taken from them without a copy: the C structures of DLPack
// (https://dmlc.github.io/dlpack, versions before 1.0 and 1.x), by which NumPy, PyTorch, JAX and
// others exchange arrays.

namespace gyre {
namespace dlpack {

struct Device {
  int32_t type = 1;  ///< 1: host memory, 2: CUDA
  int32_t id = 0;
};
struct DataType {
  uint8_t code;  ///< 0 signed, 1 unsigned, 2 floating, 4 bfloat, 6 boolean
  uint8_t bits;
  uint16_t lanes;
};
struct Array {
  void* data;
  Device device;
  int32_t rank;
  DataType dtype;
  int64_t* shape;
  int64_t* strides;  ///< in elements; null: row-major without gaps
  uint64_t byte_offset;
};
/// An array with its owner, who is told by release(this) that nobody uses it any more.
struct Managed {
  Array array;
  void* context;
  void (*release)(Managed* self);
};
struct VersionedManaged {
  uint32_t major, minor;
  void* context;
  void (*release)(VersionedManaged* self);
  uint64_t flags;
  Array array;
};
inline constexpr uint64_t kReadOnly = 1, kCopied = 2;

}  // namespace dlpack

/// The elements of x for somebody else; its memory lives until release is called. Of a tensor that
/// is tracked this shares the values only.
dlpack::Managed* to_dlpack(const Tensor& x);
dlpack::VersionedManaged* to_dlpack_versioned(const Tensor& x);

/// A tensor over an array of somebody else, released with the last tensor that shares it. Errors,
/// after which it stays with the caller: dtype (complex, several lanes, widths that gyre does not
/// store), unavailable (devices that are not here), shape (rank above 16), value (negative strides,
/// addresses no multiple of the element, elements without memory, another major version, or memory
/// that must not be written).
Tensor from_dlpack(dlpack::Managed* array);
Tensor from_dlpack(dlpack::VersionedManaged* array);

}  // namespace gyre
