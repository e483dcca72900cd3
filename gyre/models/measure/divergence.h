#pragma once
#include <cstdint>
#include <span>

#include "gyre/base/function_ref.h"

namespace gyre {

class LanguageModel;

/// The mean over tokens of the KL divergence of the next token's distribution by `other` from that
/// by `model`, in nats, for at most `windows` windows of `window` tokens. Calls `done(windows,
/// all)` on the calling thread. Error{value} for a window of no token or more than the text has.
double kl_divergence(
    const LanguageModel& model, const LanguageModel& other, std::span<const int32_t> tokens,
    int64_t window, int64_t windows,
    FunctionRef<void(int64_t windows, int64_t all)> done = [](int64_t, int64_t) {});

struct PolishOptions {
  int64_t window = 0;  ///< tokens
  int64_t steps = 32;
  double lr = 3e-4;
  int64_t flips = 4;
  uint64_t seed = 0;  ///< of the windows
};
/// Trains the words and scales of `packed`, a copy of `model` with packed weights, to predict what
/// that predicts: steps of `hybrid` in mode shadow_free (packed/training/hybrid.h) on the KL
/// divergence, over random windows. Other tensors, and those in formats without rings, stay. The
/// rate falls to 0. Error{value} for a window of no token or more than the text has.
void polish(
    const LanguageModel& model, LanguageModel& packed, std::span<const int32_t> tokens,
    const PolishOptions& options,
    FunctionRef<void(int64_t steps, int64_t all)> done = [](int64_t, int64_t) {});

}  // namespace gyre
