#pragma once
#include <bitset>
#include <cstdint>
#include <vector>

#include "gyre/models/generation/schema/json_schema.h"

namespace gyre {

/// The beginning of a JSON text of a schema, byte by byte. Texts are UTF-8 without white space but
/// for one space after a comma or colon; keys have no escapes but those that they need; numbers
/// have at most 15 digits before and after the point and 2 of the exponent. A value.
class JsonText {
 public:
  /// An empty text; `schema` must outlive this.
  explicit JsonText(const JsonSchema& schema);

  /// Appends a byte. False if no text of the schema goes on so: it is then of no use any more.
  bool push(uint8_t byte);
  /// Whether the text is whole, and whether it could not go on.
  [[nodiscard]] bool complete() const { return shortest_end() == 0; }
  [[nodiscard]] bool ended() const;
  /// The number of bytes of the shortest end.
  [[nodiscard]] int64_t shortest_end() const;

  /// Splits into the texts that go on in a string or key without any restriction, where characters
  /// other than quotes, backslashes and controls change nothing, and all others.
  void split_free(std::vector<JsonText>& free, std::vector<JsonText>& others) const;
  /// Whether all ways to read it are of the first kind.
  [[nodiscard]] bool is_free() const;

 private:
  enum class Phase : uint8_t {
    start,
    // strings
    inside,
    escape,
    hex,
    // numbers
    sign,
    zero,
    digits,
    point,
    fraction,
    exponent,
    exponent_sign,
    exponent_digits,
    // literals
    literal,
    // objects and arrays
    opened,
    comma,
    comma_space,
    key,
    key_done,
    colon,
    colon_space,
    value
  };
  // A value that has begun.
  struct Frame {
    int32_t node;
    Phase phase = Phase::start;
    uint8_t pending = 0, low = 0, high = 0;  // bytes of a character or \u escape that are missing
    uint32_t at = 0, first = 0, last = 0;    // bytes read, and what they may be the start of
    bool other = false;                      // the key may be one that is not listed
    int64_t count = 0;                       // elements or properties, or digits
    std::bitset<JsonSchema::kMostProperties> seen{};
  };
  // The innermost value is the last. An outer one waits in phase `value` for its end.
  using Stack = std::vector<Frame>;

  [[nodiscard]] const SchemaNode& node(const Frame& f) const { return schema_->node(f.node); }
  void step(Stack stack, uint8_t byte, std::vector<Stack>& next) const;
  void begin(Stack stack, int32_t node, uint8_t byte, std::vector<Stack>& next) const;
  void step_literal(Stack stack, uint8_t byte, std::vector<Stack>& next) const;
  void step_number(Stack stack, uint8_t byte, std::vector<Stack>& next) const;
  void step_array(Stack stack, uint8_t byte, std::vector<Stack>& next) const;
  void step_object(Stack stack, uint8_t byte, std::vector<Stack>& next) const;
  bool step_string(Stack& stack, uint8_t byte) const;
  bool step_key(Frame& frame, uint8_t byte) const;
  bool begin_key(Frame& frame) const;
  [[nodiscard]] bool may_have_more(const Frame& f) const;
  [[nodiscard]] bool lacks_required(const Frame& f) const;
  [[nodiscard]] int64_t shortest_end(const Frame& f) const;
  [[nodiscard]] int64_t end_of_object(const Frame& f) const;
  [[nodiscard]] int64_t end_of_key(const Frame& f) const;
  [[nodiscard]] int64_t required_end(const Frame& f, int64_t except, bool first) const;
  [[nodiscard]] bool is_free(const Stack& stack) const;

  const JsonSchema* schema_;
  std::vector<Stack> stacks_;  // all ways to read the text
};

}  // namespace gyre
