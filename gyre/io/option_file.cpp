#include "gyre/io/option_file.h"

#include <algorithm>
#include <memory>

#include "gyre/base/error.h"
#include "gyre/io/record_json.h"

namespace gyre {
namespace {

// Sets all options, also those that are overridden, in an object that is dropped.
void check(const Record& record, const Json& content) {
  const auto free = [&record](void* memory) {
    record.destroy(memory);
    ::operator delete(memory);
  };
  std::unique_ptr<void, decltype(free)> object(::operator new(record.size), free);
  record.construct(object.get());
  record_from_json(record, object.get(), content);
  check_record(record.name, record, object.get());
}

}  // namespace

void read_option_file(const char* op, const std::string& path, const Record& record, void* object,
                      std::vector<std::string>& given) {
  const Json content = Json::read(path, {.unique_keys = true});
  (void)content.as_object(path);
  try {
    check(record, content);
  } catch (const Error& error) {
    throw Error(Code::value, op, path + ": " + error.message(), error.expected, error.actual);
  }
  Json fields = Json::object();
  std::vector<std::string> all = given;
  for (const Json::Member& member : content.as_object()) {
    const char* name = find_field(record, member.key)->name;
    if (std::ranges::find(given, name) != given.end()) continue;
    fields[name] = member.value;
    all.emplace_back(name);
  }
  record_from_json(record, object, fields);
  given = std::move(all);
}

}  // namespace gyre
