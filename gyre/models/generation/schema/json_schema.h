#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gyre/io/json.h"

namespace gyre {

/// A place of a schema: what a value may be there.
struct SchemaNode {
  /// `choice`: of one of other nodes; `literals`: one of some texts.
  enum class Kind : uint8_t { choice, literals, string, number, integer, object, array };
  struct Property {
    std::string key;  ///< as in JSON text, without quotes
    int32_t node = 0;
    bool required = false;
  };

  Kind kind = Kind::choice;
  std::vector<int32_t> choices{};
  std::vector<std::string> literals{};  ///< sorted
  std::vector<Property> properties{};   ///< sorted by key
  int32_t rest = -1;                    ///< of other properties, -1: none allowed; of elements
  int64_t least = 0, most = INT64_MAX;  ///< number of elements
  int64_t shortest = INT64_MAX;         ///< bytes of the shortest value; INT64_MAX: there is none
};

/// A JSON schema as OpenAI's and llama.cpp's structured output take it: type, properties, required,
/// additionalProperties, enum, const, items, minItems, maxItems, anyOf, local $ref; true and false.
class JsonSchema {
 public:
  static constexpr size_t kMostProperties = 128;  ///< of one object

  /// Error{unsupported} naming a keyword that is not in the list above (annotations such as title
  /// are ignored), and for keywords beside anyOf, enum, const or $ref that would narrow them;
  /// Error{value} for a malformed keyword, a $ref without target, and a schema that no finite value
  /// satisfies.
  explicit JsonSchema(const Json& schema);
  /// Of a text: a schema, which begins with `{`, or the path of a file with one. Errors: those of
  /// Json::read, naming the file; as above.
  static JsonSchema from(const std::string& text);

  [[nodiscard]] const SchemaNode& node(int32_t index) const {
    return nodes_[static_cast<size_t>(index)];
  }
  [[nodiscard]] static constexpr int32_t root() { return 0; }

 private:
  friend class SchemaReader;
  std::vector<SchemaNode> nodes_;
};

}  // namespace gyre
