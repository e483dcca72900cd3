#pragma once
#include <stddef.h>
#include <stdint.h>

namespace gyre {

/// How gradients go into a step.
struct GradientNumbers {
  double scale;      ///< clipping, averaging
  bool finite_only;  ///< infinities and NaN count as 0
};

/// Numbers of one Adam or AdamW step of one parameter, all that does not vary by element.
struct AdamNumbers {
  GradientNumbers gradient;
  double beta1, beta2;
  double rate;             ///< lr / (1 - beta1^t)
  double root_correction;  ///< 1 / sqrt(1 - beta2^t)
  double eps;
  double keep;  ///< 1 - lr decay: decoupled decay
  double l2;    ///< decay added to the gradient
};

/// Numbers of one SGD step of one parameter.
struct SgdNumbers {
  GradientNumbers gradient;
  double lr, momentum;
  double undamped;  ///< 1 - dampening, 1 at the first step
  double l2;
  bool nesterov;
};

/// Numbers of one Lion step of one parameter.
struct LionNumbers {
  GradientNumbers gradient;
  double lr;
  double keep;  ///< 1 - lr decay
  double beta1, beta2;
};

/// Where elements of a parameter lie that are stepped together.
struct StepArrays {
  const void* gradient;
  void* value;
  void* master;    ///< of 16-bit values: the same in f32, which is stepped and then rounded
  void* state[3];  ///< in the order of the rule's state_kinds; null where it has fewer
};

/// Steps of n contiguous elements in place; each number is read and written once. Where a 16-bit
/// value is not its master rounded, somebody has changed it: it becomes the master.
struct StepTile {
  /// State: first and second moment; the largest second moment so far where AMSGrad is wanted.
  void (*adam)(const AdamNumbers& numbers, const StepArrays& arrays, int64_t n) noexcept;
  /// State: velocity, 0 before the first step; null without momentum.
  void (*sgd)(const SgdNumbers& numbers, const StepArrays& arrays, int64_t n) noexcept;
  /// State: moment.
  void (*lion)(const LionNumbers& numbers, const StepArrays& arrays, int64_t n) noexcept;
};

/// Passes over one array; 16-bit elements are computed in f32.
struct ArrayTile {
  /// Sum of squares; of the finite elements.
  double (*squares)(const void* x, int64_t n) noexcept;
  double (*finite_squares)(const void* x, int64_t n) noexcept;
  /// average += gain (x - average), an average of f64 for x of that dtype, else of f32; where both
  /// are the same infinity it stays.
  void (*average)(double gain, const void* x, void* average, int64_t n) noexcept;
  /// What counts as a gradient, in place.
  void (*scale)(const GradientNumbers& numbers, void* x, int64_t n) noexcept;
};

/// By dtype of the parameter, and of the gradient where that differs.
struct OptimTiles {
  StepTile step_f16, step_f16_along_f32, step_bf16, step_bf16_along_f32, step_f32, step_f64;
  ArrayTile f16, bf16, f32, f64;
};

}  // namespace gyre
