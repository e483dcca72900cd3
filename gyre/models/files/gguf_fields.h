#pragma once
#include <set>
#include <string>
#include <string_view>

#include "gyre/io/gguf/gguf.h"
#include "gyre/io/json.h"

namespace gyre {

/// The metadata of a GGUF file that begin with its architecture: "block_count" is
/// "llama.block_count". Those that were asked for are noted, so that the rest can be refused.
/// Errors name file and key: Error{parse} for another type, Error{value} for a missing field.
class GgufFields {
 public:
  GgufFields(const GgufFile& file, std::string_view architecture)
      : file_(file), prefix_(std::string(architecture) + ".") {}

  [[nodiscard]] const GgufFile& file() const { return file_; }
  [[nodiscard]] const GgufValue* find(std::string_view name) const;
  [[nodiscard]] int64_t integer(std::string_view name) const;
  /// Of an array, which has a number for each layer, the number that all have. Error{unsupported}
  /// if they differ.
  [[nodiscard]] int64_t integer_or(std::string_view name, int64_t otherwise) const;
  [[nodiscard]] double real_or(std::string_view name, double otherwise) const;
  [[nodiscard]] std::string text_or(std::string_view name, const char* otherwise) const;

  /// Error{unsupported} naming file, key and value.
  [[noreturn]] void refuse(std::string_view name, const char* wanted) const;
  /// Error{unsupported} for a field that nobody asked for, unless it is zero, false or known to
  /// change no results.
  void refuse_others() const;

 private:
  const GgufFile& file_;
  std::string prefix_;
  mutable std::set<std::string, std::less<>> asked_;
};

}  // namespace gyre
