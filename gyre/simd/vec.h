#pragma once
// Vec<T, W>: W lanes of T with the operators a body is written in; Mask<T, W>: W truth values.
#include "gyre/simd/primitives.h"

namespace gyre {
namespace {

/// Lanes of the native vector of this instruction set.
template <class T>
inline constexpr int kWidth = GYRE_RAW_SCALAR ? 1 : GYRE_VBYTES / int(sizeof(T));

template <class T, int W = kWidth<T>>
struct Vec;

/// Truth values of W lanes of T. Results of comparisons, operands of select.
template <class T, int W = kWidth<T>>
struct Mask {
  using I = typename IntOf<T>::type;
  using R = RawOf<I, W>;
  R v;

  GYRE_INLINE bool operator[](int i) const { return raw_get<I, W>(v, i) != 0; }
  friend GYRE_INLINE Mask operator&(Mask a, Mask b) { return {a.v & b.v}; }
  friend GYRE_INLINE Mask operator|(Mask a, Mask b) { return {a.v | b.v}; }
  friend GYRE_INLINE Mask operator^(Mask a, Mask b) { return {a.v ^ b.v}; }
  friend GYRE_INLINE Mask operator!(Mask a) { return {~a.v}; }
  friend GYRE_INLINE bool any(Mask a) { return raw_any<I, W>(a.v); }
  friend GYRE_INLINE bool all(Mask a) { return !raw_any<I, W>(~a.v); }
  friend GYRE_INLINE Vec<T, W> select(Mask m, double a, double b) {
    return select(m, Vec<T, W>(a), Vec<T, W>(b));
  }
};

/// W lanes of T (float, double, int32_t, int64_t, uint64_t). A double literal becomes a splat.
/// Integers wrap; shifts of signed ones are arithmetic to the right.
template <class T_, int W>
struct Vec {
  using T = T_;
  using R = RawOf<T, W>;
  using I = typename IntOf<T>::type;
  using RI = RawOf<I, W>;
  using RU = RawOf<typename IntOf<T>::unsigned_type, W>;
  using M = Mask<T, W>;
  static constexpr int width = W;

  R v;

  Vec() = default;
  GYRE_INLINE Vec(double c) : v(raw_splat<T, W>(T(c))) {}
  static GYRE_INLINE Vec of(T c) { return from(raw_splat<T, W>(c)); }
  static GYRE_INLINE Vec from(R r) {
    Vec x;
    x.v = r;
    return x;
  }
  /// Any alignment.
  static GYRE_INLINE Vec load(const T* p) {
    Vec r;
    __builtin_memcpy(&r.v, p, sizeof(R));
    return r;
  }
  GYRE_INLINE void store(T* p) const { __builtin_memcpy(p, &v, sizeof(R)); }
  /// Non-temporal; p is a multiple of the vector's size.
  GYRE_INLINE void store_past_caches(T* p) const { raw_store_past_caches<T, W>(v, p); }
  GYRE_INLINE T operator[](int i) const { return raw_get<T, W>(v, i); }
  GYRE_INLINE void set(int i, T x) { raw_set<T, W>(v, i, x); }
  /// The lane of a one-lane vector.
  GYRE_INLINE T only() const {
    static_assert(W == 1);
    return (*this)[0];
  }

  friend GYRE_INLINE Vec operator+(Vec a, Vec b) { return from(a.v + b.v); }
  friend GYRE_INLINE Vec operator-(Vec a, Vec b) { return from(a.v - b.v); }
  friend GYRE_INLINE Vec operator*(Vec a, Vec b) { return from(a.v * b.v); }
  friend GYRE_INLINE Vec operator/(Vec a, Vec b)
    requires kIsFloat<T>
  {
    return from(a.v / b.v);
  }
  friend GYRE_INLINE Vec operator-(Vec a) { return from(-a.v); }

  friend GYRE_INLINE M operator<(Vec a, Vec b) { return {raw_mask<RI>(a.v < b.v)}; }
  friend GYRE_INLINE M operator<=(Vec a, Vec b) { return {raw_mask<RI>(a.v <= b.v)}; }
  friend GYRE_INLINE M operator>(Vec a, Vec b) { return {raw_mask<RI>(a.v > b.v)}; }
  friend GYRE_INLINE M operator>=(Vec a, Vec b) { return {raw_mask<RI>(a.v >= b.v)}; }
  friend GYRE_INLINE M operator==(Vec a, Vec b) { return {raw_mask<RI>(a.v == b.v)}; }
  friend GYRE_INLINE M operator!=(Vec a, Vec b) { return {raw_mask<RI>(a.v != b.v)}; }
  friend GYRE_INLINE Vec select(M m, Vec a, Vec b) { return from(m.v ? a.v : b.v); }

