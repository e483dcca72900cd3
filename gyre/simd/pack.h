#pragma once
#include "gyre/simd/dual.h"

#if defined(__CUDACC__)
#define GYRE_PACK_FN __host__ __device__ __forceinline__
#else
#define GYRE_PACK_FN __attribute__((always_inline)) inline
#endif

namespace gyre {

/// N values of a body's type, indexable at compile time and in loops; N may be 0.
template <class V, int N>
struct Pack {
  static constexpr int size = N;
  V e[N > 0 ? N : 1];
};

namespace detail {
template <class A, class...>
struct Common {
  using Type = A;
};
template <class A, class B, class... Rest>
struct Common<A, B, Rest...> : Common<A, Rest...> {};
template <class A, class... Rest>
struct Common<A, Dual<A>, Rest...> {
  using Type = Dual<A>;
};
}  // namespace detail

/// Results of a body: all unchanged, or all Dual when one is.
template <class... R>
GYRE_PACK_FN Pack<typename detail::Common<R...>::Type, int(sizeof...(R))> pack(R... r) {
  return {{typename detail::Common<R...>::Type(r)...}};
}

}  // namespace gyre
