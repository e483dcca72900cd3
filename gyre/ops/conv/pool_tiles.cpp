#include "gyre/ops/conv/pool_tiles.h"

#include "gyre/kernel/export_tiles.h"
#include "gyre/simd/vec.h"

namespace gyre {
namespace {

template <class T>
void larger_row(const T* in, T at, T* best, T* place, int64_t n) noexcept {
  constexpr int W = kWidth<T>;
  int64_t i = 0;
  for (; i + W <= n; i += W) {
    const Vec<T> x = Vec<T>::load(in + i), b = Vec<T>::load(best + i);
    const Mask<T> better = (x > b) | ((x != x) & (b == b));
    select(better, x, b).store(best + i);
    select(better, Vec<T>::of(at), Vec<T>::load(place + i)).store(place + i);
  }
  for (; i < n; ++i) {
    if (in[i] > best[i] || (in[i] != in[i] && best[i] == best[i])) {
      best[i] = in[i];
      place[i] = at;
    }
  }
}

}  // namespace

GYRE_EXPORT_TILES(AllPoolTiles, pool){larger_row<float>, larger_row<double>};

}  // namespace gyre
