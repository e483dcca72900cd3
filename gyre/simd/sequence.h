#pragma once
#include <stddef.h>

// Index packs without the standard library, for kernel objects.

namespace gyre {

template <size_t... I>
struct Sequence {};

/// An index as a value that a generic lambda can read at compile time.
template <size_t I>
struct Place {
  static constexpr size_t value = I;
};

namespace detail {
template <class T, T... I>
struct AsSequence {
  using Type = Sequence<I...>;
};
template <size_t N>
struct SequenceOf {
#if defined(__clang__)
  using Type = typename __make_integer_seq<AsSequence, size_t, N>::Type;
#else
  using Type = typename AsSequence<size_t, __integer_pack(N)...>::Type;
#endif
};
}  // namespace detail

/// Sequence<0, 1, ..., N - 1>.
template <size_t N>
using MakeSequence = typename detail::SequenceOf<N>::Type;

}  // namespace gyre
