#pragma once
#include <cmath>
#include <vector>

// 113-bit numbers (__float128) with derivatives by five variables (forward mode), for the reference
// values of hyperbolic_tests. Functions by series and Newton's method, so that no library is
// needed.

namespace gyre::oracle {

__extension__ typedef __float128 Quad;

inline Quad abs(Quad x) { return x < 0 ? -x : x; }
inline Quad sqrt(Quad x) {
  if (x <= 0) return 0;
  Quad y = std::sqrt(static_cast<double>(x));
  for (int i = 0; i < 2; ++i) y = (y + x / y) / 2;
  return y;
}
inline Quad exp(Quad x) {
  Quad r = x / 1024, y = 1;
  for (int n = 14; n > 0; --n) y = 1 + y * r / n;
  for (int i = 0; i < 10; ++i) y *= y;
  return y;
}
inline Quad log(Quad x) {
  Quad y = std::log(static_cast<double>(x));
  for (int i = 0; i < 2; ++i) {
    Quad e = exp(y);
    y += 2 * (x - e) / (x + e);
  }
  return y;
}

/// A value and its partial derivatives.
struct Jet {
  static constexpr int kVariables = 5;
  Quad v = 0, d[kVariables] = {};
  Jet() = default;
  Jet(Quad value) : v(value) {}
  Jet(double value) : v(value) {}
  Jet(int value) : v(value) {}
  /// Variable i.
  Jet(Quad value, int i) : v(value) { d[i] = 1; }
  /// f(x) with derivative `slope`.
  Jet(Quad value, Quad slope, const Jet& x) : v(value) {
    for (int i = 0; i < kVariables; ++i) d[i] = slope * x.d[i];
  }
};
inline Jet operator+(Jet a, const Jet& b) {
  a.v += b.v;
  for (int i = 0; i < Jet::kVariables; ++i) a.d[i] += b.d[i];
  return a;
}
inline Jet operator-(const Jet& a) { return Jet(-a.v, -1, a); }
inline Jet operator-(const Jet& a, const Jet& b) { return a + -b; }
inline Jet operator*(const Jet& a, const Jet& b) { return Jet(a.v * b.v, b.v, a) + Jet(0, a.v, b); }
inline Jet operator/(const Jet& a, const Jet& b) {
  return Jet(a.v / b.v, 1 / b.v, a) - Jet(0, a.v / b.v / b.v, b);
}
inline Jet sqrt(const Jet& x) {
  Quad s = sqrt(x.v);
  return Jet(s, s > 0 ? 1 / (2 * s) : Quad(0), x);
}
inline Jet log(const Jet& x) { return Jet(log(x.v), 1 / x.v, x); }
inline Jet artanh(const Jet& x) {
  return Jet(log((1 + x.v) / (1 - x.v)) / 2, 1 / ((1 - x.v) * (1 + x.v)), x);
}
inline Jet tanh(const Jet& x) {
  Quad e = exp(-2 * x.v), s = 4 * e / ((1 + e) * (1 + e));
  return Jet((1 - e) / (1 + e), s, x);
}
inline Jet arcosh(const Jet& x) {
  Quad s = sqrt((x.v - 1) * (x.v + 1));
  return Jet(log(x.v + s), 1 / s, x);
}
inline Jet sinh(const Jet& x) {
  Quad e = exp(x.v);
  return Jet((e - 1 / e) / 2, (e + 1 / e) / 2, x);
}
inline Jet cosh(const Jet& x) {
  Quad e = exp(x.v);
  return Jet((e + 1 / e) / 2, (e - 1 / e) / 2, x);
}

using Vector = std::vector<Quad>;
inline Quad dot(const Vector& a, const Vector& b) {
  Quad s = 0;
  for (size_t i = 0; i < a.size(); ++i) s += a[i] * b[i];
  return s;
}
inline Vector combined(Quad k, const Vector& a, Quad l, const Vector& b) {
  Vector r(a.size());
  for (size_t i = 0; i < a.size(); ++i) r[i] = k * a[i] + l * b[i];
  return r;
}
/// Tolerance of results that are 0, in 113 bits.
constexpr double kNothing = 1e-25;

/// |a - b| / |b|.
inline double relative_error(const Vector& a, const Vector& b) {
  Vector e = combined(1, a, -1, b);
  Quad size = dot(b, b), error = dot(e, e);
  if (error != error) return INFINITY;
  if (error <= kNothing * kNothing) return 0;
  return static_cast<double>(sqrt(error / size));
}

}  // namespace gyre::oracle
