#include "gyre/io/option_file.h"

#include <algorithm>

#include "gyre/base/error.h"
#include "gyre/base/text/nearest.h"
#include "gyre/io/record_json.h"

namespace gyre {
namespace {

bool contains(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

OptionFile::OptionFile(const char* op, std::string path)
    : op_(op), path_(std::move(path)), content_(Json::read(path_, {.unique_keys = true})) {
  (void)content_.as_object(path_);
}

template <class F>
void OptionFile::naming_the_file(F f) const {
  try {
    f();
  } catch (const Error& error) {
    const std::string message = error.what();
    throw Error(Code::value, op_, path_ + ": " + message.substr(error.op.size() + 2),
                error.expected, error.actual);
  }
}

void OptionFile::take(std::string_view key, FunctionRef<void(const Json&)> read) {
  taken_.emplace_back(key);
  if (const Json* value = content_.find(key)) naming_the_file([&] { read(*value); });
}

void OptionFile::require_known(const Record& record, const std::string& key) const {
  if (find_field(record, key)) return;
  std::vector<std::string> known = taken_;
  for (const Field& field : record.fields) known.emplace_back(field.name);
  throw Error(Code::value, op_, path_ + ": unknown option " + key + suggestion(key, known), {},
              key);
}

void OptionFile::set(const Record& record, void* object, std::vector<std::string>& given) const {
  Json fields = Json::object();
  std::vector<std::string> all = given;
  for (const Json::Member& member : content_.as_object()) {
    if (contains(taken_, member.key)) continue;
    require_known(record, member.key);
    if (contains(given, member.key)) continue;
    fields[member.key] = member.value;
    all.push_back(member.key);
  }
  naming_the_file([&] { record_from_json(record, object, fields); });
  given = std::move(all);
}

}  // namespace gyre
