#pragma once
#include <cstdint>

#include "gyre/base/record.h"
#include "gyre/io/json.h"

namespace gyre {

struct LossScaleOptions {
  double initial = 65536, growth = 2, backoff = 0.5, least = 1;
  int64_t growth_interval = 2000;
};
GYRE_FIELDS(LossScaleOptions, GYRE_FIELD(initial, "factor of the loss at first"),
            GYRE_FIELD(growth, "times the scale after `growth_interval` good steps"),
            GYRE_FIELD(backoff, "times the scale after a step that could not be done"),
            GYRE_FIELD(least, "the scale does not fall below it"),
            GYRE_FIELD(growth_interval, "good steps in a row until the scale grows"));

/// Where a loss scale stands.
struct LossScaleState {
  double scale = 0;
  int64_t good_steps = 0;
};
GYRE_FIELDS(LossScaleState, GYRE_FIELD(scale, "factor of the loss now"),
            GYRE_FIELD(good_steps, "steps in a row that were done since it last changed"));

/// The factor of the loss that keeps gradients in the range of f16, found as one goes (Micikevicius
/// et al. 2018, section 3.2):
///   (loss * scale.scale()).backward();
///   StepResult done = optimizer.step({.scale = 1 / (batches * scale.scale()), .norm = true});
///   scale.update(done.applied);
/// bf16 has the range of f32 and needs none.
class LossScale {
 public:
  /// Error{value} unless 0 < least <= initial, which are finite, growth >= 1, 0 < backoff < 1 and
  /// growth_interval >= 1.
  explicit LossScale(const LossScaleOptions& options = {});

  [[nodiscard]] double scale() const { return state_.scale; }
  /// After each step: whether its gradients were finite. If so for `growth_interval` steps the
  /// scale grows, as long as f32 holds it, else it falls at once. Error{numeric} when it would have
  /// to fall below `least`: then the scale is not what makes gradients infinite.
  void update(bool finite);

  /// For checkpoints: a LossScaleState. load_state is Error{value} for a scale that is not finite
  /// or below `least` and for steps below 0, and has the errors of record_from_json; then nothing
  /// has changed.
  [[nodiscard]] Json state() const;
  void load_state(const Json& state);

 private:
  LossScaleOptions options_;
  LossScaleState state_;
};

}  // namespace gyre
