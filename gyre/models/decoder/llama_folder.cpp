#include <algorithm>
#include <cmath>
#include <string_view>

#include "gyre/base/error.h"
#include "gyre/base/in_file.h"
#include "gyre/io/record_json.h"
#include "gyre/models/architecture.h"
#include "gyre/models/decoder/decoder.h"
#include "gyre/models/decoder/decoder_folder.h"
#include "gyre/models/files/config_fields.h"
#include "gyre/models/files/sharded_state.h"
#include "gyre/op/node.h"
#include "gyre/ops/index/index.h"
#include "gyre/ops/shape/shape.h"

// Folders of Llama (Touvron et al. 2023) and its relatives: RMSNorm, rotary positions, grouped
// heads and gated MLPs. They differ in the norms' places, biases, windows and some factors.

namespace gyre {
namespace {

constexpr const char *kFull = "full_attention", *kSliding = "sliding_attention";

// A relative of Llama, by what transformers assumes of it where config.json is silent.
struct Family {
  const char *model_type, *class_name;
  const char* activation = "silu";
  const char* activation_field = "hidden_act";
  bool tied = false;
  double eps = 1e-6, rope_base = 10000;
  int64_t context = 2048, kv_heads = 0, head_size = 0;
  bool joint_weights = false;  ///< qkv_proj and gate_up_proj
  bool head_size_is_written = true;
  /// What else config.json says, both ways.
  void (*read)(const ConfigFields& config, DecoderOptions& options);
  void (*write)(const DecoderOptions& options, Json& config);
};

// ---- windows and layers without rotation ----

// Sets window and layer_types from whether each layer has a window and is rotated.
void set_layers(DecoderOptions& o, int64_t window, const std::vector<bool>& windowed,
                const std::vector<bool>& rotated) {
  std::vector<std::string> types;
  bool some = false, mixed = false;
  for (size_t i = 0; i < windowed.size(); ++i) {
    types.push_back(rotated[i] ? (windowed[i] ? "window" : "full")
                               : (windowed[i] ? "window_unrotated" : "unrotated"));
    some |= windowed[i];
    mixed |= types[i] != types[0] || !rotated[i];
  }
  o.window = some ? window : 0;
  if (mixed) o.details.layer_types = std::move(types);
}

bool has_window(const std::string& type) { return type.starts_with("window"); }

// Whether each layer has a window: config.json's layer_types, or by `otherwise`.
std::vector<bool> windowed_layers(const ConfigFields& c, const DecoderOptions& o,
                                  FunctionRef<bool(int64_t layer)> otherwise) {
  std::vector<bool> windowed;
  if (const Json* types = c.find("layer_types")) {
    in_file(c.path(), [&] {
      for (const Json& type : types->as_array("layer_types")) {
        if (!(type == Json(kFull)) && !(type == Json(kSliding)))
          c.refuse("layer_types", type, "full_attention or sliding_attention");
        windowed.push_back(type == Json(kSliding));
      }
    });
    if (static_cast<int64_t>(windowed.size()) != o.layers)
      c.refuse("layer_types", *types, "an entry for each layer");
  } else {
    for (int64_t i = 0; i < o.layers; ++i) windowed.push_back(otherwise(i));
  }
  return windowed;
}

void read_windows(const ConfigFields& c, DecoderOptions& o, bool on, int64_t window,
                  FunctionRef<bool(int64_t layer)> otherwise) {
  window = on ? c.integer_or("sliding_window", window) : 0;
  const std::vector<bool> windowed = windowed_layers(c, o, otherwise);
  if (window > 0) set_layers(o, window, windowed, std::vector<bool>(windowed.size(), true));
}

Json layer_types(const DecoderOptions& o) {
  Json types = Json::array();
  for (int64_t i = 0; i < o.layers; ++i) {
    const std::vector<std::string>& own = o.details.layer_types;
    const bool window = own.empty() ? o.window > 0 : has_window(own[static_cast<size_t>(i)]);
    types.push_back(window ? kSliding : kFull);
  }
  return types;
}

Json window_or_null(const DecoderOptions& o) { return o.window ? Json(o.window) : Json(); }

// ---- rotary positions ----

void read_scaling(const ConfigFields& c, DecoderOptions& o) {
  DecoderDetails& d = o.details;
  const std::string type = c.text_or("rope_type", c.text_or("type", "default").c_str());
  if (type == "default") return;
  d.rope_factor = c.real_or("factor", 1);
  d.rope_original = c.integer_or("original_max_position_embeddings", 0);
  if (d.rope_original == o.block_size) d.rope_original = 0;
  if (type == "linear") {
    d.rope_scaling = RopeScaling::linear;
    d.rope_original = 0;
  } else if (type == "llama3") {
    d.rope_scaling = RopeScaling::llama3;
    d.rope_slow = c.real_or("low_freq_factor", 1);
    d.rope_fast = c.real_or("high_freq_factor", 4);
  } else if (type == "yarn") {
    d.rope_scaling = RopeScaling::yarn;
    d.rope_slow = c.real_or("beta_slow", 1);
    d.rope_fast = c.real_or("beta_fast", 32);
    d.rope_truncate = c.flag_or("truncate", true);
    const auto magnitude = [&](double scale) {
      return d.rope_factor <= 1 ? 1.0 : 0.1 * scale * std::log(d.rope_factor) + 1;
    };
    const double above = c.real_or("mscale", 0), below = c.real_or("mscale_all_dim", 0);
    const double usual =
        above != 0 && below != 0 ? magnitude(above) / magnitude(below) : magnitude(1);
    d.rope_attention = c.real_or("attention_factor", usual);
  } else {
    c.refuse("rope_type", type, "default, linear, llama3 or yarn");
  }
}

// Newer files have rope_parameters, of all layers or by their type; older ones rope_theta and
// rope_scaling.
void read_rope(const ConfigFields& c, DecoderOptions& o, double base) {
  const Json none = Json::object();
  ConfigFields own = c.object_or("rope_parameters", none);
  const bool by_type = own.find(kFull) != nullptr;
  if (by_type) {
    const ConfigFields window = own.object_or(kSliding, none);
    o.details.window_rope_base = window.real_or("rope_theta", 0);
    window.require("rope_type", "default");
  }
  const ConfigFields full = by_type ? own.object_or(kFull, none) : own;
  o.rope_base = full.real_or("rope_theta", c.real_or("rope_theta", base));
  if (const double part =
          full.real_or("partial_rotary_factor", c.real_or("partial_rotary_factor", 1));
      part != 1)
    o.details.rotary_size = static_cast<int64_t>(static_cast<double>(o.size_of_head()) * part);
  read_scaling(c.find("rope_parameters") ? full : c.object_or("rope_scaling", none), o);
}

Json scaling_of(const DecoderOptions& o) {
  const DecoderDetails& d = o.details;
  Json c = Json::object();
  if (d.rope_scaling == RopeScaling::none) return {};
  c["rope_type"] = kRopeScalingNames[static_cast<size_t>(d.rope_scaling)];
  c["factor"] = d.rope_factor;
  if (d.rope_scaling != RopeScaling::linear)
    c["original_max_position_embeddings"] = d.rope_original ? d.rope_original : o.block_size;
  if (d.rope_scaling == RopeScaling::llama3) {
    c["low_freq_factor"] = d.rope_slow;
    c["high_freq_factor"] = d.rope_fast;
  }
  if (d.rope_scaling == RopeScaling::yarn) {
    c["beta_slow"] = d.rope_slow;
    c["beta_fast"] = d.rope_fast;
    c["truncate"] = d.rope_truncate;
    c["attention_factor"] = d.rope_attention;
  }
  return c;
}

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
  in_file(path, [&] { check_heads(f.model_type, o); });
  read_rope(c, o, f.rope_base);
  f.read(c, o);
  return o;
}

Json config_of(const Family& f, const DecoderOptions& o) {
  Json c = Json::object(), architectures = Json::array();
  architectures.push_back(f.class_name);
  c["architectures"] = std::move(architectures);
  c["model_type"] = f.model_type;
  c["vocab_size"] = o.vocab;
  c["max_position_embeddings"] = o.block_size;
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

// ---- tensors ----

struct Name {
  std::string_view ours, theirs;
};
constexpr Name kWhole[] = {
    {"wte.", "model.embed_tokens."}, {"ln_f.", "model.norm."}, {"lm_head.", "lm_head."}};
constexpr Name kLayer[] = {
    {"attn.c_attn.", "self_attn.qkv_proj."}, {"attn.c_q.", "self_attn.q_proj."},
    {"attn.c_k.", "self_attn.k_proj."},      {"attn.c_v.", "self_attn.v_proj."},
    {"attn.c_proj.", "self_attn.o_proj."},   {"attn.ln_q.", "self_attn.q_norm."},
    {"attn.ln_k.", "self_attn.k_norm."},     {"mlp.c_gate.", "mlp.gate_proj."},
    {"mlp.c_fc.", "mlp.up_proj."},           {"mlp.c_proj.", "mlp.down_proj."}};
constexpr Name kBefore[] = {{"ln_1.", "input_layernorm."}, {"ln_2.", "post_attention_layernorm."}};
constexpr Name kAfter[] = {{"ln_1_after.", "post_attention_layernorm."},
                           {"ln_2_after.", "post_feedforward_layernorm."}};
constexpr Name kBoth[] = {{"ln_1.", "input_layernorm."},
                          {"ln_1_after.", "post_attention_layernorm."},
                          {"ln_2.", "pre_feedforward_layernorm."},
                          {"ln_2_after.", "post_feedforward_layernorm."}};
constexpr std::string_view kModel = "model.", kTheirLayers = "model.layers.", kOurLayers = "h.";
constexpr std::string_view kGateUp = "mlp.gate_up_proj.", kGate = "mlp.c_gate.", kUp = "mlp.c_fc.";

std::span<const Name> norms_of(NormPlace place) {
  if (place == NormPlace::before) return kBefore;
  return place == NormPlace::after ? std::span<const Name>(kAfter) : kBoth;
}

// The name with the part `from` of the table's line replaced by `to`, or empty.
std::string renamed(std::string_view name, std::span<const Name> table,
                    std::string_view Name::*from, std::string_view Name::*to) {
  for (const Name& line : table) {
    if (name.starts_with(line.*from)) {
      std::string whole(line.*to);
      return whole.append(name.substr((line.*from).size()));
    }
  }
  return {};
}

// A tensor's name in the other form; unknown ones stay, so that errors show them.
std::string other_name(std::string_view name, NormPlace place, bool to_ours) {
  const auto from = to_ours ? &Name::theirs : &Name::ours,
             to = to_ours ? &Name::ours : &Name::theirs;
  const std::string_view before = to_ours ? kTheirLayers : kOurLayers,
                         after = to_ours ? kOurLayers : kTheirLayers;
  if (!name.starts_with(before)) {
    const std::string found = renamed(name, kWhole, from, to);
    return found.empty() ? std::string(name) : found;
  }
  const std::string_view rest = name.substr(before.size());
  const size_t dot = rest.find('.');
  if (dot == std::string_view::npos) return std::string(name);
  std::string found = renamed(rest.substr(dot + 1), kLayer, from, to);
  if (found.empty()) found = renamed(rest.substr(dot + 1), norms_of(place), from, to);
  if (found.empty()) return std::string(name);
  return std::string(after).append(rest.substr(0, dot + 1)).append(found);
}

// The tensors of a folder with the names of Decoder; parts of joint weights are views.
std::vector<NamedTensor> read_tensors(const std::string& folder, const DecoderOptions& o,
                                      FileAccess access) {
  NoGrad scope;
  std::vector<NamedTensor> state;
  for (NamedTensor& t : load_folder_state(folder, access)) {
    if (t.name.ends_with(".inv_freq")) continue;
    const bool bare = !t.name.starts_with(kModel) && !t.name.starts_with("lm_head.");
    std::string name = bare ? std::string(kModel) + t.name : t.name;
    if (const size_t at = name.find(kGateUp); at != std::string::npos && t.tensor.rank() > 0) {
      const int64_t rows = t.tensor.size(0), half = rows / 2;
      const std::string layer = other_name(name.substr(0, at) + "mlp.gate_proj.", {}, true);
      const std::string before = layer.substr(0, layer.find("mlp.")),
                        end = name.substr(at + kGateUp.size());
      state.push_back({before + std::string(kGate) + end, slice(t.tensor, {0, 0, half, 1})});
      state.push_back({before + std::string(kUp) + end, slice(t.tensor, {0, half, rows, 1})});
      continue;
    }
    name = other_name(name, o.norm_place, true);
    state.push_back({std::move(name), std::move(t.tensor)});
  }
  if (o.tie_embeddings)
    std::erase_if(state, [](const NamedTensor& t) { return t.name == "lm_head.weight"; });
  return state;
}

std::vector<NamedTensor> file_tensors(Decoder& model, bool joint) {
  std::vector<NamedTensor> tensors, state = model.state_dict();
  for (const NamedTensor& t : state) {
    if (joint && t.name.find(kUp) != std::string::npos) continue;
    if (const size_t at = t.name.find(kGate); joint && at != std::string::npos) {
      const std::string layer = t.name.substr(0, at), end = t.name.substr(at + kGate.size());
      const Tensor* up = find(state, layer + std::string(kUp) + end);
      const std::string theirs = other_name(layer + std::string(kGate), {}, false);
      tensors.push_back({theirs.substr(0, theirs.find("mlp.")) + std::string(kGateUp) + end,
                         cat({t.tensor.detach(), up->detach()}, 0)});
      continue;
    }
    tensors.push_back({other_name(t.name, model.options().norm_place, false), t.tensor.detach()});
  }
  return tensors;
}

const Tensor& embedding_of(const std::string& folder, const std::vector<NamedTensor>& state,
                           int64_t width) {
  const Tensor* table = find(state, "wte.weight");
  if (!table) {
    throw Error(Code::value, "load_language_model",
                {folder, ": missing tensor model.embed_tokens.weight"},
                "model.embed_tokens.weight");
  }
  if (table->rank() == 2 && table->size(1) == width) return *table;
  throw Error(Code::shape, "load_language_model",
              {folder, ": model.embed_tokens.weight has shape ", table->shape(),
               ", but config.json has hidden_size ", width},
              width, table->shape());
}

std::unique_ptr<LanguageModel> load(const Family& f, const std::string& folder, FileAccess access) {
  const std::string path = folder + "/config.json";
  const Json config = Json::read(path);
  DecoderOptions o = read_config(f, config, path);
  const std::vector<NamedTensor> state = read_tensors(folder, o, access);
  const Tensor& table = embedding_of(folder, state, o.width);
  o.vocab = table.size(0);  // which may have more rows than config.json says
  check_layers(folder, state, "num_hidden_layers", o.layers);
  auto model = in_file(path, [&] { return std::make_unique<Decoder>(o, nn::Unfilled()); });
  model->set_architecture(architecture_named(f.model_type));
  model->to(table.dtype());
  in_file(folder, [&] { model->lend_state(state); });
  return model;
}

template <const Family& f>
constexpr Architecture architecture() {
  return {
      .model_type = f.model_type,
      .options = record_of<DecoderOptions>,
      .holds = [](const DecoderOptions& o) { return holds(f, o); },
      .suit =
          [](DecoderOptions& o) {
            o.bias = false;
            o.activation = Activation::silu;
            o.positions = Positions::rotary;
            o.norm = NormKind::rms;
            o.gated = o.details.separate = true;
          },
      .read_config = [](const Json& config,
                        const std::string& path) { return read_config(f, config, path); },
      .load = [](const std::string& folder, FileAccess access) { return load(f, folder, access); },
      .read_state =
          [](const std::string& folder, const DecoderOptions& o) {
            return read_tensors(folder, o, FileAccess::map);
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
  d.score_cap = c.real_or("attn_logit_softcapping", score_cap);
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
  c["sliding_window"] = window_or_null(o);
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
                               read_gemma(c, o, 2, c.has("attn_logit_softcapping") ? 0 : 50,
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
    .joint_weights = true,
    .head_size_is_written = false,
    .read = [](const ConfigFields& c,
               DecoderOptions& o) { read_windows(c, o, true, 0, [](int64_t) { return true; }); },
    .write =
        [](const DecoderOptions& o, Json& c) {
          c["sliding_window"] = window_or_null(o);
          c["original_max_position_embeddings"] = o.block_size;
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

extern const Architecture llama_architecture, mistral_architecture, qwen2_architecture,
    qwen3_architecture, gemma2_architecture, gemma3_text_architecture, phi3_architecture,
    smollm3_architecture, olmo2_architecture, granite_architecture;
constinit const Architecture llama_architecture = architecture<kLlama>();
constinit const Architecture mistral_architecture = architecture<kMistral>();
constinit const Architecture qwen2_architecture = architecture<kQwen2>();
constinit const Architecture qwen3_architecture = architecture<kQwen3>();
constinit const Architecture gemma2_architecture = architecture<kGemma2>();
constinit const Architecture gemma3_text_architecture = architecture<kGemma3>();
constinit const Architecture phi3_architecture = architecture<kPhi3>();
constinit const Architecture smollm3_architecture = architecture<kSmolLm3>();
constinit const Architecture olmo2_architecture = architecture<kOlmo2>();
constinit const Architecture granite_architecture = architecture<kGranite>();

}  // namespace gyre
