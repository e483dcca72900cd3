#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "gyre/base/record.h"
#include "gyre/base/record_part.h"

namespace gyre {

/// Tags an option of text generation that may be combined with beam search, which follows the
/// model's own probabilities to the end of the text.
inline constexpr uint32_t kWithBeams = uint32_t{1} << 24;

/// How the next token is chosen: changes to the logits, limits on the candidates and a draw, in the
/// order of the fields.
struct SamplingOptions {
  std::vector<std::string> logit_bias{};
  double repetition_penalty = 1, presence_penalty = 0, frequency_penalty = 0;
  int64_t no_repeat_ngram_size = 0;
  double dry_multiplier = 0, dry_base = 1.75;
  int64_t dry_allowed_length = 2;
  bool greedy = false;
  double temperature = 1;
  int64_t top_k = 0;
  double top_p = 1, min_p = 0, typical_p = 1;
  double xtc_probability = 0, xtc_threshold = 0.1;
  int64_t seed = 0;
};
GYRE_FIELDS(
    SamplingOptions,
    GYRE_FIELD(logit_bias, "values added to the logits of tokens", .tags = kCommas,
               .metavar = "ID=X,ID=X"),
    GYRE_FIELD(repetition_penalty,
               "repetition penalty: logits of tokens in the text so far, prompt included, are "
               "divided by it if positive, else multiplied; 1: off",
               .above = 0),
    GYRE_FIELD(presence_penalty,
               "presence penalty: subtracted from the logits of tokens generated so far; 0: off"),
    GYRE_FIELD(frequency_penalty,
               "frequency penalty: subtracted from the logit of a token for each time it was "
               "generated; 0: off"),
    GYRE_FIELD(no_repeat_ngram_size,
               "no sequence of this many tokens appears twice, prompt included; 0: off",
               .least = 0),
    GYRE_FIELD(dry_multiplier,
               "DRY penalty: a token that would extend a repeated sequence of n tokens loses "
               "`dry_multiplier` * `dry_base`^(n - `dry_allowed_length`); 0: off",
               .least = 0),
    GYRE_FIELD(dry_base, "base of the DRY penalty", .least = 1),
    GYRE_FIELD(dry_allowed_length, "repeated sequences shorter than this have no DRY penalty",
               .least = 1),
    GYRE_FIELD(greedy, "greedy decoding: always the most likely token", .tags = kWithBeams),
    GYRE_FIELD(temperature, "sampling temperature: logits are divided by it; 0: greedy decoding",
               .least = 0),
    GYRE_FIELD(top_k, "top-k sampling: keep the k most likely tokens and ties; 0: off", .least = 0),
    GYRE_FIELD(top_p,
               "top-p (nucleus) sampling: keep the smallest set of most likely tokens "
               "whose probabilities sum to at least p; 1: off",
               .above = 0, .most = 1),
    GYRE_FIELD(min_p,
               "min-p sampling: keep tokens whose probability is at least `min_p` times the "
               "maximum; 0: off",
               .least = 0, .most = 1),
    GYRE_FIELD(typical_p,
               "locally typical sampling: keep the smallest set of tokens whose information is "
               "nearest to the entropy and whose probabilities sum to at least p; 1: off",
               .alias = "typical", .above = 0, .most = 1),
    GYRE_FIELD(xtc_probability,
               "XTC sampling: with this probability, remove all tokens that have at least a "
               "probability of `xtc_threshold`, except the least likely of them; 0: off",
               .least = 0, .most = 1),
    GYRE_FIELD(xtc_threshold, "threshold of XTC sampling", .least = 0, .most = 1),
    GYRE_FIELD(seed, "random seed of sampling", .tags = kWithBeams));

}  // namespace gyre
