#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gyre/base/record_part.h"
#include "gyre/models/generation/cached_rows.h"
#include "gyre/models/generation/sampler.h"
#include "gyre/models/generation/text_writer.h"
#include "gyre/packed/int8/int8_activations.h"

namespace gyre {

class LanguageModel;
class Tokenizer;

/// Options of `gyre generate`.
struct GenerateOptions {
  std::string prompt{};
  std::vector<std::string> ids{};
  int64_t max_tokens = 100;
  SamplingOptions sampling{};
  int64_t beams = 1;
  double length_penalty = 1;
  std::vector<std::string> stop{};
  bool ignore_eos = false;
  std::string tokenizer{};
  int64_t logprobs = -1;
  std::string json_schema{};
  std::string draft{};
  CacheDType cache_dtype = CacheDType::model;
  Overflow overflow = Overflow::rotate;
  PackedUseOptions packed{};
};
GYRE_RECORD(
    GenerateOptions, GYRE_FIELD(prompt, "prompt to continue", .tags = kWithBeams),
    GYRE_FIELD(ids, "token ids to continue instead of a prompt", .tags = kCommas | kWithBeams,
               .metavar = "ID,ID"),
    GYRE_FIELD(max_tokens, "maximum number of new tokens", .tags = kWithBeams,
               .alias = "max_new_tokens", .least = 0),
    GYRE_PART(sampling),
    GYRE_FIELD(beams, "beam search: number of texts that are followed; 1: off", .tags = kWithBeams,
               .alias = "num_beams", .least = 1),
    GYRE_FIELD(length_penalty,
               "beam search: texts are compared by log-probability / length^`length_penalty`",
               .tags = kWithBeams),
    GYRE_FIELD(stop, "stop string: end before it appears; may be given several times"),
    GYRE_FIELD(ignore_eos, "go on after the model's end-of-text token", .tags = kWithBeams),
    GYRE_FIELD(tokenizer,
               "tokenizer for a model that has none: a tokenizer.json or another file of one, or a "
               "model",
               .tags = kWithBeams, .metavar = "PATH"),
    GYRE_FIELD(logprobs,
               "also give the log-probability of each new token, and those of this many most "
               "likely tokens; -1: off",
               .least = -1),
    GYRE_FIELD(json_schema,
               "the new text is JSON of this schema: a file, or the schema itself, which begins "
               "with {",
               .metavar = "FILE"),
    GYRE_FIELD(draft,
               "speculative decoding, which gives the same text: a smaller model with the same "
               "tokens, or \"ngram\" for repetitions within the text",
               .metavar = "DIR|ngram"),
    GYRE_FIELD(cache_dtype,
               "dtype of the key-value cache, by default that of the model; int8: with a scale for "
               "each token and head",
               .tags = kWithBeams),
    GYRE_FIELD(overflow,
               "what to do when the text outgrows the context: go on with its later half, or fail"),
    GYRE_PART(packed, .tags = kWithBeams));

/// Why a text ended: a token or string that ends it or complete JSON, or max_tokens.
enum class FinishReason : uint8_t { stop, length };
inline constexpr const char* kFinishReasonNames[] = {"stop", "length"};

/// Result of generation.
struct Generated {
  std::string text;          ///< the prompt and its continuation
  std::string new_text{};    ///< the continuation
  std::vector<int32_t> ids;  ///< of the prompt and the new tokens
  int64_t new_tokens = 0;    ///< number of generated tokens
  FinishReason finish_reason = FinishReason::length;
  double seconds = 0;
  std::vector<TokenLogprobs> logprobs{};  ///< of the new tokens, if asked for
  /// Those of with_model_settings() and overlong_prompt(), and why there is no text.
  std::vector<std::string> notes{};
};

/// The options with the settings of the model's generation_config.json for those that are not in
/// `given` (names of fields): penalties, stop_strings and max_new_tokens always; num_beams unless
/// an option is given that excludes it; temperature and limits if it has do_sample, unless `greedy`
/// or a `temperature` of 0 is given; `greedy` if do_sample is false and nothing of sampling is
/// given. Adds to `notes` a sentence for each setting that would change the text and is not
/// applied. Error{value} for a setting out of range.
GenerateOptions with_model_settings(const GenerateOptions& options,
                                    std::span<const std::string> given, const LanguageModel& model,
                                    bool has_tokenizer, std::vector<std::string>& notes);

/// The first option that is not its default and cannot be combined with `beams` above 1; empty if
/// there is none.
std::string excludes_beams(const GenerateOptions& options);

/// Continues a prompt with the model in a folder that holds config.json, model.safetensors and
/// tokenizer.json (optional if `ids` are given; then there is no text, and one that cannot be read
/// is a note) or with the `tokenizer` of the options, with_model_settings(). An
/// empty prompt starts from the end-of-text token, else a newline, else token 0. An end token of
/// the model ends the text; it is the last of the ids and not in the text. The same seed gives the
/// same text. With beams, `sink` gets the text at the end. Errors: value, naming the option (both
/// prompt and ids, options that contradict each other, values out of range, a token outside the
/// vocabulary, JSON that max_tokens cut off); io and parse, naming the file; those of JsonSchema.
Generated generate(const std::string& folder, const GenerateOptions& options,
                   std::span<const std::string> given, TextSink sink);
/// As above, with this tokenizer.
Generated generate(const std::string& folder, const Tokenizer& tokenizer,
                   const GenerateOptions& options, std::span<const std::string> given,
                   TextSink sink);
/// As above; an option is given if it differs from its default.
Generated generate(const std::string& folder, const GenerateOptions& options);
/// As above, with a model in eval mode and a tokenizer, which may be null, and these options alone.
Generated generate(const LanguageModel& model, const Tokenizer* tokenizer,
                   const GenerateOptions& options, TextSink sink);

/// Called with the number of a text and a piece of it.
using BatchSink = FunctionRef<void(size_t text, std::string_view piece)>;
/// Continues several texts at once, which is faster than one after the other: the weights are read
/// once for all. Text i gets seed + i, and what generate() gives for it alone, but for rounding.
/// `prompt` and `ids` of the options are empty. Beam search takes one after the other. Errors as
/// above, and Error{value} for an empty list of ids.
std::vector<Generated> generate_batch(const LanguageModel& model, const Tokenizer* tokenizer,
                                      std::span<const std::vector<int32_t>> prompts,
                                      const GenerateOptions& options, BatchSink sink);
/// What generate() notes of a prompt of so many tokens: none, or that it exceeds the context and is
/// cut, as `overflow` rotate allows.
std::vector<std::string> overlong_prompt(size_t tokens, const LanguageModel& model,
                                         const GenerateOptions& options);
/// The tokens of a prompt, with those that the tokenizer adds; of an empty one as in generate().
std::vector<int32_t> prompt_ids(const Tokenizer& tokenizer, const std::string& prompt);

}  // namespace gyre
