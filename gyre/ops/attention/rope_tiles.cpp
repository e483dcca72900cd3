#include "gyre/kernel/export_tiles.h"
#include "gyre/ops/attention/attention_tile.h"
#include "gyre/ops/attention/rope_bodies.h"
#include "gyre/simd/vec.h"

namespace gyre {
namespace {

template <class V, class T>
GYRE_INLINE void turn_at(T* a, T* b, const T* cosines, const T* sines) {
  const auto turned = RopeBody::turn(V::load(a), V::load(b), V::load(cosines), V::load(sines));
  turned.e[0].store(a);
  turned.e[1].store(b);
}

template <class T>
GYRE_TILE void turn(T* a, T* b, int64_t step, const T* cosines, const T* sines,
                    int64_t n) noexcept {
  int64_t i = 0;
  if (step == 1) {
    constexpr int W = Vec<T>::width;
    for (; i + W <= n; i += W) turn_at<Vec<T>>(a + i, b + i, cosines + i, sines + i);
  }
  for (; i < n; ++i) turn_at<Vec<T, 1>>(a + i * step, b + i * step, cosines + i, sines + i);
}

}  // namespace

GYRE_EXPORT_TILES(RopeTiles, rope) = {turn<float>, turn<double>};

}  // namespace gyre
