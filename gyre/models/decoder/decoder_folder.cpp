#include "gyre/models/decoder/decoder_folder.h"

#include <algorithm>
#include <cstdint>
#include <set>

#include "gyre/base/error.h"
#include "gyre/base/in_file.h"
#include "gyre/base/system/file.h"
#include "gyre/base/text/counted.h"
#include "gyre/models/architecture.h"
#include "gyre/models/decoder/decoder.h"
#include "gyre/models/files/file_tensor.h"
#include "gyre/models/files/model_files.h"
#include "gyre/models/files/packed_config.h"
#include "gyre/op/node.h"
#include "gyre/packed/packed.h"
#include "gyre/packed/packed_file.h"
#include "gyre/text/tokenizer.h"

namespace gyre {

const char* torch_name(DType dtype) {
  return dtype == DType::f16    ? "float16"
         : dtype == DType::bf16 ? "bfloat16"
         : dtype == DType::f64  ? "float64"
                                : "float32";
}

const Tensor* find(const std::vector<NamedTensor>& state, std::string_view name) {
  for (const NamedTensor& t : state) {
    if (t.name == name) return &t.tensor;
  }
  return nullptr;
}

void check_layers(const std::string& folder, const std::vector<NamedTensor>& state,
                  const char* field, int64_t layers) {
  std::set<std::string_view> found;
  for (const NamedTensor& t : state) {
    const std::string_view name = t.name;
    if (name.starts_with("h.") && name.find('.', 2) != std::string_view::npos)
      found.insert(name.substr(0, name.find('.', 2)));
  }
  if (layers == static_cast<int64_t>(found.size())) return;
  throw Error(Code::value, "load_language_model",
              {folder, "/config.json: ", field, " is ", layers, ", but model.safetensors has ",
               counted(static_cast<int64_t>(found.size()), "layer")},
              found.size(), layers);
}

void check_table_rows(const std::string& config_path, const char* field, int64_t stated,
                      const char* tensor, int64_t rows) {
  if (stated == rows) return;
  throw mismatch(
      Code::value, "load_language_model",
      {config_path, ": ", field, " is ", stated, ", but ", tensor, " has ", counted(rows, "row"),
       "; correct the field, or resize the embeddings in the ", "library that made them"},
      rows, stated);
}

void check_decoder_state(Decoder& decoder, const Architecture& architecture,
                         const ModelFiles& files, std::span<const NamedTensor> state) {
  check_file_state(decoder.state_dict(), state, [&](std::string_view name) {
    return architecture.file_tensor(files, decoder.options(), name);
  });
}

void Decoder::load(const std::string& folder) {
  const auto files = open_model_files(folder);
  const Json config = files->config();
  if (const Json* type = config.find("model_type"))
    remember(architecture_named(type->as_string("model_type")), config, folder);
  const std::vector<NamedTensor> state = architecture().read_state(folder, options_);
  check_decoder_state(*this, architecture(), *files, state);
  load_state_dict(state);
}

namespace {

constexpr const char* kEnd = "eos_token_id";

// An id, or a list of them.
std::vector<int32_t> end_tokens_of(const Json& config) {
  std::vector<int32_t> ids;
  const Json* end = config.find(kEnd);
  if (!end || end->is_null()) return ids;
  const Json::Array one{*end};
  for (const Json& given : end->is_array() ? end->as_array() : one) {
    const int64_t id = given.as_integer(kEnd);
    if (id > INT32_MAX)
      throw Error(Code::value, "language model", {kEnd, " is ", id, ", which is no token"}, {}, id);
    if (id >= 0) ids.push_back(static_cast<int32_t>(id));  // -1 stands for none
  }
  return ids;
}

}  // namespace

void Decoder::remember(const Architecture& architecture, const Json& config,
                       const std::string& folder) {
  architecture_ = &architecture;
  end_tokens_ = in_file(folder + "/config.json", [&] { return end_tokens_of(config); });
  const std::string generation = folder + "/generation_config.json";
  if (file_exists(generation)) {
    generation_config_ = Json::read(generation);
    in_file(generation, [&] {
      if (!generation_config_.is_object())
        throw Error(Code::parse, "language model", "expected a JSON object");
      if (generation_config_.find(kEnd)) end_tokens_ = end_tokens_of(generation_config_);
    });
  }
  for (const char* name : {"bos_token_id", "eos_token_id", "pad_token_id"}) {
    if (const Json* id = config.find(name)) special_tokens_[name] = *id;
  }
}

const Architecture& Decoder::architecture() const {
  return architecture_ && architecture_->holds(options_) ? *architecture_
                                                         : architecture_of(options_);
}

namespace {

SafetensorsMetadata metadata() { return {{"format", "pt"}}; }

}  // namespace

uint64_t Decoder::saved_bytes() {
  NoGrad scope;
  return state_size(architecture().file_state(*this), metadata());
}

void Decoder::save(const std::string& folder, const Tokenizer* tokenizer) {
  NoGrad scope;
  const Architecture& format = architecture();
  const std::vector<NamedTensor> tensors = format.file_state(*this);
  create_directories(folder);
  write_state(folder + "/model.safetensors", tensors, metadata());
  Json config = format.config(*this);
  for (const Json::Member& token : special_tokens_.as_object()) config[token.key] = token.value;
  if (std::ranges::any_of(tensors, [](const NamedTensor& t) { return is_packed(t.tensor); }))
    mark_packed(config);
  write_file_atomic(folder + "/config.json", config.dump(2) + "\n");
  if (!generation_config_.as_object().empty())
    write_file_atomic(folder + "/generation_config.json", generation_config_.dump(2) + "\n");
  if (tokenizer) tokenizer->save(folder + "/tokenizer.json");
}

}  // namespace gyre
