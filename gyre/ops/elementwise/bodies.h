#pragma once
#include "gyre/op/tiles.h"

// Bodies of the pointwise ops: branch-free templates over value types (Vec, Dual, Tensor). Literals
// are double, functions are called unqualified, an untaken branch gets a safe argument.

namespace gyre {

/// Range of the samples of a body.
struct OnReals {
  static constexpr double low = -3, high = 3;
};
struct OnPositives {
  static constexpr double low = 0.1, high = 4;
};
struct InsideOne {
  static constexpr double low = -0.95, high = 0.95;
};
struct AboveOne {
  static constexpr double low = 1.05, high = 5;
};
struct BetweenPoles {
  static constexpr double low = -1.4, high = 1.4;
};
template <class Base, int kArity, PointwiseSpec::Kind kKind>
struct Pointwise : Base {
  static constexpr PointwiseSpec spec{kArity, kKind};
};
template <int kArity>
using Arithmetic = Pointwise<OnReals, kArity, PointwiseSpec::arithmetic>;
template <class Base = OnReals, int kArity = 1>
using Floating = Pointwise<Base, kArity, PointwiseSpec::floating>;
template <int kArity>
using Test = Pointwise<OnReals, kArity, PointwiseSpec::comparison>;
using Bits = Pointwise<OnReals, 2, PointwiseSpec::bits>;
/// Signed and unsigned integers of the same bits give the same bits.
template <class Base>
struct AnySign : Base {
  static constexpr bool ignores_sign = true;
};

struct Add : AnySign<Arithmetic<2>> {
  static GYRE_BODY auto eval(auto x, auto y) { return x + y; }
};
struct Sub : AnySign<Arithmetic<2>> {
  static GYRE_BODY auto eval(auto x, auto y) { return x - y; }
};
struct Mul : AnySign<Arithmetic<2>> {
  static GYRE_BODY auto eval(auto x, auto y) { return x * y; }
};
struct Div : Floating<OnPositives, 2> {
  static GYRE_BODY auto eval(auto x, auto y) { return x / y; }
};
struct Pow : Pointwise<OnPositives, 2, PointwiseSpec::arithmetic> {
  static GYRE_BODY auto eval(auto x, auto y) { return pow(x, y); }
};
struct Maximum : Arithmetic<2> {
  static GYRE_BODY auto eval(auto x, auto y) { return max(x, y); }
};
struct Minimum : Arithmetic<2> {
  static GYRE_BODY auto eval(auto x, auto y) { return min(x, y); }
};

#define GYRE_COMPARISON(Name, op, ...)                            \
  struct Name : __VA_ARGS__ {                                     \
    static GYRE_BODY auto eval(auto x, auto y) { return x op y; } \
  };
GYRE_COMPARISON(Eq, ==, AnySign<Test<2>>)
GYRE_COMPARISON(Ne, !=, AnySign<Test<2>>)
GYRE_COMPARISON(Lt, <, Test<2>)
GYRE_COMPARISON(Le, <=, Test<2>)
GYRE_COMPARISON(Gt, >, Test<2>)
GYRE_COMPARISON(Ge, >=, Test<2>)
#undef GYRE_COMPARISON

// Nonzero counts as true, NaN included.
struct LogicalAnd : AnySign<Test<2>> {
  static GYRE_BODY auto eval(auto x, auto y) { return (x != 0.0) & (y != 0.0); }
};
struct LogicalOr : AnySign<Test<2>> {
  static GYRE_BODY auto eval(auto x, auto y) { return (x != 0.0) | (y != 0.0); }
};
struct LogicalXor : AnySign<Test<2>> {
  static GYRE_BODY auto eval(auto x, auto y) { return (x != 0.0) ^ (y != 0.0); }
};
struct LogicalNot : AnySign<Test<1>> {
  static GYRE_BODY auto eval(auto x) { return x == 0.0; }
};
struct IsNan : AnySign<Test<1>> {
  static GYRE_BODY auto eval(auto x) { return x != x; }
};
// x - x is 0 except for infinities and NaN.
struct IsFinite : AnySign<Test<1>> {
  static GYRE_BODY auto eval(auto x) { return x - x == 0.0; }
};
struct IsInf : AnySign<Test<1>> {
  static GYRE_BODY auto eval(auto x) { return (x - x != 0.0) & (x == x); }
};

#define GYRE_BITS(Name, op)                                       \
  struct Name : AnySign<Bits> {                                   \
    static GYRE_BODY auto eval(auto x, auto y) { return x op y; } \
  };
GYRE_BITS(BitwiseAnd, &)
GYRE_BITS(BitwiseOr, |)
GYRE_BITS(BitwiseXor, ^)
#undef GYRE_BITS
struct ShiftLeft : AnySign<Bits> {
  static GYRE_BODY auto eval(auto x, auto y) { return shift_left(x, y); }
};
struct ShiftRight : Bits {
  static GYRE_BODY auto eval(auto x, auto y) { return shift_right(x, y); }
};

struct Where : AnySign<Pointwise<OnReals, 3, PointwiseSpec::selection>> {
  static GYRE_BODY auto eval(auto c, auto x, auto y) { return select(c != 0.0, x, y); }
};

struct Neg : AnySign<Arithmetic<1>> {
  static GYRE_BODY auto eval(auto x) { return -x; }
};

#define GYRE_NAMED(Name, function, ...)                        \
  struct Name : __VA_ARGS__ {                                  \
    static GYRE_BODY auto eval(auto x) { return function(x); } \
  };
GYRE_NAMED(Floor, floor, AnySign<Arithmetic<1>>)
GYRE_NAMED(Ceil, ceil, AnySign<Arithmetic<1>>)
GYRE_NAMED(Round, round, AnySign<Arithmetic<1>>)
GYRE_NAMED(Trunc, trunc, AnySign<Arithmetic<1>>)
GYRE_NAMED(Abs, abs, Arithmetic<1>)
GYRE_NAMED(Sign, sign, Arithmetic<1>)
GYRE_NAMED(Exp, exp, Floating<>)
GYRE_NAMED(Exp2, exp2, Floating<>)
GYRE_NAMED(Expm1, expm1, Floating<>)
GYRE_NAMED(Log, log, Floating<OnPositives>)
GYRE_NAMED(Log1p, log1p, Floating<OnPositives>)
GYRE_NAMED(Log2, log2, Floating<OnPositives>)
GYRE_NAMED(Sqrt, sqrt, Floating<OnPositives>)
GYRE_NAMED(Rsqrt, rsqrt, Floating<OnPositives>)
GYRE_NAMED(Sin, sin, Floating<>)
GYRE_NAMED(Cos, cos, Floating<>)
GYRE_NAMED(Tan, tan, Floating<BetweenPoles>)
GYRE_NAMED(Asin, asin, Floating<InsideOne>)
GYRE_NAMED(Acos, acos, Floating<InsideOne>)
GYRE_NAMED(Atan, atan, Floating<>)
GYRE_NAMED(Sinh, sinh, Floating<>)
GYRE_NAMED(Cosh, cosh, Floating<>)
GYRE_NAMED(Tanh, tanh, Floating<>)
GYRE_NAMED(Asinh, asinh, Floating<>)
GYRE_NAMED(Acosh, acosh, Floating<AboveOne>)
GYRE_NAMED(Atanh, atanh, Floating<InsideOne>)
GYRE_NAMED(Erf, erf, Floating<>)
GYRE_NAMED(Erfc, erfc, Floating<>)
GYRE_NAMED(Erfinv, erfinv, Floating<InsideOne>)
GYRE_NAMED(Lgamma, lgamma, Floating<OnPositives>)
GYRE_NAMED(Digamma, digamma, Floating<OnPositives>)
GYRE_NAMED(Sigmoid, sigmoid, Floating<>)
GYRE_NAMED(Softplus, softplus, Floating<>)
GYRE_NAMED(Gelu, gelu, Floating<>)
GYRE_NAMED(GeluTanh, gelu_tanh, Floating<>)
GYRE_NAMED(Silu, silu, Floating<>)
#undef GYRE_NAMED

struct Zeta : Floating<AboveOne, 2> {
  static GYRE_BODY auto eval(auto s, auto q) { return zeta(s, q); }
};
struct Square : AnySign<Arithmetic<1>> {
  static GYRE_BODY auto eval(auto x) { return x * x; }
};
struct Reciprocal : Floating<OnPositives> {
  static GYRE_BODY auto eval(auto x) { return 1.0 / x; }
};
struct Atan2 : Floating<OnPositives, 2> {
  static GYRE_BODY auto eval(auto y, auto x) { return atan2(y, x); }
};
// The maximum is factored out, so that nothing overflows; equal infinities have difference 0. Both
// branches are smooth where x = y, which keeps the derivatives of every order there.
struct Logaddexp : Floating<OnReals, 2> {
  static GYRE_BODY auto eval(auto x, auto y) {
    auto d = select((x == y) & (abs(x) == __builtin_inf()), 0.0, x - y);
    return select(d >= 0.0, x + softplus(-d), y + softplus(d));
  }
};
// Divisors that round to nonzero integers.
using Quotient = Pointwise<AboveOne, 2, PointwiseSpec::arithmetic>;
struct Fmod : Quotient {
  static GYRE_BODY auto eval(auto x, auto y) { return fmod(x, y); }
};
struct Remainder : Quotient {
  static GYRE_BODY auto eval(auto x, auto y) {
    auto r = fmod(x, y);
    return select((r != 0.0) & ((r < 0.0) ^ (y < 0.0)), r + y, r);
  }
};
struct FloorDivide : Quotient {
  static GYRE_BODY auto eval(auto x, auto y) { return floor_divide(x, y); }
};

// At the bounds the gradient goes to x. NaN of any operand propagates.
struct Clamp : Arithmetic<3> {
  static GYRE_BODY auto eval(auto x, auto low, auto high) {
    auto r = select((x < low) | (low != low), low, x);
    return select((r > high) | (high != high), high, r);
  }
};
struct Lerp : Floating<OnReals, 3> {
  static GYRE_BODY auto eval(auto x, auto y, auto weight) { return x + weight * (y - x); }
};
struct LeakyRelu : Floating<OnReals, 2> {
  static GYRE_BODY auto eval(auto x, auto slope) { return select(x > 0.0, x, slope * x); }
};
struct Elu : Floating<OnReals, 2> {
  static GYRE_BODY auto eval(auto x, auto alpha) {
    return select(x > 0.0, x, alpha * expm1(select(x > 0.0, 0.0, x)));
  }
};

// At 0 the constant branch is taken, so the derivative is 0; NaN propagates.
struct Relu : Arithmetic<1> {
  static GYRE_BODY auto eval(auto x) { return select(x <= 0.0, 0.0, x); }
};

struct ReluSquared : Arithmetic<1> {
  static GYRE_BODY auto eval(auto x) {
    auto y = Relu::eval(x);
    return y * y;
  }
};

// Fused pairs: the intermediate result is never written to memory.
struct AddRelu : Arithmetic<2> {
  static GYRE_BODY auto eval(auto x, auto y) { return Relu::eval(x + y); }
};
struct MulRelu : Arithmetic<2> {
  static GYRE_BODY auto eval(auto x, auto y) { return Relu::eval(x * y); }
};
struct Affine : AnySign<Arithmetic<3>> {
  static GYRE_BODY auto eval(auto x, auto scale, auto bias) { return x * scale + bias; }
};

}  // namespace gyre
