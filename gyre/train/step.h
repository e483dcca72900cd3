#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "gyre/base/function_ref.h"
#include "gyre/data/dataset.h"
#include "gyre/kernel/overflow.h"
#include "gyre/nn/module.h"
#include "gyre/optim/ema.h"
#include "gyre/optim/loss_scale.h"
#include "gyre/optim/optimizer.h"
#include "gyre/train/options.h"
#include "gyre/train/trace/call_trace.h"
#include "gyre/train/trace/nan_watch.h"

namespace gyre {

/// Loss of a batch.
struct BatchLoss {
  Tensor mean;        ///< recorded; f32 or f64
  double weight = 1;  ///< weight within the step: its size relative to a full batch
};

/// A model and its loss.
struct Objective {
  virtual ~Objective() = default;
  virtual nn::Module& model() = 0;
  /// Batch `number`, a function of the number alone. A Step moves it to the model's device.
  virtual Batch batch(int64_t number) = 0;
  /// Its loss; random numbers come from default_generator() only.
  virtual BatchLoss loss(const Batch& batch) = 0;
};

/// Arguments of Step::run().
struct StepCall {
  int64_t number = 1;                 ///< of the step, from 1
  int64_t batch = 0, accumulate = 1;  ///< the first batch, and how many
  double lr = 0;
};

/// What a step did. The tensors are on the model's device and have not been read.
struct StepOutcome {
  Tensor loss{};           ///< mean over the batches, weighted by BatchLoss::weight [] (f64)
  Tensor gradient_norm{};  ///< before clipping [] (f64)
  bool applied = true;     ///< false if the step was skipped for non-finite gradients
};

/// Optimiser steps of a model: gradients accumulated over batches, loss scaling with f16, averages
/// of the weights. Reads nothing back from the device unless clipping, `non_finite` or f16 need the
/// gradient norm, or `non_finite` raise the loss.
class Step {
 public:
  /// `objective` must outlive this; its model has the dtype `precision.dtype`. `trace` may be null.
  /// Random numbers of a batch depend on `seed` and its number. Of `log` it uses the checks.
  Step(Objective& objective, std::unique_ptr<Optimizer> optimizer, const UpdateOptions& update = {},
       const PrecisionOptions& precision = {}, uint64_t seed = 0, const LogOptions& log = {},
       CallTrace* trace = nullptr);

  /// The gradient is the mean over the batches, weighted by BatchLoss::weight. Weights, buffers and
  /// averages are unchanged if it is not applied (the loss scale of f16 adapts), or if `stop`,
  /// polled between batches, returns true: then there is no outcome. Error{numeric} naming the step
  /// with `non_finite` raise, before the weights change.
  std::optional<StepOutcome> run(const StepCall& call, FunctionRef<bool()> stop);

  [[nodiscard]] Optimizer& optimizer() { return *optimizer_; }
  [[nodiscard]] const Optimizer& optimizer() const { return *optimizer_; }
  /// Averages of the weights, or null.
  [[nodiscard]] Ema* ema() { return ema_ ? &*ema_ : nullptr; }
  /// State of the loss scale; null unless f16.
  [[nodiscard]] Json loss_scale() const { return scaled_ ? loss_scale_.state() : Json(); }
  void load_loss_scale(const Json& state) { loss_scale_.load_state(state); }

 private:
  std::vector<Tensor> buffers(bool kept) const;
  void restore(const std::vector<Tensor>& buffers) const;
  void update(StepOutcome& done, const StepCall& call, double scale);

  Objective& objective_;
  std::unique_ptr<Optimizer> optimizer_;
  UpdateOptions update_;
  bool scaled_, dynamic_;  // by a loss scale, and one that changes
  LossScale loss_scale_;
  uint64_t seed_;
  Device device_;                     // of the model
  std::vector<NamedTensor> buffers_;  // of the model
  std::optional<Ema> ema_;
  std::optional<NanWatch> watch_;
  OverflowMode overflow_;
  CallTrace* trace_;
};

}  // namespace gyre
