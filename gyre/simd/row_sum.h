#pragma once

namespace gyre {

/// A sum passed to finish() of an exact row body: `hi` is the sum, `lo` its rounding error.
/// Derivatives are with respect to `hi`.
template <class V, class L = V>
struct RowSum {
  V hi;
  L lo;
};
template <class V, class L>
RowSum(V, L) -> RowSum<V, L>;

}  // namespace gyre
