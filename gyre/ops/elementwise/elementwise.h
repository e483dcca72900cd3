#pragma once
#include "gyre/ops/in_place.h"
#include "gyre/tensor/tensor.h"

// Elementwise ops. Operands broadcast by NumPy's rules and meet in the promoted dtype; literals are
// weak. Ops marked (float) turn integers into f32. Undefined gradients are zero.

namespace gyre {

/// x + y, x - y, x * y
Tensor add(const Tensor& x, const Tensor& y);
Tensor sub(const Tensor& x, const Tensor& y);
Tensor mul(const Tensor& x, const Tensor& y);
/// x / y (float)
Tensor div(const Tensor& x, const Tensor& y);
/// x to the power y (float); NaN for a negative base and a broken exponent
Tensor pow(const Tensor& x, const Tensor& y);
/// The larger, the smaller; NaN wins; ties share the gradient.
Tensor maximum(const Tensor& x, const Tensor& y);
Tensor minimum(const Tensor& x, const Tensor& y);

/// The angle of the point (x, y) in radians, in [-pi, pi] (float)
Tensor atan2(const Tensor& y, const Tensor& x);
/// log(e^x + e^y) (float)
Tensor logaddexp(const Tensor& x, const Tensor& y);
/// What is left of x / y rounded towards zero, with the sign of x, and rounded down, with the sign
/// of y; both exact. floor_divide: that quotient, rounded down. By zero: NaN, floor_divide as div;
/// of integers Error{value}. The quotient is constant for gradients.
Tensor fmod(const Tensor& x, const Tensor& y);
Tensor remainder(const Tensor& x, const Tensor& y);
Tensor floor_divide(const Tensor& x, const Tensor& y);

/// Comparisons give boolean; false where an operand is NaN, but for ne.
Tensor eq(const Tensor& x, const Tensor& y);
Tensor ne(const Tensor& x, const Tensor& y);
Tensor lt(const Tensor& x, const Tensor& y);
Tensor le(const Tensor& x, const Tensor& y);
Tensor gt(const Tensor& x, const Tensor& y);
Tensor ge(const Tensor& x, const Tensor& y);
/// Of truths: what is not zero is true, NaN too. They give boolean.
Tensor logical_and(const Tensor& x, const Tensor& y);
Tensor logical_or(const Tensor& x, const Tensor& y);
Tensor logical_xor(const Tensor& x, const Tensor& y);
Tensor logical_not(const Tensor& x);
/// Boolean; of integers false, false and true
Tensor isnan(const Tensor& x);
Tensor isinf(const Tensor& x);
Tensor isfinite(const Tensor& x);
/// Bit by bit, of integers and boolean. Error{dtype} for floats.
Tensor bitwise_and(const Tensor& x, const Tensor& y);
Tensor bitwise_or(const Tensor& x, const Tensor& y);
Tensor bitwise_xor(const Tensor& x, const Tensor& y);
/// All bits turned; of boolean, not true. Error{dtype} for floats.
Tensor bitwise_not(const Tensor& x);
/// x times and over 2^y, rounded down, of integers; bits that leave the dtype are lost. A y below 0
/// or of the dtype's width and more leaves 0, and of shift_right the sign.
Tensor shift_left(const Tensor& x, const Tensor& y);
Tensor shift_right(const Tensor& x, const Tensor& y);
/// x where condition is not zero, else y
Tensor where(const Tensor& condition, const Tensor& x, const Tensor& y);
/// min(max(x, low), high); gradient 1 at the bounds
Tensor clamp(const Tensor& x, const Tensor& low, const Tensor& high);
/// x + weight (y - x) (float)
Tensor lerp(const Tensor& x, const Tensor& y, const Tensor& weight);

Tensor neg(const Tensor& x);
/// |x|; gradient 0 at 0
Tensor abs(const Tensor& x);
/// -1, 0 or 1
Tensor sign(const Tensor& x);
/// To a whole number: down, up, to the nearest one (ties to even), towards zero
Tensor floor(const Tensor& x);
Tensor ceil(const Tensor& x);
Tensor round(const Tensor& x);
Tensor trunc(const Tensor& x);
Tensor square(const Tensor& x);
/// 1 / x (float)
Tensor reciprocal(const Tensor& x);
/// e^x, 2^x, e^x - 1 (float)
Tensor exp(const Tensor& x);
Tensor exp2(const Tensor& x);
Tensor expm1(const Tensor& x);
/// Natural logarithms of x and of 1 + x, and the one to base 2 (float)
Tensor log(const Tensor& x);
Tensor log1p(const Tensor& x);
Tensor log2(const Tensor& x);
/// Square root and its inverse (float)
Tensor sqrt(const Tensor& x);
Tensor rsqrt(const Tensor& x);
/// x in radians (float)
Tensor sin(const Tensor& x);
Tensor cos(const Tensor& x);
Tensor tan(const Tensor& x);
/// Angles in radians (float); NaN outside [-1, 1]
Tensor asin(const Tensor& x);
Tensor acos(const Tensor& x);
Tensor atan(const Tensor& x);
/// Hyperbolic functions and their inverses (float)
Tensor sinh(const Tensor& x);
Tensor cosh(const Tensor& x);
Tensor tanh(const Tensor& x);
Tensor asinh(const Tensor& x);
Tensor acosh(const Tensor& x);
Tensor atanh(const Tensor& x);
/// Error function and 1 - erf(x) (float)
Tensor erf(const Tensor& x);
Tensor erfc(const Tensor& x);
/// 1 / (1 + e^-x) and log(1 + e^x) (float)
Tensor sigmoid(const Tensor& x);
Tensor softplus(const Tensor& x);
/// max(x, 0); gradient 0 at 0
Tensor relu(const Tensor& x);
/// x Phi(x) with the normal distribution function Phi (float); Hendrycks and Gimpel 2016
Tensor gelu(const Tensor& x);
/// The tanh approximation of gelu, as in GPT-2 (float)
Tensor gelu_tanh(const Tensor& x);
/// x sigmoid(x) (float)
Tensor silu(const Tensor& x);
/// x above 0, slope x below (float); the gradient at 0 is slope
Tensor leaky_relu(const Tensor& x, const Tensor& slope);
Tensor leaky_relu(const Tensor& x);  ///< slope 0.01
/// x above 0, alpha (e^x - 1) below (float); Clevert et al. 2015
Tensor elu(const Tensor& x, const Tensor& alpha);
Tensor elu(const Tensor& x);  ///< alpha 1

/// Fused pairs: relu(x + y), relu(x y), x scale + bias
Tensor add_relu(const Tensor& x, const Tensor& y);
Tensor mul_relu(const Tensor& x, const Tensor& y);
Tensor affine(const Tensor& x, const Tensor& scale, const Tensor& bias);

// Each of these in place (ops/in_place.h): add_(x, y), relu_(x), ...
#define OP(name)
#define POINTWISE(name, Body)                                   \
  extern const OpDef name##_def;                                \
  template <class... Rest>                                      \
  const Tensor& name##_(const Tensor& x, const Rest&... rest) { \
    const Tensor operands[] = {x, rest...};                     \
    return apply_in_place(name##_def, operands);                \
  }
#include "gyre/ops/elementwise/elementwise.def"
#undef POINTWISE
#undef OP
inline const Tensor& operator+=(const Tensor& x, const Tensor& y) { return add_(x, y); }
inline const Tensor& operator-=(const Tensor& x, const Tensor& y) { return sub_(x, y); }
inline const Tensor& operator*=(const Tensor& x, const Tensor& y) { return mul_(x, y); }
inline const Tensor& operator/=(const Tensor& x, const Tensor& y) { return div_(x, y); }
inline const Tensor& add_scalar_(const Tensor& x, double y) { return add_(x, y); }
inline const Tensor& mul_scalar_(const Tensor& x, double y) { return mul_(x, y); }

inline Tensor operator+(const Tensor& x, const Tensor& y) { return add(x, y); }
inline Tensor operator-(const Tensor& x, const Tensor& y) { return sub(x, y); }
inline Tensor operator*(const Tensor& x, const Tensor& y) { return mul(x, y); }
inline Tensor operator/(const Tensor& x, const Tensor& y) { return div(x, y); }
inline Tensor operator-(const Tensor& x) { return neg(x); }
inline Tensor operator==(const Tensor& x, const Tensor& y) { return eq(x, y); }
inline Tensor operator!=(const Tensor& x, const Tensor& y) { return ne(x, y); }
inline Tensor operator<(const Tensor& x, const Tensor& y) { return lt(x, y); }
inline Tensor operator<=(const Tensor& x, const Tensor& y) { return le(x, y); }
inline Tensor operator>(const Tensor& x, const Tensor& y) { return gt(x, y); }
inline Tensor operator>=(const Tensor& x, const Tensor& y) { return ge(x, y); }

inline Tensor operator%(const Tensor& x, const Tensor& y) { return remainder(x, y); }
inline Tensor operator&(const Tensor& x, const Tensor& y) { return bitwise_and(x, y); }
inline Tensor operator~(const Tensor& x) { return bitwise_not(x); }
inline Tensor operator|(const Tensor& x, const Tensor& y) { return bitwise_or(x, y); }
inline Tensor operator^(const Tensor& x, const Tensor& y) { return bitwise_xor(x, y); }

}  // namespace gyre
