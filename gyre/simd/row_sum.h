#pragma once

namespace gyre {

/// What finish() of an exact row body gets for a sum: `hi` is the sum, `lo` what rounding took from
/// it. Derivatives go by `hi`.
template <class V, class L = V>
struct RowSum {
  V hi;
  L lo;
};
template <class V, class L>
RowSum(V, L) -> RowSum<V, L>;

}  // namespace gyre
