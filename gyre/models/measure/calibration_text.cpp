#include "gyre/models/measure/calibration_text.h"

#include "gyre/base/error.h"
#include "gyre/data/text_source.h"
#include "gyre/models/files/model_files.h"
#include "gyre/models/language_model.h"
#include "gyre/text/tokenizer.h"

namespace gyre {
namespace {

constexpr const char* kCompress = "compress";
constexpr double kMeasured = 0.1;  // of the text

}  // namespace

CalibrationText calibration_text(const std::string& file, const std::string& folder,
                                 const std::string& named, const LanguageModel& model,
                                 int64_t window) {
  const auto tokenizer = tokenizer_for(folder, named);
  if (!tokenizer) {
    throw Error(Code::value, kCompress,
                {folder, ": no tokenizer.json; give `tokenizer`, the one that the model was ",
                 "trained with"},
                "a tokenizer", "none");
  }
  const std::string text = read_text({&file, 1});
  const TextSplit split = split_text(text, kMeasured);
  const auto part = [&](std::string_view bytes, const char* purpose) {
    std::vector<int32_t> tokens = tokenizer->encode(bytes);
    for (const int32_t id : tokens) {
      if (id < model.vocab()) continue;
      throw mismatch(
          Code::value, kCompress,
          {file, ": token ", id, " is outside the model's vocabulary of ", model.vocab()},
          {"< ", model.vocab()}, id);
    }
    if (static_cast<int64_t>(tokens.size()) < window) {
      throw mismatch(Code::value, kCompress,
                     {file, ": the part ", purpose, " has ", tokens.size(),
                      " tokens, fewer than a window of ", window},
                     {">= ", window}, tokens.size());
    }
    return tokens;
  };
  return {part(split.training, "to calibrate with, nine tenths of the text,"),
          part(split.validation, "to measure with, a tenth of the text,")};
}

}  // namespace gyre