  /// The larger operand; propagates NaN.
  friend GYRE_INLINE Vec max(Vec a, Vec b) {
    if constexpr (kIsFloat<T>)
      return select(a != a, a, from(raw_max<T, W>(a.v, b.v)));
    else
      return select(a > b, a, b);
  }
  /// The smaller operand; propagates NaN.
  friend GYRE_INLINE Vec min(Vec a, Vec b) {
    if constexpr (kIsFloat<T>)
      return select(a != a, a, from(raw_min<T, W>(a.v, b.v)));
    else
      return select(a < b, a, b);
  }

  /// a * b + c, rounded once if the instruction set has fma (x86-64-v2 does not).
  friend GYRE_INLINE Vec fma(Vec a, Vec b, Vec c) {
    if constexpr (kIsFloat<T>)
      return from(raw_fma<T, W>(a.v, b.v, c.v));
    else
      return a * b + c;
  }
  friend GYRE_INLINE Vec abs(Vec x) {
    if constexpr (kIsFloat<T>)
      return from(raw_abs<T, W>(x.v));
    else if constexpr (kIsUnsigned<T>)
      return x;
    else
      return select(x < Vec::of(0), -x, x);
  }
  /// -1, 0 or 1; sign(NaN) is NaN.
  friend GYRE_INLINE Vec sign(Vec x) {
    if constexpr (kIsUnsigned<T>) return select(x > Vec(0.0), Vec(1.0), Vec(0.0));
    Vec s = select(x > Vec(0.0), Vec(1.0), select(x < Vec(0.0), Vec(-1.0), Vec(0.0)));
    if constexpr (kIsFloat<T>)
      return select(x != x, x, s);
    else
      return s;
  }
  friend GYRE_INLINE Vec sqrt(Vec x)
    requires kIsFloat<T>
  {
    return from(raw_sqrt<T, W>(x.v));
  }
  friend GYRE_INLINE Vec floor(Vec x) {
    if constexpr (kIsFloat<T>)
      return from(raw_floor<T, W>(x.v));
    else
      return x;
  }
  friend GYRE_INLINE Vec ceil(Vec x) {
    if constexpr (kIsFloat<T>)
      return -floor(-x);
    else
      return x;
  }
  /// To the nearest integer, ties to even.
  friend GYRE_INLINE Vec round(Vec x) {
    if constexpr (kIsFloat<T>)
      return from(raw_round<T, W>(x.v));
    else
      return x;
  }
  friend GYRE_INLINE Vec trunc(Vec x) {
    if constexpr (kIsFloat<T>)
      return copysign(floor(abs(x)), x);
    else
      return x;
  }
  /// IEEE power.
  friend GYRE_INLINE Vec pow(Vec x, Vec y)
    requires kIsFloat<T>
  {
    return pow_of(x, y);
  }
  friend GYRE_INLINE Vec copysign(Vec magnitude, Vec sign)
    requires kIsFloat<T>
  {
    const RI top = bits(Vec(-0.0));
    return from_bits((bits(magnitude) & ~top) | (bits(sign) & top));
  }

