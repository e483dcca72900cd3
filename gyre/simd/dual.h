#pragma once
// Dual numbers: a value and its derivative, for bodies written as templates (forward mode, first
// order). V is any value type with operators, double literals, comparisons, select and functions
// found by argument-dependent lookup: Vec, Tensor, Sym. Nothing here depends on which.

#if defined(__CUDACC__)
#define GYRE_DUAL_MEMBER __host__ __device__ __forceinline__
#else
#define GYRE_DUAL_MEMBER __attribute__((always_inline)) inline
#endif
#define GYRE_DUAL_FN GYRE_DUAL_MEMBER friend

namespace gyre {

namespace detail {
template <class V>
struct LogisticPair {
  V at, opposite;
};
template <class V>
struct NormalPair {
  V cdf, density;
};
}  // namespace detail

/// sigmoid at x and at -x, for value types without a faster way to compute both.
template <class V>
GYRE_DUAL_MEMBER detail::LogisticPair<V> logistic_pair(V x) {
  return {sigmoid(x), sigmoid(-x)};
}
/// The normal distribution function and its density (0 beyond 1e4, so that their products with x
/// stay finite), likewise.
template <class V>
GYRE_DUAL_MEMBER detail::NormalPair<V> normal_pair(V x) {
  V h = max(V(-1e4), min(V(1e4), x));
  return {normal_cdf(x), 0.3989422804014327 * exp(-0.5 * (h * h))};
}

/// An active argument. Inactive ones stay plain V, so that infinities do not meet zero derivatives.
template <class V>
struct Dual {
  V v;  ///< value
  V d;  ///< derivative with respect to the active argument

  Dual() = default;
  GYRE_DUAL_MEMBER Dual(V value, V derivative) : v(value), d(derivative) {}
  GYRE_DUAL_MEMBER explicit Dual(V constant) : v(constant), d(0.0) {}
  GYRE_DUAL_MEMBER explicit Dual(double constant) : v(constant), d(0.0) {}

  GYRE_DUAL_FN Dual operator+(Dual a, Dual b) { return {a.v + b.v, a.d + b.d}; }
  GYRE_DUAL_FN Dual operator+(Dual a, V b) { return {a.v + b, a.d}; }
  GYRE_DUAL_FN Dual operator+(V a, Dual b) { return {a + b.v, b.d}; }
  GYRE_DUAL_FN Dual operator-(Dual a, Dual b) { return {a.v - b.v, a.d - b.d}; }
  GYRE_DUAL_FN Dual operator-(Dual a, V b) { return {a.v - b, a.d}; }
  GYRE_DUAL_FN Dual operator-(V a, Dual b) { return {a - b.v, -b.d}; }
  GYRE_DUAL_FN Dual operator-(Dual a) { return {-a.v, -a.d}; }
  GYRE_DUAL_FN Dual operator*(Dual a, Dual b) { return {a.v * b.v, fma(a.d, b.v, a.v * b.d)}; }
  GYRE_DUAL_FN Dual operator*(Dual a, V b) { return {a.v * b, a.d * b}; }
  GYRE_DUAL_FN Dual operator*(V a, Dual b) { return {a * b.v, a * b.d}; }
  GYRE_DUAL_FN Dual operator/(Dual a, Dual b) {
    V q = a.v / b.v;
    return {q, (a.d - q * b.d) / b.v};
  }
  GYRE_DUAL_FN Dual operator/(Dual a, V b) { return {a.v / b, a.d / b}; }
  GYRE_DUAL_FN Dual operator/(V a, Dual b) {
    V q = a / b.v;
    return {q, -(q * b.d) / b.v};
  }

#define GYRE_DUAL_COMPARE(op)                                          \
  GYRE_DUAL_FN auto operator op(Dual a, Dual b) { return a.v op b.v; } \
  GYRE_DUAL_FN auto operator op(Dual a, V b) { return a.v op b; }      \
  GYRE_DUAL_FN auto operator op(V a, Dual b) { return a op b.v; }
  GYRE_DUAL_COMPARE(<)
  GYRE_DUAL_COMPARE(<=)
  GYRE_DUAL_COMPARE(>)
  GYRE_DUAL_COMPARE(>=)
  GYRE_DUAL_COMPARE(==)
  GYRE_DUAL_COMPARE(!=)
#undef GYRE_DUAL_COMPARE

