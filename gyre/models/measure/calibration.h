#pragma once
#include <span>
#include <string>
#include <vector>

#include "gyre/base/function_ref.h"
#include "gyre/base/record.h"
#include "gyre/packed/calibrate/calibrated_encode.h"

namespace gyre {

class LanguageModel;

/// What `gyre compress` does with a text.
enum class CalibrationMode : uint8_t { none, one_sided, two_sided };
inline constexpr const char* kCalibrationModeNames[] = {"none", "one-sided", "two-sided"};
template <>
inline constexpr std::span<const char* const> kChoices<CalibrationMode> = kCalibrationModeNames;

/// The tokens of a text: the first nine tenths of its bytes to calibrate with, the rest to measure.
struct CalibrationText {
  std::vector<int32_t> calibrating, measuring;
};
/// A file, JSONL or wordnet:glosses by the tokenizer of a model's folder. Errors: those of
/// read_text; value for a folder without a tokenizer, a token outside the model's vocabulary, and a
/// part that is shorter than a window of `window` tokens.
CalibrationText calibration_text(const std::string& file, const std::string& folder,
                                 const LanguageModel& model, int64_t window);

/// What the errors of a model's weights cost.
struct WeightCosts {
  CalibrationSides sides;  ///< empty: unknown
  double sensitivity = 1;  ///< of the text's loss in nats per token to squared errors
};
struct CalibrationOptions {
  CalibrationMode mode = CalibrationMode::two_sided;
  int64_t window = 0;          ///< tokens
  int64_t windows = 64;        ///< at most, evenly spread over the text
  bool sensitivities = false;  ///< also with one side, for which it takes gradients, too
  uint64_t seed = 0;           ///< of the tokens that are sampled
};
/// Of weights of a model, matrices in f32, by running it on windows of a text. One side is E[x x^T]
/// of the inputs of linear layers; two sides are the Kronecker product nearest to the Fisher
/// information of the tokens that the model itself predicts, which is the second derivative of the
/// KL divergence from it. Calls `done(windows, all)` on the calling thread. Error{value} as
/// polish().
std::vector<WeightCosts> weight_costs(
    const LanguageModel& model, std::span<const Tensor> weights, std::span<const int32_t> tokens,
    const CalibrationOptions& options,
    FunctionRef<void(int64_t windows, int64_t all)> done = [](int64_t, int64_t) {});

/// Trains the words and scales of `packed`, a copy of `model` with packed weights, to predict what
/// that predicts: steps of `hybrid` in mode shadow_free (packed/training/hybrid.h) on the KL
/// divergence, over random windows. Other tensors stay. The rate falls to 0. Error{value} for a
/// window of no token or more than the text has.
struct PolishOptions {
  int64_t window = 0;  ///< tokens
  int64_t steps = 32;
  double lr = 3e-4;
  int64_t flips = 4;
  uint64_t seed = 0;  ///< of the windows
};
void polish(
    const LanguageModel& model, LanguageModel& packed, std::span<const int32_t> tokens,
    const PolishOptions& options,
    FunctionRef<void(int64_t steps, int64_t all)> done = [](int64_t, int64_t) {});

/// The mean over tokens of the KL divergence of the next token's distribution by `other` from that
/// by `model`, in nats, for at most `windows` windows of `window` tokens. `done` and errors as
/// above.
double kl_divergence(
    const LanguageModel& model, const LanguageModel& other, std::span<const int32_t> tokens,
    int64_t window, int64_t windows,
    FunctionRef<void(int64_t windows, int64_t all)> done = [](int64_t, int64_t) {});

}  // namespace gyre
