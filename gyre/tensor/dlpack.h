#pragma once
#include "gyre/tensor/tensor.h"

// Zero-copy exchange of tensors with other libraries (NumPy, PyTorch, JAX, ...): the C structures
// of DLPack (https://dmlc.github.io/dlpack, versions before 1.0 and 1.x).

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
/// An array with its owner; the consumer calls release(this) when done.
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

/// Exports the elements of x; the memory lives until release is called. A tensor that requires grad
/// is exported without its history. Errors of require_readable().
dlpack::Managed* to_dlpack(const Tensor& x);
dlpack::VersionedManaged* to_dlpack_versioned(const Tensor& x);

/// A tensor over a foreign array, released with the last tensor that shares it. On errors the
/// caller keeps the array: dtype (complex, several lanes, unsupported widths), unavailable
/// (unsupported devices), shape (rank above 16), value (negative strides, misaligned addresses,
/// elements without memory, another major version, or read-only memory).
Tensor from_dlpack(dlpack::Managed* array);
Tensor from_dlpack(dlpack::VersionedManaged* array);

}  // namespace gyre
