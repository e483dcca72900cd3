#include "gyre/models/files/model_files.h"

#include "gyre/base/error.h"
#include "gyre/base/system/file.h"
#include "gyre/io/safetensors.h"
#include "gyre/models/files/gguf_model.h"
#include "gyre/models/files/llama2c.h"
#include "gyre/models/files/packed_config.h"
#include "gyre/models/files/sharded_state.h"
#include "gyre/models/files/text_part.h"
#include "gyre/packed/packed_file.h"
#include "gyre/text/tokenizer_files.h"

namespace gyre {
namespace {

class HuggingFaceFolder : public ModelFiles {
 public:
  explicit HuggingFaceFolder(const std::string& path) : path_(path) {}

  Json config() const override {
    Json config = read_model_config(config_path());
    return has_text_part(config) ? text_part_config(config, config_path()) : config;
  }
  std::string config_path() const override { return path_ + "/config.json"; }
  std::vector<NamedTensor> tensors(FileAccess access) const override {
    std::vector<NamedTensor> state = load_folder_state(path_, access);
    if (is_text_part()) {
      for (NamedTensor& t : state) t.name = text_part_name(t.name);
      std::erase_if(state, [](const NamedTensor& t) { return t.name.empty(); });
    }
    return state;
  }
  std::unique_ptr<Tokenizer> tokenizer() const override { return tokenizer_of_folder(path_); }
  Weights weights() const override {
    Weights all;
    const bool part = is_text_part();
    const auto counts = [&](std::string_view name) {
      return !part || !text_part_name(name).empty();
    };
    for (const std::string& path : safetensors_of(path_)) {
      const SafetensorsFile file(path, Verify::structure);
      const std::vector<PackedEntry> packed = packed_entries(file);
      for (const PackedEntry& entry : packed) {
        if (counts(entry.name)) all.count += numel(entry.shape);
      }
      for (const SafetensorsEntry& entry : file.entries()) {
        if (!counts(entry.name)) continue;
        all.bytes += static_cast<int64_t>(entry.bytes());
        if (!is_part(packed, entry.name)) all.count += numel(entry.shape);
      }
    }
    return all;
  }
  TensorPlace place_of(std::string_view name, std::string_view optional) const override {
    const bool part = is_text_part();
    const std::string_view bare =
        name.starts_with(optional) ? name.substr(optional.size()) : std::string_view();
    const std::vector<std::string> files = safetensors_of(path_);
    std::string like;  // a name of the file that says what its names begin with
    for (const std::string& path : files) {
      const SafetensorsFile file(path, Verify::structure);
      for (const auto& [stored, shape, is_packed] : stored_in(file)) {
        const std::string ours = part ? text_part_name(stored) : stored;
        if (ours.empty()) continue;
        if (ours == name || (!bare.empty() && ours == bare))
          return {path, stored, true, shape, is_packed};
        if (like.empty() || ours.starts_with(optional)) like = stored;
      }
    }
    const std::string where = files.size() == 1 ? files[0] : path_ + kShardIndex;
    const bool has_optional =
        like.empty() || (part ? text_part_name(like) : like).starts_with(optional);
    const std::string missing(has_optional || bare.empty() ? name : bare);
    return {where, part ? whole_name(missing, like) : missing};
  }

 private:
  [[nodiscard]] bool is_text_part() const {
    return file_exists(config_path()) && has_text_part(Json::read(config_path()));
  }
  struct Stored {
    std::string name;
    Shape shape;
    bool is_packed;
  };
  static std::vector<Stored> stored_in(const SafetensorsFile& file) {
    std::vector<Stored> all;
    const std::vector<PackedEntry> packed = packed_entries(file);
    for (const PackedEntry& entry : packed) all.push_back({entry.name, entry.shape, true});
    for (const SafetensorsEntry& entry : file.entries()) {
      if (!is_part(packed, entry.name)) all.push_back({entry.name, entry.shape, false});
    }
    return all;
  }

  std::string path_;
};

}  // namespace

ModelFiles::~ModelFiles() = default;

TensorPlace ModelFiles::place_of(std::string_view name, std::string_view) const {
  return {config_path(), std::string(name)};
}

std::unique_ptr<Tokenizer> ModelFiles::tokenizer() const { return nullptr; }

bool is_model_file(const std::string& path) {
  return (path.ends_with(".gguf") || path.ends_with(".bin")) && !is_directory(path);
}

std::unique_ptr<ModelFiles> open_model_files(const std::string& path) {
  if (!is_model_file(path)) return std::make_unique<HuggingFaceFolder>(path);
  if (path.ends_with(".gguf")) return std::make_unique<GgufModel>(path);
  return std::make_unique<Llama2cFile>(path);
}

std::unique_ptr<Tokenizer> tokenizer_for(const std::string& model, const std::string& given) {
  return given.empty() ? open_model_files(model)->tokenizer() : open_tokenizer(given);
}

namespace {

// The tokenizer in a file of llama2.c, whose models end in .bin, too; null for other files.
std::unique_ptr<Tokenizer> llama2c_tokenizer(const std::string& path) {
  if (is_directory(path) || !path.ends_with(".bin") || !file_exists(path)) return nullptr;
  try {
    (void)Llama2cFile(path);
    return nullptr;
  } catch (const Error& error) {
    if (error.code != Code::parse) return nullptr;
  }
  try {
    return load_llama2c_tokenizer(path);
  } catch (const Error& error) {
    if (error.code != Code::parse) throw;
    return nullptr;
  }
}

}  // namespace

std::unique_ptr<Tokenizer> open_tokenizer(const std::string& path) {
  if (auto tokenizer = llama2c_tokenizer(path)) return tokenizer;
  if (!is_directory(path) && !is_model_file(path)) return load_tokenizer(path);
  std::unique_ptr<Tokenizer> tokenizer = open_model_files(path)->tokenizer();
  if (!tokenizer)
    throw Error(Code::value, "tokenizer", {path, ": no tokenizer"}, "a tokenizer.json", "none");
  return tokenizer;
}

}  // namespace gyre
