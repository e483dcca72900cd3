#pragma once
#include <span>
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
/// require_window() (windows.h).
std::vector<WeightCosts> weight_costs(
    const LanguageModel& model, std::span<const Tensor> weights, std::span<const int32_t> tokens,
    const CalibrationOptions& options,
    FunctionRef<void(int64_t windows, int64_t all)> done = [](int64_t, int64_t) {});

}  // namespace gyre
