#pragma once
#include "gyre/op/tiles.h"
#include "gyre/simd/pack.h"

namespace gyre {

/// Rotary position embedding: the pair (a, b) rotated by an angle.
struct RopeBody {
  template <class V>
  static GYRE_BODY Pack<V, 2> turn(V a, V b, V cosine, V sine) {
    return {{a * cosine - b * sine, a * sine + b * cosine}};
  }
};

}  // namespace gyre