  template <class M>
  GYRE_DUAL_FN Dual select(M m, Dual a, Dual b) {
    return {select(m, a.v, b.v), select(m, a.d, b.d)};
  }
  template <class M>
  GYRE_DUAL_FN Dual select(M m, Dual a, V b) {
    return {select(m, a.v, b), select(m, a.d, V(0.0))};
  }
  template <class M>
  GYRE_DUAL_FN Dual select(M m, V a, Dual b) {
    return {select(m, a, b.v), select(m, V(0.0), b.d)};
  }

  GYRE_DUAL_FN Dual fma(Dual a, Dual b, Dual c) {
    return {fma(a.v, b.v, c.v), fma(a.d, b.v, fma(a.v, b.d, c.d))};
  }
  GYRE_DUAL_FN Dual fma(Dual a, Dual b, V c) {
    return {fma(a.v, b.v, c), fma(a.d, b.v, a.v * b.d)};
  }
  GYRE_DUAL_FN Dual fma(Dual a, V b, Dual c) { return {fma(a.v, b, c.v), fma(a.d, b, c.d)}; }
  GYRE_DUAL_FN Dual fma(V a, Dual b, Dual c) { return {fma(a, b.v, c.v), fma(a, b.d, c.d)}; }
  GYRE_DUAL_FN Dual fma(Dual a, V b, V c) { return {fma(a.v, b, c), a.d * b}; }
  GYRE_DUAL_FN Dual fma(V a, Dual b, V c) { return {fma(a, b.v, c), a * b.d}; }
  GYRE_DUAL_FN Dual fma(V a, V b, Dual c) { return {fma(a, b, c.v), c.d}; }

  // Ties share the derivative equally.
  GYRE_DUAL_FN Dual max(Dual a, Dual b) {
    return {max(a.v, b.v), select(a.v > b.v, a.d, select(a.v < b.v, b.d, 0.5 * (a.d + b.d)))};
  }
  GYRE_DUAL_FN Dual max(Dual a, V b) {
    return {max(a.v, b), select(a.v > b, a.d, select(a.v < b, V(0.0), 0.5 * a.d))};
  }
  GYRE_DUAL_FN Dual max(V a, Dual b) { return max(b, a); }
  GYRE_DUAL_FN Dual min(Dual a, Dual b) {
    return {min(a.v, b.v), select(a.v < b.v, a.d, select(a.v > b.v, b.d, 0.5 * (a.d + b.d)))};
  }
  GYRE_DUAL_FN Dual min(Dual a, V b) {
    return {min(a.v, b), select(a.v < b, a.d, select(a.v > b, V(0.0), 0.5 * a.d))};
  }
  GYRE_DUAL_FN Dual min(V a, Dual b) { return min(b, a); }

  GYRE_DUAL_FN Dual abs(Dual x) { return {abs(x.v), x.d * sign(x.v)}; }
  // Piecewise constant, so their derivative is zero: plain values.
  GYRE_DUAL_FN V sign(Dual x) { return sign(x.v); }
  GYRE_DUAL_FN V floor(Dual x) { return floor(x.v); }
  GYRE_DUAL_FN V ceil(Dual x) { return ceil(x.v); }
  GYRE_DUAL_FN V round(Dual x) { return round(x.v); }
  GYRE_DUAL_FN V trunc(Dual x) { return trunc(x.v); }
  GYRE_DUAL_FN V floor_divide(Dual x, V y) { return floor_divide(x.v, y); }
  GYRE_DUAL_FN V floor_divide(V x, Dual y) { return floor_divide(x, y.v); }
  // x - n y with an integer n that is locally constant; x / y rounded may lie past it.
  GYRE_DUAL_FN Dual fmod(Dual x, V y) { return {fmod(x.v, y), x.d}; }
  GYRE_DUAL_FN Dual fmod(V x, Dual y) {
    V r = fmod(x, y.v);
    return {r, -(y.d * round((x - r) / y.v))};
  }

