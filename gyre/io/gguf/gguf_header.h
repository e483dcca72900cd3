#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "gyre/base/error.h"
#include "gyre/io/gguf/gguf.h"

namespace gyre {

/// Bytes of a value of each GgufValue::Type; of a text, those of its length.
inline constexpr size_t kGgufValueBytes[] = {1, 1, 2, 2, 4, 4, 4, 1, 8, 0, 8, 8, 8};

/// Parses the header of one GGUF file. Errors as GgufFile; `file` must outlive the values.
class GgufHeader {
 public:
  GgufHeader(std::string_view file, const std::string& path) : path_(path), file_(file) {}
  void read();

  uint32_t version = 0;
  std::vector<GgufFile::Field> metadata;
  std::vector<GgufEntry> entries;

 private:
  [[noreturn]] void refuse(const Message& why, Code code = Code::parse) const;
  [[nodiscard]] uint64_t left() const { return file_.size() - at_; }
  uint64_t take(size_t bytes, const char* what);
  std::string_view take_text(const char* what);
  uint64_t take_count(uint64_t least, const char* what);

  void read_version();
  GgufValue read_value(std::string_view key);
  GgufValue::Type value_type(uint64_t number, std::string_view key) const;
  void skip(GgufValue::Type type, uint64_t count, std::string_view key);
  void read_entry();
  [[nodiscard]] uint64_t alignment() const;
  void place_entries(uint64_t alignment);
  void check_ranges() const;
  void check_names() const;

  const std::string& path_;
  std::string_view file_;
  size_t at_ = 0;
};

}  // namespace gyre
