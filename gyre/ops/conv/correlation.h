#pragma once
#include "gyre/kernel/convert.h"
#include "gyre/op/op_def.h"

// Cross-correlation kernels shared by convolutions, transposed convolutions and weight gradients.
// Patches are built block by block in thread-local memory, for any layout and dtype of the image.

namespace gyre {

/// One axis of an image and its windows: element t of window u is the image element at u * hop +
/// first + t * pace; positions outside [0, size) read as zero.
struct WindowAxis {
  int64_t size = 0;     ///< of the image
  int64_t windows = 0;  ///< how many
  int64_t hop = 1;      ///< at least 1
  int64_t first = 0;
  int64_t taps = 0;  ///< elements of a window
  int64_t pace = 1;  ///< at least 1
};

/// Images [N, groups * channels, H, W] and values per window [N, groups * filters, rows.windows,
/// cols.windows], with any strides.
struct Correlation {
  View image, values;
  WindowAxis rows, cols;
  int64_t groups = 1, channels = 0, filters = 0;

  [[nodiscard]] int64_t taps() const { return rows.taps * cols.taps; }
  /// number of products summed per value
  [[nodiscard]] int64_t depth() const { return channels * taps(); }
};

/// values[n, f, u, v] = bias[f] + sum over c, s, t of weights[f, c, s, t] * image[n, c, u s, v t]
/// (c within the filter's group, u s the position of element s of window u). weights are contiguous
/// [groups * filters, channels, rows.taps, cols.taps] of the compute type, f32 or f64; so is bias,
/// which may be null.
struct CorrelatePlan {
  Correlation c;
  Compute compute;
  const std::byte *weights, *bias;
};
/// Sums run in passes over c, s, t whose length depends on these sizes only, so results depend
/// neither on the number of threads nor on the rest of the batch. `values` must not be empty.
Status run_correlate(const CorrelatePlan& plan) noexcept;

/// weights[f, c, s, t] = sum over n, u, v of values[n, f, u, v] * image[n, c, u s, v t], computed
/// in f32 or f64; `weights` is contiguous. `sums` has weight_sums_bytes.
struct CorrelateWeightsPlan {
  Correlation c;
  Compute compute;
  View weights;
  std::byte* sums;
};
/// Sums are split into parts that depend on sizes only. Neither operand may be empty.
Status run_correlate_weights(const CorrelateWeightsPlan& plan) noexcept;
template <class T>
size_t weight_sums_bytes(const Correlation& c);

}  // namespace gyre
