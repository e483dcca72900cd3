#pragma once
#include "gyre/kernel/strided.h"

namespace gyre {

/// out[p] = base[p + index[p] * step] for every position p of out; step in elements.
struct Lookup {
  StridedLoop loop;  ///< out, base, index
  int64_t step;
  /// `base` has out.shape, with stride 0 along the indexed axes; `index`, of i32 or i64, broadcasts
  /// to out.shape.
  Lookup(const View& base, int64_t step, const View& index, const View& out)
      : loop(out.shape, std::array{&out, &base, &index}), step(step) {}
};

/// Copies elements of any dtype; whole rows where the index is the same along the last axes. The
/// index was checked.
void look_up(const Lookup& lookup);

}  // namespace gyre
