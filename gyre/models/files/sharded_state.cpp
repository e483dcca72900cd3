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

// A file of a folder, and of a shard the names that the index lists for it.
struct Shard {
  std::string name;
  std::set<std::string> tensors{};
};

std::vector<Shard> read_index(const std::string& path) {
  const Json index = Json::read(path, {.unique_keys = true});
  std::map<std::string, std::set<std::string>> tensors;
  in_file(path, [&] {
    for (const Json::Member& member : index.at("weight_map").as_object("weight_map")) {
      const std::string& shard = member.value.as_string(member.key);
      constexpr std::string_view kUnsafe("/\\\0", 3);
      if (shard.empty() || shard.find_first_of(kUnsafe) != std::string::npos || shard == "..")
        refuse_index(path, {"expected the name of a file in the folder, got ", Json(shard).dump()});
      tensors[shard].insert(member.key);
    }
  });
  std::vector<Shard> shards;
  for (auto& [name, names] : tensors) shards.push_back({name, std::move(names)});
  return shards;
}

// The files of a folder.
struct FolderFiles {
  bool is_sharded = false;
  std::vector<Shard> all{};
};

FolderFiles files_of(const std::string& folder) {
  const std::string whole = "model.safetensors", path = folder + "/" + whole,
                    index = folder + kShardIndex;
  if (file_exists(path)) return {.all = {{whole}}};
  if (file_exists(index)) return {.is_sharded = true, .all = read_index(index)};
  refuse_torch_weights(folder);
  return {.all = {{whole}}};  // which is missing
}

std::vector<NamedTensor> load_shard(const std::string& folder, const Shard& shard,
                                    FileAccess access) {
  const std::string path = folder + "/" + shard.name, index = folder + kShardIndex;
  if (!file_exists(path)) refuse_index(index, {"no such shard: ", path});
  std::vector<NamedTensor> state = load_state(SafetensorsFile(path, Verify::checksum, access));
  std::set<std::string_view> found;
  for (const NamedTensor& t : state) {
    if (!shard.tensors.contains(t.name)) {
      refuse_index(index,
                   {"tensor ", t.name, " is in ", shard.name, ", but the index says otherwise"});
    }
    found.insert(t.name);
  }
  for (const std::string& name : shard.tensors) {
    if (!found.contains(name)) refuse_index(index, {"no tensor ", name, " in ", shard.name});
  }
  return state;
}

}  // namespace

std::vector<std::string> safetensors_of(const std::string& folder) {
  std::vector<std::string> paths;
  for (const Shard& file : files_of(folder).all) paths.push_back(folder + "/" + file.name);
  return paths;
}

std::vector<NamedTensor> load_folder_state(const std::string& folder, FileAccess access) {
  const FolderFiles files = files_of(folder);
  if (!files.is_sharded) {
    const std::string path = folder + "/" + files.all[0].name;
    return load_state(SafetensorsFile(path, Verify::checksum, access));
  }
  std::vector<NamedTensor> state;
  for (const Shard& shard : files.all) {
    for (NamedTensor& t : load_shard(folder, shard, access)) state.push_back(std::move(t));
  }
  return state;
}

}  // namespace gyre
