#include "gyre/models/measure/calibration_text.h"

#include <cmath>

#include "gyre/base/error.h"
#include "gyre/data/text_source.h"
#include "gyre/models/files/model_tokenizer.h"
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
  const auto tokenizer = needed_tokenizer(kCompress, folder, named);
  const std::string text = read_text({&file, 1});
  const TextSplit split = split_text(text, kMeasured);
  const auto tokens_of = [&](std::string_view bytes) {
    std::vector<int32_t> tokens = tokenizer->encode(bytes);
    for (const int32_t id : tokens) {
      if (id < model.vocab()) continue;
      throw mismatch(
          Code::value, kCompress,
          {file, ": token ", id, " is outside the model's vocabulary of ", model.vocab()},
          {"< ", model.vocab()}, id);
    }
    return tokens;
  };
  CalibrationText parts{tokens_of(split.training), tokens_of(split.validation)};
  // the smaller one decides
  const std::vector<int32_t>& least =
      parts.measuring.size() < parts.calibrating.size() ? parts.measuring : parts.calibrating;
  if (std::ssize(least) >= window) return parts;
  const int64_t needed = std::llround(static_cast<double>(window) / kMeasured);
  throw Error(Code::value, kCompress,
              {file, " gives ", parts.calibrating.size(), " tokens to calibrate with and ",
               parts.measuring.size(), ", a tenth of its text, to measure with, but a window has ",
               window, "; give a text of about ", needed, " tokens or more"},
              {">= ", window}, least.size());
}

}  // namespace gyre
