#include "gyre/optim/loss_scale.h"

#include <fmt/core.h>

#include <limits>

#include "gyre/base/error.h"
#include "gyre/io/record_json.h"

namespace gyre {
namespace {

constexpr const char* kLossScale = "loss_scale";

void require_at_least(double least, const char* name, double value) {
  if (value >= least) return;
  throw Error(Code::value, kLossScale,
              fmt::format("`{}` must be at least `least` ({}), got {}", name, least, value),
              fmt::format("{} or more", least), value);
}

}  // namespace

LossScale::LossScale(const LossScaleOptions& o) : options_(o), state_{o.initial, 0} {
  check_record(kLossScale, o);
  require_at_least(o.least, "initial", o.initial);
}

void LossScale::update(bool finite) {
  if (!finite) {
    double lower = state_.scale * options_.backoff;
    if (lower < options_.least) {
      throw Error(Code::numeric, kLossScale,
                  fmt::format("gradients are not finite with loss scale {}, and the minimum is {}; "
                              "lower `lr` or clip gradients",
                              state_.scale, options_.least),
                  fmt::format("{} or more", options_.least), lower);
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
  check_record(kLossScale, state);
  require_at_least(options_.least, "scale", state.scale);
  state_ = state;
}

}  // namespace gyre
