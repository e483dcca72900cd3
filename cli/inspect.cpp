#include "cli/command.h"
#include "cli/inspect_files.h"
#include "cli/inspect_model.h"
#include "gyre/base/error.h"
#include "gyre/base/in_file.h"
#include "gyre/base/system/file.h"
#include "gyre/base/system/mapped_file.h"
#include "gyre/base/text/printable.h"
#include "gyre/io/safetensors.h"
#include "gyre/models/files/sharded_state.h"
#include "gyre/packed/packed_file.h"
#include "gyre/text/tokenizer.h"
#include "gyre/train/checkpoint.h"

namespace gyre {
namespace {

constexpr uint64_t kLargestJson = 1 << 28;
constexpr size_t kMostShown = 4000;  // bytes of a JSON file, where a whole folder is shown
constexpr const char* kWeights =
    "model.safetensors, the shards of model.safetensors.index.json, or another .safetensors, a "
    ".gguf or a pytorch_model*.bin file";

Json safetensors_json(const std::string& path) {
  SafetensorsFile file(path);
  Json j = Json::object();
  j["file"] = path;
  j["kind"] = "safetensors";
  j["bytes"] = static_cast<int64_t>(file_size(path));
  int64_t parameters = 0;
  Json tensors = Json::array();
  const std::vector<PackedEntry> packed = packed_entries(file);
  for (const PackedEntry& entry : packed) {
    Json t = Json::object();
    const auto bytes = static_cast<int64_t>(packed_bytes(file, entry));
    t["name"] = entry.name;
    t["dtype"] = entry.format;
    t["shape"] = shape_json(entry.shape);
    t["bytes"] = bytes;
    t["bits"] = 8 * static_cast<double>(bytes) / static_cast<double>(numel(entry.shape));
    parameters += numel(entry.shape);
    tensors.push_back(std::move(t));
  }
  for (const SafetensorsEntry& entry : file.entries()) {
    if (is_part(packed, entry.name)) continue;
    Json t = Json::object();
    t["name"] = entry.name;
    t["dtype"] = entry.stored_dtype;
    t["shape"] = shape_json(entry.shape);
    t["bytes"] = static_cast<int64_t>(entry.bytes());
    parameters += numel(entry.shape);
    tensors.push_back(std::move(t));
  }
  j["parameters"] = parameters;
  j["tensors"] = std::move(tensors);
  j["metadata"] = Json::object();
  for (const auto& [key, value] : file.metadata()) {
    if (key != kPackedKey) j["metadata"][key] = value;  // its tensors are in the list
  }
  return j;
}

Json json_json(const std::string& path) {
  if (file_size(path) > kLargestJson) throw Error(Code::parse, path, "too large for a JSON file");
  Json content = Json::read(path);
  if (content.find("model") && content.find("added_tokens")) {
    return in_file(path,
                   [&] { return tokenizer_json(path, *tokenizer_from_json(content), content); });
  }
  Json j = Json::object();
  j["file"] = path;
  j["kind"] = "json";
  j["content"] = std::move(content);
  return j;
}

// A safetensors file begins with the length of its header, so its ninth byte is the brace that JSON
// files begin with.
Json file_json(const std::string& path) {
  MappedFile file(path);
  std::string_view text = file.text();
  if (text.empty()) throw Error(Code::parse, path, "the file is empty");
  if (std::optional<Json> other = model_file_json(path, text)) return std::move(*other);
  if (path.ends_with(".jsonl")) return json_lines_json(path, text);
  if (text.size() > 8 && text[8] == '{' && !path.ends_with(".json")) return safetensors_json(path);
  size_t first = text.find_first_not_of(" \t\r\n");
  if (first != std::string_view::npos && (text[first] == '{' || text[first] == '['))
    return json_json(path);
  if (path.ends_with(".safetensors"))
    return safetensors_json(path);  // reports what is wrong with it
  throw Error(Code::parse, path,
              "expected a safetensors, GGUF, PyTorch, NumPy, llama2.c, JSON or JSON Lines file");
}

// Those that the index of a folder lists.
std::vector<std::string> missing_shards(const std::string& folder) {
  std::vector<std::string> all;
  if (!file_exists(folder + "/model.safetensors.index.json")) return all;
  for (const std::string& shard : safetensors_of(folder)) {
    if (!file_exists(shard)) all.push_back(shard);
  }
  return all;
}

Json folder_json(const std::string& path) {
  Json j = Json::object();
  j["folder"] = path;
  j["files"] = Json::array();
  for (const std::string& name : list_directory(path)) {
    std::string inside = path + "/" + name;
    const bool known = name.ends_with(".safetensors") || name.ends_with(".json") ||
                       name.ends_with(".gguf") || is_torch_weights(name);
    if (known && !is_directory(inside)) j["files"].push_back(file_json(inside));
  }
  if (j.at("files").as_array().empty()) {
    throw Error(
        Code::parse, path,
        {"found nothing to show in the folder; looked for ", kWeights, ", and .json files"});
  }
  const std::vector<std::string> missing = missing_shards(path);
  if (!missing.empty()) {
    j["missing"] = Json::array();
    for (const std::string& shard : missing) j["missing"].push_back(shard);
  }
  if (std::optional<Json> encoder = encoder_json(path)) j["encoder"] = std::move(*encoder);
  if (std::optional<Json> model = language_model_json(path, j))
    j["language_model"] = std::move(*model);
  if (is_directory(path + "/checkpoints")) {
    j["checkpoints"] = Json::array();
    for (int64_t step : CheckpointStore(path + "/checkpoints").steps())
      j["checkpoints"].push_back("step-" + std::to_string(step));
  }
  return j;
}

void show_tensors(Output& out, const Json& j) {
  size_t width = 4;
  for (const Json& t : j.at("tensors").as_array())
    width = std::max(width, printable(t.at("name").as_string()).size());
  for (const Json& t : j.at("tensors").as_array()) {
    out.print("  {:<{}}  {:<5} {:<18} {:>12} bytes\n", printable(t.at("name").as_string()), width,
              t.at("dtype").as_string(), t.at("shape").dump(), t.at("bytes").as_integer());
  }
  for (const Json::Member& m : j.at("metadata").as_object()) {
    const std::string value = m.value.is_string() ? m.value.as_string() : m.value.dump();
    out.print("  {}: {}\n", printable(m.key), printable(value));
  }
}

std::string tokenizer_line(const Json& j) {
  return fmt::format("{} tokenizer, {} tokens, {} merges, special: {}",
                     printable(j.at("model").as_string()), j.at("vocab_size").as_integer(),
                     j.at("merges").as_integer(), printable(j.at("special").dump()));
}

// `most`: bytes of the content of a JSON file.
void show(Output& out, const Json& j, size_t most = SIZE_MAX) {
  std::string kind = j.at("kind").as_string(),
              file = out.heading(printable(j.at("file").as_string()));
  if (j.find("tensors")) {
    out.print("{}: {} tensors, {} parameters, {} bytes\n", file, j.at("tensors").as_array().size(),
              j.at("parameters").as_integer(), j.at("bytes").as_integer());
    show_tensors(out, j);
  } else if (kind == "tokenizer") {
    out.print("{}: {}\n", file, tokenizer_line(j));
  } else if (kind == "jsonl") {
    out.print("{}: JSON Lines, {} lines; fields: {}\n  last line: {}\n", file,
              j.at("lines").as_integer(), printable(j.at("fields").dump()),
              printable(j.at("last").dump()));
  } else if (const std::string content = j.at("content").dump(2); content.size() <= most) {
    out.print("{}: {}\n", file, printable_lines(content));
  } else {
    out.print("{}: JSON of {} bytes, shown by gyre inspect of the file\n", file,
              file_size(j.at("file").as_string()));
  }
}

bool has_weights(const Json& folder) {
  for (const Json& file : folder.at("files").as_array()) {
    if (file.find("tensors")) return true;
  }
  return folder.find("checkpoints") || folder.find("missing");
}

void show_folder(Output& out, const Json& j) {
  if (const Json* encoder = j.find("encoder")) show_encoder(out, *encoder);
  if (const Json* model = j.find("language_model")) show_language_model(out, *model);
  for (const Json& file : j.at("files").as_array()) show(out, file, kMostShown);
  if (const Json* list = j.find("checkpoints")) out.print("checkpoints: {}\n", list->dump());
}

int run_inspect(const Invocation& call) {
  const std::string& path = call.operands[0];
  bool folder = is_directory(path);
  Json j = folder ? folder_json(path) : file_json(path);
  if (!folder && j.find("tensors")) {
    if (std::optional<Json> model = language_model_json(path, j))
      j["language_model"] = std::move(*model);
  }
  if (call.json) {
    call.out.json(j);
  } else if (folder) {
    show_folder(call.out, j);
  } else {
    if (const Json* model = j.find("language_model")) show_language_model(call.out, *model);
    show(call.out, j);
  }
  if (folder && !has_weights(j)) {
    call.out.flush();
    throw Error(Code::io, "inspect", {path, ": no weights in the folder; looked for ", kWeights});
  }
  if (const Json* missing = j.find("missing")) {
    call.out.flush();
    throw Error(
        Code::io, "inspect",
        {path, "/model.safetensors.index.json lists files that are missing: ", missing->dump()});
  }
  return kDone;
}

}  // namespace

const Command inspect_command{
    "inspect",
    "show the contents of a file of tensors or a model, a tokenizer.json or a model folder",
    "gyre inspect model",
    {"PATH", "a file or a folder", 1, 1},
    kNoOptions,
    run_inspect};

}  // namespace gyre
