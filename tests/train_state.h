#pragma once
#include <fmt/format.h>

#include <string>

#include "gyre/base/system/file.h"
#include "gyre/base/xxhash64.h"
#include "gyre/io/json.h"

namespace gyre {

// Changes or adds one value of a checkpoint's training.json and signs it again, so that the value
// itself is checked.
inline void change_train_state(const std::string& path, const char* key, const Json& value) {
  const Json signed_json = Json::parse(read_file(path));
  Json json = Json::object();
  for (const Json::Member& member : signed_json.as_object()) {
    if (member.key != "checksum") json[member.key] = member.value;
  }
  json[key] = value;
  json["checksum"] = fmt::format("{:016x}", xxhash64(json.dump()));
  write_file_atomic(path, json.dump(2) + "\n");
}

}  // namespace gyre
