#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gyre/base/function_ref.h"
#include "gyre/base/record_part.h"
#include "gyre/packed/int8/int8_activations.h"

namespace gyre {

class LanguageModel;
class Tokenizer;

/// Options of `gyre generate`.
struct GenerateOptions {
  std::string prompt{};
  std::vector<std::string> ids{};
  int64_t max_tokens = 100;
  bool greedy = false;
  double temperature = 1;
  int64_t top_k = 0;
  double top_p = 1, min_p = 0;
  int64_t seed = 0;
  std::string stop{};
  bool ignore_eos = false;
  PackedUseOptions packed{};
};
GYRE_RECORD(
    GenerateOptions, GYRE_FIELD(prompt, "prompt to continue"),
    GYRE_FIELD(ids, "token ids to continue instead of a prompt", .tags = kCommas,
               .metavar = "ID,ID"),
    GYRE_FIELD(max_tokens, "maximum number of new tokens", .alias = "max_new_tokens", .least = 0),
    GYRE_FIELD(greedy, "greedy decoding: always the most likely token"),
    GYRE_FIELD(temperature, "sampling temperature: logits are divided by it; 0: greedy decoding",
               .least = 0),
    GYRE_FIELD(top_k, "top-k sampling: keep the k most likely tokens and ties; 0: off", .least = 0),
    GYRE_FIELD(top_p,
               "top-p (nucleus) sampling: keep the smallest set of most likely tokens "
               "whose probabilities sum to at least p; 1: off",
               .above = 0, .most = 1),
    GYRE_FIELD(min_p,
               "min-p sampling: keep tokens whose probability is at least min_p times the "
               "maximum; 0: off",
               .least = 0, .most = 1),
    GYRE_FIELD(seed, "random seed of sampling"),
    GYRE_FIELD(stop, "stop string: end before it appears"),
    GYRE_FIELD(ignore_eos, "go on after the model's end-of-text token"), GYRE_PART(packed));

/// Result of generation.
struct Generated {
  std::string text;          ///< the prompt and its continuation
  std::vector<int32_t> ids;  ///< the token ids of text
  int64_t new_tokens = 0;    ///< number of generated tokens
  double seconds = 0;
};

/// Called with each piece of new text (complete characters) as soon as it is final.
using TextSink = FunctionRef<void(std::string_view piece)>;

/// Continues a prompt with the model in a folder that holds config.json, model.safetensors and
/// tokenizer.json (optional if `ids` are given; then there is no text). An empty prompt starts from
/// the end-of-text token, else a newline, else token 0. The context is the last `block` tokens;
/// when it is full, it restarts with its later half. An end token of the model ends the text; it is
/// the last of the ids and not in the text. The same seed gives the same text. Errors:
/// value, naming the option (both prompt and ids, sampling options with greedy, values out of
/// range, a temperature below 0, a token outside the vocabulary); io and parse, naming
/// the file.
Generated generate(const std::string& folder, const GenerateOptions& options, TextSink sink);
Generated generate(const std::string& folder, const GenerateOptions& options);
/// As above, with a model in eval mode and a tokenizer, which may be null.
Generated generate(const LanguageModel& model, const Tokenizer* tokenizer,
                   const GenerateOptions& options, TextSink sink);

}  // namespace gyre
