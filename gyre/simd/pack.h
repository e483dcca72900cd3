#pragma once
#include "gyre/simd/dual.h"

namespace gyre {

/// N values of a body's type, indexable at compile time and by loop; N may be 0.
template <class V, int N>
struct Pack {
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

/// Results of a body: all as they are, or all Dual when one is.
template <class... R>
__attribute__((always_inline)) inline auto pack(R... r) {
  using V = typename detail::Common<R...>::Type;
  return Pack<V, int(sizeof...(R))>{{V(r)...}};
}

}  // namespace gyre