  friend GYRE_INLINE RI bits(Vec x) { return bit_cast<RI>(x.v); }
  static GYRE_INLINE Vec from_bits(RI b) { return from(bit_cast<R>(b)); }

#define GYRE_INTEGER_OPERATOR(op, Right, raw)        \
  friend GYRE_INLINE Vec operator op(Vec a, Right b) \
    requires(!kIsFloat<T>)                           \
  {                                                  \
    return from(a.v op raw);                         \
  }
  GYRE_INTEGER_OPERATOR(&, Vec, b.v)
  GYRE_INTEGER_OPERATOR(|, Vec, b.v)
  GYRE_INTEGER_OPERATOR(^, Vec, b.v)
  GYRE_INTEGER_OPERATOR(<<, int, b)
  GYRE_INTEGER_OPERATOR(>>, int, b)
#undef GYRE_INTEGER_OPERATOR
  friend GYRE_INLINE Vec operator~(Vec a)
    requires(!kIsFloat<T>)
  {
    return from(~a.v);
  }
  /// Shift by a count per lane; counts below 0 or beyond the width leave only copies of the
  /// sign, which unsigned integers lack: 0.
  friend GYRE_INLINE Vec shift_left(Vec a, Vec n)
    requires(!kIsFloat<T>)
  {
    const Vec most = Vec::of(8 * sizeof(T) - 1);
    auto inside = (n >= Vec::of(0)) & (n <= most);
    return select(inside, from(a.v << (n.v & most.v)), Vec::of(0));
  }
  friend GYRE_INLINE Vec shift_right(Vec a, Vec n)
    requires(!kIsFloat<T>)
  {
    const Vec most = Vec::of(8 * sizeof(T) - 1);
    auto inside = (n >= Vec::of(0)) & (n <= most);
    if constexpr (kIsUnsigned<T>)
      return select(inside, from(a.v >> (n.v & most.v)), Vec::of(0));
    else
      return from(a.v >> select(inside, n, most).v);
  }
};

/// Lane by lane to element type U; float to integer truncates.
template <class U, class T, int W>
GYRE_INLINE Vec<U, W> convert(Vec<T, W> x) {
  return Vec<U, W>::from(raw_convert<U, W>(x.v));
}

/// f evaluated in double for float vectors of any width, in native halves.
template <int W, class F, class... V>
GYRE_INLINE Vec<float, W> in_double(F f, V... x) {
  if constexpr (W == 1) {
    return convert<float>(f(convert<double>(x)...));
  } else {
#if !GYRE_RAW_SCALAR
    using H = Vec<float, W / 2>;
    H a = convert<float>(f(convert<double>(H::from(raw_half<float, W, false>(x.v)))...));
    H b = convert<float>(f(convert<double>(H::from(raw_half<float, W, true>(x.v)))...));
    return Vec<float, W>::from(raw_join<float, W / 2>(a.v, b.v));
#endif
  }
}

/// The sum of all lanes, halves first.
template <class T, int W>
GYRE_INLINE T sum_of_lanes(Vec<T, W> x) {
#if !GYRE_RAW_SCALAR
  if constexpr (W > 1) {
    using H = Vec<T, W / 2>;
    return sum_of_lanes(H::from(raw_half<T, W, false>(x.v)) + H::from(raw_half<T, W, true>(x.v)));
  }
#endif
  return x[0];
}
/// Lane l: the sum of the lanes of v[l].
template <int step = 1, class T, int W>
GYRE_INLINE Vec<T, W> sums_of_lanes(const Vec<T, W>* v) {
  if constexpr (step < W) {
    auto a = sums_of_lanes<2 * step>(v).v, b = sums_of_lanes<2 * step>(v + step).v;
    return Vec<T, W>::from(raw_interleave<false>(a, b, MakeSequence<W>{}) +
                           raw_interleave<true>(a, b, MakeSequence<W>{}));
  } else {
    return v[0];
  }
}
/// Prefetches the cache line of an address; nothing on devices.
GYRE_INLINE void prefetch([[maybe_unused]] const void* p) {
#if !GYRE_RAW_SCALAR
  __builtin_prefetch(p);
#endif
}

/// step(part, i, count) over n elements: whole vectors of `width`, then, in a Place<1>, the rest.
template <int width, class F>
GYRE_INLINE void over(int64_t n, F step) {
  int64_t i = 0;
  for (; i + width <= n; i += width) step(Place<0>{}, i, int64_t(width));
  if (i < n) step(Place<1>{}, i, n - i);
}

/// The largest lane; no lane may be NaN.
template <class T, int W>
GYRE_INLINE T max_of_lanes(Vec<T, W> x) {
#if !GYRE_RAW_SCALAR
  if constexpr (W > 1) {
    using H = Vec<T, W / 2>;
    return max_of_lanes(
        H::from(raw_max<T, W / 2>(raw_half<T, W, false>(x.v), raw_half<T, W, true>(x.v))));
  }
#endif
  return x[0];
}

/// Horner's scheme in y over every step-th coefficient from c[I] on. Recursion, since -O2 does not
/// unroll long loops.
template <int I, int step, class V, int N>
GYRE_INLINE V horner(V p, V y, const double (&c)[N]) {
  if constexpr (I < N)
    return horner<I + step, step>(fma(p, y, V(c[I])), y, c);
  else
    return p;
}

/// c[0] x^(N-1) + ... + c[N-1] as a single Horner chain: up to an ulp better than poly, but slower.
template <class V, int N>
GYRE_INLINE V single_chain(V x, const double (&c)[N]) {
  return horner<1, 1>(V(c[0]), x, c);
}

/// c[0] x^(N-1) + ... + c[N-1]. Long polynomials use two or four chains in x^2 or x^4: the chain of
/// dependent operations limits the speed of a loop over them.
template <class V, int N>
GYRE_INLINE V poly(V x, const double (&c)[N]) {
  if constexpr (N < 5) {
    return horner<1, 1>(V(c[0]), x, c);
  } else if constexpr (N < 12) {
    constexpr int even = (N - 1) % 2, odd = 1 - even;  // first coefficient of each parity
    V y = x * x;
    return fma(horner<odd + 2, 2>(V(c[odd]), y, c), x, horner<even + 2, 2>(V(c[even]), y, c));
  } else {
    constexpr int k0 = (N - 1) % 4, k1 = (N - 2) % 4, k2 = (N - 3) % 4, k3 = (N - 4) % 4;
    V y = x * x, z = y * y;
    V low = fma(horner<k1 + 4, 4>(V(c[k1]), z, c), x, horner<k0 + 4, 4>(V(c[k0]), z, c));
    V high = fma(horner<k3 + 4, 4>(V(c[k3]), z, c), x, horner<k2 + 4, 4>(V(c[k2]), z, c));
    return fma(high, y, low);
  }
}

/// A polynomial of the precision of V: c32 for float, c64 for double.
template <class T, int W, int N, int M>
GYRE_INLINE Vec<T, W> poly(Vec<T, W> x, const double (&c32)[N], const double (&c64)[M]) {
  if constexpr (sizeof(T) == 4)
    return poly(x, c32);
  else
    return poly(x, c64);
}

}  // namespace
}  // namespace gyre
