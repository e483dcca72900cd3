// Error of every function of math.def in units in the last place, on every instruction set.
// f32: every GYRE_ULP_STRIDE-th bit pattern (1: all of them) against double; f64 and functions of
// two arguments: dense, random and special samples against the widest type of the C library.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "gyre/base/cpu.h"
#include "gyre/simd/math_table.h"

namespace gyre {
namespace {

#if defined(__GLIBC__) && defined(__x86_64__) && !defined(__clang__)
using Wide = _Float128;
#define GYRE_WIDE(f) f##f128
#else
using Wide = long double;
#define GYRE_WIDE(f) f##l
#endif

/// The functions used by the references of math.def, for double and Wide.
namespace reference {

#define GYRE_REFERENCE(f)               \
  double f(double x) { return ::f(x); } \
  Wide f(Wide x) { return ::GYRE_WIDE(f)(x); }
GYRE_REFERENCE(fabs)
GYRE_REFERENCE(floor)
GYRE_REFERENCE(ceil)
GYRE_REFERENCE(rint)
GYRE_REFERENCE(trunc)
GYRE_REFERENCE(sqrt)
GYRE_REFERENCE(exp)
GYRE_REFERENCE(exp2)
GYRE_REFERENCE(expm1)
GYRE_REFERENCE(log)
GYRE_REFERENCE(log1p)
GYRE_REFERENCE(log2)
GYRE_REFERENCE(sin)
GYRE_REFERENCE(cos)
GYRE_REFERENCE(tan)
GYRE_REFERENCE(asin)
GYRE_REFERENCE(acos)
GYRE_REFERENCE(atan)
GYRE_REFERENCE(sinh)
GYRE_REFERENCE(cosh)
GYRE_REFERENCE(tanh)
GYRE_REFERENCE(asinh)
GYRE_REFERENCE(acosh)
GYRE_REFERENCE(atanh)
GYRE_REFERENCE(erf)
GYRE_REFERENCE(erfc)
#define GYRE_REFERENCE2(f)                           \
  double f(double x, double y) { return ::f(x, y); } \
  Wide f(Wide x, Wide y) { return ::GYRE_WIDE(f)(x, y); }
GYRE_REFERENCE2(pow)
GYRE_REFERENCE2(atan2)
GYRE_REFERENCE2(fmod)

template <class R>
R pi() {
  return 4 * atan(R(1));
}
template <class R>
R normal_cdf(R x) {
  static const R root = sqrt(R(0.5));
  return erfc(-x * root) / 2;
}
template <class R>
R logistic(R x) {
  return x < 0 ? exp(x) / (1 + exp(x)) : 1 / (1 + exp(-x));
}
template <class R>
R softplus(R x) {
  return (x > 0 ? x : x != x ? x : R(0)) + log1p(exp(-fabs(x)));
}
template <class R>
R gelu_tanh_argument(R x) {
  static const R k = 2 * sqrt(2 / pi<R>());
  return k * (x + R(44715) / 1000000 * x * x * x);
}
/// x gate(x) with the limit at minus infinity.
template <class R>
R gated(R x, R gate) {
  return gate == 0 ? R(-0.0) : x * gate;
}

// R is deduced from the caller; y is unused for functions of one argument.
#define GYRE_MATH1(name, bound, expression) \
  template <class R>                        \
  R name##_of(R x, [[maybe_unused]] R y) {  \
    return expression;                      \
  }
#define GYRE_MATH2 GYRE_MATH1
#include "gyre/simd/math.def"
#undef GYRE_MATH1

}  // namespace reference

struct Oracle {
  double (*f32)(double, double);
  Wide (*f64)(Wide, Wide);
};
const Oracle kOracles[] = {
#define GYRE_MATH1(name, bound, expression) \
  {reference::name##_of<double>, reference::name##_of<Wide>},
#include "gyre/simd/math.def"
#undef GYRE_MATH1
#undef GYRE_MATH2
};

struct Level {
  Isa isa;
  const MathTable* table;
};
std::vector<Level> levels() {
  std::vector<Level> r = {{v2, &math_tiles_v2}};
#if defined(__x86_64__)
  if (cpu_features().best >= v3) r.push_back({v3, &math_tiles_v3});
  if (cpu_features().best >= v4) r.push_back({v4, &math_tiles_v4});
#endif
  return r;
}

/// |got - want| in units of the last place of T at want. Infinity counts as the first power of two
/// that is too large, and a wrong sign of zero or a NaN on one side as an infinite error.
template <class T, class R>
double ulps(T got, R want) {
  using L = std::numeric_limits<T>;
  if (std::isnan(got) || want != want) return std::isnan(got) && want != want ? 0 : L::infinity();
  const R top = 2 * R(std::ldexp(T(1), L::max_exponent - 1));
  R g = std::isinf(got) ? (got > 0 ? top : -top) : R(got);
  R w = want > top ? top : want < -top ? -top : want;
  if (g == 0 && std::signbit(got) != (w == 0 ? 1 / w < 0 : w < 0)) return L::infinity();
  if (g == w) return 0;
  if (got == T(w)) return 0.5;  // correctly rounded: no closer look
  const T rounded = std::fabs(T(w));
  int exponent = 0;
  std::frexp(std::min(rounded, L::max()), &exponent);
  if (rounded == 0) exponent = L::min_exponent;
  exponent = std::max(exponent, L::min_exponent) - L::digits;
  R error = g > w ? g - w : w - g;
  return double(error / R(std::ldexp(T(1), exponent)));
}

struct Worst {
  double error = 0, x = 0, y = 0;
};

template <class T>
T from_bits(uint64_t b) {
  if constexpr (sizeof(T) == 4)
    return std::bit_cast<float>(uint32_t(b));
  else
    return std::bit_cast<double>(b);
}

template <class T>
std::vector<T> specials() {
  using L = std::numeric_limits<T>;
  std::vector<T> r;
  for (T v : {T(0),
              L::denorm_min(),
              3 * L::denorm_min(),
              L::min() - L::denorm_min(),
              L::min(),
              L::epsilon(),
              T(1e-5),
              T(0.1),
              T(0.25),
              T(0.5),
              T(0.625),
              T(0.70710678),
              T(1),
              T(1.5),
              T(2),
              T(2.5),
              T(3),
              T(4),
              T(10),
              T(88.0),
              T(709.0),
              T(1e5),
              T(1e6),
              T(1e10),
              T(1e30),
              L::max() / 2,
              L::max(),
              L::infinity()})
    for (T w : {v, std::nextafter(v, T(0)), std::nextafter(v, L::infinity())}) {
      r.push_back(w);
      r.push_back(-w);
    }
  // The double nearest to a multiple of pi/2 (Muller, Elementary Functions, 3rd ed., section
  // 11.3.2).
  if (sizeof(T) == 8) r.push_back(T(std::ldexp(6381956970095103.0, 797)));
  r.push_back(L::quiet_NaN());
  return r;
}

/// Where errors are likely: all magnitudes, the bulk, the limits of exp's range, multiples of pi/2.
template <class T>
std::vector<T> samples(size_t n) {
  std::vector<T> r = specials<T>();
  std::mt19937_64 bits(7);
  auto uniform = [&](double lo, double hi) {
    return T(lo + (hi - lo) * (double(bits() >> 11) * 0x1p-53));
  };
  for (size_t i = 0; i < n; ++i) {
    r.push_back(from_bits<T>(bits()));
    r.push_back(uniform(-1, 1));
    r.push_back(uniform(-3, 3));
    r.push_back(uniform(0.5, 2));
    r.push_back(uniform(-40, 40));
    r.push_back(uniform(-800, 800));
    r.push_back(T(std::round(std::exp(uniform(0, 20))) * 1.57079632679489661923));
    r.push_back(T((bits() & 1 ? 1 : -1) * std::exp(uniform(-40, 5))));
    r.push_back(T(1 + (bits() & 1 ? 1 : -1) * std::exp(uniform(-36, -1))));
  }
  return r;
}

/// Pairs for functions of two arguments.
template <class T>
void pairs(size_t n, std::vector<T>* x, std::vector<T>* y) {
  for (T a : specials<T>())
    for (T b : specials<T>()) {
      x->push_back(a);
      y->push_back(b);
    }
  std::mt19937_64 bits(11);
  std::normal_distribution<double> normal;
  auto both = [&](double a, double b) {
    x->push_back(T(a));
    y->push_back(T(b));
  };
  for (size_t i = 0; i < n; ++i) {
    both(std::exp(5 * normal(bits)), 20 * normal(bits));
    both(std::exp(normal(bits)), 200 * normal(bits));
    double near_one = 1 + normal(bits) * std::exp(-3 * std::fabs(normal(bits)) - 2);
    both(near_one, normal(bits) * 300 / std::max(std::fabs(near_one - 1), 1e-9));
    both(-std::exp(normal(bits)), std::round(30 * normal(bits)));
    both(from_bits<T>(bits()), from_bits<T>(bits()));
    both(from_bits<T>(bits()), normal(bits));
  }
}

/// Runs x (and y) through every instruction set and updates the worst error of each.
template <class T, class R>
void measure(size_t f, R (*oracle)(R, R), const std::vector<T>& x, const std::vector<T>& y,
             std::vector<Worst>* worst) {
  std::vector<R> want(x.size());
  for (size_t i = 0; i < x.size(); ++i) want[i] = oracle(R(x[i]), R(y[i]));
  std::vector<T> got(x.size());
  auto sets = levels();
  for (size_t s = 0; s < sets.size(); ++s) {
    const MathFunction& math = sets[s].table->functions[f];
    if constexpr (sizeof(T) == 4)
      math.f32(x.data(), y.data(), got.data(), int64_t(x.size()));
    else
      math.f64(x.data(), y.data(), got.data(), int64_t(x.size()));
    for (size_t i = 0; i < x.size(); ++i) {
      double e = ulps(got[i], want[i]);
      if (e > (*worst)[s].error || std::isnan(e)) (*worst)[s] = {e, double(x[i]), double(y[i])};
    }
  }
}

void report(size_t f, const char* type, const std::vector<Worst>& worst) {
  const MathFunction& math = math_tiles_v2.functions[f];
  auto sets = levels();
  std::string row;
  for (size_t s = 0; s < sets.size(); ++s) {
    char cell[120];
    std::snprintf(cell, sizeof cell, "  %s %5.3f at %.9g", isa_name(sets[s].isa), worst[s].error,
                  worst[s].x);
    row += cell;
    if (math.arguments == 2) {
      std::snprintf(cell, sizeof cell, ", %.9g", worst[s].y);
      row += cell;
    }
    EXPECT_LE(worst[s].error, math.bound)
        << math.name << " " << type << " on " << isa_name(sets[s].isa) << " at x = " << worst[s].x
        << ", y = " << worst[s].y;
  }
  if (sets.size() < isas && sets.back().isa != v4) row += "  (skipped: this CPU has no more)";
  std::printf("%-10s %s%s\n", math.name, type, row.c_str());
}

uint64_t stride() {
  const char* text = std::getenv("GYRE_ULP_STRIDE");
  return text ? std::max(1ull, std::strtoull(text, nullptr, 10)) : 1021;
}

class Ulp : public testing::TestWithParam<size_t> {};

TEST_P(Ulp, F32StaysBelowItsBound) {
  const size_t f = GetParam();
  std::vector<Worst> worst(levels().size());
  if (math_tiles_v2.functions[f].arguments == 2) {
    std::vector<float> x, y;
    pairs(20000, &x, &y);
    measure(f, kOracles[f].f32, x, y, &worst);
  } else {
    measure(f, kOracles[f].f32, specials<float>(), specials<float>(), &worst);
    constexpr size_t kBlock = 4096;
    std::vector<float> x;
    for (uint64_t b = 0; b < uint64_t(1) << 32;) {
      x.clear();
      for (; x.size() < kBlock && b < uint64_t(1) << 32; b += stride())
        x.push_back(from_bits<float>(b));
      measure(f, kOracles[f].f32, x, x, &worst);
    }
  }
  report(f, "f32", worst);
}

TEST_P(Ulp, F64StaysBelowItsBound) {
  const size_t f = GetParam();
  std::vector<Worst> worst(levels().size());
  std::vector<double> x, y;
  if (math_tiles_v2.functions[f].arguments == 2) {
    pairs(5000, &x, &y);
  } else {
    x = y = samples<double>(3000);
  }
  measure(f, kOracles[f].f64, x, y, &worst);
  report(f, "f64", worst);
}

/// The same elements shifted by one lane, the last in a padded tail.
template <class T, class F>
void expect_place_does_not_matter(F f, const std::vector<T>& x) {
  const size_t n = x.size();
  std::vector<T> whole(n), shifted(n);
  f(x.data(), x.data(), whole.data(), int64_t(n));
  f(x.data() + 1, x.data() + 1, shifted.data() + 1, int64_t(n - 1));
  for (size_t i = 1; i < n; ++i)
    ASSERT_TRUE(whole[i] == shifted[i] || (std::isnan(whole[i]) && std::isnan(shifted[i])))
        << "x = " << double(x[i]) << " gives " << double(whole[i]) << " and " << double(shifted[i]);
}

TEST_P(Ulp, ValueDoesNotDependOnPlace) {
  for (const Level& level : levels()) {
    SCOPED_TRACE(isa_name(level.isa));
    expect_place_does_not_matter(level.table->functions[GetParam()].f32, samples<float>(500));
    expect_place_does_not_matter(level.table->functions[GetParam()].f64, samples<double>(500));
  }
}

INSTANTIATE_TEST_SUITE_P(Math, Ulp, testing::Range(size_t(0), std::size(kOracles)),
                         [](const testing::TestParamInfo<size_t>& info) {
                           return std::string(math_tiles_v2.functions[info.param].name);
                         });

}  // namespace
}  // namespace gyre
