#pragma once
#include "gyre/op/tiles.h"
#include "gyre/simd/dual.h"

// Functions of sqrt(k) that are analytic in k, also at 0 and for k < 0, for every value type of a
// body: by their Taylor series near 0, where the quotient would cancel, else by functions of
// sqrt(k) or sqrt(-k).

namespace gyre {

/// Taylor coefficients, highest power first; enough for the derivative as well at |k| < kNear.
/// Returned by value, since device code cannot access namespace-scope arrays.
template <size_t n>
struct Series {
  double at[n];
};
inline constexpr double kNear = 0.0625;

/// Whether no lane of a mask is set; false for tensor masks, whose values are unknown.
GYRE_BODY bool nowhere(const auto& m) {
  if constexpr (requires { m.v; }) return !any(m);
  return false;
}

template <class U>
GYRE_BODY U plain(U x) {
  return x;
}
template <class V>
GYRE_BODY V plain(Dual<V> x) {
  return x.v;
}
/// a * b + c with an exact product even without fma, for c near -a * b.
GYRE_BODY auto fma_near(auto a, auto b, auto c) {
  auto r = fma(a, b, c);
  if constexpr (requires { fma_cancelling(plain(a), plain(b), plain(c)); }) {
    return r + (fma_cancelling(plain(a), plain(b), plain(c)) - plain(r));
  } else {
    return r;
  }
}

// Recursive, so that coefficients are compile-time constants.
template <size_t i, class U, size_t n>
GYRE_BODY U terms_from(U y, U k, const Series<n>& c) {
  if constexpr (i == n) {
    return y;
  } else {
    return terms_from<i + 1>(fma(y, k, c.at[i]), k, c);
  }
}
template <class U, size_t n>
GYRE_BODY U power_series(U k, const Series<n>& c) {
  return terms_from<2>(fma(k, c.at[0], c.at[1]), k, c);
}

template <size_t n>
GYRE_BODY constexpr Series<n - 1> slope(const Series<n>& c) {
  Series<n - 1> d{};
  for (size_t i = 0; i + 1 < n; ++i) d.at[i] = c.at[i] * double(n - 1 - i);
  return d;
}

/// F::above(sqrt(k)) for k > 0, F::below(sqrt(-k)) for k < 0, the Taylor series near 0.
template <class F, class U>
GYRE_BODY U by_root(U k) {
  auto up = k >= kNear;
  auto down = k <= -kNear;
  U y = power_series(select(up, 0.0, select(down, 0.0, k)), F::series());
  if (!nowhere(up)) y = select(up, F::above(sqrt(select(up, k, kNear))), y);
  if (!nowhere(down)) y = select(down, F::below(sqrt(select(down, -k, kNear))), y);
  return y;
}
// Not inlined: bodies and their derivatives call these hundreds of times. Const functions of
// registers, so that the compiler can merge equal calls.
#if defined(__CUDACC__)
#define GYRE_ROOT_FN GYRE_BODY
#else
#define GYRE_ROOT_FN __attribute__((noinline, const))
#endif
template <class F, class U>
GYRE_ROOT_FN typename U::R lanes_by_root(typename U::R k) {
  return by_root<F>(U::from(k)).v;
}
template <class F, class U>
GYRE_BODY U of_root(U k) {
  if constexpr (requires { U::width; }) {
    return U::from(lanes_by_root<F, U>(k.v));
  } else {
    return by_root<F>(k);
  }
}
/// The derivative with respect to k, from F's value y and the derivative g of F's function at
/// sqrt(k).
template <class F, class U, class Y, class G>
GYRE_BODY auto slope_by_root(U k, Y y, G g) {
  auto near = abs(k) < kNear;
  auto beside = power_series(select(near, k, 0.0), slope(F::series()));
  return select(near, beside, 0.5 * (g - y) / select(near, 1.0, k));
}
template <class F, class U>
GYRE_ROOT_FN typename U::R lanes_slope_by_root(typename U::R k, typename U::R y) {
  return slope_by_root<F>(U::from(k), U::from(y), F::slope(U::from(k))).v;
}
template <class F, class V>
GYRE_BODY Dual<V> of_root(Dual<V> k) {
  V y = of_root<F>(k.v);
  if constexpr (requires { V::width; }) {
    return {y, k.d * V::from(lanes_slope_by_root<F, V>(k.v.v, y.v))};
  } else {
    return {y, k.d * slope_by_root<F>(k.v, y, F::slope(k.v))};
  }
}
#undef GYRE_ROOT_FN

struct SinhOverRoot {
  static GYRE_BODY constexpr Series<9> series() {
    return {{2.8114572543455206e-15, 7.647163731819816e-13, 1.6059043836821613e-10,
             2.505210838544172e-08, 2.7557319223985893e-06, 0.0001984126984126984,
             0.008333333333333333, 0.16666666666666666, 1.0}};
  }
  template <class U>
  static GYRE_BODY U above(U r) {
    return sinh(r) / r;
  }
  template <class U>
  static GYRE_BODY U below(U r) {
    return sin(r) / r;
  }
  template <class U>
  static GYRE_BODY U slope(U k);
};
struct AsinhOverRoot {
  static GYRE_BODY constexpr Series<17> series() {
    return {{0.004240907093679363, -0.004660143486915096, 0.005153309682319905,
             -0.005740037670841924, 0.006447210311889649, -0.0073125258735988454,
             0.008390335809616815, -0.009761609529194078, 0.011551800896139705, -0.01396484375,
             0.017352764423076924, -0.022372159090909092, 0.030381944444444444,
             -0.044642857142857144, 0.075, -0.16666666666666666, 1.0}};
  }
  template <class U>
  static GYRE_BODY U above(U r) {
    return log(r + sqrt(1.0 + r * r)) / r;
  }
  /// k < -1 occurs by rounding only, at the antipode, where the slope is defined as 0.
  template <class U>
  static GYRE_BODY U below(U r) {
    return asin(select(r >= 1.0, 1.0, r)) / r;
  }
  template <class U>
  static GYRE_BODY U slope(U k) {
    auto end = k <= -1.0;
    return select(end, 0.0, 1.0 / sqrt(1.0 + select(end, 0.0, k)));
  }
};
struct TanhOverRoot {
  static GYRE_BODY constexpr Series<14> series() {
    return {{-6.451689215655431e-06, 1.5918905069328964e-05, -3.927832388331683e-05,
             9.691537956929451e-05, -0.00023912911424355248, 0.000590027440945586,
             -0.0014558343870513183, 0.003592128036572481, -0.008863235529902197,
             0.021869488536155203, -0.05396825396825397, 0.13333333333333333, -0.3333333333333333,
             1.0}};
  }
  template <class U>
  static GYRE_BODY U above(U r) {
    U e = exp(-2.0 * r);
    return (1.0 - e) / ((1.0 + e) * r);
  }
  template <class U>
  static GYRE_BODY U below(U r) {
    return tan(r) / r;
  }
  template <class U>
  static GYRE_BODY U slope(U k);
};

/// sinh(sqrt k) / sqrt k.
template <class U>
GYRE_BODY U sinhc(U k) {
  return of_root<SinhOverRoot>(k);
}
/// asinh(sqrt k) / sqrt k.
template <class U>
GYRE_BODY U asinhc(U k) {
  return of_root<AsinhOverRoot>(k);
}
/// tanh(sqrt k) / sqrt k.
template <class U>
GYRE_BODY U tanhc(U k) {
  return of_root<TanhOverRoot>(k);
}
/// 1 / cosh^2(sqrt k), accurate even where tanh rounds to 1.
template <class U>
GYRE_BODY U sech2(U k) {
  U t = tanhc(k), y = 1.0 - k * t * t;
  auto up = k >= kNear;
  if (nowhere(up)) return y;
  U e = exp(-2.0 * sqrt(select(up, k, 1.0))), w = 1.0 + e;
  return select(up, 4.0 * e / (w * w), y);
}
/// cosh(sqrt k).
template <class U>
GYRE_BODY U cosh_root(U k) {
  U s = sinhc(0.25 * k);
  return 1.0 + 0.5 * k * s * s;
}
template <class U>
GYRE_BODY U SinhOverRoot::slope(U k) {
  return cosh_root(k);
}
template <class U>
GYRE_BODY U TanhOverRoot::slope(U k) {
  return sech2(k);
}
/// The square root of a square; its derivative at 0 is defined as 0.
template <class U>
GYRE_BODY U root(U k) {
  auto above = k != 0.0;
  return select(above, sqrt(select(above, k, 1.0)), 0.0);
}

}  // namespace gyre
