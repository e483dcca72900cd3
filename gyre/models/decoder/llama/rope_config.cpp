#include "gyre/models/decoder/llama/rope_config.h"

#include <cmath>
#include <string>

namespace gyre::llama {
namespace {

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

}  // namespace

// Newer files have rope_parameters, of all layers or by their type; older ones rope_theta and
// rope_scaling.
void read_rope(const ConfigFields& c, DecoderOptions& o, double base) {
  const Json none = Json::object();
  ConfigFields own = c.object_or("rope_parameters", none);
  const bool by_type = own.find("full_attention") != nullptr;
  if (by_type) {
    const ConfigFields window = own.object_or("sliding_attention", none);
    o.details.window_rope_base = window.real_or("rope_theta", 0);
    window.require("rope_type", "default");
  }
  const ConfigFields full = by_type ? own.object_or("full_attention", none) : own;
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

}  // namespace gyre::llama
