#include "gyre/models/decoder/rope_scaling.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>

#include "gyre/base/error.h"
#include "gyre/ops/create/create.h"

namespace gyre {

int64_t original_context(const DecoderOptions& o) {
  return o.details.rope_original ? o.details.rope_original : o.block_size;
}

namespace {

// The number that the text is as a whole; 0 for another text.
double number_of(const std::string& text) {
  double number = 0;
  const char* end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && at == end ? number : 0;
}

// What each frequency is divided by: Ding et al. 2024.
std::vector<double> longrope_factors(const DecoderOptions& o, int64_t length) {
  const bool is_long = length > original_context(o);
  std::vector<double> all;
  for (const std::string& factor : is_long ? o.details.rope_long : o.details.rope_short)
    all.push_back(number_of(factor));
  return all;
}

// The base by which the longest wave grows with the text beyond the original context.
double dynamic_base(const DecoderOptions& o, int64_t length) {
  const auto size = static_cast<double>(o.rotated());
  const double times = static_cast<double>(length) / static_cast<double>(original_context(o));
  const double grown = o.details.rope_factor * times - (o.details.rope_factor - 1);
  return o.rope_base * std::pow(grown, size / (size - 2));
}

// The share of a frequency that stays as it is; what is left is divided by the factor.
class KeptShare {
 public:
  explicit KeptShare(const DecoderOptions& o)
      : d_(o.details), original_(static_cast<double>(original_context(o))) {
    const auto size = static_cast<double>(o.rotated());
    // The pair whose frequency makes so many turns within the original context.
    const auto pair_of = [&](double turns) {
      return size * std::log(original_ / (turns * 2 * std::numbers::pi)) /
             (2 * std::log(o.rope_base));
    };
    low_ = pair_of(d_.rope_fast);
    high_ = pair_of(d_.rope_slow);
    if (d_.rope_truncate) {
      low_ = std::floor(low_);
      high_ = std::ceil(high_);
    }
    low_ = std::max(low_, 0.0);
    high_ = std::min(high_, size - 1);
    if (low_ == high_) high_ += 0.001;
  }
  [[nodiscard]] double of(double pair, double frequency) const {
    double kept = 0;
    const double turns = original_ * frequency / (2 * std::numbers::pi);
    if (d_.rope_scaling == RopeScaling::llama3)
      kept = (turns - d_.rope_slow) / (d_.rope_fast - d_.rope_slow);
    if (d_.rope_scaling == RopeScaling::yarn) kept = 1 - (pair - low_) / (high_ - low_);
    return std::clamp(kept, 0.0, 1.0);
  }

 private:
  const DecoderDetails& d_;
  double original_, low_, high_;
};

void check_factors(const char* op, const DecoderOptions& o, const char* name,
                   const std::vector<std::string>& factors) {
  const int64_t wanted = o.rotated() / 2;
  if (std::ssize(factors) != wanted) {
    throw Error(Code::value, op,
                {"`", name, "` has ", factors.size(), " factors, expected ", wanted,
                 ", one for each rotary frequency"},
                wanted, factors.size());
  }
  for (const std::string& factor : factors) {
    if (const double number = number_of(factor); number > 0 && std::isfinite(number)) continue;
    throw Error(Code::value, op, {"`", name, "` must be positive numbers, got ", factor},
                "positive numbers", factor);
  }
}

}  // namespace

Tensor rope_frequencies(const DecoderOptions& o, int64_t length) {
  const DecoderDetails& d = o.details;
  if (o.positions != Positions::rotary || d.rope_scaling == RopeScaling::none) return {};
  const bool dynamic = d.rope_scaling == RopeScaling::dynamic;
  if (dynamic && length <= original_context(o)) return {};
  const double base = dynamic ? dynamic_base(o, length) : o.rope_base;
  const auto size = static_cast<double>(o.rotated());
  const KeptShare kept(o);
  std::vector<double> all;
  for (int64_t i = 0; i < o.rotated() / 2; ++i)
    all.push_back(std::pow(base, -2 * static_cast<double>(i) / size));
  if (d.rope_scaling == RopeScaling::longrope) {
    const std::vector<double> factors = longrope_factors(o, length);
    for (size_t i = 0; i < all.size(); ++i) all[i] /= factors[i];
  } else if (!dynamic) {
    for (size_t i = 0; i < all.size(); ++i) {
      const double share = kept.of(static_cast<double>(i), all[i]);
      all[i] = all[i] * share + all[i] / d.rope_factor * (1 - share);
    }
  }
  return tensor<double>(all, {static_cast<int64_t>(all.size())});
}

int64_t rope_reach(const DecoderOptions& o, int64_t length) {
  const RopeScaling scaling = o.details.rope_scaling;
  const bool by_length = scaling == RopeScaling::longrope || scaling == RopeScaling::dynamic;
  const int64_t original = original_context(o);
  if (!by_length || o.positions != Positions::rotary || original >= o.block_size)
    return o.block_size;
  if (length <= original) return original;
  return scaling == RopeScaling::dynamic ? length : o.block_size;
}

void check_rope(const char* op, const DecoderOptions& o) {
  if (o.positions != Positions::rotary) return;
  if (o.details.rope_scaling == RopeScaling::longrope) {
    check_factors(op, o, "rope_short", o.details.rope_short);
    check_factors(op, o, "rope_long", o.details.rope_long);
  }
  if (o.details.rope_scaling == RopeScaling::dynamic && o.rotated() < 4) {
    throw Error(Code::value, op,
                {"dynamic `rope_scaling` needs at least 4 rotated features, got ", o.rotated()},
                ">= 4", o.rotated());
  }
}

}  // namespace gyre
