#pragma once
#include "gyre/simd/vec.h"

// Folds of the reductions (see kernel/reduction_tile.h). Sums and products of floats gather in
// double, so that their error does not grow with the number of elements; those of integers in 64
// bits.

namespace gyre {
namespace {

template <class T>
struct SumAcc {
  using Type = double;
};
template <>
struct SumAcc<int32_t> {
  using Type = int64_t;
};
template <>
struct SumAcc<int64_t> {
  using Type = int64_t;
};

struct SumFold {
  static constexpr bool has_identity = true;
  template <class T>
  struct Of {
    using Acc = typename SumAcc<T>::Type;
    static GYRE_INLINE Acc clear() { return Acc(0); }
    template <class V>
    static GYRE_INLINE V step(V a, V x) {
      return a + x;
    }
    template <class V>
    static GYRE_INLINE V join(V a, V b) {
      return a + b;
    }
    static GYRE_INLINE Acc finish(Acc a, double) { return a; }
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
  struct Of {
    using Acc = typename SumAcc<T>::Type;
    static GYRE_INLINE Acc clear() { return Acc(1); }
    template <class V>
    static GYRE_INLINE V step(V a, V x) {
      return a * x;
    }
    template <class V>
    static GYRE_INLINE V join(V a, V b) {
      return a * b;
    }
    static GYRE_INLINE Acc finish(Acc a, double) { return a; }
  };
};

// Nonzero counts as true, NaN included.
struct AnyFold {
  static constexpr bool has_identity = true, is_truth = true;
  template <class T>
  struct Of {
    using Acc = T;
    static GYRE_INLINE T clear() { return T(0); }
    template <class V>
    static GYRE_INLINE V step(V a, V x) {
      return select(x != V(0.0), V(1.0), a);
    }
    template <class V>
    static GYRE_INLINE V join(V a, V b) {
      return step(a, b);
    }
    static GYRE_INLINE T finish(T a, double) { return a; }
  };
};

struct AllFold {
  static constexpr bool has_identity = true, is_truth = true;
  template <class T>
  struct Of {
    using Acc = T;
    static GYRE_INLINE T clear() { return T(1); }
    template <class V>
    static GYRE_INLINE V step(V a, V x) {
      return select(x == V(0.0), V(0.0), a);
    }
    template <class V>
    static GYRE_INLINE V join(V a, V b) {
      return step(a, b);
    }
    static GYRE_INLINE T finish(T a, double) { return a; }
  };
};

// NaN propagates.
struct MaxFold {
  static constexpr bool has_identity = false;
  template <class T>
  struct Of {
    using Acc = T;
    static GYRE_INLINE T clear() {
      if constexpr (kIsFloat<T>) {
        return T(-__builtin_inf());
      } else {
        return T(T(1) << (sizeof(T) * 8 - 1));
      }
    }
    template <class V>
    static GYRE_INLINE V step(V a, V x) {
      return max(a, x);
    }
    template <class V>
    static GYRE_INLINE V join(V a, V b) {
      return max(a, b);
    }
    static GYRE_INLINE T finish(T a, double) { return a; }
  };
};

struct MinFold {
  static constexpr bool has_identity = false;
  template <class T>
  struct Of {
    using Acc = T;
    static GYRE_INLINE T clear() {
      if constexpr (kIsFloat<T>) {
        return T(__builtin_inf());
      } else {
        return T(~(T(1) << (sizeof(T) * 8 - 1)));
      }
    }
    template <class V>
    static GYRE_INLINE V step(V a, V x) {
      return min(a, x);
    }
    template <class V>
    static GYRE_INLINE V join(V a, V b) {
      return min(a, b);
    }
    static GYRE_INLINE T finish(T a, double) { return a; }
  };
};

}  // namespace
}  // namespace gyre
