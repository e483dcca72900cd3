#include "cli/inspect_model.h"

#include "gyre/base/error.h"
#include "gyre/base/system/file.h"
#include "gyre/base/system/memory.h"
#include "gyre/base/text/printable.h"
#include "gyre/models/architecture.h"
#include "gyre/models/decoder/decoder_options.h"
#include "gyre/models/encoder/encoder_folder.h"
#include "gyre/models/encoder/sentence_encoder.h"
#include "gyre/models/files/model_files.h"
#include "gyre/models/files/sharded_state.h"
#include "gyre/text/tokenizer.h"

namespace gyre {
namespace {

bool is_language_model(const std::string& path) {
  if (!is_directory(path)) return is_model_file(path);
  const std::string config = path + "/config.json";
  if (!file_exists(config) || is_encoder_folder(path)) return false;
  const Json fields = Json::read(config);
  return fields.is_object() && fields.find("model_type");
}

// Parameters by the dtype or format that they are stored in.
Json dtypes_of(const std::string& path, const Json& contents) {
  Json counts = Json::object();
  const auto add = [&](const Json& file) {
    for (const Json& t : file.at("tensors").as_array()) {
      int64_t count = 1;
      for (const Json& size : t.at("shape").as_array()) count *= size.as_integer();
      const std::string& dtype = t.at("dtype").as_string();
      const Json* before = counts.find(dtype);
      counts[dtype] = count + (before ? before->as_integer() : 0);
    }
  };
  if (!is_directory(path)) {
    add(contents);
    return counts;
  }
  const std::vector<std::string> shards = safetensors_of(path);
  for (const Json& file : contents.at("files").as_array()) {
    if (std::ranges::find(shards, file.at("file").as_string()) != shards.end()) add(file);
  }
  return counts;
}

int64_t bytes_on_disk(const std::string& path) {
  if (!is_directory(path)) return static_cast<int64_t>(file_size(path));
  int64_t all = 0;
  for (const std::string& shard : safetensors_of(path))
    all += static_cast<int64_t>(file_size(shard));
  return all;
}

// The dtype that the weights of a model have in memory, as Decoder::cache() takes it. Those of a
// GGUF file would be decoded by loading.
DType dtype_in_memory(const std::string& path, const Json& contents) {
  if (!path.ends_with(".gguf")) {
    for (const NamedTensor& t : load_language_model(path, FileAccess::map)->state_dict()) {
      if (t.name == "wte.weight") return t.tensor.dtype();
    }
  }
  for (const Json& t : contents.at("tensors").as_array()) {
    if (t.at("name").as_string() != "token_embd.weight") continue;
    const std::string& type = t.at("dtype").as_string();
    if (type == "BF16") return DType::bf16;
    return type == "F32" || type == "Q8_0" || type == "Q4_0" ? DType::f32 : DType::f16;
  }
  throw Error(Code::parse, "inspect", {path, ": no embedding of tokens"});
}

Json tokenizer_summary(const ModelFiles& files) {
  Json j = Json::object();
  try {
    const std::unique_ptr<Tokenizer> tokenizer = files.tokenizer();
    if (!tokenizer) return {};
    const Json whole = tokenizer->to_json();
    const Json* model = whole.find("model");
    const Json* type = model ? model->find("type") : nullptr;
    j["kind"] = type ? *type : Json("characters");
    j["vocab_size"] = tokenizer->vocab_size();
  } catch (const Error& error) {
    j["refused"] = error.what();
  }
  return j;
}

Json sizes_of(const std::string& path, const Json& contents) {
  const auto files = open_model_files(path);
  const Json config = files->config();
  const Architecture& kind = architecture_for(config, files->config_path());
  const DecoderOptions o = kind.read_config(config, files->config_path());
  const DType dtype = dtype_in_memory(path, contents);
  int64_t windows = 0, window = 0;
  for (int64_t i = 0; i < o.layers; ++i) {
    const int64_t own = o.of_layer(i).window;
    windows += own > 0;
    window = std::max(window, own);
  }
  const int64_t bytes = 2 * o.key_heads() * o.size_of_head() * static_cast<int64_t>(size_of(dtype));
  Json j = Json::object();
  j["model_type"] = kind.model_type;
  j["layers"] = o.layers;
  j["heads"] = o.heads;
  j["key_value_heads"] = o.key_heads();
  j["head_size"] = o.size_of_head();
  j["width"] = o.width;
  j["inner"] = o.inner_size();
  j["vocab_size"] = o.vocab;
  j["context"] = o.block_size;
  j["window"] = window;
  j["window_layers"] = windows;
  j["parameters"] = files->weights().count;
  j["dtypes"] = dtypes_of(path, contents);
  j["bytes"] = bytes_on_disk(path);
  j["cache_dtype"] = name_of(dtype);
  j["cache_bytes_per_token"] = o.layers * bytes;
  j["tokenizer"] = tokenizer_summary(*files);
  return j;
}

std::string tokenizer_text(const Json& tokenizer) {
  if (tokenizer.is_null()) return "none";
  if (const Json* refused = tokenizer.find("refused"))
    return "refused: " + printable(refused->as_string());
  return fmt::format("{}, {} tokens", printable(tokenizer.at("kind").as_string()),
                     tokenizer.at("vocab_size").as_integer());
}

}  // namespace

std::optional<Json> language_model_json(const std::string& path, const Json& contents) {
  if (!is_language_model(path)) return {};
  try {
    return sizes_of(path, contents);
  } catch (const Error& error) {
    Json j = Json::object();
    j["refused"] = error.what();
    return j;
  }
}

void show_language_model(Output& out, const Json& j) {
  if (const Json* refused = j.find("refused")) {
    out.print("language model, refused: {}\n", printable(refused->as_string()));
    return;
  }
  const auto number = [&](const char* name) { return j.at(name).as_integer(); };
  const auto size = [&](const char* name) {
    return size_text(static_cast<double>(j.at(name).as_integer()));
  };
  std::string dtypes;
  for (const Json::Member& m : j.at("dtypes").as_object())
    dtypes += (dtypes.empty() ? "" : ", ") + m.key;
  out.print("language model: {}, {} layers, width {} (MLP {}), {} heads of size {}",
            j.at("model_type").as_string(), number("layers"), number("width"), number("inner"),
            number("heads"), number("head_size"));
  if (number("key_value_heads") != number("heads"))
    out.print(" ({} of keys and values)", number("key_value_heads"));
  out.print("\n  vocabulary {}, context {} tokens", number("vocab_size"), number("context"));
  if (number("window_layers") > 0)
    out.print(", {} layers with a window of {}", number("window_layers"), number("window"));
  out.print("\n  {} parameters in {}, {} on disk\n", number("parameters"), dtypes, size("bytes"));
  out.print("  cache {} bytes per token in {}\n", number("cache_bytes_per_token"),
            j.at("cache_dtype").as_string());
  out.print("  tokenizer: {}\n", tokenizer_text(j.at("tokenizer")));
}

std::optional<Json> encoder_json(const std::string& path) {
  if (!file_exists(path + "/modules.json") && !is_encoder_folder(path)) return {};
  Json j = Json::object();
  try {
    const SentenceEncoder encoder(path);
    const EncoderOptions& o = encoder.model().options();
    j["model_type"] = encoder.model().source().config.at("model_type");
    j["width"] = o.width;
    j["layers"] = o.layers;
    j["context"] = encoder.context();
    j["pooling"] = kPoolingNames[static_cast<size_t>(encoder.stated().pooling)];
    j["normalize"] = encoder.stated().normalize;
  } catch (const Error& error) {
    j["refused"] = error.what();
  }
  return j;
}

void show_encoder(Output& out, const Json& j) {
  if (const Json* refused = j.find("refused")) {
    out.print("text encoder, refused: {}\n", printable(refused->as_string()));
    return;
  }
  out.print("text encoder: {}, {} layers, width {}, at most {} tokens, {} pooling{}\n",
            j.at("model_type").as_string(), j.at("layers").as_integer(), j.at("width").as_integer(),
            j.at("context").as_integer(), j.at("pooling").as_string(),
            j.at("normalize").as_boolean() ? ", normalised" : "");
}

}  // namespace gyre
