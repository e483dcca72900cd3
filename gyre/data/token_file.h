#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gyre/base/system/file.h"

namespace gyre {

/// How a file without a header stores a token.
enum class TokenWidth : uint8_t { u16 = 2, u32 = 4 };

/// Tokens in a file, mapped: it may be larger than memory. Either a row of little-endian u16 or u32
/// (nanoGPT's .bin) or an .npy file of integers, which counts as one row whatever its shape.
class TokenFile {
 public:
  /// `width` is that of files without a header. Errors: io; those of npy_header (io/npy.h); dtype,
  /// for an .npy file of anything but integers; parse, when the file's length is no multiple of the
  /// width, or its elements lie in Fortran's order.
  explicit TokenFile(const std::string& path, TokenWidth width = TokenWidth::u16);

  [[nodiscard]] int64_t size() const { return size_; }
  [[nodiscard]] const std::string& path() const { return file_.path(); }
  /// Tokens begin, begin + 1, ... into `out`. Errors: index, naming file and place: places that the
  /// file has not, a token that is negative or not below `vocabulary`.
  void read(int64_t begin, std::span<int32_t> out, int64_t vocabulary = INT32_MAX) const;

 private:
  template <class T>
  void read_as(int64_t begin, std::span<int32_t> out, int64_t vocabulary) const;

  MappedFile file_;
  size_t begin_ = 0;  // of the tokens in the file
  int width_;
  bool is_signed_ = false, big_endian_ = false;
  int64_t size_ = 0;
};

/// Writes tokens without a header through an AtomicFile. Errors: io; index, naming the place of a
/// token that is negative or above 65,535 for u16.
void write_token_file(const std::string& path, std::span<const int32_t> tokens, TokenWidth width);

}  // namespace gyre
