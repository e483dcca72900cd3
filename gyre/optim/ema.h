#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "gyre/base/record.h"
#include "gyre/io/safetensors.h"
#include "gyre/optim/parameter_walk.h"

namespace gyre {

struct EmaOptions {
  double decay = 0.999;
  bool warmup = false;
};
GYRE_FIELDS(EmaOptions, GYRE_FIELD(decay, "share of the average that stays"),
            GYRE_FIELD(warmup, "of update n = 0, 1, ... at most (1 + n) / (10 + n) stays"));

/// Exponential moving averages of the tensors of a model, which often generalise better than its
/// last values: average += (1 - decay) (value - average). They begin as the values. Averages are
/// f64 for f64 and f32 for other floats; tensors of other dtypes, such as counts, are copied.
class Ema {
 public:
  /// `tensors` are those of Module::state_dict(): parameters, and buffers of which the average
  /// makes sense. Error{value} for a decay outside [0, 1], for an empty Tensor, a repeated name,
  /// and one called "updates".
  explicit Ema(std::span<const NamedTensor> tensors, const EmaOptions& options = {});

  /// After each step of the optimiser; one pass. Error{value} while the averages are in the model.
  void update();
  [[nodiscard]] int64_t updates() const { return updates_; }

  /// Puts the averages, in the dtypes of the tensors, into the model, or the values that were there
  /// back, bit for bit. Averages of points of a space (tensor/points.h) are put into it then, rows
  /// that are as they were excepted; on a sphere an average of 0 is NaN.
  void swap();
  [[nodiscard]] bool swapped() const { return !kept_.empty(); }

  /// "updates" i64 and the averages by the names of their tensors; shared, not copied.
  std::vector<NamedTensor> state_dict() const;
  /// Error{value} for missing or unknown names, a count below 0, and while the averages are in the
  /// model; Error{shape, dtype}; then nothing has changed.
  void load_state_dict(std::span<const NamedTensor> state);

 private:
  void refuse_swapped(const char* what) const;

  EmaOptions options_;
  int64_t updates_ = 0;
  std::vector<NamedTensor> tensors_;
  std::vector<Tensor> averages_, kept_;
  ParameterWalk walk_;
};

/// The averages are in the model while this lives.
class EmaScope {
 public:
  /// `ema` must outlive this. Error{value} when they are there already.
  [[nodiscard]] explicit EmaScope(Ema& ema);
  ~EmaScope();
  EmaScope(const EmaScope&) = delete;
  EmaScope& operator=(const EmaScope&) = delete;

 private:
  Ema& ema_;
};

}  // namespace gyre
