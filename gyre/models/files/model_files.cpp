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
    for (const std::string& name : safetensors_of(path_)) {
      const SafetensorsFile file(name, Verify::structure);
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

 private:
  [[nodiscard]] bool is_text_part() const {
    return file_exists(config_path()) && has_text_part(Json::read(config_path()));
  }

  std::string path_;
};

}  // namespace

ModelFiles::~ModelFiles() = default;

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

// Models of llama2.c and their tokenizers both end in .bin.
bool is_llama2c_tokenizer(const std::string& path) {
  if (is_directory(path) || !path.ends_with(".bin") || !file_exists(path)) return false;
  try {
    (void)Llama2cFile(path);
    return false;
  } catch (const Error& error) {
    if (error.code != Code::parse) return false;
  }
  try {
    (void)load_llama2c_tokenizer(path);
    return true;
  } catch (const Error& error) {
    if (error.code != Code::parse) throw;
    return false;
  }
}

}  // namespace

std::unique_ptr<Tokenizer> open_tokenizer(const std::string& path) {
  if (is_llama2c_tokenizer(path)) return load_llama2c_tokenizer(path);
  if (!is_directory(path) && !is_model_file(path)) return load_tokenizer(path);
  std::unique_ptr<Tokenizer> tokenizer = open_model_files(path)->tokenizer();
  if (!tokenizer)
    throw Error(Code::value, "tokenizer", {path, ": no tokenizer"}, "a tokenizer.json", "none");
  return tokenizer;
}

}  // namespace gyre
