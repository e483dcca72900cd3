#include "gyre/models/files/gguf_fields.h"

#include <algorithm>

#include "gyre/base/error.h"
#include "gyre/base/in_file.h"

namespace gyre {
namespace {

constexpr const char* kFieldsOp = "load_language_model";
constexpr std::string_view kHarmless[] = {"vocab_size", "rope.scaling.finetuned",
                                          "tensor_data_layout"};

bool is_off(const Json& value) {
  return value == Json(false) || (value.is_number() && value.as_real() == 0) ||
         (value.is_array() && std::ranges::all_of(value.as_array(), is_off));
}

}  // namespace

const GgufValue* GgufFields::find(std::string_view name) const {
  asked_.emplace(name);
  return file_.metadata(prefix_ + std::string(name));
}

int64_t GgufFields::integer(std::string_view name) const {
  if (!find(name))
    throw Error(Code::value, kFieldsOp, {file_.path(), ": `", prefix_, name, "` is missing"}, name);
  return integer_or(name, 0);
}

int64_t GgufFields::integer_or(std::string_view name, int64_t otherwise) const {
  const GgufValue* found = find(name);
  if (!found) return otherwise;
  return in_file(file_.path(), [&] {
    if (!found->is_array()) return found->as_integer();
    const std::vector<int64_t> all = found->integers();
    if (all.empty() || std::ranges::count(all, all[0]) != std::ssize(all))
      refuse(name, "the same number for all layers");
    return all[0];
  });
}

double GgufFields::real_or(std::string_view name, double otherwise) const {
  const GgufValue* found = find(name);
  return found ? in_file(file_.path(), [&] { return found->as_real(); }) : otherwise;
}

std::string GgufFields::text_or(std::string_view name, const char* otherwise) const {
  const GgufValue* found = find(name);
  return found ? in_file(file_.path(), [&] { return std::string(found->as_text()); }) : otherwise;
}

void GgufFields::refuse(std::string_view name, const char* wanted) const {
  const GgufValue* found = find(name);
  const Json given = found ? found->to_json(8) : Json("missing");
  const std::string value = given.is_string() ? given.as_string() : given.dump();
  throw Error(Code::unsupported, kFieldsOp,
              {file_.path(), ": ", prefix_, name, " is ", value, ", expected ", wanted}, wanted,
              value);
}

void GgufFields::refuse_others() const {
  for (const GgufFile::Field& field : file_.metadata()) {
    if (!field.key.starts_with(prefix_)) continue;
    const std::string_view name = std::string_view(field.key).substr(prefix_.size());
    if (asked_.contains(name) || std::ranges::find(kHarmless, name) != std::end(kHarmless))
      continue;
    if (!is_off(field.value.to_json(UINT64_MAX))) refuse(name, "a model without it");
  }
}

}  // namespace gyre
