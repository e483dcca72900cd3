#pragma once
#include <cstdint>

#include "gyre/base/record.h"
#include "gyre/io/json.h"

namespace gyre {

struct LossScaleOptions {
  double initial = 65536, growth = 2, backoff = 0.5, least = 1;
  int64_t growth_interval = 2000;
};
GYRE_FIELDS(LossScaleOptions, GYRE_FIELD(initial, "initial scale", .alias = "init_scale"),
            GYRE_FIELD(growth, "growth factor after `growth_interval` consecutive finite steps",
                       .alias = "growth_factor", .least = 1),
            GYRE_FIELD(backoff, "backoff factor after a skipped step", .alias = "backoff_factor",
                       .above = 0, .below = 1),
            GYRE_FIELD(least, "minimum scale", .above = 0),
            GYRE_FIELD(growth_interval, "consecutive finite steps before the scale grows",
                       .least = 1));

/// State of a loss scale.
struct LossScaleState {
  double scale = 0;
  int64_t good_steps = 0;
};
GYRE_FIELDS(LossScaleState, GYRE_FIELD(scale, "current scale"),
            GYRE_FIELD(good_steps, "consecutive finite steps since the scale changed", .least = 0));

/// Dynamic loss scaling: keeps gradients in the range of f16 (Micikevicius et al. 2018, section
/// 3.2):
///   (loss * scale.scale()).backward();
///   StepResult done = optimizer.step({.scale = 1 / (batches * scale.scale()), .norm = true});
///   scale.update(done.applied);
/// bf16 has the range of f32 and needs no loss scaling.
class LossScale {
 public:
  /// Error{value} unless 0 < least <= initial (both finite), growth >= 1, 0 < backoff < 1 and
  /// growth_interval >= 1.
  explicit LossScale(const LossScaleOptions& options = {});

  [[nodiscard]] double scale() const { return state_.scale; }
  /// Call after each step; `finite` tells whether its gradients were finite. The scale grows after
  /// `growth_interval` consecutive finite steps while f32 can hold it, and backs off at once
  /// otherwise. Error{numeric} when it would fall below `least`: then scaling is not the cause.
  void update(bool finite);

  /// For checkpoints: a LossScaleState. load_state throws Error{value} for a scale that is not
  /// finite or below `least` and for negative good_steps, and the errors of record_from_json; on
  /// error nothing has changed.
  [[nodiscard]] Json state() const;
  void load_state(const Json& state);

 private:
  LossScaleOptions options_;
  LossScaleState state_;
};

}  // namespace gyre
