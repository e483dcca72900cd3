#pragma once
#include "gyre/op/tiles.h"

// Bodies of the pointwise ops: branch-free templates over value types (Vec, Dual, Tensor). Literals
// are double, functions are called unqualified, an untaken branch gets a safe argument.

namespace gyre {

/// Where samples of a body are drawn from.
struct OnReals {
  static constexpr double low = -3, high = 3;
};
struct OnPositives {
  static constexpr double low = 0.1, high = 4;
};
template <class Base, int kArity, PointwiseSpec::Kind kKind>
struct Pointwise : Base {
  static constexpr PointwiseSpec spec{kArity, kKind};
};
template <int kArity>
using Arithmetic = Pointwise<OnReals, kArity, PointwiseSpec::arithmetic>;
template <class Base = OnReals, int kArity = 1>
using Floating = Pointwise<Base, kArity, PointwiseSpec::floating>;
using Comparison = Pointwise<OnReals, 2, PointwiseSpec::comparison>;

struct Add : Arithmetic<2> {
  template <class X, class Y>
  static GYRE_BODY auto eval(X x, Y y) {
    return x + y;
  }
};
struct Sub : Arithmetic<2> {
  template <class X, class Y>
  static GYRE_BODY auto eval(X x, Y y) {
    return x - y;
  }
};
struct Mul : Arithmetic<2> {
  template <class X, class Y>
  static GYRE_BODY auto eval(X x, Y y) {
    return x * y;
  }
};
struct Div : Floating<OnPositives, 2> {
  template <class X, class Y>
  static GYRE_BODY auto eval(X x, Y y) {
    return x / y;
  }
};
struct Pow : Floating<OnPositives, 2> {
  template <class X, class Y>
  static GYRE_BODY auto eval(X x, Y y) {
    return pow(x, y);
  }
};
struct Maximum : Arithmetic<2> {
  template <class X, class Y>
  static GYRE_BODY auto eval(X x, Y y) {
    return max(x, y);
  }
};
struct Minimum : Arithmetic<2> {
  template <class X, class Y>
  static GYRE_BODY auto eval(X x, Y y) {
    return min(x, y);
  }
};

#define GYRE_COMPARISON(Name, op)          \
  struct Name : Comparison {               \
    template <class X, class Y>            \
    static GYRE_BODY auto eval(X x, Y y) { \
      return x op y;                       \
    }                                      \
  };
GYRE_COMPARISON(Eq, ==)
GYRE_COMPARISON(Ne, !=)
GYRE_COMPARISON(Lt, <)
GYRE_COMPARISON(Le, <=)
GYRE_COMPARISON(Gt, >)
GYRE_COMPARISON(Ge, >=)
#undef GYRE_COMPARISON

struct Where : Pointwise<OnReals, 3, PointwiseSpec::selection> {
  template <class C, class X, class Y>
  static GYRE_BODY auto eval(C c, X x, Y y) {
    return select(c != 0.0, x, y);
  }
};

struct Neg : Arithmetic<1> {
  template <class X>
  static GYRE_BODY auto eval(X x) {
    return -x;
  }
};

#define GYRE_NAMED(Name, function, ...) \
  struct Name : __VA_ARGS__ {           \
    template <class X>                  \
    static GYRE_BODY auto eval(X x) {   \
      return function(x);               \
    }                                   \
  };
GYRE_NAMED(Abs, abs, Arithmetic<1>)
GYRE_NAMED(Sign, sign, Arithmetic<1>)
GYRE_NAMED(Exp, exp, Floating<>)
GYRE_NAMED(Exp2, exp2, Floating<>)
GYRE_NAMED(Expm1, expm1, Floating<>)
GYRE_NAMED(Log, log, Floating<OnPositives>)
GYRE_NAMED(Log1p, log1p, Floating<OnPositives>)
GYRE_NAMED(Sqrt, sqrt, Floating<OnPositives>)
GYRE_NAMED(Rsqrt, rsqrt, Floating<OnPositives>)
GYRE_NAMED(Sin, sin, Floating<>)
GYRE_NAMED(Cos, cos, Floating<>)
GYRE_NAMED(Tanh, tanh, Floating<>)
GYRE_NAMED(Erf, erf, Floating<>)
GYRE_NAMED(Erfc, erfc, Floating<>)
GYRE_NAMED(Sigmoid, sigmoid, Floating<>)
GYRE_NAMED(Softplus, softplus, Floating<>)
GYRE_NAMED(Gelu, gelu, Floating<>)
GYRE_NAMED(GeluTanh, gelu_tanh, Floating<>)
GYRE_NAMED(Silu, silu, Floating<>)
#undef GYRE_NAMED

// At 0 the constant is taken, so the derivative there is 0; NaN passes.
struct Relu : Arithmetic<1> {
  template <class X>
  static GYRE_BODY auto eval(X x) {
    return select(x <= 0.0, 0.0, x);
  }
};

}  // namespace gyre
