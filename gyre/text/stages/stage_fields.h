#pragma once
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "gyre/io/json.h"

namespace gyre {

/// Reads the keys of a part of `tokenizer.json`. Errors name the part and the key.
class StageFields {
 public:
  /// `json` must outlive this; `part` is empty for the whole file. Error{parse} unless it is an
  /// object.
  StageFields(const Json& json, std::string part);

  [[nodiscard]] const std::string& part() const { return part_; }
  /// Whether the key is there and not null.
  [[nodiscard]] bool has(std::string_view key);
  /// Error{parse} for a value of another type, and where there is no default and no key.
  [[nodiscard]] std::string text(std::string_view key);
  [[nodiscard]] std::string text(std::string_view key, std::string_view otherwise);
  [[nodiscard]] bool flag(std::string_view key, bool otherwise);
  [[nodiscard]] int64_t count(std::string_view key, int64_t otherwise);
  [[nodiscard]] const Json& at(std::string_view key);
  /// A text of exactly one character; Error{value} for another.
  [[nodiscard]] char32_t character(std::string_view key, std::string_view otherwise = "");
  /// The parts of a list, with their places as names.
  [[nodiscard]] std::vector<StageFields> list(std::string_view key);
  [[nodiscard]] StageFields part(std::string_view key);
  /// Marks keys as known that change nothing here.
  void ignore(std::string_view key) { (void)has(key); }
  /// Error{unsupported} for a key that nobody asked for, since any could change tokens.
  void done() const;
  [[noreturn]] void unsupported(std::string_view key, std::string_view value) const;

 private:
  [[nodiscard]] std::string name(std::string_view key) const;
  const Json* find(std::string_view key);

  const Json* json_;
  std::string part_;
  std::set<std::string, std::less<>> known_;
};

/// An entry of a table of stages.
template <class Stage>
struct StageType {
  const char* name;
  Stage (*read)(StageFields& fields);
};

/// Reads a stage by its `type`. Error{unsupported} naming an unknown one.
template <class Stage, size_t n>
Stage read_stage(const StageType<Stage> (&types)[n], StageFields& fields) {
  const std::string type = fields.text("type");
  for (const StageType<Stage>& one : types) {
    if (type != one.name) continue;
    Stage stage = one.read(fields);
    fields.done();
    return stage;
  }
  fields.unsupported("type", type);
}

}  // namespace gyre
