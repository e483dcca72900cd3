#pragma once
#include <cstdint>
#include <span>
#include <string>

#include "gyre/base/system/mapped_file.h"

namespace gyre {

/// Size of a token in a file without a header.
enum class TokenWidth : uint8_t { u16 = 2, u32 = 4 };

/// Tokens in a memory-mapped file, which may be larger than memory: raw little-endian u16 or u32
/// (nanoGPT's .bin) or an .npy file of integers, read as one flat sequence.
class TokenFile {
 public:
  /// `width` applies to files without a header. Errors: io; those of npy_header (io/npy.h); dtype
  /// for an .npy file of other than integers; parse if the file size is not a multiple of the width
  /// or the array is in Fortran order.
  explicit TokenFile(const std::string& path, TokenWidth width = TokenWidth::u16);

  /// Restricts this object to the tokens [begin, end) of those that it has. Error{index}.
  void keep(int64_t begin, int64_t end);

  [[nodiscard]] int64_t size() const { return size_; }
  [[nodiscard]] const std::string& path() const { return file_.path(); }
  /// Reads tokens begin, begin + 1, ... into `out`. Error{index}, with file and position, for a
  /// range outside the file and for a token that is negative or not below `vocabulary`.
  void read(int64_t begin, std::span<int32_t> out, int64_t vocabulary = INT32_MAX) const;

 private:
  template <class T>
  void read_as(int64_t begin, std::span<int32_t> out, int64_t vocabulary) const;

  MappedFile file_;
  size_t begin_ = 0;  // of the tokens in the file
  int width_;
  bool is_signed_ = false, big_endian_ = false;
  int64_t first_ = 0, size_ = 0;  // of the tokens that are kept
};

/// Writes tokens without a header through an AtomicFile. Errors: io; index, with the position of a
/// token that is negative or above 65,535 for u16.
void write_token_file(const std::string& path, std::span<const int32_t> tokens, TokenWidth width);

}  // namespace gyre
