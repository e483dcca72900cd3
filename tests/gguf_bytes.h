#pragma once
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace gyre {

/// The bytes of floats.
inline std::string floats(const std::vector<float>& values) {
  std::string bytes(values.size() * sizeof(float), '\0');
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

/// Builds the bytes of a GGUF file, well formed or not.
class GgufBytes {
 public:
  /// The lowest bytes of a number.
  static std::string number(uint64_t value, size_t bytes) {
    std::string all;
    for (size_t i = 0; i < bytes; ++i) all += static_cast<char>(value >> (8 * i));
    return all;
  }
  static std::string with_length(const std::string& text) { return number(text.size(), 8) + text; }

  /// A field of the metadata: the number of its type, and its bytes.
  GgufBytes& field(const std::string& key, uint32_t type, const std::string& value) {
    return raw(with_length(key) + number(type, 4) + value);
  }
  GgufBytes& raw(const std::string& bytes) {
    metadata_ += bytes;
    ++fields;
    return *this;
  }
  GgufBytes& u16(const std::string& key, uint64_t x) { return field(key, 2, number(x, 2)); }
  GgufBytes& u32(const std::string& key, uint64_t x) { return field(key, 4, number(x, 4)); }
  GgufBytes& i32(const std::string& key, int32_t x) {
    return field(key, 5, number(static_cast<uint32_t>(x), 4));
  }
  GgufBytes& u64(const std::string& key, uint64_t x) { return field(key, 10, number(x, 8)); }
  GgufBytes& f32(const std::string& key, float x) { return field(key, 6, floats({x})); }
  GgufBytes& boolean(const std::string& key, bool x) { return field(key, 7, number(x, 1)); }
  GgufBytes& text(const std::string& key, const std::string& x) {
    return field(key, 8, with_length(x));
  }
  GgufBytes& texts(const std::string& key, const std::vector<std::string>& all) {
    std::string bytes = number(8, 4) + number(all.size(), 8);
    for (const std::string& one : all) bytes += with_length(one);
    return field(key, 9, bytes);
  }
  GgufBytes& i32s(const std::string& key, const std::vector<int32_t>& all) {
    std::string bytes = number(5, 4) + number(all.size(), 8);
    for (const int32_t one : all) bytes += number(static_cast<uint32_t>(one), 4);
    return field(key, 9, bytes);
  }
  static constexpr uint64_t kNext = 1;  ///< an offset: after the tensors before
  GgufBytes& tensor(const std::string& name, uint32_t type, const std::vector<uint64_t>& axes,
                    const std::string& bytes, uint64_t offset = kNext) {
    entries_.push_back({name, type, axes, bytes, offset});
    ++tensors;
    return *this;
  }

  [[nodiscard]] std::string bytes(uint32_t version = 3) const {
    std::string head, data;
    for (const Entry& e : entries_) {
      data.resize((data.size() + alignment - 1) / alignment * alignment, '\0');
      head += with_length(e.name) + number(e.axes.size(), 4);
      for (const uint64_t axis : e.axes) head += number(axis, 8);
      head += number(e.type, 4) + number(e.offset == kNext ? data.size() : e.offset, 8);
      data += e.bytes;
    }
    std::string all = "GGUF" + number(version, 4) + number(tensors, 8) + number(fields, 8);
    all += metadata_ + head;
    all.resize((all.size() + alignment - 1) / alignment * alignment, '\0');
    return all + data;
  }

  uint64_t tensors = 0, fields = 0;  ///< as the header counts them
  size_t alignment = 32;

 private:
  struct Entry {
    std::string name;
    uint32_t type;
    std::vector<uint64_t> axes;
    std::string bytes;
    uint64_t offset;
  };
  std::string metadata_;
  std::vector<Entry> entries_;
};

}  // namespace gyre
