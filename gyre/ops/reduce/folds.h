#pragma once
#include "gyre/simd/vec.h"

// Folds of the reductions (see kernel/reduction_tile.h). Sums and products of floats gather in
// double, so that their error does not grow with the number of elements; those of integers in 64
// bits.

namespace gyre {
namespace {

template <class T, bool is_float = kIsFloat<T>>
struct SumAcc {
  using Type = double;
};
template <class T>
struct SumAcc<T, false> {
  using Type = int64_t;
};

/// The result is what has gathered.
template <class A>
struct Gathered {
  using Acc = A;
  static GYRE_INLINE A finish(A a, double) { return a; }
};

struct SumFold {
  static constexpr bool has_identity = true;
  template <class T>
  struct Of : Gathered<typename SumAcc<T>::Type> {
    using Acc = typename SumAcc<T>::Type;
    static GYRE_INLINE Acc clear() { return Acc(0); }
    static GYRE_INLINE auto step(auto a, auto x) { return a + x; }
  };
};

struct MeanFold {
  static constexpr bool has_identity = true;
  template <class T>
  struct Of : SumFold::Of<T> {
    using Acc = typename SumAcc<T>::Type;
    static GYRE_INLINE double finish(Acc a, double count) { return double(a) / count; }
  };
};

struct ProdFold {
  static constexpr bool has_identity = true;
  template <class T>
  struct Of : Gathered<typename SumAcc<T>::Type> {
    using Acc = typename SumAcc<T>::Type;
    static GYRE_INLINE Acc clear() { return Acc(1); }
    static GYRE_INLINE auto step(auto a, auto x) { return a * x; }
  };
};

// Nonzero counts as true, NaN included.
struct AnyFold {
  static constexpr bool has_identity = true, is_truth = true;
  template <class T>
  struct Of : Gathered<T> {
    static GYRE_INLINE T clear() { return T(0); }
    template <class V>
    static GYRE_INLINE V step(V a, V x) {
      return select(x != V(0.0), V(1.0), a);
    }
  };
};

struct AllFold {
  static constexpr bool has_identity = true, is_truth = true;
  template <class T>
  struct Of : Gathered<T> {
    static GYRE_INLINE T clear() { return T(1); }
    template <class V>
    static GYRE_INLINE V step(V a, V x) {
      return select(x == V(0.0), V(0.0), a);
    }
  };
};

// NaN propagates.
struct MaxFold {
  static constexpr bool has_identity = false, orders = true;
  template <class T>
  struct Of : Gathered<T> {
    static GYRE_INLINE T clear() {
      if constexpr (kIsFloat<T>) {
        return T(-__builtin_inf());
      } else {
        return kIsUnsigned<T> ? T(0) : T(uint64_t(1) << (sizeof(T) * 8 - 1));
      }
    }
    static GYRE_INLINE auto step(auto a, auto x) { return max(a, x); }
  };
};

struct MinFold {
  static constexpr bool has_identity = false, orders = true;
  template <class T>
  struct Of : Gathered<T> {
    static GYRE_INLINE T clear() {
      if constexpr (kIsFloat<T>) {
        return T(__builtin_inf());
      } else {
        return kIsUnsigned<T> ? T(-1) : T(~(uint64_t(1) << (sizeof(T) * 8 - 1)));
      }
    }
    static GYRE_INLINE auto step(auto a, auto x) { return min(a, x); }
  };
};

}  // namespace
}  // namespace gyre
