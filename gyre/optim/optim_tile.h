#pragma once
#include <stddef.h>
#include <stdint.h>

namespace gyre {

/// Numbers of one AdamW step of one parameter, all that does not vary by element.
struct AdamNumbers {
  double scale;  ///< of the gradient: clipping, averaging
  double beta1, beta2;
  double rate;             ///< lr / (1 - beta1^t)
  double root_correction;  ///< 1 / sqrt(1 - beta2^t)
  double eps;
  double keep;  ///< 1 - lr decay: decoupled decay
  double l2;    ///< decay added to the gradient
};

/// Numbers of one SGD step of one parameter.
struct SgdNumbers {
  double scale;  ///< of the gradient
  double lr, momentum;
  double undamped;  ///< 1 - dampening, 1 at the first step
  double l2;
  bool nesterov;
};

/// Updates of n contiguous elements in place.
template <class T>
struct OptimTile {
  void (*adam)(const AdamNumbers& numbers, const T* gradient, T* value, T* first, T* second,
               int64_t n) noexcept;
  /// `velocity` is null without momentum; it holds 0 before the first step.
  void (*sgd)(const SgdNumbers& numbers, const T* gradient, T* value, T* velocity,
              int64_t n) noexcept;
  /// Sum of squares, in double.
  double (*squares)(const T* x, int64_t n) noexcept;
  void (*scale)(T* x, double by, int64_t n) noexcept;
};

struct OptimTiles {
  OptimTile<float> f32;
  OptimTile<double> f64;
};

}  // namespace gyre
