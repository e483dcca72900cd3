#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "gyre/base/record.h"
#include "gyre/io/safetensors.h"

namespace gyre {

struct EmaOptions {
  double decay = 0.999;
  bool warmup = false;
};
GYRE_FIELDS(EmaOptions, GYRE_FIELD(decay, "decay rate of the average", .least = 0, .most = 1),
            GYRE_FIELD(warmup, "warm up the decay: min(decay, (1 + n) / (10 + n)) at update n"));

/// Exponential moving averages (EMA) of the tensors of a model, which often generalise better than
/// the last weights: average += (1 - decay) (value - average), initialised to the values. Averages
/// are f64 for f64 and f32 for other floats; tensors of other dtypes, such as counts, are copied.
class Ema {
 public:
  /// `tensors` are those of Module::state_dict(): parameters, and buffers that can be averaged.
  /// Error{value} for decay outside [0, 1], an empty Tensor, a repeated name, and the name
  /// "updates".
  explicit Ema(std::span<const NamedTensor> tensors, const EmaOptions& options = {});

  /// Updates the averages; call it after each optimiser step. If the module was cast or moved
  /// (Module::to), switches to each of its new tensors once that has been modified. Error{value}
  /// while the averages are in the model.
  void update();
  [[nodiscard]] int64_t updates() const { return updates_; }

  /// Puts the averages, cast to the tensors' dtypes, into the model; the next call restores the
  /// values bit for bit. Averages of points on a manifold (tensor/points.h) are projected onto it,
  /// except rows that equal the current values; on a sphere the projection of 0 is NaN.
  void swap();
  [[nodiscard]] bool swapped() const { return !kept_.empty(); }

  /// "updates" (i64) and the averages by name of their tensor; shared, not copied.
  std::vector<NamedTensor> state_dict() const;
  /// Error{value} for missing or unknown names, a negative count, and while the averages are in the
  /// model; Error{shape, dtype}. On error nothing has changed.
  void load_state_dict(std::span<const NamedTensor> state);

 private:
  void refuse_swapped(const char* what) const;
  void follow();

  EmaOptions options_;
  int64_t updates_ = 0;
  std::vector<NamedTensor> tensors_;
  std::vector<uint32_t> versions_;  // of the tensors at the last update
  std::vector<Tensor> averages_, kept_;
};

/// Keeps the averages in the model during its lifetime.
class EmaScope {
 public:
  /// `ema` must outlive this. Error{value} if the averages are already in the model.
  [[nodiscard]] explicit EmaScope(Ema& ema);
  ~EmaScope();
  EmaScope(const EmaScope&) = delete;
  EmaScope& operator=(const EmaScope&) = delete;

 private:
  Ema& ema_;
};

}  // namespace gyre
