#include "gyre/text/protobuf.h"

#include <bit>

#include "gyre/base/error.h"

namespace gyre {
namespace {

[[noreturn]] void damaged_message(const char* what) {
  throw Error(Code::parse, "tokenizer", {"not a Protocol Buffers message: ", what});
}

}  // namespace

float ProtobufField::real() const { return std::bit_cast<float>(static_cast<uint32_t>(value)); }

uint64_t ProtobufReader::varint() {
  uint64_t number = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    if (rest_.empty()) damaged_message("a number has no end");
    const auto byte = static_cast<uint8_t>(rest_.front());
    rest_.remove_prefix(1);
    number |= static_cast<uint64_t>(byte & 0x7F) << shift;
    if (byte < 0x80) return number;
  }
  damaged_message("a number has more than ten bytes");
}

uint64_t ProtobufReader::fixed(size_t size) {
  if (rest_.size() < size) damaged_message("a number has no end");
  uint64_t number = 0;
  for (size_t i = 0; i < size; ++i)
    number |= static_cast<uint64_t>(static_cast<uint8_t>(rest_[i])) << (8 * i);
  rest_.remove_prefix(size);
  return number;
}

std::optional<ProtobufField> ProtobufReader::next() {
  if (rest_.empty()) return std::nullopt;
  const uint64_t key = varint();
  ProtobufField field;
  field.number = key >> 3;
  switch (key & 7) {
    case ProtobufField::varint:
      field.value = varint();
      return field;
    case ProtobufField::fixed64:
      field.type = ProtobufField::fixed64;
      field.value = fixed(8);
      return field;
    case ProtobufField::fixed32:
      field.type = ProtobufField::fixed32;
      field.value = fixed(4);
      return field;
    case ProtobufField::bytes: {
      field.type = ProtobufField::bytes;
      const uint64_t size = varint();
      if (size > rest_.size()) damaged_message("a field is longer than the message");
      field.content = rest_.substr(0, size);
      rest_.remove_prefix(size);
      return field;
    }
    default:
      damaged_message("a field of an unknown type");
  }
}

}  // namespace gyre
