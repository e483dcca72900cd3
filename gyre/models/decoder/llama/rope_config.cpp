#include "gyre/models/decoder/llama/rope_config.h"

#include <cmath>
#include <string>
#include <vector>

#include "gyre/base/in_file.h"
#include "gyre/models/decoder/rope_scaling.h"

namespace gyre::llama {
namespace {

constexpr const char* kOriginal = "original_max_position_embeddings";

// The factor of queries and keys by which attention stays as sharp in longer contexts.
double yarn_attention(const ConfigFields& c, double factor) {
  const auto magnitude = [&](double scale) {
    return factor <= 1 ? 1.0 : 0.1 * scale * std::log(factor) + 1;
  };
  const double above = c.real_or("mscale", 0), below = c.real_or("mscale_all_dim", 0);
  return above != 0 && below != 0 ? magnitude(above) / magnitude(below) : magnitude(1);
}

double longrope_attention(double factor, int64_t original) {
  if (factor <= 1 || original <= 1) return 1;
  return std::sqrt(1 + std::log(factor) / std::log(static_cast<double>(original)));
}

std::vector<std::string> factors_of(const ConfigFields& c, const char* name) {
  std::vector<std::string> all;
  if (const Json* list = c.find(name)) {
    in_file(c.path(), [&] {
      for (const Json& factor : list->as_array(name))
        all.push_back(Json(factor.as_real(name)).dump());
    });
  }
  return all;
}

Json numbers_of(const std::vector<std::string>& texts) {
  Json all = Json::array();
  for (const std::string& text : texts) all.push_back(Json::parse(text));
  return all;
}

void read_longrope(const ConfigFields& c, DecoderOptions& o) {
  DecoderDetails& d = o.details;
  d.rope_scaling = RopeScaling::longrope;
  d.rope_short = factors_of(c, "short_factor");
  d.rope_long = factors_of(c, "long_factor");
  const int64_t original = d.rope_original ? d.rope_original : o.block_size;
  const double longer = static_cast<double>(o.block_size) / static_cast<double>(original);
  d.rope_attention =
      c.real_or("attention_factor", longrope_attention(c.real_or("factor", longer), original));
  d.rope_factor = 1;
}

// max_position_embeddings is the context of training, which the factor makes longer.
void read_dynamic(const ConfigFields& c, DecoderOptions& o) {
  DecoderDetails& d = o.details;
  d.rope_scaling = RopeScaling::dynamic;
  const double longer = std::floor(static_cast<double>(o.block_size) * d.rope_factor);
  constexpr double kMost = 1e15;
  if (!(d.rope_factor >= 1 && longer <= kMost)) c.refuse("factor", d.rope_factor, "1 or more");
  d.rope_original = d.rope_factor == 1 ? 0 : o.block_size;
  o.block_size = static_cast<int64_t>(longer);
}

// `original`: the context of training that config.json has outside of rope_scaling, or 0.
void read_scaling(const ConfigFields& c, DecoderOptions& o, int64_t original) {
  DecoderDetails& d = o.details;
  const std::string type = c.text_or("rope_type", c.text_or("type", "default").c_str());
  if (type == "default") return;
  d.rope_factor = c.real_or("factor", 1);
  if (type == "dynamic") return read_dynamic(c, o);
  d.rope_original = original ? original : c.integer_or(kOriginal, 0);
  if (d.rope_original == o.block_size) d.rope_original = 0;
  if (type == "linear") {
    d.rope_scaling = RopeScaling::linear;
    d.rope_original = 0;
  } else if (type == "llama3") {
    d.rope_scaling = RopeScaling::llama3;
    d.rope_slow = c.real_or("low_freq_factor", 1);
    d.rope_fast = c.real_or("high_freq_factor", 4);
  } else if (type == "longrope" || type == "su" || (type == "yarn" && c.find("short_factor"))) {
    read_longrope(c, o);  // the first Phi-3 called it su, or yarn
  } else if (type == "yarn") {
    d.rope_scaling = RopeScaling::yarn;
    d.rope_slow = c.real_or("beta_slow", 1);
    d.rope_fast = c.real_or("beta_fast", 32);
    d.rope_truncate = c.flag_or("truncate", true);
    d.rope_attention = c.real_or("attention_factor", yarn_attention(c, d.rope_factor));
  } else {
    c.refuse("rope_type", type, "default, linear, llama3, yarn, longrope or dynamic");
  }
}

}  // namespace

// Newer files have rope_parameters, of all layers or by their type; older ones rope_theta and
// rope_scaling.
void read_rope(const ConfigFields& c, DecoderOptions& o, double base, int64_t original) {
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
  const ConfigFields scaling = c.find("rope_parameters") ? full : c.object_or("rope_scaling", none);
  read_scaling(scaling, o, by_type ? 0 : c.integer_or(kOriginal, original));
}

Json scaling_of(const DecoderOptions& o) {
  const DecoderDetails& d = o.details;
  Json c = Json::object();
  if (d.rope_scaling == RopeScaling::none) return {};
  c["rope_type"] = kRopeScalingNames[static_cast<size_t>(d.rope_scaling)];
  if (d.rope_scaling != RopeScaling::longrope) c["factor"] = d.rope_factor;
  if (d.rope_scaling != RopeScaling::linear && d.rope_scaling != RopeScaling::dynamic)
    c[kOriginal] = original_context(o);
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
  if (d.rope_scaling == RopeScaling::longrope) {
    c["short_factor"] = numbers_of(d.rope_short);
    c["long_factor"] = numbers_of(d.rope_long);
    c["attention_factor"] = d.rope_attention;
  }
  return c;
}

int64_t stated_context(const DecoderOptions& o) {
  return o.details.rope_scaling == RopeScaling::dynamic ? original_context(o) : o.block_size;
}

}  // namespace gyre::llama
