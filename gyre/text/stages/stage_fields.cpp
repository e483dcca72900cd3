#include "gyre/text/stages/stage_fields.h"

#include "gyre/base/error.h"
#include "gyre/base/text/utf8.h"

namespace gyre {

StageFields::StageFields(const Json& json, std::string part)
    : json_(&json), part_(std::move(part)) {
  (void)json.as_object(part_.empty() ? "tokenizer.json" : part_);
}

std::string StageFields::name(std::string_view key) const {
  return part_.empty() ? std::string(key) : part_ + "." + std::string(key);
}

const Json* StageFields::find(std::string_view key) {
  known_.emplace(key);
  const Json* found = json_->find(key);
  return found && !found->is_null() ? found : nullptr;
}

bool StageFields::has(std::string_view key) { return find(key) != nullptr; }

const Json& StageFields::at(std::string_view key) {
  const Json* found = find(key);
  if (!found) throw Error(Code::parse, "tokenizer", name(key) + " is missing");
  return *found;
}

std::string StageFields::text(std::string_view key) { return at(key).as_string(name(key)); }

std::string StageFields::text(std::string_view key, std::string_view otherwise) {
  const Json* found = find(key);
  return found ? found->as_string(name(key)) : std::string(otherwise);
}

bool StageFields::flag(std::string_view key, bool otherwise) {
  const Json* found = find(key);
  return found ? found->as_boolean(name(key)) : otherwise;
}

int64_t StageFields::count(std::string_view key, int64_t otherwise) {
  const Json* found = find(key);
  if (!found) return otherwise;
  const int64_t count = found->as_integer(name(key));
  if (count < 0)
    throw Error(Code::value, "tokenizer",
                {name(key), ": expected no negative number, got ", count});
  return count;
}

char32_t StageFields::character(std::string_view key, std::string_view otherwise) {
  const std::string value = otherwise.empty() ? text(key) : text(key, otherwise);
  const Utf8Char c = value.empty() ? Utf8Char{} : decode_utf8(value, 0);
  if (value.empty() || !c.valid || c.length != value.size()) {
    throw Error(Code::value, "tokenizer",
                name(key) + ": expected one character, got \"" + value + "\"");
  }
  return c.code;
}

std::vector<StageFields> StageFields::list(std::string_view key) {
  std::vector<StageFields> parts;
  for (const Json& one : at(key).as_array(name(key)))
    parts.emplace_back(one, name(key) + "[" + std::to_string(parts.size()) + "]");
  return parts;
}

StageFields StageFields::part(std::string_view key) { return {at(key), name(key)}; }

void StageFields::done() const {
  for (const auto& [key, value] : json_->as_object()) {
    if (known_.find(key) == known_.end())
      throw Error(Code::unsupported, "tokenizer", "unknown key \"" + name(key) + "\"");
  }
}

void StageFields::unsupported(std::string_view key, std::string_view value) const {
  throw Error(Code::unsupported, "tokenizer",
              name(key) + ": " + std::string(value.substr(0, 80)) + " is not supported");
}

}  // namespace gyre
