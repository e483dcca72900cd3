#pragma once
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "gyre/train/options.h"

namespace gyre {

/// What the demonstration's language model is told.
struct GlossesOptions {
  std::string out{};
  double minutes = 0;
  int64_t steps = 0;  ///< in place of `minutes`; 0: as many as fit
  int64_t samples = 5;
  int64_t seed = 1;
};

/// Bits a byte of the text held back; NaN without xz.
struct GlossesScores {
  double model = 0, unigram = 0, bigram = 0, xz_alone = NAN, xz_after = NAN;
  /// With their names, in the order in which they are shown.
  [[nodiscard]] std::vector<std::pair<std::string, double>> named() const;
};

/// A GPT and its tokenizer, trained on the definitions of WordNet.
struct GlossesDemo {
  TrainOptions training{};
  TrainReport report{};
  GlossesScores scores{};
  std::vector<std::string> prompts{}, texts{};  ///< definitions that it wrote

  /// Trains; `out` gets tokenizer.json and model/, in place of those that were there. Tells on
  /// standard error how it goes. When `report.interrupted`, what follows the training is not done.
  /// Errors: those of train(), io.
  static GlossesDemo learn(const GlossesOptions& options);
};

/// Error{value} where `out` has a model that learn() would replace and has not made.
void check_glosses_folder(const std::string& out);

}  // namespace gyre
