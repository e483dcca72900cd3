#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gyre/base/system/file.h"
#include "gyre/io/file_mapping.h"
#include "gyre/io/named_tensor.h"

namespace gyre {

/// The `__metadata__` of a file, in file order.
using SafetensorsMetadata = std::vector<std::pair<std::string, std::string>>;

/// The header entry of one tensor.
struct SafetensorsEntry {
  std::string name;
  std::string stored_dtype;  ///< as in the file: "F32", "BF16", "F8_E4M3", ...
  Shape shape;
  uint64_t begin = 0;  ///< first byte, relative to the end of the header
  uint64_t end = 0;    ///< one past the last byte

  [[nodiscard]] uint64_t bytes() const { return end - begin; }
  /// Errors: dtype, when gyre has no such dtype (8-bit floats, U16, U64, C64, ...).
  [[nodiscard]] DType dtype() const;
};

/// What is verified on opening, besides the header.
enum class Verify : uint8_t {
  checksum,   ///< all bytes, if the file has a gyre checksum
  required,   ///< the same; a file without a checksum is an error
  structure,  ///< nothing else: no data is read
};

/// A safetensors file. Format: github.com/huggingface/safetensors. Rejects a header
/// over 100,000,000 bytes or beyond the end of the file, one that is not a JSON object in UTF-8,
/// duplicate keys, sizes that are not integers, unknown dtypes, rank over 16, and byte ranges that
/// do not match the shape, overlap, leave holes or do not fill the file. (For duplicate keys the
/// reference implementation takes the last; its format description disallows them.)
class SafetensorsFile {
 public:
  /// Errors: io; parse, with file and tensor; dtype, for a dtype not in the format; value, for a
  /// wrong or missing checksum. Only the header is read, unless a checksum is verified.
  explicit SafetensorsFile(const std::string& path, Verify verify = Verify::checksum,
                           FileAccess access = FileAccess::read);

  /// In the order of their bytes.
  [[nodiscard]] std::span<const SafetensorsEntry> entries() const { return entries_; }
  [[nodiscard]] const SafetensorsMetadata& metadata() const { return metadata_; }
  /// The value of a metadata key; empty when missing.
  [[nodiscard]] std::string_view metadata(std::string_view key) const;
  [[nodiscard]] const SafetensorsEntry* find(std::string_view name) const;
  [[nodiscard]] const std::string& path() const { return file_->path(); }

  /// The tensor, read from the file, or with FileAccess::map over the mapped bytes (which stay
  /// mapped as long as it lives) if they are aligned for its dtype. Writing to it never changes the
  /// file. Errors: index, unknown name; dtype; value, a BOOL byte that is neither 0 nor 1; io.
  [[nodiscard]] Tensor load(std::string_view name) const;
  [[nodiscard]] Tensor load(const SafetensorsEntry& entry) const;
  /// All tensors, in the order of entries().
  [[nodiscard]] std::vector<NamedTensor> load_all() const;

 private:
  [[nodiscard]] Tensor read(const SafetensorsEntry& entry, const Meta& meta) const;
  void verify_checksum(std::string_view expected) const;

  std::shared_ptr<const InputFile> file_;
  uint64_t begin_ = 0;         // of the data, after the header
  Ref<FileMapping> mapping_;   // with FileAccess::map
  std::byte* data_ = nullptr;  // the mapped bytes
  std::vector<SafetensorsEntry> entries_;
  std::vector<uint32_t> by_name_;  // indices of entries_, sorted by name
  SafetensorsMetadata metadata_;
};

struct SafetensorsWriteOptions {
  /// Store the XXH64 of the whole file (computed with sixteen zeros in its place) under the
  /// metadata key `gyre.xxh64`; `SafetensorsFile` then detects damage anywhere in the file.
  bool checksum = true;
};

/// Writes the tensors (on the CPU, any strides) through an AtomicFile, in the order of the
/// reference implementation: wide elements first, then by name; the header is padded with spaces so
/// that data starts at a multiple of 8. Equal input gives equal bytes. No tensor is copied as a
/// whole. Errors: io; value, a duplicate, reserved or not UTF-8 name, an empty Tensor, metadata
/// that is not UTF-8; device.
void write_safetensors(const std::string& path, std::span<const NamedTensor> tensors,
                       const SafetensorsMetadata& metadata = {},
                       const SafetensorsWriteOptions& options = {});
/// The length of the file that write_safetensors() would write; no element is read. Error{value} as
/// there.
uint64_t safetensors_size(std::span<const NamedTensor> tensors,
                          const SafetensorsMetadata& metadata = {},
                          const SafetensorsWriteOptions& options = {});

}  // namespace gyre
