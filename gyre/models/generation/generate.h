#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gyre/base/function_ref.h"
#include "gyre/base/record.h"

namespace gyre {

class Gpt;
class Tokenizer;

/// What `gyre generate` is told.
struct GenerateOptions {
  std::string prompt{};
  std::string ids{};
  int64_t max_tokens = 100;
  bool greedy = false;
  double temperature = 1;
  int64_t top_k = 0;
  double top_p = 1, min_p = 0;
  int64_t seed = 0;
  std::string stop{};
};
GYRE_FIELDS(GenerateOptions, GYRE_FIELD(prompt, "text to go on from"),
            GYRE_FIELD(ids, "tokens to go on from, as numbers with commas, in place of a prompt",
                       kListed),
            GYRE_FIELD(max_tokens, "tokens to make at most"),
            GYRE_FIELD(greedy, "always the likeliest token"),
            GYRE_FIELD(temperature, "logits are divided by it; above 0"),
            GYRE_FIELD(top_k, "only the k likeliest tokens (and their equals); 0: all"),
            GYRE_FIELD(top_p, "only the likeliest tokens whose probabilities sum to this"),
            GYRE_FIELD(min_p, "only tokens at least this share as likely as the likeliest"),
            GYRE_FIELD(seed, "of the draws"),
            GYRE_FIELD(stop, "end before the first time this text is made"));

/// What was generated.
struct Generated {
  std::string text;          ///< the prompt and what follows it
  std::vector<int32_t> ids;  ///< the same as tokens
  int64_t new_tokens = 0;    ///< how many of them were made
  double seconds = 0;
};

/// Called with each piece of new text, whole characters, as soon as it is certain.
using TextSink = FunctionRef<void(std::string_view piece)>;

/// Goes on from a prompt with the model in a folder that has config.json, model.safetensors and
/// tokenizer.json (the last may be missing when `ids` are given; then there is no text). An empty
/// prompt begins with the end-of-text token, or a newline, or token 0. A model sees its last
/// `block` tokens; when they are full it begins anew with the later half of them. The same seed
/// gives the same text. Errors: value, naming the option (both prompt and ids, sampling options
/// with greedy, numbers out of range, a negative temperature, a token that is not in the
/// vocabulary); io and parse, naming the file.
Generated generate(const std::string& folder, const GenerateOptions& options, TextSink sink);
Generated generate(const std::string& folder, const GenerateOptions& options);
/// The same with a model in eval mode and a tokenizer, which may be null.
Generated generate(const Gpt& model, const Tokenizer* tokenizer, const GenerateOptions& options,
                   TextSink sink);

}  // namespace gyre
