#include "gyre/data/token_file.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "gyre/base/error.h"
#include "gyre/io/npy.h"

namespace gyre {
namespace {

constexpr const char* kOp = "token_file";

[[noreturn]] void fail(Code code, const std::string& path, const Message& why,
                       const Message& expected = {}, const Message& actual = {}) {
  throw Error(code, kOp, {path, ": ", why}, expected, actual);
}

}  // namespace

TokenFile::TokenFile(const std::string& path, TokenWidth width)
    : file_(path), width_(static_cast<int>(width)) {
  if (file_.text().starts_with("\x93NUMPY")) {
    const NpyHeader header = npy_header(file_.text(), path);
    if (is_floating(header.dtype) || header.dtype == DType::boolean) {
      fail(Code::dtype, path, "expected an array of integers", "integers", header.dtype);
    }
    if (header.fortran && header.shape.rank > 1) {
      fail(Code::parse, path, "expected C order, got Fortran order");
    }
    begin_ = header.begin;
    width_ = static_cast<int>(size_of(header.dtype));
    is_signed_ = !is_unsigned(header.dtype);
    big_endian_ = header.big_endian;
  } else if (file_.bytes().size() % static_cast<size_t>(width_) != 0) {
    fail(Code::parse, path,
         {"its size of ", file_.bytes().size(), " bytes is not a multiple of the token size ",
          width_});
  }
  size_ = static_cast<int64_t>((file_.bytes().size() - begin_) / static_cast<size_t>(width_));
}

void TokenFile::keep(int64_t begin, int64_t end) {
  if (begin < 0 || begin > end || end > size_) {
    fail(Code::index, path(),
         {"expected a part of its ", size_, " tokens, got tokens ", begin, " to ", end});
  }
  first_ += begin;
  size_ = end - begin;
}

template <class T>
void TokenFile::read_as(int64_t begin, std::span<int32_t> out, int64_t vocabulary) const {
  begin += first_;
  const std::byte* from = file_.bytes().data() + begin_ + static_cast<size_t>(begin) * sizeof(T);
  const auto most = static_cast<uint64_t>(std::min<int64_t>(vocabulary, INT32_MAX));
  for (size_t i = 0; i < out.size(); ++i, from += sizeof(T)) {
    std::byte bytes[sizeof(T)];
    std::memcpy(bytes, from, sizeof(T));
    if (big_endian_) std::reverse(bytes, bytes + sizeof(T));
    T token;
    std::memcpy(&token, bytes, sizeof(T));
    if (static_cast<uint64_t>(token) >= most) {  // also true for negative tokens
      const std::string limit = std::to_string(most);
      fail(Code::index, path(),
           {"token ", begin + static_cast<int64_t>(i), " is ", token, "; the vocabulary size is ",
            limit},
           "[0, " + limit + ")", token);
    }
    out[i] = static_cast<int32_t>(token);
  }
}

void TokenFile::read(int64_t begin, std::span<int32_t> out, int64_t vocabulary) const {
  const auto count = static_cast<int64_t>(out.size());
  if (begin < 0 || begin > size_ || size_ - begin < count) {
    fail(Code::index, path(),
         {"expected ", count, " tokens from token ", begin, " on, but the file has ", size_,
          " tokens"});
  }
  switch (width_) {
    case 1:
      return is_signed_ ? read_as<int8_t>(begin, out, vocabulary)
                        : read_as<uint8_t>(begin, out, vocabulary);
    case 2:
      return is_signed_ ? read_as<int16_t>(begin, out, vocabulary)
                        : read_as<uint16_t>(begin, out, vocabulary);
    case 4:
      return is_signed_ ? read_as<int32_t>(begin, out, vocabulary)
                        : read_as<uint32_t>(begin, out, vocabulary);
    default:
      return is_signed_ ? read_as<int64_t>(begin, out, vocabulary)
                        : read_as<uint64_t>(begin, out, vocabulary);
  }
}

void write_token_file(const std::string& path, std::span<const int32_t> tokens, TokenWidth width) {
  const int64_t most = width == TokenWidth::u16 ? UINT16_MAX : INT32_MAX;
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i] >= 0 && tokens[i] <= most) continue;
    fail(Code::index, path,
         {"token ", i, " is ", tokens[i], ", which does not fit in ", 8 * static_cast<int>(width),
          " bits"},
         {"[0, ", most, "]"}, tokens[i]);
  }
  constexpr size_t kAtOnce = size_t{1} << 14;
  AtomicFile file(path);
  std::string bytes;
  for (size_t begin = 0; begin < tokens.size(); begin += kAtOnce) {
    bytes.clear();
    for (const int32_t token : tokens.subspan(begin, std::min(kAtOnce, tokens.size() - begin))) {
      for (int i = 0; i < static_cast<int>(width); ++i) {
        bytes += static_cast<char>(static_cast<uint32_t>(token) >> (8 * i));
      }
    }
    file.write(bytes);
  }
  file.commit();
}

}  // namespace gyre
