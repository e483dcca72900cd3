#pragma once
#include <cstdint>

#include "gyre/tensor/dtype.h"

namespace gyre {

/// A type of tensors in GGUF files. Elements are stored in blocks of `block` along the last axis,
/// `bytes` each.
struct GgufType {
  uint32_t id;
  const char* name;  ///< "Q4_K"
  uint64_t block, bytes;
  bool is_plain;  ///< elements as they are, of `dtype`
  DType dtype;
  /// The `block` numbers of a block; null for plain types and for those that are not supported.
  void (*decode)(const uint8_t* from, float* to);

  [[nodiscard]] bool is_supported() const { return is_plain || decode != nullptr; }
};

/// The type with that number; null if there is none.
const GgufType* find_gguf_type(uint32_t id);

}  // namespace gyre
