#include "gyre/train/step.h"

#include <fmt/format.h>

#include <cmath>

#include "gyre/base/error.h"
#include "gyre/base/philox.h"
#include "gyre/data/draw.h"
#include "gyre/op/node.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/shape/shape.h"

namespace gyre {
namespace {

LossScaleOptions loss_scale_options(const PrecisionOptions& o) {
  if (o.dtype != TrainedDType::f16) return {.initial = 1};
  if (o.loss_scale == 0) return {};
  return {.initial = o.loss_scale, .least = o.loss_scale};
}

void require_finite(const Tensor& read, const char* what, int64_t step) {
  const double value = read.item();
  if (std::isfinite(value)) return;
  throw Error(
      Code::numeric, "train",
      fmt::format("the {} is {} at step {}; set `check_nan` to find the op that produced it. If "
                  "training diverges, try a lower `lr`, more `warmup_steps` or a smaller "
                  "`max_grad_norm`",
                  what, std::isnan(value) ? "NaN" : "infinite", step),
      "a finite number", value);
}

// sum + weight * mean; an empty sum is 0.
Tensor plus(const Tensor& sum, const BatchLoss& loss) {
  NoGrad off;
  Tensor term = to(loss.mean.detach(), DType::f64);
  if (loss.weight != 1) term = term * Tensor(loss.weight);
  return sum.defined() ? sum + term : term;
}

}  // namespace

Step::Step(Objective& objective, std::unique_ptr<Optimizer> optimizer, const UpdateOptions& update,
           const PrecisionOptions& precision, uint64_t seed, const LogOptions& log,
           CallTrace* trace)
    : objective_(objective),
      optimizer_(std::move(optimizer)),
      update_(update),
      scaled_(precision.dtype == TrainedDType::f16),
      dynamic_(scaled_ && precision.loss_scale == 0),
      loss_scale_(loss_scale_options(precision)),
      seed_(seed),
      device_(objective.model().device()),
      buffers_(objective.model().named_buffers()),
      overflow_(log.check_overflow ? OverflowMode::error : OverflowMode::ieee),
      trace_(trace) {
  if (log.check_nan) watch_.emplace();
  if (update.ema > 0) {
    ema_.emplace(objective.model().state_dict(), EmaOptions{.decay = update.ema, .warmup = true});
  }
}

// Copies, since running statistics change in every forward.
std::vector<Tensor> Step::buffers(bool kept) const {
  std::vector<Tensor> copies;
  if (!kept) return copies;
  NoGrad off;
  for (const NamedTensor& b : buffers_) copies.push_back(clone(b.tensor));
  return copies;
}

void Step::restore(const std::vector<Tensor>& buffers) const {
  for (size_t i = 0; i < buffers.size(); ++i)
    nn::assign(buffers_[i].tensor, buffers[i], buffers_[i].name);
}

std::optional<StepOutcome> Step::run(const StepCall& call, FunctionRef<bool()> stop) {
  const OverflowScope checked(overflow_);
  const bool skips = scaled_ || update_.non_finite == NonFinite::skip;
  const std::vector<Tensor> before = buffers(skips || call.accumulate > 1);
  optimizer_->zero_grad();
  if (watch_) watch_->begin_step(call.number);
  StepOutcome done;
  double weights = 0;
  for (int64_t i = 0; i < call.accumulate; ++i) {
    if (i > 0 && stop()) {
      restore(before);
      return {};
    }
    BatchLoss loss = [&] {
      TraceSpan span(trace_, "forward");
      const int64_t number = call.batch + i;
      const GeneratorScope random({draw(seed_, static_cast<uint64_t>(number)), 0});
      return objective_.loss(on_device(objective_.batch(number), device_));
    }();
    {
      const double factor = loss.weight * loss_scale_.scale();
      TraceSpan span(trace_, "backward");
      // f16 gradients overflow while the loss scale is being found
      const OverflowScope of_gradients(scaled_ ? OverflowMode::ieee : overflow_);
      (factor == 1 ? loss.mean : loss.mean * Tensor(factor)).backward();
    }
    done.loss = plus(done.loss, loss);
    weights += loss.weight;
  }
  if (watch_) {
    const std::optional<NanFinding> found = watch_->finding();
    if (!(found && found->backward && scaled_)) watch_->check();
  }
  if (weights != 1) done.loss = done.loss / Tensor(weights);
  update(done, call, 1 / (weights * loss_scale_.scale()));
  if (!done.applied) restore(before);
  return done;
}

void Step::update(StepOutcome& done, const StepCall& call, double scale) {
  TraceSpan span(trace_, "optimizer");
  const bool raises = !scaled_ && update_.non_finite == NonFinite::raise;
  if (raises) require_finite(done.loss, "loss", call.number);
  optimizer_->set_lr(call.lr);
  const NonFinite policy = scaled_ || raises ? NonFinite::skip : update_.non_finite;
  const StepResult result =
      optimizer_->step({.scale = scale, .clip = update_.clip, .norm = true, .non_finite = policy});
  if (raises && !result.applied) require_finite(result.gradient_norm, "gradient", call.number);
  done.gradient_norm = result.gradient_norm;
  done.applied = result.applied;
  if (dynamic_) loss_scale_.update(result.applied);
  if (result.applied && ema_) ema_->update();
}

}  // namespace gyre
