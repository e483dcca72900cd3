#include "bench/limit_tiles.h"

#include "gyre/kernel/export_tiles.h"
#include "gyre/simd/vec.h"

namespace gyre::bench {
namespace {

using V = Vec<float>;
constexpr int kLanes = V::width;

void copy_floats(const float* in, float* out, int64_t n) noexcept {
  for (int64_t i = 0; i < n; i += 4 * kLanes) {
    for (int j = 0; j < 4; ++j) V::load(in + i + j * kLanes).store(out + i + j * kLanes);
  }
}

float sum_of(V v) {
  float total = 0;
  for (int i = 0; i < kLanes; ++i) total += v[i];
  return total;
}

float read_floats(const float* in, int64_t n) noexcept {
  V a(0.0), b(0.0), c(0.0), d(0.0);
  for (int64_t i = 0; i < n; i += 4 * kLanes) {
    a = a + V::load(in + i);
    b = b + V::load(in + i + kLanes);
    c = c + V::load(in + i + 2 * kLanes);
    d = d + V::load(in + i + 3 * kLanes);
  }
  return sum_of((a + b) + (c + d));
}

// 12 chains more than hide a latency of 4 cycles on two ports.
float fma_chains(const float* seeds, int64_t rounds) noexcept {
  V m = V::load(seeds + 12 * kLanes), s = V::load(seeds + 13 * kLanes);
  V a = V::load(seeds), b = V::load(seeds + kLanes), c = V::load(seeds + 2 * kLanes);
  V d = V::load(seeds + 3 * kLanes), e = V::load(seeds + 4 * kLanes);
  V f = V::load(seeds + 5 * kLanes), g = V::load(seeds + 6 * kLanes);
  V h = V::load(seeds + 7 * kLanes), i = V::load(seeds + 8 * kLanes);
  V j = V::load(seeds + 9 * kLanes), k = V::load(seeds + 10 * kLanes);
  V l = V::load(seeds + 11 * kLanes);
  for (int64_t n = 0; n < rounds; ++n) {
    a = fma(a, m, s), b = fma(b, m, s), c = fma(c, m, s), d = fma(d, m, s);
    e = fma(e, m, s), f = fma(f, m, s), g = fma(g, m, s), h = fma(h, m, s);
    i = fma(i, m, s), j = fma(j, m, s), k = fma(k, m, s), l = fma(l, m, s);
  }
  return sum_of(((a + b) + (c + d)) + ((e + f) + (g + h)) + ((i + j) + (k + l)));
}

}  // namespace

GYRE_EXPORT_TILES(LimitTiles, limit) = {kLanes, copy_floats, read_floats, fma_chains};

}  // namespace gyre::bench
