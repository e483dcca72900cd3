#include "gyre/train/run_options.h"

#include <algorithm>

#include "gyre/base/error.h"

namespace gyre {

Json changes_of_run(const char* op, const Record& record, const Json& now, const Json& stored,
                    std::span<const std::string> given) {
  Json changes = Json::object();
  for (const Field& field : record.fields) {
    const bool is_given = std::find(given.begin(), given.end(), field.name) != given.end();
    const Json &before = stored.at(field.name), &wanted = now.at(field.name);
    if (field.tags & kThisProcessOnly || (is_given && field.tags & kResumable)) {
      changes[field.name] = wanted;
    } else if (is_given && !(before == wanted)) {
      throw Error(Code::value, op,
                  "the run in " + now.at("out").as_string() + " has `" + field.name + "` " +
                      before.dump() + " and cannot be resumed with " + wanted.dump(),
                  before.dump(), wanted.dump());
    }
  }
  return changes;
}

}  // namespace gyre
