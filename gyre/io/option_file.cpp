#include "gyre/io/option_file.h"

#include <algorithm>

#include "gyre/base/error.h"
#include "gyre/io/record_json.h"

namespace gyre {

void read_option_file(const char* op, const std::string& path, const Record& record, void* object,
                      std::vector<std::string>& given) {
  const Json content = Json::read(path, {.unique_keys = true});
  Json fields = Json::object();
  std::vector<std::string> all = given;
  (void)content.as_object(path);
  try {
    for (const Json::Member& member : content.as_object()) {
      const Field& field = field_named(op, record, member.key);
      if (std::find(given.begin(), given.end(), field.name) != given.end()) continue;
      fields[member.key] = member.value;
      all.emplace_back(field.name);
    }
    record_from_json(record, object, fields);
  } catch (const Error& error) {
    const std::string message = error.what();
    throw Error(Code::value, op, path + ": " + message.substr(error.op.size() + 2), error.expected,
                error.actual);
  }
  given = std::move(all);
}

}  // namespace gyre
