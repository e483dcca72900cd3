#include "gyre/data/idx.h"

#include <algorithm>
#include <cstring>

#include "gyre/base/error.h"
#include "gyre/base/system/file.h"
#include "gyre/io/deflate.h"

namespace gyre {
namespace {

[[noreturn]] void fail_idx(const std::string& path, const Message& why) {
  throw Error(Code::parse, "read_idx", {path, ": ", why});
}

uint32_t big_endian(std::string_view bytes, size_t at) {
  uint32_t value = 0;
  for (size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<uint8_t>(bytes[at + i]);
  return value;
}

DType dtype_of_code(uint8_t code, const std::string& path) {
  switch (code) {
    case 0x08:
      return DType::u8;
    case 0x09:
      return DType::i8;
    case 0x0B:
      return DType::i16;
    case 0x0C:
      return DType::i32;
    case 0x0D:
      return DType::f32;
    case 0x0E:
      return DType::f64;
    default:
      fail_idx(path, {"type ", code, " is not an IDX dtype"});
  }
}

// Elements in native byte order.
void place(std::string_view from, std::byte* to, size_t size) {
  std::memcpy(to, from.data(), from.size());
  for (size_t i = 0; size > 1 && i < from.size(); i += size) std::reverse(to + i, to + i + size);
}

Tensor parse(std::string_view bytes, const std::string& path) {
  if (bytes.size() < 4 || bytes[0] != 0 || bytes[1] != 0) fail_idx(path, "is not an IDX file");
  const DType dtype = dtype_of_code(static_cast<uint8_t>(bytes[2]), path);
  const auto rank = static_cast<uint8_t>(bytes[3]);
  const size_t header = 4 + size_t{4} * rank;
  if (rank > kMaxRank || bytes.size() < header) {
    fail_idx(path, {"is too short for the header of ", rank, " axes"});
  }
  Shape shape;
  for (size_t i = 0; i < rank; ++i) shape.push_back(big_endian(bytes, 4 + 4 * i));
  check_shape(shape, size_of(dtype), "read_idx");
  const size_t wanted = static_cast<size_t>(numel(shape)) * size_of(dtype);
  if (bytes.size() - header != wanted) {
    fail_idx(path, {"has ", bytes.size() - header, " bytes for ", shape, ", expected ", wanted});
  }
  Tensor t = empty(shape, dtype);
  place(bytes.substr(header), t.bytes(), size_of(dtype));
  return t;
}

}  // namespace

Tensor read_idx(const std::string& path) {
  const std::string bytes = read_file(path);
  return is_gzip(bytes) ? parse(gunzip(bytes, path), path) : parse(bytes, path);
}

}  // namespace gyre
