#pragma once
namespace gyre {

/// N values of a body's type, indexable at compile time and by loop; N may be 0.
template <class V, int N>
struct Pack {
  V e[N > 0 ? N : 1];
};

}  // namespace gyre
