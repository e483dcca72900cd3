#include "gyre/models/generation/logit_rules.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>

#include "gyre/base/error.h"

namespace gyre {
namespace {

constexpr float kNever = -std::numeric_limits<float>::infinity();

template <class T>
bool read_all(std::string_view text, T& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

// "50256=-2.5"
std::pair<int32_t, float> bias_item(const std::string& text) {
  const size_t sign = text.find('=');
  std::pair<int32_t, float> item;
  if (sign != std::string::npos && read_all(std::string_view(text).substr(0, sign), item.first) &&
      read_all(std::string_view(text).substr(sign + 1), item.second) && item.first >= 0 &&
      !std::isnan(item.second)) {
    return item;
  }
  throw Error(Code::value, "generate",
              "`logit_bias`: expected ID=X, a token id and a number, got '" + text + "'", "ID=X",
              text);
}

// lengths[j]: how many elements of x from j on equal those from 0 on (the Z algorithm of Gusfield).
void matches_of_prefix(std::span<const int32_t> x, std::vector<size_t>& lengths) {
  lengths.assign(x.size(), 0);
  size_t begin = 0, end = 0;  // the match that reaches furthest
  for (size_t j = 1; j < x.size(); ++j) {
    size_t n = j < end ? std::min(end - j, lengths[j - begin]) : 0;
    while (j + n < x.size() && x[n] == x[j + n]) ++n;
    lengths[j] = n;
    if (j + n > end) begin = j, end = j + n;
  }
}

}  // namespace

LogitRules::LogitRules(const SamplingOptions& o) : options_(o) {
  for (const std::string& item : o.logit_bias) bias_.push_back(bias_item(item));
  active_ = !bias_.empty() || o.repetition_penalty != 1 || o.presence_penalty != 0 ||
            o.frequency_penalty != 0 || o.no_repeat_ngram_size > 0 || o.dry_multiplier > 0;
}

void LogitRules::apply(std::span<float> logits, std::span<const int32_t> ids, size_t prompt) {
  const SamplingOptions& o = options_;
  add_bias(logits);
  if (o.repetition_penalty != 1) penalise_repeats(logits, ids);
  if (o.presence_penalty != 0 || o.frequency_penalty != 0)
    penalise_generated(logits, ids.subspan(std::min(prompt, ids.size())));
  if (o.no_repeat_ngram_size > 0) ban_ngrams(logits, ids);
  if (o.dry_multiplier > 0) penalise_sequences(logits, ids);
}

void LogitRules::add_bias(std::span<float> logits) const {
  for (const auto& [id, value] : bias_) {
    if (static_cast<size_t>(id) >= logits.size()) {
      throw Error(
          Code::value, "generate",
          {"`logit_bias`: token ", id, " is outside the vocabulary of size ", logits.size()},
          {"below ", logits.size()}, id);
    }
    logits[static_cast<size_t>(id)] += value;
  }
}

// Keskar et al., "CTRL", 2019, with the sign handled as in transformers.
void LogitRules::penalise_repeats(std::span<float> logits, std::span<const int32_t> ids) {
  counts_.assign(logits.size(), 0);
  const auto penalty = static_cast<float>(options_.repetition_penalty);
  for (const int32_t id : ids) {
    const auto at = static_cast<size_t>(id);
    if (counts_[at]++ == 0)
      logits[at] = logits[at] > 0 ? logits[at] / penalty : logits[at] * penalty;
  }
}

void LogitRules::penalise_generated(std::span<float> logits, std::span<const int32_t> ids) {
  counts_.assign(logits.size(), 0);
  for (const int32_t id : ids) ++counts_[static_cast<size_t>(id)];
  for (const int32_t id : ids) {
    int32_t& count = counts_[static_cast<size_t>(id)];
    if (count > 0) {
      logits[static_cast<size_t>(id)] -= static_cast<float>(
          options_.presence_penalty + options_.frequency_penalty * static_cast<double>(count));
    }
    count = 0;
  }
}

void LogitRules::ban_ngrams(std::span<float> logits, std::span<const int32_t> ids) const {
  const auto before = static_cast<size_t>(options_.no_repeat_ngram_size) - 1;
  if (ids.size() < before) return;
  const std::span<const int32_t> last = ids.last(before);
  for (size_t i = 0; i + before < ids.size(); ++i) {
    if (std::ranges::equal(ids.subspan(i, before), last))
      logits[static_cast<size_t>(ids[i + before])] = kNever;
  }
}

// The DRY sampler of text-generation-webui (p-e-w, 2024). With the ids reversed, the sequence that
// a token at `i` follows matches the last tokens for as long as the ids from n - i on match all.
void LogitRules::penalise_sequences(std::span<float> logits, std::span<const int32_t> ids) {
  const std::vector<int32_t> reversed(ids.rbegin(), ids.rend());
  matches_of_prefix(reversed, repeated_);
  counts_.assign(logits.size(), 0);  // the longest sequence that each token extends
  for (size_t i = 0; i < ids.size(); ++i) {
    int32_t& longest = counts_[static_cast<size_t>(ids[i])];
    const size_t matched = i == 0 ? 0 : repeated_[ids.size() - i];
    longest = std::max(longest, static_cast<int32_t>(matched));
  }
  for (const int32_t id : ids) {
    int32_t& longest = counts_[static_cast<size_t>(id)];
    const int64_t beyond = longest - options_.dry_allowed_length;
    if (beyond >= 0) {
      logits[static_cast<size_t>(id)] -= static_cast<float>(
          options_.dry_multiplier * std::pow(options_.dry_base, static_cast<double>(beyond)));
    }
    longest = 0;
  }
}

}  // namespace gyre
