#pragma once
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "gyre/models/measure/compress_folder.h"
#include "gyre/models/measure/perplexity.h"
#include "gyre/models/train_options.h"

namespace gyre {

/// Options of the demo's language model.
struct GlossesOptions {
  std::string out{};
  double minutes = 0;
  int64_t steps = 0;  ///< instead of `minutes`; 0: as many as fit
  int64_t samples = 5;
  int64_t seed = 1;
};

/// Bits per byte of the validation text; those of xz are NaN without xz.
struct GlossesScores {
  double model = 0, unigram = 0, bigram = 0, five = 0, xz_alone = NAN, xz_after = NAN;
  /// Names and scores, in display order.
  [[nodiscard]] std::vector<std::pair<std::string, double>> named() const;
};

/// The model with packed weights, compared with itself in f32 on the beginning of the validation
/// text.
struct GlossesPacked {
  CompressOptions options{};
  CompressReport report{};
  Perplexity dense{}, packed{};
  std::string prompt{}, dense_text{}, packed_text{};  ///< a definition by each, of one seed
  /// A name, and values with f32 and packed weights, in display order.
  struct Row {
    std::string name, dense, packed;
  };
  [[nodiscard]] std::vector<Row> rows() const;
  [[nodiscard]] const char* format() const;
};

/// A GPT and its tokenizer, trained on the definitions of WordNet.
struct GlossesDemo {
  TrainOptions training{};
  TrainReport report{};
  GlossesScores scores{};
  std::vector<std::string> prompts{}, texts{};  ///< generated definitions
  GlossesPacked packed{};

  [[nodiscard]] int64_t tokens_per_step() const {
    return training.trainer.batch.size * training.decoder.block_size;
  }
  /// Trains and writes tokenizer.json and model/, with model/packed/, to `out`, replacing those
  /// there; shows progress on standard error. If `report.interrupted`, scores, texts and the packed
  /// model are missing.
  /// Errors: those of train(), io.
  static GlossesDemo learn(const GlossesOptions& options);
};

/// Error{value} if `out` has a model/ that learn() did not write and would replace.
void check_glosses_folder(const std::string& out);

}  // namespace gyre