  GYRE_DUAL_FN Dual exp(Dual x) {
    V e = exp(x.v);
    return {e, x.d * e};
  }
  GYRE_DUAL_FN Dual exp2(Dual x) {
    V e = exp2(x.v);
    return {e, x.d * (e * 0.6931471805599453)};
  }
  // e^x recomputed: expm1(x) + 1 loses all digits far below zero.
  GYRE_DUAL_FN Dual expm1(Dual x) { return {expm1(x.v), x.d * exp(x.v)}; }
  GYRE_DUAL_FN Dual log(Dual x) { return {log(x.v), x.d / x.v}; }
  GYRE_DUAL_FN Dual log1p(Dual x) { return {log1p(x.v), x.d / (1.0 + x.v)}; }
  GYRE_DUAL_FN Dual log2(Dual x) { return {log2(x.v), x.d * 1.4426950408889634 / x.v}; }
  GYRE_DUAL_FN Dual sqrt(Dual x) {
    V s = sqrt(x.v);
    return {s, x.d / (s + s)};
  }
  GYRE_DUAL_FN Dual rsqrt(Dual x) {
    V r = rsqrt(x.v);
    return {r, x.d * (-0.5 * r / x.v)};
  }

  GYRE_DUAL_FN Dual sin(Dual x) { return {sin(x.v), x.d * cos(x.v)}; }
  GYRE_DUAL_FN Dual cos(Dual x) { return {cos(x.v), -(x.d * sin(x.v))}; }
  GYRE_DUAL_FN Dual tan(Dual x) {
    V t = tan(x.v);
    return {t, x.d * (1.0 + t * t)};
  }
  GYRE_DUAL_FN Dual asin(Dual x) { return {asin(x.v), x.d / sqrt((1.0 - x.v) * (1.0 + x.v))}; }
  GYRE_DUAL_FN Dual acos(Dual x) { return {acos(x.v), -(x.d / sqrt((1.0 - x.v) * (1.0 + x.v)))}; }
  GYRE_DUAL_FN Dual atan(Dual x) { return {atan(x.v), x.d / (1.0 + x.v * x.v)}; }
  GYRE_DUAL_FN Dual atan2(Dual y, V x) { return {atan2(y.v, x), y.d * over_square(x, y.v, x)}; }
  GYRE_DUAL_FN Dual atan2(V y, Dual x) { return {atan2(y, x.v), -(x.d * over_square(y, y, x.v))}; }
  GYRE_DUAL_FN Dual sinh(Dual x) { return {sinh(x.v), x.d * cosh(x.v)}; }
  GYRE_DUAL_FN Dual cosh(Dual x) { return {cosh(x.v), x.d * sinh(x.v)}; }
  GYRE_DUAL_FN Dual tanh(Dual x) {
    V t = tanh(x.v);
    return {t, x.d * ((1.0 - t) * (1.0 + t))};
  }
  // Square roots of x^2 +- 1 over x^2 or as two factors: x * x would overflow.
  GYRE_DUAL_FN Dual asinh(Dual x) {
    V a = max(abs(x.v), V(1.0)), b = min(abs(x.v), V(1.0)), c = 1.0 / a;
    return {asinh(x.v), x.d * c / sqrt(b * b + c * c)};
  }
  GYRE_DUAL_FN Dual acosh(Dual x) {
    return {acosh(x.v), x.d / (sqrt(x.v - 1.0) * sqrt(x.v + 1.0))};
  }
  GYRE_DUAL_FN Dual atanh(Dual x) { return {atanh(x.v), x.d / ((1.0 - x.v) * (1.0 + x.v))}; }

