#include "gyre/models/files/sharded_state.h"

#include <map>
#include <set>

#include "gyre/base/error.h"
#include "gyre/base/in_file.h"
#include "gyre/io/json.h"
#include "gyre/io/safetensors.h"
#include "gyre/packed/packed_file.h"

namespace gyre {
namespace {

[[noreturn]] void refuse_index(const std::string& index, const Message& what) {
  throw Error(Code::value, "load_language_model", {index, ": ", what.text});
}

// Says what else there is in a folder without safetensors.
void refuse_torch_weights(const std::string& folder) {
  const std::string whole = folder + "/pytorch_model.bin", index = whole + ".index.json";
  if (file_exists(whole)) {
    throw Error(Code::unsupported, "load_language_model",
                {folder, ": no model.safetensors, but pytorch_model.bin; convert it in Python: ",
                 "gyre.save(gyre.load(", Json(whole).dump(), "), ",
                 Json(folder + "/model.safetensors").dump(), ")"},
                "model.safetensors", "pytorch_model.bin");
  }
  if (file_exists(index)) {
    throw Error(Code::unsupported, "load_language_model",
                {folder, ": no model.safetensors, but shards of pytorch_model.bin; join them in ",
                 "Python: dicts of gyre.load(SHARD), saved by gyre.save(tensors, ",
                 Json(folder + "/model.safetensors").dump(), ")"},
                "model.safetensors", "pytorch_model.bin.index.json");
  }
}

// Names of tensors by shard.
using Shards = std::map<std::string, std::set<std::string>>;

Shards read_index(const std::string& path) {
  const Json index = Json::read(path, {.unique_keys = true});
  Shards shards;
  in_file(path, [&] {
    for (const Json::Member& member : index.at("weight_map").as_object("weight_map")) {
      const std::string& shard = member.value.as_string(member.key);
      if (shard.empty() || shard.find_first_of("/\\") != std::string::npos || shard == "..")
        refuse_index(path, {"expected the name of a file in the folder, got ", Json(shard).dump()});
      shards[shard].insert(member.key);
    }
  });
  return shards;
}

}  // namespace

std::vector<std::string> safetensors_of(const std::string& folder) {
  const std::string whole = folder + "/model.safetensors", index = whole + ".index.json";
  if (!file_exists(whole) && !file_exists(index)) refuse_torch_weights(folder);
  if (file_exists(whole) || !file_exists(index)) return {whole};
  std::vector<std::string> files;
  for (const auto& [shard, names] : read_index(index)) files.push_back(folder + "/" + shard);
  return files;
}

std::vector<NamedTensor> load_folder_state(const std::string& folder, FileAccess access) {
  const std::string whole = folder + "/model.safetensors", index = whole + ".index.json";
  if (!file_exists(whole) && !file_exists(index)) refuse_torch_weights(folder);
  if (file_exists(whole) || !file_exists(index))
    return load_state(SafetensorsFile(whole, Verify::checksum, access));
  std::vector<NamedTensor> state;
  for (const auto& [shard, names] : read_index(index)) {
    const std::string path = folder + "/" + shard;
    if (!file_exists(path)) refuse_index(index, {"no such shard: ", path});
    std::set<std::string> found;
    for (NamedTensor& t : load_state(SafetensorsFile(path, Verify::checksum, access))) {
      if (!names.contains(t.name))
        refuse_index(index,
                     {"tensor ", t.name, " is in ", shard, ", but the index says otherwise"});
      found.insert(t.name);
      state.push_back(std::move(t));
    }
    for (const std::string& name : names) {
      if (!found.contains(name)) refuse_index(index, {"no tensor ", name, " in ", shard});
    }
  }
  return state;
}

}  // namespace gyre
