#include "gyre/models/decoder/gpt2_folder.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "gyre/base/error.h"
#include "gyre/base/in_file.h"
#include "gyre/base/system/file.h"
#include "gyre/models/architecture.h"
#include "gyre/models/decoder/decoder_folder.h"
#include "gyre/models/files/config_fields.h"
#include "gyre/models/files/file_tensor.h"
#include "gyre/models/files/model_files.h"
#include "gyre/models/files/packed_config.h"
#include "gyre/op/node.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/text/tokenizer.h"

namespace gyre {

namespace {

constexpr const char* kModelType = "gpt2";
constexpr std::string_view kPrefix = "transformer.";

// Weights that GPT-2 stores [in, out] (Conv1D).
bool is_conv1d(std::string_view name) {
  for (const char* end : {"c_attn.weight", "c_proj.weight", "c_fc.weight"}) {
    if (name.ends_with(end)) return true;
  }
  return false;
}

bool is_mask(std::string_view name) {
  return name.ends_with(".attn.bias") || name.ends_with(".attn.masked_bias");
}

bool same_values(const Tensor& a, const Tensor& b) {
  if (!a.plain() || !b.plain()) return false;
  if (a.dtype() != b.dtype() || !(a.shape() == b.shape())) return false;
  size_t bytes = static_cast<size_t>(a.numel()) * size_of(a.dtype());
  return std::memcmp(contiguous(a).bytes(), contiguous(b).bytes(), bytes) == 0;
}

// The tensors of a folder with the names and layout of Decoder.
std::vector<NamedTensor> read_tensors(const std::string& folder, FileAccess access) {
  NoGrad scope;
  std::vector<NamedTensor> state;
  for (NamedTensor& loaded : open_model_files(folder)->tensors(access)) {
    std::string_view name = loaded.name;
    if (name.starts_with(kPrefix)) name.remove_prefix(kPrefix.size());
    if (is_mask(name)) continue;
    Tensor t = std::move(loaded.tensor);
    if (is_conv1d(name) && t.plain() && t.rank() == 2) {  // packed ones are stored [out, in]
      t = transpose(t, 0, 1);
      if (access == FileAccess::read) t = contiguous(t);
    }
    state.push_back({std::string(name), t});
  }
  const Tensor *head = find(state, "lm_head.weight"), *table = find(state, "wte.weight");
  if (head && table && same_values(*head, *table)) {
    std::erase_if(state, [](const NamedTensor& t) { return t.name == "lm_head.weight"; });
  }
  return state;
}

FileTensor file_tensor(const ModelFiles& files, const DecoderOptions&, std::string_view name) {
  const bool is_head = name.starts_with("lm_head.");
  FileTensor found{files.place_of(std::string(is_head ? "" : kPrefix).append(name), kPrefix)};
  found.is_transposed = is_conv1d(name) && !found.place.is_packed;
  return found;
}

void check_table(const ModelFiles& files, const std::vector<NamedTensor>& state, const char* name,
                 const char* field, int64_t rows, int64_t width) {
  const Tensor* t = find(state, name);
  const TensorPlace place = file_tensor(files, {}, name).place;
  if (!t) refuse_missing(place);
  if (t->rank() != 2 || t->shape()[1] != width) {
    refuse_shape(place,
                 {Shape{rows, width}, " by ", field, " and n_embd of ", files.config_path()});
  }
  check_table_rows(files.config_path(), field, rows, place.name.c_str(), t->shape()[0]);
}

// Biases absent from the options were written as zeros for other readers.
void drop_zero_biases(std::vector<NamedTensor>& state) {
  std::erase_if(state, [](const NamedTensor& t) {
    if (!t.name.ends_with(".bias")) return false;
    for (double v : to_vector<double>(t.tensor)) {
      if (v != 0) {
        throw Error(Code::value, "gpt2",
                    "config.json has \"bias\": false, but " + t.name + " is not zero");
      }
    }
    return true;
  });
}

Json config_of(const Decoder& model) {
  const DecoderOptions& o = model.options();
  Json c = Json::object();
  Json architectures = Json::array();
  architectures.push_back("GPT2LMHeadModel");
  c["architectures"] = std::move(architectures);
  c["model_type"] = kModelType;
  c["activation_function"] =
      o.activation == Activation::gelu_tanh ? "gelu_new" : activation_name(o.activation);
  c["vocab_size"] = o.vocab;
  c["n_positions"] = o.block_size;
  c["n_ctx"] = o.block_size;
  c["n_embd"] = o.width;
  c["n_layer"] = o.layers;
  c["n_head"] = o.heads;
  c["n_inner"] = o.inner ? Json(o.inner) : Json();
  c["layer_norm_epsilon"] = o.eps;
  for (const char* name : {"attn_pdrop", "embd_pdrop", "resid_pdrop"}) c[name] = o.dropout;
  c["bos_token_id"] = Json();
  c["eos_token_id"] = Json();
  c["tie_word_embeddings"] = o.tie_embeddings;
  c["bias"] = o.bias;
  c["torch_dtype"] = torch_name(model.wte.weight.dtype());
  return c;
}

// The options in a config.json.
DecoderOptions read_gpt2_config(const Json& config, const std::string& path) {
  const ConfigFields c(config, path);
  // what changes the computation must have the value implemented here
  c.require("scale_attn_weights", true);
  c.require("scale_attn_by_inverse_layer_idx", false);
  c.require("add_cross_attention", false);
  check_quantization(config, path);
  DecoderOptions o;
  o.vocab = c.integer("vocab_size");
  o.block_size = c.integer("n_positions");
  o.layers = c.integer("n_layer");
  o.heads = c.integer("n_head");
  o.width = c.integer("n_embd");
  o.inner = c.integer_or("n_inner", 0);
  o.bias = c.flag_or("bias", true);
  o.tie_embeddings = c.flag_or("tie_word_embeddings", true);
  o.activation = c.activation("activation_function", "gelu_new");
  o.dropout = c.real_or("resid_pdrop", 0);
  o.eps = c.real_or("layer_norm_epsilon", 1e-5);
  return o;
}

}  // namespace

Decoder load_gpt2(const std::string& folder, FileAccess access) {
  const auto files = open_model_files(folder);
  const std::string config = files->config_path();
  const Json fields = files->config();
  DecoderOptions o = read_gpt2_config(fields, config);
  std::vector<NamedTensor> state = read_tensors(folder, access);
  check_table(*files, state, "wte.weight", "vocab_size", o.vocab, o.width);
  check_table(*files, state, "wpe.weight", "n_positions", o.block_size, o.width);
  check_layers(folder, state, "n_layer", o.layers);
  o.tie_embeddings = find(state, "lm_head.weight") == nullptr;
  if (!o.bias) drop_zero_biases(state);
  Decoder model = in_file(config, [&] { return Decoder(o, nn::Unfilled()); });
  const Architecture& architecture = architecture_named(kModelType);
  model.remember(architecture, fields, folder);
  model.to(find(state, "wte.weight")->dtype());
  check_decoder_state(model, architecture, *files, state);
  in_file(folder, [&] { model.lend_state(state); });
  return model;
}

namespace {

std::vector<NamedTensor> read_state(const std::string& folder, const DecoderOptions& options) {
  std::vector<NamedTensor> state = read_tensors(folder, FileAccess::map);  // the caller copies
  if (!options.bias) drop_zero_biases(state);
  return state;
}

std::vector<NamedTensor> file_state(Decoder& model) {
  std::vector<NamedTensor> tensors;
  for (const NamedTensor& t : model.state_dict()) {
    bool head = t.name.starts_with("lm_head.");
    std::string name = head ? t.name : std::string(kPrefix) + t.name;
    bool weight_of_layer = name.ends_with(".weight") && name.find(".h.") != std::string::npos;
    Tensor value =
        is_conv1d(name) && t.tensor.plain() ? transpose(t.tensor, 0, 1) : t.tensor.detach();
    bool normalises = name.find(".ln_") != std::string::npos;
    if (!model.options().bias && (weight_of_layer || normalises)) {
      std::string bias = name.substr(0, name.size() - 6) + "bias";
      const int64_t outputs = t.tensor.size(0);
      tensors.push_back({bias, zeros({outputs}, {.dtype = value.dtype()})});
    }
    tensors.push_back({std::move(name), value});
  }
  return tensors;
}

}  // namespace

extern const Architecture gpt2_architecture;
constinit const Architecture gpt2_architecture{
    .model_type = kModelType,
    .options = record_of<GptOptions>,
    .holds = [](const DecoderOptions& o) { return only_uses(record_of<GptOptions>, o); },
    .suit = [](DecoderOptions&) {},
    .read_config = read_gpt2_config,
    .load = [](const std::string& folder, FileAccess access) -> std::unique_ptr<LanguageModel> {
      return std::make_unique<Decoder>(load_gpt2(folder, access));
    },
    .read_state = read_state,
    .file_tensor = file_tensor,
    .config = config_of,
    .file_state = file_state};

}  // namespace gyre
