#pragma once
#include <stddef.h>
#include <stdint.h>

namespace gyre {

// The constants of a step are structs of doubles: rows of a tensor.

/// How gradients are transformed before a step.
struct GradientNumbers {
  double scale = 1;        ///< factor from clipping and averaging
  double finite_only = 0;  ///< not 0: replace infinities and NaN by 0
};

/// Per-step constants of one parameter for Adam and those like it.
struct AdamNumbers {
  GradientNumbers gradient;
  double beta1, beta2;
  double rate;             ///< of the first moment: lr / (1 - beta1^t)
  double gradient_rate;    ///< of the gradient itself, as by Nesterov momentum
  double root_correction;  ///< 1 / sqrt(1 - beta2^t)
  double eps;
  double keep;  ///< 1 - lr weight_decay: decoupled weight decay
  double l2;    ///< L2 penalty, added to the gradient
};

/// Per-step constants of one parameter for SGD.
struct SgdNumbers {
  GradientNumbers gradient;
  double lr, momentum;
  double undamped;  ///< 1 - dampening, 1 at the first step
  double l2;
  double nesterov;  ///< not 0: Nesterov momentum
};

/// Per-step constants of one parameter for Lion.
struct LionNumbers {
  GradientNumbers gradient;
  double lr;
  double keep;  ///< 1 - lr weight_decay
  double beta1, beta2;
};

/// Per-step constants of one parameter for RMSprop.
struct RmspropNumbers {
  GradientNumbers gradient;
  double lr, alpha, eps, l2, momentum;
};

/// Per-step constants of one parameter for Adagrad.
struct AdagradNumbers {
  GradientNumbers gradient;
  double lr;  ///< decayed
  double eps, l2;
  double initial;  ///< added to the sum
};

/// Per-step constants of one parameter for Adadelta.
struct AdadeltaNumbers {
  GradientNumbers gradient;
  double lr, rho, eps, l2;
};

/// Per-step constants of one parameter for Adamax.
struct AdamaxNumbers {
  GradientNumbers gradient;
  double beta1, beta2;
  double rate;  ///< lr / (1 - beta1^t)
  double eps, l2;
};

/// Per-step constants of one parameter for averaged SGD.
struct AsgdNumbers {
  GradientNumbers gradient;
  double rate;
  double keep;  ///< 1 - lambda rate
  double l2;
  double share;  ///< of the new value in the average
};

/// Per-step constants of one parameter for Rprop.
struct RpropNumbers {
  GradientNumbers gradient;
  double first;  ///< size of all steps in the first one, 0 in others
  double eta_minus, eta_plus, min_step, max_step;
};

/// Pointers to the elements of a parameter that are updated together.
struct StepArrays {
  const void* gradient;
  void* value;
  void* master;  ///< f32 master of 16-bit values; updated, then rounded
  static constexpr size_t kStates = 3;
  void* state[kStates];  ///< in the order of the step op's outputs; null if unused
};

/// Updates n contiguous elements in place; each is read and written once. If a 16-bit value differs
/// from its rounded master, the user has changed it: it becomes the master.
/// The state arrays are those of the op's line; optional ones are null from the first unused on.
struct StepTile {
#define OP(name)
#define STEP(rule, Rule, ...) \
  void (*rule)(const Rule##Numbers& numbers, const StepArrays& arrays, int64_t n) noexcept;
#include "gyre/optim/rules/optim_ops.def"
#undef STEP
#undef OP
};

/// Passes over one array; 16-bit elements are computed in f32.
struct ArrayTile {
  /// Sum of squares; `finite_squares` of the finite elements only.
  double (*squares)(const void* x, int64_t n) noexcept;
  double (*finite_squares)(const void* x, int64_t n) noexcept;
  /// average += gain (x - average), with an f64 average for f64 x and an f32 one otherwise; where
  /// both are the same infinity, the average is unchanged.
  void (*average)(double gain, const void* x, void* average, int64_t n) noexcept;
  /// Transforms a gradient in place.
  void (*scale)(const GradientNumbers& numbers, void* x, int64_t n) noexcept;
};

/// By dtype of the parameter, of which the floating ones come first.
struct OptimTiles {
  StepTile step[4][2];  ///< for gradients of the same dtype, and f32 ones of 16-bit parameters
  ArrayTile array[4];
};

}  // namespace gyre