  GYRE_DUAL_FN Dual erf(Dual x) {
    return {erf(x.v), x.d * (1.1283791670955126 * exp(-(x.v * x.v)))};
  }
  GYRE_DUAL_FN Dual erfc(Dual x) {
    return {erfc(x.v), x.d * (-1.1283791670955126 * exp(-(x.v * x.v)))};
  }
  GYRE_DUAL_FN Dual erfinv(Dual x) {
    V y = erfinv(x.v);
    return {y, x.d * (0.8862269254527580 * exp(y * y))};
  }
  GYRE_DUAL_FN Dual lgamma(Dual x) { return {lgamma(x.v), x.d * digamma(x.v)}; }
  GYRE_DUAL_FN Dual digamma(Dual x) { return {digamma(x.v), x.d * zeta(V(2.0), x.v)}; }
  // No formula is known for the derivative by s: an argument that is not differentiable.
  GYRE_DUAL_FN V zeta(Dual s, V q) { return zeta(s.v, q); }
  GYRE_DUAL_FN Dual zeta(V s, Dual q) { return {zeta(s, q.v), -(q.d * (s * zeta(s + 1.0, q.v)))}; }
  // s(x) s(-x) is accurate on both sides, where s (1 - s) cancels above zero.
  GYRE_DUAL_FN Dual sigmoid(Dual x) {
    auto s = logistic_pair(x.v);
    return {s.at, x.d * (s.at * s.opposite)};
  }
  GYRE_DUAL_FN Dual softplus(Dual x) { return {softplus(x.v), x.d * sigmoid(x.v)}; }

  GYRE_DUAL_FN Dual silu(Dual x) {
    auto s = logistic_pair(x.v);
    return {silu(x.v), x.d * (s.at * (1.0 + x.v * s.opposite))};
  }
  GYRE_DUAL_FN Dual normal_cdf(Dual x) {
    auto n = normal_pair(x.v);
    return {n.cdf, x.d * n.density};
  }
  GYRE_DUAL_FN Dual gelu(Dual x) {
    auto n = normal_pair(x.v);
    return {gelu(x.v), x.d * (n.cdf + x.v * n.density)};
  }
  GYRE_DUAL_FN Dual gelu_tanh(Dual x) {
    // x s(u), u = 2 sqrt(2 / pi) (x + 0.044715 x^3); beyond 30 the slope is 0 or 1.
    V h = max(V(-30.0), min(V(30.0), x.v));
    V square = h * h, u = h * (1.5957691216057308 + 0.07135481627260025 * square);
    V slope = h * (1.5957691216057308 + 0.21406444881780075 * square);
    auto s = logistic_pair(u);
    return {gelu_tanh(x.v), x.d * (s.at * (1.0 + slope * s.opposite))};
  }

  // By the base: y x^(y-1), and 0 for y = 0 even at x = 0. By the exponent: x^y log(x), and 0 at
  // x = 0 where the power is finite there.
  GYRE_DUAL_FN Dual pow(Dual x, V y) { return {pow(x.v, y), x.d * by_base(x.v, y)}; }
  GYRE_DUAL_FN Dual pow(V x, Dual y) {
    V p = pow(x, y.v);
    return {p, y.d * by_exponent(x, y.v, p)};
  }
  GYRE_DUAL_FN Dual pow(Dual x, Dual y) {
    V p = pow(x.v, y.v);
    return {p, fma(x.d, by_base(x.v, y.v), y.d * by_exponent(x.v, y.v, p))};
  }

 private:
  // a / (x^2 + y^2) for a equal to x or y, without their squares; 0 at infinity
  static GYRE_DUAL_MEMBER V over_square(V a, V x, V y) {
    V most = max(abs(x), abs(y));
    auto none = most == 0.0, far = most == __builtin_inf();
    V scale = 1.0 / select(none, V(1.0), most), u = x * scale, v = y * scale;
    return select(far, V(0.0), a * scale / (u * u + v * v) * scale);
  }
  // 0 x^-1 stays in use, since its derivative by y is x^-1
  static GYRE_DUAL_MEMBER V by_base(V x, V y) {
    auto none = (y == 0.0) & ((x == 0.0) | (x != x));
    return select(none, V(0.0), y * pow(select(none, V(1.0), x), select(none, V(1.0), y) - 1.0));
  }
  static GYRE_DUAL_MEMBER V by_exponent(V x, V y, V p) {
    // At x = 0 the limit is 0 for y > 0 and -inf for y < 0, which p * -1 gives at y < 0.
    auto zero = x == 0.0;
    V slope = log(select(zero, V(1.0), x));
    return p * select(zero, select(y < 0.0, V(-1.0), V(0.0)), slope);
  }
};

}  // namespace gyre
