#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "gyre/tensor/dtype.h"

/// Constants of the safetensors format.
namespace gyre::safetensors {

inline constexpr uint64_t kLargestHeader = 100'000'000;
inline constexpr size_t kLengthBytes = 8;  ///< of the header length, u64 little-endian
inline constexpr std::string_view kMetadataKey = "__metadata__";
inline constexpr std::string_view kChecksumKey = "gyre.xxh64";
inline constexpr std::string_view kNoChecksum =
    "0000000000000000";  ///< placeholder while it is computed

struct StoredDType {
  std::string_view name;
  int bits;
  bool held;  ///< supported by gyre, as `dtype`
  DType dtype;
};

/// Every dtype of the format (version 0.6), those that are held in the order in which the reference
/// sorts tensors, from last to first.
inline constexpr StoredDType kStoredDTypes[] = {
    {"BOOL", 8, true, DType::boolean},    {"U8", 8, true, DType::u8},
    {"I8", 8, true, DType::i8},           {"I16", 16, true, DType::i16},
    {"U16", 16, true, DType::u16},        {"F16", 16, true, DType::f16},
    {"BF16", 16, true, DType::bf16},      {"I32", 32, true, DType::i32},
    {"U32", 32, true, DType::u32},        {"F32", 32, true, DType::f32},
    {"F64", 64, true, DType::f64},        {"I64", 64, true, DType::i64},
    {"U64", 64, true, DType::u64},        {"F4", 4, false, DType::u8},
    {"F6_E2M3", 6, false, DType::u8},     {"F6_E3M2", 6, false, DType::u8},
    {"F8_E5M2", 8, false, DType::u8},     {"F8_E4M3", 8, false, DType::u8},
    {"F8_E8M0", 8, false, DType::u8},     {"F8_E4M3FNUZ", 8, false, DType::u8},
    {"F8_E5M2FNUZ", 8, false, DType::u8}, {"C64", 64, false, DType::u8},
};

/// nullptr when the format has no such dtype.
constexpr const StoredDType* find_stored(std::string_view name) {
  for (const StoredDType& stored : kStoredDTypes) {
    if (stored.name == name) return &stored;
  }
  return nullptr;
}

/// The entry of a dtype; nullptr when the format cannot hold it.
constexpr const StoredDType* stored_as(DType dtype) {
  for (const StoredDType& stored : kStoredDTypes) {
    if (stored.held && stored.dtype == dtype) return &stored;
  }
  return nullptr;
}

constexpr std::string_view stored_name(DType dtype) {
  const StoredDType* stored = stored_as(dtype);
  return stored ? stored->name : std::string_view();
}

}  // namespace gyre::safetensors
