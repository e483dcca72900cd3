#include "gyre/train/checkpoint.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "gyre/base/error.h"
#include "gyre/base/in_file.h"
#include "gyre/base/system/file.h"
#include "gyre/base/xxhash64.h"
#include "gyre/io/safetensors_format.h"
#include "gyre/io/tensor_file.h"

namespace gyre {
namespace {

constexpr std::string_view kPrefix = "step-", kReplaced = ".replaced-", kTensors = ".safetensors";
constexpr const char *kOptimizer = "/optimizer.safetensors", *kAverage = "/average.safetensors";
constexpr int64_t kFormat = 1;
constexpr size_t kKept = 3;

std::string hex(uint64_t value) { return fmt::format("{:016x}", value); }

uint64_t from_hex(const Json& json, std::string_view name) {
  const std::string& text = json.at(name).as_string(name);
  uint64_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  if (error != std::errc{} || end != text.data() + text.size()) {
    throw Error(Code::parse, "checkpoint", {name, " must be a hexadecimal number"});
  }
  return value;
}

// Infinity and NaN are stored as null; older checkpoints may lack the field.
void read_loss(const Json& json, const char* name, double& loss) {
  const Json* value = json.find(name);
  if (value && !value->is_null()) loss = value->as_real(name);
}

std::string checksum(std::string_view text) { return hex(xxhash64(text)); }

// In older checkpoints: the checksum is only in the file itself, not in training.json.
constexpr const char* kInside = "in the file";

std::string tensor_checksum(const SafetensorsFile& file) {
  return std::string(file.metadata(safetensors::kChecksumKey));
}

void add_checksums(Json& files, const std::string& folder, const std::string& inside) {
  for (const std::string& entry : list_directory(folder + "/" + inside)) {
    const std::string name = inside + entry, path = folder + "/" + name;
    if (is_directory(path)) {
      add_checksums(files, folder, name + "/");
    } else {
      files[name] = name.ends_with(kTensors)
                        ? tensor_checksum(SafetensorsFile(path, Verify::structure))
                        : checksum(read_file(path));
    }
  }
}

// Checksums of the files in a folder and those inside of it.
Json checksums(const std::string& folder) {
  Json files = Json::object();
  add_checksums(files, folder, "");
  return files;
}

void check_files(const std::string& folder, const Json& files) {
  for (const Json::Member& file : files.as_object("files")) {
    const std::string path = folder + "/" + file.key, &wanted = file.value.as_string(file.key);
    const bool tensors = file.key.ends_with(kTensors);
    const std::string found = tensors ? tensor_checksum(SafetensorsFile(path, Verify::required))
                                      : checksum(read_file(path));
    if (found == wanted || (tensors && wanted == kInside)) continue;
    throw Error(
        Code::value, "checkpoint",
        path + (tensors ? " belongs to another checkpoint: its checksum differs from that in "
                          "training.json"
                        : " is damaged: checksum mismatch"));
  }
}

Json to_json(const TrainState& s, Json files) {
  Json json = Json::object();
  json["format"] = kFormat;
  json["step"] = s.step;
  json["cursor"] = s.cursor;
  json["best_loss"] = s.best_loss;
  json["best_step"] = s.best_step;
  json["train_loss"] = s.train_loss;
  json["initial_loss"] = s.initial_loss;
  for (const FigureDef& f : kFigures) json[std::string("val_") + f.name] = s.val.*f.value;
  json["validation_due"] = s.validation_due;
  json["worse"] = s.worse;
  json["loss_scale"] = s.loss_scale;
  json["seed"] = hex(s.seed);
  json["data"] = hex(s.data);
  json["options"] = s.options;
  json["files"] = std::move(files);
  json["checksum"] = checksum(json.dump());
  return json;
}

TrainState from_json(Json json, const std::string& path) {
  Json unsigned_json = Json::object();
  for (const Json::Member& member : json.as_object()) {
    if (member.key != "checksum") unsigned_json[member.key] = member.value;
  }
  if (json.at("checksum").as_string("checksum") != checksum(unsigned_json.dump())) {
    throw Error(Code::value, "checkpoint", path + " is damaged: checksum mismatch");
  }
  if (int64_t format = json.at("format").as_integer("format"); format != kFormat) {
    throw Error(Code::unsupported, "checkpoint",
                {path, " has format ", format, ", expected format ", kFormat}, kFormat, format);
  }
  TrainState s;
  s.step = json.at("step").as_integer("step");
  s.cursor = json.at("cursor").as_integer("cursor");
  read_loss(json, "best_loss", s.best_loss);
  s.best_step = json.at("best_step").as_integer("best_step");
  read_loss(json, "train_loss", s.train_loss);
  read_loss(json, "initial_loss", s.initial_loss);
  for (const FigureDef& f : kFigures) {
    read_loss(json, (std::string("val_") + f.name).c_str(), s.val.*f.value);
  }
  const Json* due = json.find("validation_due");  // absent from older checkpoints
  s.validation_due = due && due->as_boolean("validation_due");
  if (const Json* worse = json.find("worse")) s.worse = worse->as_integer("worse");
  if (const Json* scale = json.find("loss_scale")) s.loss_scale = *scale;
  s.seed = from_hex(json, "seed");
  s.chained = json.find("offset") && from_hex(json, "offset") != 0;
  s.data = from_hex(json, "data");
  s.options = json.at("options");
  return s;
}

}  // namespace

std::vector<int64_t> CheckpointStore::steps() const {
  std::vector<int64_t> found;
  if (!is_directory(folder_)) return found;
  for (const std::string& name : list_directory(folder_)) {
    if (!name.starts_with(kPrefix)) continue;
    int64_t step = 0;
    const char* end = name.data() + name.size();
    auto [at, error] = std::from_chars(name.data() + kPrefix.size(), end, step);
    if (error == std::errc{} && at == end) found.push_back(step);
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::string CheckpointStore::path(int64_t step) const {
  return folder_ + "/" + std::string(kPrefix) + std::to_string(step);
}

std::string CheckpointStore::replaced(int64_t step) const {
  return folder_ + "/" + std::string(kReplaced) + std::to_string(step);
}

void CheckpointStore::recover() const {
  if (!is_directory(folder_)) return;
  for (const std::string& name : list_directory(folder_)) {
    if (!name.starts_with(kReplaced)) continue;
    std::string old = folder_ + "/" + name;
    std::string place = folder_ + "/" + std::string(kPrefix) + name.substr(kReplaced.size());
    if (file_exists(place)) {
      remove_tree(old);
    } else {
      rename_path(old, place);
    }
  }
}

void CheckpointStore::write(const TrainState& state,
                            FunctionRef<void(const std::string& folder)> write_model,
                            std::span<const NamedTensor> optimizer,
                            std::span<const NamedTensor> average) const {
  recover();
  remove_tree(partial());
  create_directories(partial());
  try {
    write_model(partial());
    write_safetensors(partial() + kOptimizer, optimizer);
    if (!average.empty()) write_safetensors(partial() + kAverage, average);
    write_file_atomic(partial() + "/training.json",
                      to_json(state, checksums(partial())).dump(2) + "\n");
    if (file_exists(path(state.step))) rename_path(path(state.step), replaced(state.step));
    rename_path(partial(), path(state.step));
    remove_tree(replaced(state.step));
    remove_others(state);
  } catch (...) {
    try {
      recover();
      remove_tree(partial());
    } catch (const std::exception&) {  // the next checkpoint tries again
    }
    throw;
  }
}

// A checkpoint that is only partly removed when the process is killed must not look valid.
void CheckpointStore::remove(int64_t step) const {
  rename_path(path(step), partial());
  remove_tree(partial());
}

void CheckpointStore::remove_others(const TrainState& newest) const {
  std::vector<int64_t> all = steps();
  for (; all.back() > newest.step; all.pop_back()) remove(all.back());
  for (size_t i = 0; i + kKept < all.size(); ++i) {
    if (all[i] != newest.best_step) remove(all[i]);
  }
}

TrainState CheckpointStore::read(int64_t step) const {
  for (const char* file : {"/model.safetensors", kOptimizer}) {
    SafetensorsFile checked(path(step) + file, Verify::required);
  }
  std::string file = path(step) + "/training.json";
  Json json = Json::read(file);
  TrainState state = in_file(file, [&] { return from_json(json, file); });
  if (const Json* files = json.find("files")) {
    in_file(file, [&] { check_files(path(step), *files); });
  }
  return state;
}

std::vector<NamedTensor> CheckpointStore::read_optimizer(int64_t step) const {
  return read_tensors(path(step) + kOptimizer, Verify::required, FileAccess::map);
}

std::vector<NamedTensor> CheckpointStore::read_average(int64_t step) const {
  return read_tensors(path(step) + kAverage, Verify::required, FileAccess::map);
}

bool is_damage(const Error& error) {
  return error.code == Code::value || error.code == Code::parse || error.code == Code::dtype;
}

}  // namespace gyre
