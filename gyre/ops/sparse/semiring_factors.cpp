#include "gyre/ops/sparse/semiring_factors.h"

#include <atomic>
#include <utility>

#include "gyre/kernel/outer_axes.h"
#include "gyre/kernel/per_isa.h"

namespace gyre {

GYRE_DECLARE_TILES(AllSemiringTiles, semiring)
GYRE_TILES_FUNCTION_OF_T(const SemiringTiles<T>&, semiring_tiles, AllSemiringTiles, semiring)
template const SemiringTiles<float>& semiring_tiles();
template const SemiringTiles<double>& semiring_tiles();

template <class T>
Specials specials_of(const ProductOperand& factor) {
  View v = factor.view;
  const int last = v.shape.rank - 1;
  if (v.strides[last] != 1) {
    std::swap(v.strides[last], v.strides[last - 1]);
    std::swap(v.shape[last], v.shape[last - 1]);
  }
  const StridedLoop loop(v);
  const auto* data = reinterpret_cast<const T*>(v.data);
  const auto count = semiring_tiles<T>().count;
  Specials all;
  if (loop.rank == 0) {
    count(data, 1, all);
    return all;
  }
  const int64_t step = loop.strides[0][loop.rank - 1];
  std::atomic<int64_t> nan{0}, positive{0}, negative{0}, zero{0};
  for_rows<1>(loop, [&](const int64_t* offset, int64_t first, int64_t n) {
    Specials found;
    const T* from = data + offset[0] + first * step;
    if (step == 1) {
      count(from, n, found);
    } else {
      for (int64_t i = 0; i < n; ++i) count(from + i * step, 1, found);
    }
    nan += found.nan;
    positive += found.positive;
    negative += found.negative;
    zero += found.zero;
  });
  return {nan, positive, negative, zero};
}

template Specials specials_of<float>(const ProductOperand&);
template Specials specials_of<double>(const ProductOperand&);

bool may_be_nan(Semiring s, const Specials& a, const Specials& b) {
  if (a.nan || b.nan) return true;
  if (adds(s)) return (a.positive && b.negative) || (a.negative && b.positive);
  return ((a.positive || a.negative) && b.zero) || (a.zero && (b.positive || b.negative));
}

}  // namespace gyre
