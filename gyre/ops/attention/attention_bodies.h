#pragma once
#include "gyre/op/tiles.h"

// Formulas of blockwise attention, templates over vectors: the same on every device.

namespace gyre {

/// Softmax of a row whose blocks of scores come one after another (Milakov and Gimelshein, "Online
/// normalizer calculation for softmax", 2018): `top` is the largest scaled score so far.
struct SoftmaxBody {
  template <class V>
  static GYRE_BODY V weight(V score, V scale, V top) {
    return exp(score * scale - top);
  }
  /// The factor of earlier weights, and of all sums of them, when the top rises.
  template <class V>
  static GYRE_BODY V rescale(V top, V risen) {
    return exp(top - risen);
  }
  /// Gradient of a score times `scale`: p is its probability, g the cotangent of p, `dot` the sum
  /// of p g over the row.
  template <class V>
  static GYRE_BODY V gradient(V p, V g, V dot, V scale) {
    return p * (g - dot) * scale;
  }
};

/// Soft cap of scores (Gemma Team, "Gemma 2", 2024): cap tanh(score / cap).
struct SoftCapBody {
  template <class V>
  static GYRE_BODY V tanh_of(V score, V scale) {
    return tanh(score * scale);
  }
  template <class V>
  static GYRE_BODY V slope(V t) {
    return (1.0 - t) * (1.0 + t);
  }
};

}  // namespace gyre
