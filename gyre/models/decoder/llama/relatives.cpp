#include <algorithm>
#include <cmath>

#include "gyre/base/error.h"
#include "gyre/base/in_file.h"
#include "gyre/io/record_json.h"
#include "gyre/models/architecture.h"
#include "gyre/models/decoder/decoder.h"
#include "gyre/models/decoder/decoder_folder.h"
#include "gyre/models/decoder/llama/layer_types.h"
#include "gyre/models/decoder/llama/rope_config.h"
#include "gyre/models/decoder/llama/tensor_names.h"
#include "gyre/models/files/packed_config.h"

// Folders of Llama (Touvron et al. 2023) and its relatives: RMSNorm, rotary positions, grouped
// heads and gated MLPs. They differ in the norms' places, biases, windows and some factors.

namespace gyre::llama {
namespace {

// A relative of Llama, by what transformers assumes of it where config.json is silent.
struct Family {
  const char *model_type, *class_name;
  const char* activation = "silu";
  const char* activation_field = "hidden_act";
  bool tied = false;
  double eps = 1e-6, rope_base = 10000;
  int64_t context = 2048, original_context = 0, kv_heads = 0, head_size = 0;
  bool joint_weights = false;  ///< qkv_proj and gate_up_proj
  bool head_size_is_written = true;
  void (*suit)(DecoderOptions& options) = nullptr;
  /// What else config.json says, both ways.
  void (*read)(const ConfigFields& config, DecoderOptions& options);
  void (*write)(const DecoderOptions& options, Json& config);
};

// ---- config.json ----

DecoderOptions read_config(const Family& f, const Json& config, const std::string& path) {
  check_quantization(config, path);
  const ConfigFields c(config, path);
  DecoderOptions o{.vocab = c.integer("vocab_size"),
                   .block_size = c.integer_or("max_position_embeddings", f.context),
                   .layers = c.integer("num_hidden_layers"),
                   .heads = c.integer("num_attention_heads"),
                   .width = c.integer("hidden_size"),
                   .inner = c.integer("intermediate_size"),
                   .bias = false,
                   .activation = c.activation(f.activation_field, f.activation),
                   .tie_embeddings = c.flag_or("tie_word_embeddings", f.tied),
                   .eps = c.real_or("rms_norm_eps", f.eps),
                   .positions = Positions::rotary,
                   .norm = NormKind::rms,
                   .gated = true};
  o.details.separate = !f.joint_weights;
  const int64_t keys = f.kv_heads ? f.kv_heads : o.heads;
  o.kv_heads = c.integer_or("num_key_value_heads", keys);
  if (o.kv_heads == o.heads) o.kv_heads = 0;
  o.head_size = c.integer_or("head_dim", f.head_size);
  if (o.head_size * o.heads == o.width) o.head_size = 0;
  in_file(path, [&] {
    check_record(f.model_type, o);
    check_heads(f.model_type, o);
  });
  read_rope(c, o, f.rope_base, f.original_context);
  f.read(c, o);
  return o;
}

Json config_of(const Family& f, const DecoderOptions& o) {
  Json c = Json::object(), architectures = Json::array();
  architectures.push_back(f.class_name);
  c["architectures"] = std::move(architectures);
  c["model_type"] = f.model_type;
  c["vocab_size"] = o.vocab;
  c["max_position_embeddings"] = stated_context(o);
  c["hidden_size"] = o.width;
  c["intermediate_size"] = o.inner_size();
  c["num_hidden_layers"] = o.layers;
  c["num_attention_heads"] = o.heads;
  c["num_key_value_heads"] = o.key_heads();
  if (f.head_size_is_written || o.head_size) c["head_dim"] = o.size_of_head();
  c[f.activation_field] = activation_name(o.activation);
  c["rms_norm_eps"] = o.eps;
  c["rope_theta"] = o.rope_base;
  c["rope_scaling"] = scaling_of(o);
  if (o.details.rotary_size) {
    c["partial_rotary_factor"] =
        static_cast<double>(o.details.rotary_size) / static_cast<double>(o.size_of_head());
  }
  c["tie_word_embeddings"] = o.tie_embeddings;
  c["bos_token_id"] = Json();
  c["eos_token_id"] = Json();
  c["pad_token_id"] = Json();
  f.write(o, c);
  return c;
}

// Whether config.json says all of the options.
bool holds(const Family& f, const DecoderOptions& options) {
  DecoderOptions o = options;
  if (o.kv_heads == o.heads) o.kv_heads = 0;
  if (o.head_size * o.heads == o.width) o.head_size = 0;
  o.inner = o.inner_size();
  o.dropout = 0;  // of training only
  if (o.positions != Positions::rotary || o.rotated() % 2) return false;
  try {
    return record_to_json(read_config(f, config_of(f, o), "")) == record_to_json(o);
  } catch (const Error&) {
    return false;
  }
}

// ---- loading ----

const Tensor& embedding_of(const ModelFiles& files, const std::vector<NamedTensor>& state,
                           const DecoderOptions& o) {
  constexpr const char* kTable = "wte.weight";
  const Tensor* table = find(state, kTable);
  const TensorPlace place = file_tensor(files, o, kTable, false).place;
  if (!table) refuse_missing(place);
  if (table->rank() != 2 || table->size(1) != o.width) {
    refuse_shape(place, {Shape{o.vocab, o.width}, " by vocab_size and hidden_size of ",
                         files.config_path()});
  }
  check_table_rows(files.config_path(), "vocab_size", o.vocab, place.name.c_str(), table->size(0));
  return *table;
}

std::unique_ptr<LanguageModel> load(const Family& f, const std::string& folder, FileAccess access) {
  const auto files = open_model_files(folder);
  const std::string path = files->config_path();
  const Json config = files->config();
  DecoderOptions o = read_config(f, config, path);
  // what is copied anyway gets the order that folders hold
  o.details.rope_interleaved = files->is_interleaved() && access == FileAccess::map;
  const std::vector<NamedTensor> state = read_tensors(*files, o, access);
  const Tensor& table = embedding_of(*files, state, o);
  check_layers(folder, state, "num_hidden_layers", o.layers);
  auto model = in_file(path, [&] { return std::make_unique<Decoder>(o, nn::Unfilled()); });
  const Architecture& architecture = architecture_named(f.model_type);
  model->remember(architecture, config, folder);
  model->to(table.dtype());
  check_decoder_state(*model, architecture, *files, state);
  in_file(folder, [&] { model->lend_state(state); });
  return model;
}

template <const Family& f>
constexpr Architecture architecture() {
  return {
      .model_type = f.model_type,
      .options = record_of<DecoderOptions>,
      .holds = [](const DecoderOptions& o) { return holds(f, o); },
      .suit = f.suit,
      .read_config = [](const Json& config,
                        const std::string& path) { return read_config(f, config, path); },
      .load = [](const std::string& folder, FileAccess access) { return load(f, folder, access); },
      .read_state =
          [](const std::string& folder, const DecoderOptions& o) {
            return read_tensors(*open_model_files(folder), o, FileAccess::map);
          },
      .file_tensor =
          [](const ModelFiles& files, const DecoderOptions& o, std::string_view name) {
            return file_tensor(files, o, name, f.joint_weights);
          },
      .config =
          [](const Decoder& model) {
            Json config = config_of(f, model.options());
            config["torch_dtype"] = torch_name(model.wte.weight.dtype());
            return config;
          },
      .file_state = [](Decoder& model) { return file_tensors(model, f.joint_weights); }};
}

// ---- the relatives ----

void read_biases(const ConfigFields& c, DecoderOptions& o, bool of_mlp) {
  const bool attention = c.flag_or("attention_bias", false);
  o.bias = of_mlp && c.flag_or("mlp_bias", false);
  if (attention != o.bias)
    o.details.attention_bias = attention ? AttentionBias::all : AttentionBias::none;
}

void write_biases(const DecoderOptions& o, Json& c, bool of_mlp) {
  c["attention_bias"] = o.attention_bias(true);
  if (of_mlp) c["mlp_bias"] = o.bias;
}

constexpr Family kLlama{
    .model_type = "llama",
    .class_name = "LlamaForCausalLM",
    .suit =
        [](DecoderOptions& o) {
          o.bias = false;
          o.activation = Activation::silu;
          o.positions = Positions::rotary;
          o.norm = NormKind::rms;
          o.gated = o.details.separate = true;
        },
    .read = [](const ConfigFields& c, DecoderOptions& o) { read_biases(c, o, true); },
    .write = [](const DecoderOptions& o, Json& c) { write_biases(o, c, true); }};

constexpr Family kMistral{
    .model_type = "mistral",
    .class_name = "MistralForCausalLM",
    .context = 4096 * 32,
    .kv_heads = 8,
    .read = [](const ConfigFields& c,
               DecoderOptions& o) { read_windows(c, o, true, 0, [](int64_t) { return true; }); },
    .write = [](const DecoderOptions& o, Json& c) { c["sliding_window"] = window_or_null(o); }};

// Windows from some layer on.
void read_late_windows(const ConfigFields& c, DecoderOptions& o) {
  const int64_t first = c.integer_or("max_window_layers", 28);
  read_windows(c, o, c.flag_or("use_sliding_window", false), 4096,
               [&](int64_t layer) { return layer >= first; });
}

void write_late_windows(const DecoderOptions& o, Json& c) {
  c["use_sliding_window"] = o.window > 0;
  c["sliding_window"] = window_or_null(o);
  const Json types = layer_types(o);
  int64_t first = 0;
  for (const Json& type : types.as_array()) {
    if (type == Json(kSliding)) break;
    ++first;
  }
  c["max_window_layers"] = first;
  c["layer_types"] = types;
}

constexpr Family kQwen2{.model_type = "qwen2",
                        .class_name = "Qwen2ForCausalLM",
                        .context = 32768,
                        .kv_heads = 32,
                        .head_size_is_written = false,
                        .read =
                            [](const ConfigFields& c, DecoderOptions& o) {
                              o.details.attention_bias = AttentionBias::inputs;
                              read_late_windows(c, o);
                            },
                        .write = write_late_windows};

constexpr Family kQwen3{.model_type = "qwen3",
                        .class_name = "Qwen3ForCausalLM",
                        .context = 32768,
                        .kv_heads = 32,
                        .head_size = 128,
                        .read =
                            [](const ConfigFields& c, DecoderOptions& o) {
                              o.head_norm = HeadNorm::weighted;
                              read_biases(c, o, false);
                              read_late_windows(c, o);
                            },
                        .write =
                            [](const DecoderOptions& o, Json& c) {
                              write_biases(o, c, false);
                              write_late_windows(o, c);
                            }};

// What Gemma 2 and 3 share; every `pattern`-th layer has no window.
void read_gemma(const ConfigFields& c, DecoderOptions& o, int64_t pattern, double score_cap,
                double logit_cap) {
  DecoderDetails& d = o.details;
  c.require("use_bidirectional_attention", false);
  o.norm_place = NormPlace::both;
  d.norm_offset = true;
  d.embedding_scale = std::sqrt(static_cast<double>(o.width));
  d.attention_scale = 1 / std::sqrt(c.real_or("query_pre_attn_scalar", 256));
  d.score_cap = score_cap;
  d.logit_cap = c.real_or("final_logit_softcapping", logit_cap);
  read_biases(c, o, false);
  read_windows(c, o, true, 4096, [&](int64_t layer) { return (layer + 1) % pattern != 0; });
}

void write_gemma(const DecoderOptions& o, Json& c) {
  const DecoderDetails& d = o.details;
  const auto cap = [](double value) { return value == 0 ? Json() : Json(value); };
  const double scalar = d.attention_scale == 0 ? static_cast<double>(o.size_of_head())
                                               : 1 / (d.attention_scale * d.attention_scale);
  // a whole number, as transformers requires, if it is one but for rounding
  const double whole = std::round(scalar);
  const bool is_whole = 1 / std::sqrt(whole) == d.attention_scale;
  c["query_pre_attn_scalar"] = is_whole ? Json(static_cast<int64_t>(whole)) : Json(scalar);
  c["attn_logit_softcapping"] = cap(d.score_cap);
  c["final_logit_softcapping"] = cap(d.logit_cap);
  c["sliding_window"] = o.window ? o.window : 4096;  // transformers needs one, used or not
  c["layer_types"] = layer_types(o);
  write_biases(o, c, false);
}

constexpr Family kGemma2{.model_type = "gemma2",
                         .class_name = "Gemma2ForCausalLM",
                         .activation = "gelu_pytorch_tanh",
                         .activation_field = "hidden_activation",
                         .tied = true,
                         .context = 8192,
                         .kv_heads = 4,
                         .head_size = 256,
                         .read =
                             [](const ConfigFields& c, DecoderOptions& o) {
                               const double score_cap = c.has("attn_logit_softcapping") ? 0 : 50;
                               read_gemma(c, o, 2, c.real_or("attn_logit_softcapping", score_cap),
                                          c.has("final_logit_softcapping") ? 0 : 30);
                             },
                         .write = write_gemma};

constexpr Family kGemma3{.model_type = "gemma3_text",
                         .class_name = "Gemma3ForCausalLM",
                         .activation = "gelu_pytorch_tanh",
                         .activation_field = "hidden_activation",
                         .tied = true,
                         .rope_base = 1e6,
                         .context = 131072,
                         .kv_heads = 4,
                         .head_size = 256,
                         .read =
                             [](const ConfigFields& c, DecoderOptions& o) {
                               o.head_norm = HeadNorm::weighted;
                               read_gemma(c, o, c.integer_or("sliding_window_pattern", 6), 0, 0);
                               if (o.details.window_rope_base == 0)
                                 o.details.window_rope_base =
                                     c.real_or("rope_local_base_freq", 10000);
                             },
                         .write =
                             [](const DecoderOptions& o, Json& c) {
                               write_gemma(o, c);
                               c["rope_local_base_freq"] = o.details.window_rope_base;
                             }};

constexpr Family kPhi3{
    .model_type = "phi3",
    .class_name = "Phi3ForCausalLM",
    .eps = 1e-5,
    .context = 4096,
    .original_context = 4096,
    .joint_weights = true,
    .head_size_is_written = false,
    .read = [](const ConfigFields& c,
               DecoderOptions& o) { read_windows(c, o, true, 0, [](int64_t) { return true; }); },
    .write =
        [](const DecoderOptions& o, Json& c) {
          c["sliding_window"] = window_or_null(o);
          c["original_max_position_embeddings"] = original_context(o);
        }};

constexpr Family kSmolLm3{
    .model_type = "smollm3",
    .class_name = "SmolLM3ForCausalLM",
    .tied = true,
    .rope_base = 2e6,
    .context = 32768,
    .kv_heads = 4,
    .head_size_is_written = false,
    .read =
        [](const ConfigFields& c, DecoderOptions& o) {
          read_biases(c, o, true);
          std::vector<bool> rotated;
          if (const Json* layers = c.find("no_rope_layers")) {  // 1: with rotation
            for (const Json& layer : layers->as_array("no_rope_layers"))
              rotated.push_back(layer.as_integer("no_rope_layers") != 0);
          }
          const int64_t interval = c.integer_or("no_rope_layer_interval", 4);
          for (auto i = static_cast<int64_t>(rotated.size()); i < o.layers; ++i)
            rotated.push_back((i + 1) % interval != 0);
          rotated.resize(static_cast<size_t>(o.layers));
          const int64_t window =
              c.flag_or("use_sliding_window", false) ? c.integer_or("sliding_window", 0) : 0;
          std::vector<bool> windowed = windowed_layers(
              c, o, [&](int64_t layer) { return !rotated[static_cast<size_t>(layer)]; });
          if (window == 0) windowed.assign(windowed.size(), false);
          set_layers(o, window, windowed, rotated);
        },
    .write =
        [](const DecoderOptions& o, Json& c) {
          write_biases(o, c, true);
          Json rotated = Json::array();
          for (int64_t i = 0; i < o.layers; ++i)
            rotated.push_back(o.of_layer(i).positions == Positions::rotary ? 1 : 0);
          c["no_rope_layers"] = std::move(rotated);
          c["use_sliding_window"] = o.window > 0;
          c["sliding_window"] = window_or_null(o);
          c["layer_types"] = layer_types(o);
        }};

constexpr Family kOlmo2{
    .model_type = "olmo2",
    .class_name = "Olmo2ForCausalLM",
    .eps = 1e-5,
    .head_size_is_written = false,
    .read =
        [](const ConfigFields& c, DecoderOptions& o) {
          o.norm_place = NormPlace::after;
          o.head_norm = HeadNorm::joint;
          read_biases(c, o, false);
        },
    .write = [](const DecoderOptions& o, Json& c) { write_biases(o, c, false); }};

constexpr Family kGranite{.model_type = "granite",
                          .class_name = "GraniteForCausalLM",
                          .head_size_is_written = false,
                          .read =
                              [](const ConfigFields& c, DecoderOptions& o) {
                                read_biases(c, o, true);
                                DecoderDetails& d = o.details;
                                d.embedding_scale = c.real_or("embedding_multiplier", 1);
                                d.attention_scale = c.real_or("attention_multiplier", 1);
                                d.residual_scale = c.real_or("residual_multiplier", 1);
                                d.logit_scale = 1 / c.real_or("logits_scaling", 1);
                              },
                          .write =
                              [](const DecoderOptions& o, Json& c) {
                                write_biases(o, c, true);
                                const DecoderDetails& d = o.details;
                                c["embedding_multiplier"] = d.embedding_scale;
                                c["attention_multiplier"] = d.attention_scale;
                                c["residual_multiplier"] = d.residual_scale;
                                c["logits_scaling"] = 1 / d.logit_scale;
                              }};

}  // namespace
}  // namespace gyre::llama

namespace gyre {

extern const Architecture llama_architecture, mistral_architecture, qwen2_architecture,
    qwen3_architecture, gemma2_architecture, gemma3_text_architecture, phi3_architecture,
    smollm3_architecture, olmo2_architecture, granite_architecture;
constinit const Architecture llama_architecture = llama::architecture<llama::kLlama>();
constinit const Architecture mistral_architecture = llama::architecture<llama::kMistral>();
constinit const Architecture qwen2_architecture = llama::architecture<llama::kQwen2>();
constinit const Architecture qwen3_architecture = llama::architecture<llama::kQwen3>();
constinit const Architecture gemma2_architecture = llama::architecture<llama::kGemma2>();
constinit const Architecture gemma3_text_architecture = llama::architecture<llama::kGemma3>();
constinit const Architecture phi3_architecture = llama::architecture<llama::kPhi3>();
constinit const Architecture smollm3_architecture = llama::architecture<llama::kSmolLm3>();
constinit const Architecture olmo2_architecture = llama::architecture<llama::kOlmo2>();
constinit const Architecture granite_architecture = llama::architecture<llama::kGranite>();

}  // namespace gyre
