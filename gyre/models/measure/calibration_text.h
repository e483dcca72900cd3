#pragma once
#include <string>
#include <vector>

namespace gyre {

class LanguageModel;

/// The tokens of a text: the first nine tenths of its bytes to calibrate with, the rest to measure.
struct CalibrationText {
  std::vector<int32_t> calibrating, measuring;
};
/// A file, JSONL or wordnet:glosses by tokenizer_for(folder, tokenizer). Errors: those of
/// read_text; value for no tokenizer, a token outside the model's vocabulary, and a
/// part that is shorter than a window of `window` tokens.
CalibrationText calibration_text(const std::string& file, const std::string& folder,
                                 const std::string& tokenizer, const LanguageModel& model,
                                 int64_t window);

}  // namespace gyre
