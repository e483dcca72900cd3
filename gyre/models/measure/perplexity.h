#pragma once
#include <span>
#include <string>
#include <vector>

#include "gyre/base/function_ref.h"
#include "gyre/base/record_part.h"
#include "gyre/packed/int8/int8_activations.h"

namespace gyre {

class LanguageModel;

/// A text as tokens, and the number of bytes of each.
struct MeasuredText {
  std::vector<int32_t> tokens, bytes;
};
/// Options of `gyre perplexity`.
struct PerplexityOptions {
  std::string file{}, tokenizer{};
  int64_t stride = 0, context = 0, max_tokens = 0;
  PackedUseOptions packed{};
};
GYRE_RECORD(PerplexityOptions,
            GYRE_FIELD(file, "text to predict (required): a file, JSONL or wordnet:glosses",
                       .metavar = "FILE"),
            GYRE_FIELD(tokenizer,
                       "tokenizer for a model that has none: a tokenizer.json or another file of "
                       "one, or a model",
                       .metavar = "PATH"),
            GYRE_FIELD(stride,
                       "tokens from one window to the next, 0: the context length; a smaller one "
                       "gives each token more context and takes more time",
                       .least = 0),
            GYRE_FIELD(context, "tokens of a window; 0: the model's context length", .least = 0),
            GYRE_FIELD(max_tokens, "tokens of the text to use, from its start; 0: all", .least = 0),
            GYRE_PART(packed));

/// The `file` of the options, by their tokenizer or that of the model in a folder or file. Errors
/// of perplexity().
MeasuredText measured_text(const PerplexityOptions& options, const std::string& model_path,
                           const LanguageModel& model);

/// How well a model predicts a text.
struct Perplexity {
  double perplexity = 0;     ///< exp(loss)
  double loss = 0;           ///< nats per token
  double bits_per_byte = 0;  ///< of the predicted tokens' bytes
  int64_t tokens = 0, bytes = 0;
  double seconds = 0;
};
GYRE_FIELDS(Perplexity, GYRE_FIELD(perplexity, "exp of the loss"),
            GYRE_FIELD(loss, "nats per token"),
            GYRE_FIELD(bits_per_byte, "bits per byte of the predicted text"),
            GYRE_FIELD(tokens, "predicted tokens"), GYRE_FIELD(bytes, "bytes of these tokens"),
            GYRE_FIELD(seconds, "time of the predictions"));

/// Predicts every token of the text but the first from those before it in its window. Windows begin
/// `stride` tokens apart; a token counts in the first window that has it. The loss is a sum of f64.
/// Calls `done(tokens, all)` after each batch of windows. Errors: those of load_language_model and
/// read_text; value for a folder without a tokenizer, a text of fewer than two tokens, a context
/// beyond the model's, a stride beyond the context, and int8_activations without effect;
/// index for a token outside the vocabulary.
Perplexity perplexity(
    const std::string& folder, const PerplexityOptions& options,
    FunctionRef<void(int64_t tokens, int64_t all)> done = [](int64_t, int64_t) {});

/// The same for tokens and the number of bytes of each. Also Error{value} if there are not as many.
Perplexity perplexity(
    const LanguageModel& model, std::span<const int32_t> tokens, std::span<const int32_t> bytes,
    const PerplexityOptions& options,
    FunctionRef<void(int64_t tokens, int64_t all)> done = [](int64_t, int64_t) {});

}  // namespace gyre
