#include "gyre/models/encoder/encoder_folder.h"

#include <algorithm>

#include "gyre/base/error.h"
#include "gyre/base/in_file.h"
#include "gyre/models/architecture.h"
#include "gyre/models/decoder/decoder_folder.h"
#include "gyre/models/encoder/encoder_config.h"
#include "gyre/models/encoder/encoder_tensors.h"
#include "gyre/models/files/packed_config.h"
#include "gyre/op/node.h"
#include "gyre/packed/packed.h"
#include "gyre/packed/packed_file.h"

namespace gyre {
namespace {

constexpr const char *kLoadEncoder = "load_text_encoder", *kWeights = "/model.safetensors";

SafetensorsMetadata encoder_metadata() { return {{"format", "pt"}}; }

// The config.json of a folder; says what is there instead.
Json encoder_config(const std::string& folder, const std::string& path) {
  if (!is_directory(folder)) {
    throw Error(
        Code::io, kLoadEncoder,
        {folder, file_exists(folder) ? " is a file, expected a model folder" : ": no such folder"});
  }
  if (!file_exists(path)) {
    throw Error(Code::io, kLoadEncoder,
                {folder, ": no config.json; expected the folder of a text encoder"});
  }
  Json config = read_model_config(path);
  if (!config.is_object())
    throw Error(Code::parse, kLoadEncoder, {path, ": expected a JSON object"});
  const Json* type = config.find("model_type");
  for (const Architecture* a : architectures()) {
    if (!type || !(*type == Json(a->model_type))) continue;
    throw Error(
        Code::unsupported, kLoadEncoder,
        {path, ": model_type is ", a->model_type, ", a language model, expected a text encoder (",
         encoder_types(), "); use gyre generate or gyre logits"},
        encoder_types(), a->model_type);
  }
  return config;
}

// The rows of a table, which may be others than config.json says.
int64_t rows_in(const std::string& folder, const EncoderState& from, const char* name,
                int64_t width) {
  const Tensor* table = find(from.state, name);
  const TensorPlace place = encoder_file_tensor(folder, from.tensors, name).place;
  if (!table) refuse_missing(place);
  if (table->rank() == 2 && table->size(1) == width) return table->size(0);
  refuse_shape(place, {"rows of ", width, ", the width of config.json"});
}

}  // namespace

bool is_encoder_folder(const std::string& folder) {
  const std::string path = folder + "/config.json";
  if (!file_exists(path)) return false;
  const Json config = read_model_config(path);
  const Json* type = config.is_object() ? config.find("model_type") : nullptr;
  return type && type->is_string() && is_encoder_type(type->as_string());
}

std::unique_ptr<TextEncoder> load_text_encoder(const std::string& folder, FileAccess access) {
  const std::string path = folder + "/config.json";
  Json config = encoder_config(folder, path);
  EncoderOptions o = read_encoder_config(config, path);
  EncoderState from = read_encoder_tensors(folder, access);
  o.vocab = rows_in(folder, from, "wte.weight", o.width);
  if (o.positions == Positions::learned) {
    o.block_size = rows_in(folder, from, "wpe.weight", o.width);
  }
  check_layers(folder, from.state, "the number of layers", o.layers);
  o.separate = std::ranges::none_of(from.state, [](const NamedTensor& t) {
    return t.name.find(".attn.c_attn.") != std::string::npos;
  });
  auto model = in_file(path, [&] { return std::make_unique<TextEncoder>(o, nn::Unfilled()); });
  model->to(find(from.state, "wte.weight")->dtype());
  check_file_state(model->state_dict(), from.state, [&](std::string_view name) {
    return encoder_file_tensor(folder, from.tensors, name);
  });
  in_file(folder, [&] { model->lend_state(from.state); });
  model->remember({std::move(config), std::move(from.tensors)});
  return model;
}

namespace {

void require_source(const TextEncoder& model) {
  if (!model.source().tensors.empty()) return;
  throw Error(Code::unsupported, "TextEncoder",
              "an encoder that was not loaded from a folder cannot be written; use "
              "nn::save_module or state_dict()");
}

}  // namespace

void TextEncoder::save(const std::string& folder) {
  require_source(*this);
  NoGrad scope;
  const std::vector<NamedTensor> tensors = encoder_file_tensors(*this);
  Json config = source_.config;
  config[config.find("dtype") ? "dtype" : "torch_dtype"] = torch_name(ln_0.weight().dtype());
  if (std::ranges::any_of(tensors, [](const NamedTensor& t) { return is_packed(t.tensor); }))
    mark_packed(config);
  create_directories(folder);
  write_state(folder + kWeights, tensors, encoder_metadata());
  write_file_atomic(folder + "/config.json", config.dump(2) + "\n");
}

uint64_t TextEncoder::saved_bytes() {
  require_source(*this);
  NoGrad scope;
  return state_size(encoder_file_tensors(*this), encoder_metadata());
}

}  // namespace gyre
