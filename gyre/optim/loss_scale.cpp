#include "gyre/optim/loss_scale.h"

#include <fmt/core.h>

#include <cmath>
#include <limits>
#include <string>

#include "gyre/base/error.h"
#include "gyre/io/record_json.h"

namespace gyre {
namespace {

constexpr const char* kLossScale = "loss_scale";

void require_of_scale(bool holds, const char* name, double value, const char* wanted) {
  if (holds) return;
  std::string actual = fmt::format("{}", value);
  throw Error(Code::value, kLossScale, fmt::format("{} must be {}, got {}", name, wanted, actual),
              wanted, actual);
}

}  // namespace

LossScale::LossScale(const LossScaleOptions& o) : options_(o), state_{o.initial, 0} {
  require_of_scale(o.least > 0 && std::isfinite(o.least), "least", o.least, "above 0");
  require_of_scale(o.initial >= o.least && std::isfinite(o.initial), "initial", o.initial,
                   "finite and at least `least`");
  require_of_scale(o.growth >= 1 && std::isfinite(o.growth), "growth", o.growth, "1 or more");
  require_of_scale(o.backoff > 0 && o.backoff < 1, "backoff", o.backoff, "between 0 and 1");
  require_of_scale(o.growth_interval >= 1, "growth_interval",
                   static_cast<double>(o.growth_interval), "1 or more");
}

void LossScale::update(bool finite) {
  if (!finite) {
    double lower = state_.scale * options_.backoff;
    if (lower < options_.least) {
      throw Error(Code::numeric, kLossScale,
                  fmt::format("gradients are not finite at a scale of {}, and {} is the minimum; "
                              "lower `lr` or clip gradients",
                              state_.scale, options_.least),
                  fmt::format("{} or more", options_.least), fmt::format("{}", lower));
    }
    state_ = {lower, 0};
    return;
  }
  if (++state_.good_steps < options_.growth_interval) return;
  state_.good_steps = 0;
  double higher = state_.scale * options_.growth;
  if (higher <= static_cast<double>(std::numeric_limits<float>::max())) state_.scale = higher;
}

Json LossScale::state() const { return record_to_json(state_); }

void LossScale::load_state(const Json& json) {
  LossScaleState state = state_;
  record_from_json(state, json);
  require_of_scale(state.scale >= options_.least && std::isfinite(state.scale), "scale",
                   state.scale, "finite and at least `least`");
  require_of_scale(state.good_steps >= 0, "good_steps", static_cast<double>(state.good_steps),
                   "0 or more");
  state_ = state;
}

}  // namespace gyre
