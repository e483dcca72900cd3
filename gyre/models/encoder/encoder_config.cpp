#include "gyre/models/encoder/encoder_config.h"

#include <algorithm>
#include <initializer_list>

#include "gyre/base/error.h"
#include "gyre/base/in_file.h"
#include "gyre/models/decoder/decoder_folder.h"
#include "gyre/models/decoder/llama/layer_types.h"
#include "gyre/models/files/config_fields.h"
#include "gyre/models/files/packed_config.h"

namespace gyre {
namespace {

// An architecture, and what transformers assumes of it where config.json is silent.
struct EncoderFamily {
  const char* model_type;
  EncoderOptions (*read)(const ConfigFields& config);
};

// ---- bert, roberta, xlm-roberta, distilbert ----

void refuse_decoder(const ConfigFields& c) {
  c.require("is_decoder", false);
  c.require("add_cross_attention", false);
  c.require("position_embedding_type", "absolute");
}

EncoderOptions read_bert(const ConfigFields& c) {
  refuse_decoder(c);
  return {.block_size = c.integer_or("max_position_embeddings", 512),
          .layers = c.integer("num_hidden_layers"),
          .heads = c.integer("num_attention_heads"),
          .width = c.integer("hidden_size"),
          .inner = c.integer("intermediate_size"),
          .token_types = c.integer_or("type_vocab_size", 2),
          .activation = c.activation("hidden_act", "gelu"),
          .eps = c.real_or("layer_norm_eps", 1e-12)};
}

EncoderOptions read_roberta(const ConfigFields& c) {
  EncoderOptions o = read_bert(c);
  o.padding = c.integer_or("pad_token_id", 1);
  return o;
}

EncoderOptions read_distilbert(const ConfigFields& c) {
  refuse_decoder(c);
  return {.block_size = c.integer_or("max_position_embeddings", 512),
          .layers = c.integer("n_layers"),
          .heads = c.integer("n_heads"),
          .width = c.integer("dim"),
          .inner = c.integer("hidden_dim"),
          .token_types = 0,
          .activation = c.activation("activation", "gelu")};
}

// ---- modernbert ----

// The base of a kind of layers; older files have a field of their own for each.
double rope_base_of(const ConfigFields& c, const char* type, const char* older, double otherwise) {
  const Json none = Json::object();
  const ConfigFields all = c.object_or("rope_parameters", none), own = all.object_or(type, none);
  own.require("rope_type", "default");
  return own.real_or("rope_theta", c.real_or(older, otherwise));
}

EncoderOptions read_modernbert(const ConfigFields& c) {
  if (const Json* scaling = c.find("rope_scaling")) c.refuse("rope_scaling", *scaling, "none");
  EncoderOptions o{.vocab = c.integer("vocab_size"),
                   .block_size = c.integer_or("max_position_embeddings", 8192),
                   .layers = c.integer("num_hidden_layers"),
                   .heads = c.integer("num_attention_heads"),
                   .width = c.integer("hidden_size"),
                   .inner = c.integer("intermediate_size"),
                   .token_types = 0,
                   .activation = c.activation("hidden_activation", "gelu"),
                   .gated = true,
                   .norm_first = true,
                   .separate = false,
                   .attention_bias = c.flag_or("attention_bias", false),
                   .mlp_bias = c.flag_or("mlp_bias", false),
                   .norm_bias = c.flag_or("norm_bias", false),
                   .eps = c.real_or("norm_eps", 1e-5),
                   .positions = Positions::rotary};
  o.rope_base = rope_base_of(c, "full_attention", "global_rope_theta", 160000);
  const bool shared = c.has("local_rope_theta") && !c.find("local_rope_theta");
  o.window_rope_base =
      rope_base_of(c, "sliding_attention", "local_rope_theta", shared ? o.rope_base : 10000);
  // counts the tokens on both sides, without the own one
  o.window = c.integer_or("local_attention", 128) / 2 + 1;
  const int64_t every = c.integer_or("global_attn_every_n_layers", 3);
  if (every < 1) c.refuse("global_attn_every_n_layers", every, "1 or more");
  in_file(c.path(), [&] { check_encoder("load_text_encoder", o); });
  const auto windowed = llama::windowed_layers(c, DecoderOptions{.layers = o.layers},
                                               [&](int64_t i) { return i % every != 0; });
  for (const bool window : windowed) o.layer_types.emplace_back(window ? "window" : "full");
  return o;
}

// ---- nomic_bert ----

// The first of these fields that is there; the last must be, if none is.
const char* name_in(const ConfigFields& c, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    if (c.find(name)) return name;
  }
  return *names.begin();
}

// Files for the authors' own code have GPT-2's names of fields.
void read_nomic_activation(const ConfigFields& c, EncoderOptions& o) {
  if (!c.find("activation_function")) {
    o.activation = c.activation("hidden_act", "silu");
    return;
  }
  const std::string name = c.text_or("activation_function", "");
  if (name != "swiglu" && name != "geglu") c.refuse("activation_function", name, "swiglu or geglu");
  o.activation = name == "swiglu" ? Activation::silu : Activation::gelu;
}

void refuse_other_nomic(const ConfigFields& c) {
  for (const char* name : {"prenorm", "use_rms_norm", "parallel_block", "causal",
                           "rotary_emb_interleaved", "scale_attn_by_inverse_layer_idx"})
    c.require(name, false);
  c.require("scale_attn_weights", true);
  for (const char* name : {"rotary_scaling_factor", "rotary_emb_scale_base", "rope_scaling"}) {
    if (const Json* found = c.find(name)) c.refuse(name, *found, "none");
  }
  for (const char* name : {"moe_every_n_layers", "num_experts"}) {
    if (c.integer_or(name, 0) > 0) c.refuse(name, *c.find(name), "0 (no mixture of experts)");
  }
  if (c.real_or("rotary_emb_fraction", 1) != 1)
    c.refuse("rotary_emb_fraction", *c.find("rotary_emb_fraction"), "1");
}

EncoderOptions read_nomic(const ConfigFields& c) {
  refuse_other_nomic(c);
  const bool older = c.find("n_embd") != nullptr;  // whose fields have GPT-2's defaults
  EncoderOptions o{
      .block_size = c.integer_or(name_in(c, {"max_position_embeddings", "n_positions"}), 2048),
      .layers = c.integer(name_in(c, {"num_hidden_layers", "n_layer"})),
      .heads = c.integer(name_in(c, {"num_attention_heads", "n_head"})),
      .width = c.integer(name_in(c, {"hidden_size", "n_embd"})),
      .inner = c.integer(name_in(c, {"intermediate_size", "n_inner"})),
      .head_size = c.integer_or("head_dim", 0),
      .token_types = c.integer_or("type_vocab_size", 2),
      .gated = true,
      .attention_bias = c.flag_or("qkv_proj_bias", older),
      .mlp_bias = c.flag_or("mlp_fc1_bias", older),
      .eps = c.real_or(name_in(c, {"layer_norm_eps", "layer_norm_epsilon"}), older ? 1e-5 : 1e-12),
      .positions = Positions::rotary};
  c.require("mlp_fc2_bias", o.mlp_bias);
  read_nomic_activation(c, o);
  const Json none = Json::object();
  const ConfigFields rope = c.object_or("rope_parameters", none);
  rope.require("rope_type", "default");
  o.rope_base = rope.real_or(
      "rope_theta", c.real_or(name_in(c, {"rope_theta", "rotary_emb_base"}), older ? 10000 : 1000));
  return o;
}

constexpr EncoderFamily kEncoderFamilies[] = {
    {"bert", read_bert},           {"distilbert", read_distilbert}, {"roberta", read_roberta},
    {"xlm-roberta", read_roberta}, {"modernbert", read_modernbert}, {"nomic_bert", read_nomic}};

const EncoderFamily* family_of(std::string_view model_type) {
  const auto* found = std::ranges::find(kEncoderFamilies, model_type, &EncoderFamily::model_type);
  return found == std::end(kEncoderFamilies) ? nullptr : found;
}

}  // namespace

bool is_encoder_type(std::string_view model_type) { return family_of(model_type) != nullptr; }

std::string encoder_types() {
  std::string all;
  for (const EncoderFamily& f : kEncoderFamilies)
    all += (all.empty() ? "" : ", ") + std::string(f.model_type);
  return all;
}

EncoderOptions read_encoder_config(const Json& config, const std::string& path) {
  const ConfigFields c(config, path);
  const EncoderFamily* family = family_of(c.text_or("model_type", ""));
  if (!family) {
    const Json* type = config.find("model_type");
    c.refuse("model_type", type ? *type : Json("missing"), encoder_types().c_str());
  }
  check_quantization(config, path);
  EncoderOptions o = family->read(c);
  o.vocab = c.integer("vocab_size");
  if (o.head_size * o.heads == o.width) o.head_size = 0;
  in_file(path, [&] { check_encoder("load_text_encoder", o); });
  return o;
}

}  // namespace gyre
