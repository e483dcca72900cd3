#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gyre/base/system/file.h"
#include "gyre/io/file_mapping.h"
#include "gyre/io/gguf/gguf_types.h"
#include "gyre/io/named_tensor.h"

namespace gyre {

class Json;

/// A value of the metadata of a GGUF file, which must outlive it. Error{parse}, naming the key but
/// not the file, for another type.
class GgufValue {
 public:
  enum class Type : uint8_t {
    u8,
    i8,
    u16,
    i16,
    u32,
    i32,
    f32,
    boolean,
    text,
    array,
    u64,
    i64,
    f64
  };

  [[nodiscard]] bool is_array() const { return type_ == Type::array; }
  /// Elements of an array; 1 for other values.
  [[nodiscard]] uint64_t size() const { return size_; }
  [[nodiscard]] bool as_boolean() const;
  /// Any integer type. Error{parse} above the largest int64, too.
  [[nodiscard]] int64_t as_integer() const;
  /// f64, or f32 as the double with the same digits.
  [[nodiscard]] double as_real() const;
  [[nodiscard]] std::string_view as_text() const;
  /// The elements of an array.
  [[nodiscard]] std::vector<std::string_view> texts() const;
  [[nodiscard]] std::vector<int64_t> integers() const;  ///< also of booleans: 0 and 1
  [[nodiscard]] std::vector<double> reals() const;
  /// For people: the value, or the first `most` elements of an array.
  [[nodiscard]] Json to_json(uint64_t most) const;

 private:
  friend class GgufHeader;
  [[noreturn]] void mismatch(const char* wanted) const;
  void require_array(const char* wanted) const;
  [[nodiscard]] GgufValue element(const char*& at) const;

  Type type_ = Type::u8, element_ = Type::u8;
  uint64_t size_ = 1;
  const char* begin_ = nullptr;  // of the value or the first element
  std::string_view key_;         // for errors
};

/// A tensor of a GGUF file.
struct GgufEntry {
  std::string name;
  const GgufType* type;
  Shape shape;         ///< row-major: the axes of the file in reverse order
  size_t part = 0;     ///< the file of a split model that holds it
  uint64_t begin = 0;  ///< first byte in its file
  uint64_t bytes = 0;
};

/// A GGUF file, version 2 or 3, or a model split over files NAME-00001-of-0000N.gguf, opened by the
/// first. The files are memory-mapped. Format: docs/gguf.md of ggml. Rejects another magic, counts
/// and texts that do not fit in the file, duplicate keys and names, more than four axes, offsets
/// that are not aligned, tensors that overlap or end outside the file.
class GgufFile {
 public:
  /// Errors: io; parse, with file and key or tensor; unsupported, for another version, big-endian
  /// files, nested arrays and a number that is no type; value, for another part of a split model
  /// than the first, and for one that is missing. Only headers are read.
  explicit GgufFile(const std::string& path);

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] uint32_t version() const { return version_; }
  /// Number of files.
  [[nodiscard]] size_t parts() const { return parts_.size(); }
  /// The file that holds a tensor.
  [[nodiscard]] const std::string& path_of(const GgufEntry& entry) const {
    return parts_[entry.part]->file.path();
  }
  /// In the order of the files.
  [[nodiscard]] std::span<const GgufEntry> entries() const { return entries_; }
  /// Null if there is none.
  [[nodiscard]] const GgufEntry* find(std::string_view name) const;

  struct Field {
    std::string key;
    GgufValue value;
  };
  /// The metadata, of the first file, in its order.
  [[nodiscard]] std::span<const Field> metadata() const { return metadata_; }
  /// Null if there is none.
  [[nodiscard]] const GgufValue* metadata(std::string_view key) const;

  /// The tensor. Plain types are copied, or with FileAccess::map lie in the mapped file if they are
  /// aligned for their dtype; writing to them never changes the file. Quantised ones are decoded to
  /// `blocks`, f32 or f16. Errors: unsupported, naming tensor and type; internal, for another dtype
  /// of blocks.
  [[nodiscard]] Tensor load(const GgufEntry& entry, FileAccess access,
                            DType blocks = DType::f32) const;
  /// The bytes of a tensor as they are stored, u8 [n]: copied, or with FileAccess::map in the
  /// mapped file.
  [[nodiscard]] Tensor bytes(const GgufEntry& entry, FileAccess access) const;
  /// All of them.
  [[nodiscard]] std::vector<NamedTensor> load_all(FileAccess access,
                                                  DType blocks = DType::f32) const;

 private:
  void open_parts();

  std::string path_;
  uint32_t version_ = 0;
  std::vector<Ref<FileMapping>> parts_;
  std::vector<GgufEntry> entries_;
  std::vector<uint32_t> by_name_;  // indices of entries_, sorted by name
  std::vector<Field> metadata_;
};

}  // namespace gyre
