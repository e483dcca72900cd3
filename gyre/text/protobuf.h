#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

namespace gyre {

/// A field of a message in Protocol Buffers' wire format.
struct ProtobufField {
  uint64_t number = 0;
  enum Type : uint8_t { varint = 0, fixed64 = 1, bytes = 2, fixed32 = 5 } type = varint;
  uint64_t value = 0;        ///< of varint and fixed types
  std::string_view content;  ///< of bytes: a text or a message

  /// The f32 of a fixed32 field.
  [[nodiscard]] float real() const;
};

/// Reads the fields of a message one after the other.
class ProtobufReader {
 public:
  /// `message` must outlive this and the fields.
  explicit ProtobufReader(std::string_view message) : rest_(message) {}

  /// The next field; none at the end. Error{parse} for bytes that are no message, and for groups.
  std::optional<ProtobufField> next();

 private:
  uint64_t varint();
  uint64_t fixed(size_t size);

  std::string_view rest_;
};

}  // namespace gyre
