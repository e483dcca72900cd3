#include "gyre/models/files/gguf_architecture.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>
#include <set>

#include "gyre/base/error.h"
#include "gyre/base/in_file.h"
#include "gyre/models/files/gguf_fields.h"
#include "gyre/ops/create/create.h"

namespace gyre {
namespace {

constexpr const char* kModelOp = "load_language_model";
constexpr std::string_view kBlock = "blk.";

// Factors of longrope scaling.
constexpr const char *kLongFactors = "rope_factors_long.weight",
                     *kShortFactors = "rope_factors_short.weight";

struct TensorName {
  std::string_view theirs, ours;
};

// ---- what architectures have besides ----

bool has_tensor(const GgufFields& f, std::string_view name) {
  return f.file().find(name) != nullptr;
}

void read_rope_scaling(const GgufFields& f, Json& c) {
  const double factor = f.real_or("rope.scaling.factor", f.real_or("rope.scale_linear", 1));
  const std::string type = f.text_or("rope.scaling.type", "linear");
  const double attention =
      f.real_or("rope.scaling.attn_factor", 1) * f.real_or("rope.scaling.yarn_attn_factor", 1);
  const int64_t original = f.integer_or("rope.scaling.original_context_length", 0);
  if (type == "none" || has_tensor(f, kLongFactors) || (type == "linear" && factor <= 1)) return;
  Json scaling = Json::object();
  scaling["rope_type"] = type;
  scaling["factor"] = factor;
  if (type == "yarn") {
    if (original) scaling["original_max_position_embeddings"] = original;
    scaling["beta_fast"] = f.real_or("rope.scaling.yarn_beta_fast", 32);
    scaling["beta_slow"] = f.real_or("rope.scaling.yarn_beta_slow", 1);
    if (f.real_or("rope.scaling.yarn_ext_factor", 1) != 1)
      f.refuse("rope.scaling.yarn_ext_factor", "1");
    scaling["attention_factor"] = attention * (0.1 * std::log(factor) + 1);
  } else if (type != "linear") {
    f.refuse("rope.scaling.type", "none, linear or yarn");
  } else if (attention != 1) {
    f.refuse("rope.scaling.attn_factor", "1");
  }
  c["rope_scaling"] = std::move(scaling);
}

// What rope_freqs.weight divides the frequencies by where llama3 scaling, with the turns of all
// published models, makes it from a context length that is a power of two; else an error, since a
// config has no other way to say it.
void read_rope_factors(const GgufFields& f, Json& c, int64_t rotated, double base) {
  constexpr const char* kName = "rope_freqs.weight";
  const GgufEntry* entry = f.file().find(kName);
  if (!entry) return;
  const auto given = to_vector<double>(f.file().load(*entry, FileAccess::read));
  const double factor = given.empty() ? 0 : *std::ranges::max_element(given);
  for (int64_t original = int64_t{1} << 30; original > 0; original /= 2) {
    bool fits = static_cast<int64_t>(given.size()) == rotated / 2;
    for (size_t i = 0; fits && i < given.size(); ++i) {
      const double frequency =
          std::pow(base, -2 * static_cast<double>(i) / static_cast<double>(rotated));
      const double turns = static_cast<double>(original) * frequency / (2 * std::numbers::pi);
      const double kept = std::clamp((turns - 1) / (4 - 1), 0.0, 1.0);
      const double wanted = 1 / ((1 - kept) / factor + kept);
      fits = std::abs(given[i] - wanted) <= 1e-4 * wanted;
    }
    if (!fits) continue;
    if (factor == 1) return;
    Json scaling = Json::object();
    scaling["rope_type"] = "llama3";
    scaling["factor"] = factor;
    scaling["low_freq_factor"] = 1.0;
    scaling["high_freq_factor"] = 4.0;
    scaling["original_max_position_embeddings"] = original;
    c["rope_scaling"] = std::move(scaling);
    return;
  }
  throw Error(Code::unsupported, kModelOp,
              {f.file().path(), ": tensor ", kName,
               " has factors of frequencies that llama3 scaling does not give"});
}

// The factors of frequencies are tensors. llama.cpp chooses those of the context that it is started
// with, gyre by the length of the text, as transformers does.
void read_longrope(const GgufFields& f, Json& c) {
  if (!has_tensor(f, kLongFactors) && !has_tensor(f, kShortFactors)) return;
  Json scaling = Json::object();
  scaling["rope_type"] = "longrope";
  for (const auto& [field, name] :
       {std::pair("long_factor", kLongFactors), std::pair("short_factor", kShortFactors)}) {
    const GgufEntry* entry = f.file().find(name);
    if (!entry)
      throw Error(Code::value, kModelOp, {f.file().path(), ": missing tensor ", name}, name);
    scaling[field] = Json::array();
    for (const double factor : to_vector<double>(f.file().load(*entry, FileAccess::read)))
      scaling[field].push_back(factor);
  }
  if (const double attention = f.real_or("rope.scaling.attn_factor", 0); attention > 0)
    scaling["attention_factor"] = attention;
  c["original_max_position_embeddings"] = f.integer("rope.scaling.original_context_length");
  c["rope_scaling"] = std::move(scaling);
}

// `pattern`: every such layer has no window, or an array of those that have one.
void read_window_pattern(const GgufFields& f, Json& c, int64_t usual) {
  c["sliding_window"] = f.integer_or("attention.sliding_window", 4096);
  constexpr const char* kPattern = "attention.sliding_window_pattern";
  const GgufValue* pattern = f.find(kPattern);
  const int64_t layers = c.at("num_hidden_layers").as_integer();
  Json types = Json::array();
  in_file(f.file().path(), [&] {
    std::vector<int64_t> windows;
    if (pattern && pattern->is_array()) {
      windows = pattern->integers();
    } else {
      const int64_t every = pattern ? pattern->as_integer() : usual;
      for (int64_t i = 0; i < layers; ++i) windows.push_back(every > 0 && (i + 1) % every != 0);
    }
    if (std::ssize(windows) != layers) f.refuse(kPattern, "a number, or one for each layer");
    for (const int64_t one : windows) types.push_back(one ? "sliding_attention" : "full_attention");
  });
  c["layer_types"] = std::move(types);
}

// The scale of attention is not stored: it is by the size of a head, but in the largest model by
// width and heads.
void read_gemma(const GgufFields& f, Json& c, int64_t layers_of_largest) {
  const auto integer = [&](const char* name) { return c.at(name).as_integer(); };
  const bool largest = integer("num_hidden_layers") == layers_of_largest;
  const int64_t head = integer("head_dim");
  const double scale = f.real_or("attention.scale", 0);
  if (scale > 0)
    c["query_pre_attn_scalar"] = 1 / (scale * scale);
  else
    c["query_pre_attn_scalar"] =
        largest ? integer("hidden_size") / integer("num_attention_heads") : head;
}

void more_llama(const GgufFields& f, Json& c) {
  const int64_t window = f.integer_or("attention.sliding_window", 0);
  if (window == 0) return;
  c["model_type"] = "mistral";
  c["sliding_window"] = window;
}

void more_gemma2(const GgufFields& f, Json& c) {
  read_gemma(f, c, 46);
  read_window_pattern(f, c, 2);
  const double scores = f.real_or("attn_logit_softcapping", 50),
               logits = f.real_or("final_logit_softcapping", 30);
  c["attn_logit_softcapping"] = scores == 0 ? Json() : Json(scores);
  c["final_logit_softcapping"] = logits == 0 ? Json() : Json(logits);
}

void more_gemma3(const GgufFields& f, Json& c) {
  read_gemma(f, c, 62);
  read_window_pattern(f, c, 6);
  if (const double logits = f.real_or("final_logit_softcapping", 0); logits != 0)
    c["final_logit_softcapping"] = logits;
  c["rope_local_base_freq"] = f.real_or("rope.freq_base_swa", 10000);
}

void more_phi3(const GgufFields& f, Json& c) {
  if (const int64_t window = f.integer_or("attention.sliding_window", 0); window > 0)
    c["sliding_window"] = window;
}

void more_granite(const GgufFields& f, Json& c) {
  c["embedding_multiplier"] = f.real_or("embedding_scale", 1);
  c["residual_multiplier"] = f.real_or("residual_scale", 1);
  c["logits_scaling"] = f.real_or("logit_scale", 1);
  const double head = c.at("head_dim").as_real();
  c["attention_multiplier"] = f.real_or("attention.scale", 1 / std::sqrt(head));
}

constexpr GgufArchitecture kGgufArchitectures[] = {
    {.name = "llama", .model_type = "llama", .is_interleaved = true, .more = more_llama},
    {.name = "qwen2", .model_type = "qwen2"},
    {.name = "qwen3", .model_type = "qwen3"},
    {.name = "gemma2",
     .model_type = "gemma2",
     .has_norm_offset = true,
     .has_norms_after = true,
     .more = more_gemma2},
    {.name = "gemma3",
     .model_type = "gemma3_text",
     .has_norm_offset = true,
     .has_norms_after = true,
     .more = more_gemma3},
    {.name = "phi3", .model_type = "phi3", .is_joint = true, .more = more_phi3},
    {.name = "smollm3", .model_type = "smollm3", .is_interleaved = true},
    {.name = "olmo2", .model_type = "olmo2", .has_norms_after = true},
    {.name = "granite", .model_type = "granite", .is_interleaved = true, .more = more_granite},
    {.name = "gpt2", .model_type = "gpt2", .is_gpt2 = true},
};

// ---- config.json ----

// Ids of special tokens; a text ends at the end of a text, of a turn or of a message.
void read_token_ids(const GgufFile& file, Json& c) {
  const auto id_of = [&](const char* name) {
    const GgufValue* found = file.metadata("tokenizer.ggml." + std::string(name) + "_token_id");
    return found ? in_file(file.path(), [&] { return found->as_integer(); }) : int64_t{-1};
  };
  if (const int64_t id = id_of("bos"); id >= 0) c["bos_token_id"] = id;
  if (const int64_t id = id_of("padding"); id >= 0) c["pad_token_id"] = id;
  std::vector<int64_t> ends;
  for (const char* name : {"eos", "eot", "eom"}) {
    const int64_t id = id_of(name);
    if (id >= 0 && std::ranges::find(ends, id) == ends.end()) ends.push_back(id);
  }
  if (ends.size() == 1) c["eos_token_id"] = ends[0];
  if (ends.size() > 1) {
    c["eos_token_id"] = Json::array();
    for (const int64_t id : ends) c["eos_token_id"].push_back(id);
  }
}

int64_t rows_of(const GgufFile& file, const char* name) {
  const GgufEntry* entry = file.find(name);
  if (!entry) throw Error(Code::value, kModelOp, {file.path(), ": missing tensor ", name}, name);
  if (entry->shape.rank != 2)
    throw Error(Code::shape, kModelOp,
                {file.path(), ": ", name, " has shape ", entry->shape, ", expected two axes"}, {},
                entry->shape);
  return entry->shape[0];
}

int64_t layers_of(const GgufFields& f) {
  const int64_t layers = f.integer("block_count"), found = gguf_blocks(f.file());
  if (layers != found)
    throw Error(Code::value, kModelOp,
                {f.file().path(), ": block_count is ", layers, ", but its tensors are of ", found,
                 " blocks"},
                found, layers);
  return layers;
}

Json gpt2_config(const GgufFields& f) {
  Json c = Json::object();
  c["model_type"] = "gpt2";
  c["vocab_size"] = rows_of(f.file(), "token_embd.weight");
  c["n_positions"] = f.integer("context_length");
  c["n_embd"] = f.integer("embedding_length");
  c["n_layer"] = layers_of(f);
  c["n_head"] = f.integer("attention.head_count");
  c["n_inner"] = f.integer("feed_forward_length");
  c["layer_norm_epsilon"] = f.real_or("attention.layer_norm_epsilon", 1e-5);
  return c;
}

Json llama_config(const GgufFields& f, const GgufArchitecture& a) {
  Json c = Json::object();
  c["model_type"] = a.model_type;
  const int64_t heads = f.integer("attention.head_count"), width = f.integer("embedding_length");
  c["vocab_size"] = rows_of(f.file(), "token_embd.weight");
  c["max_position_embeddings"] = f.integer("context_length");
  c["hidden_size"] = width;
  c["intermediate_size"] = f.integer("feed_forward_length");
  c["num_hidden_layers"] = layers_of(f);
  c["num_attention_heads"] = heads;
  c["num_key_value_heads"] = f.integer_or("attention.head_count_kv", heads);
  c["rms_norm_eps"] = f.real_or("attention.layer_norm_rms_epsilon", 1e-5);
  const double base = f.real_or("rope.freq_base", 10000);
  c["rope_theta"] = base;
  const int64_t head = f.integer_or("attention.key_length", heads > 0 ? width / heads : 0);
  c["head_dim"] = head;
  if (f.integer_or("attention.value_length", head) != head)
    f.refuse("attention.value_length", "that of keys");
  const int64_t rotated = f.integer_or("rope.dimension_count", head);
  if (rotated != head && head > 0) {
    if (a.is_interleaved) f.refuse("rope.dimension_count", "the size of a head");
    c["partial_rotary_factor"] = static_cast<double>(rotated) / static_cast<double>(head);
  }
  c["tie_word_embeddings"] = !has_tensor(f, "output.weight");
  c["attention_bias"] = has_tensor(f, "blk.0.attn_q.bias");
  c["mlp_bias"] = has_tensor(f, "blk.0.ffn_up.bias");
  read_rope_scaling(f, c);
  read_rope_factors(f, c, rotated, base);
  read_longrope(f, c);
  if (a.more) a.more(f, c);
  return c;
}

// ---- names of tensors ----

constexpr TensorName kLlamaWhole[] = {{"token_embd.", "model.embed_tokens."},
                                      {"output_norm.", "model.norm."},
                                      {"output.", "lm_head."}};
constexpr TensorName kLlamaBlock[] = {{"attn_norm.", "input_layernorm."},
                                      {"attn_q.", "self_attn.q_proj."},
                                      {"attn_k.", "self_attn.k_proj."},
                                      {"attn_v.", "self_attn.v_proj."},
                                      {"attn_qkv.", "self_attn.qkv_proj."},
                                      {"attn_output.", "self_attn.o_proj."},
                                      {"attn_q_norm.", "self_attn.q_norm."},
                                      {"attn_k_norm.", "self_attn.k_norm."},
                                      {"ffn_gate.", "mlp.gate_proj."},
                                      {"ffn_down.", "mlp.down_proj."},
                                      {"post_attention_norm.", "post_attention_layernorm."},
                                      {"post_ffw_norm.", "post_feedforward_layernorm."}};
constexpr TensorName kGpt2Whole[] = {{"token_embd.", "wte."},
                                     {"position_embd.", "wpe."},
                                     {"output_norm.", "ln_f."},
                                     {"output.", "lm_head."}};
constexpr TensorName kGpt2Block[] = {
    {"attn_norm.", "ln_1."}, {"attn_qkv.", "attn.c_attn."}, {"attn_output.", "attn.c_proj."},
    {"ffn_norm.", "ln_2."},  {"ffn_up.", "mlp.c_fc."},      {"ffn_down.", "mlp.c_proj."}};
// Frequencies of rope, which the config says.
constexpr std::string_view kRopeFrequencies = "rope_freqs.weight", kRotations = "attn_rot_embd.";

using NamesOf = std::string_view TensorName::*;

// The name with its beginning, which a line of the table has as `from`, as the line's `to`; empty
// if there is none.
std::string other_tensor_name(std::span<const TensorName> table, std::string_view name,
                              NamesOf from, NamesOf to) {
  for (const TensorName& line : table) {
    if (name.starts_with(line.*from))
      return std::string(line.*to).append(name.substr((line.*from).size()));
  }
  return {};
}

std::string block_tensor_name(const GgufArchitecture& a, std::string_view name, NamesOf from,
                              NamesOf to) {
  if (a.is_gpt2) return other_tensor_name(kGpt2Block, name, from, to);
  const TensorName own[] = {{"ffn_up.", a.is_joint ? "mlp.gate_up_proj." : "mlp.up_proj."},
                            {"ffn_norm.", a.has_norms_after ? "pre_feedforward_layernorm."
                                                            : "post_attention_layernorm."}};
  const std::string found = other_tensor_name(own, name, from, to);
  return found.empty() ? other_tensor_name(kLlamaBlock, name, from, to) : found;
}

// The same of a whole name; empty if the architecture has none.
std::string whole_tensor_name(const GgufArchitecture& a, std::string_view name, bool to_ours) {
  const NamesOf from = to_ours ? &TensorName::theirs : &TensorName::ours,
                to = to_ours ? &TensorName::ours : &TensorName::theirs;
  const std::string_view layers = a.is_gpt2 ? "h." : "model.layers.",
                         before = to_ours ? kBlock : layers, after = to_ours ? layers : kBlock;
  if (!name.starts_with(before)) {
    return a.is_gpt2 ? other_tensor_name(kGpt2Whole, name, from, to)
                     : other_tensor_name(kLlamaWhole, name, from, to);
  }
  const std::string_view rest = name.substr(before.size());
  const size_t dot = rest.find('.');
  if (dot == std::string_view::npos) return {};
  const std::string found = block_tensor_name(a, rest.substr(dot + 1), from, to);
  return found.empty() ? found : std::string(after).append(rest.substr(0, dot + 1)).append(found);
}

}  // namespace

const GgufArchitecture& gguf_architecture(const GgufFile& file) {
  constexpr const char* kKey = "general.architecture";
  const GgufValue* given = file.metadata(kKey);
  if (!given) throw Error(Code::value, kModelOp, {file.path(), ": `", kKey, "` is missing"}, kKey);
  const std::string_view name = in_file(file.path(), [&] { return given->as_text(); });
  std::string known;
  for (const GgufArchitecture& a : kGgufArchitectures) {
    if (name == a.name) return a;
    known += (known.empty() ? "" : ", ") + std::string(a.name);
  }
  throw Error(Code::unsupported, kModelOp,
              {file.path(), ": ", kKey, " is ", name, ", expected ", known}, known, name);
}

Json gguf_config(const GgufFile& file, const GgufArchitecture& architecture) {
  const GgufFields fields(file, architecture.name);
  Json config = architecture.is_gpt2 ? gpt2_config(fields) : llama_config(fields, architecture);
  fields.refuse_others();
  read_token_ids(file, config);
  return config;
}

std::string gguf_tensor_name(const GgufFile& file, const GgufArchitecture& architecture,
                             std::string_view name) {
  const bool is_frequencies =
      name == kRopeFrequencies || name == kLongFactors || name == kShortFactors;
  if (!architecture.is_gpt2 && is_frequencies) return {};
  if (const size_t dot = name.find('.', kBlock.size());
      name.starts_with(kBlock) && dot != std::string_view::npos &&
      name.substr(dot + 1).starts_with(kRotations))
    return {};
  std::string found = whole_tensor_name(architecture, name, true);
  if (!found.empty()) return found;
  throw Error(
      Code::unsupported, kModelOp,
      {file.path(), ": tensor ", name, " is not one of the architecture ", architecture.name}, {},
      name);
}

std::string gguf_name_of(const GgufArchitecture& architecture, std::string_view name) {
  const std::string found = whole_tensor_name(architecture, name, false);
  return found.empty() ? std::string(name) : found;
}

int64_t gguf_blocks(const GgufFile& file) {
  std::set<std::string_view> blocks;
  for (const GgufEntry& entry : file.entries()) {
    const std::string_view name = entry.name;
    if (!name.starts_with(kBlock)) continue;
    const size_t dot = name.find('.', kBlock.size());
    if (dot != std::string_view::npos) blocks.insert(name.substr(0, dot));
  }
  return static_cast<int64_t>(blocks.size());
}

}  // namespace gyre
