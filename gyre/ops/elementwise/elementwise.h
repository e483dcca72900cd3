#pragma once
#include "gyre/ops/in_place.h"
#include "gyre/tensor/tensor.h"

// Elementwise ops. Operands broadcast by NumPy's rules and are promoted to a common dtype; numbers
// take the dtype of the tensors. (float): integers are cast to f32. Undefined gradients are 0.

namespace gyre {

/// x + y, x - y, x * y
Tensor add(const Tensor& x, const Tensor& y);
Tensor sub(const Tensor& x, const Tensor& y);
Tensor mul(const Tensor& x, const Tensor& y);
/// x / y (float)
Tensor div(const Tensor& x, const Tensor& y);
/// x ** y; NaN for a negative base and a non-integer exponent. Powers of integers wrap as products
/// do; Error{value} for a negative exponent of integers.
Tensor pow(const Tensor& x, const Tensor& y);
/// Elementwise maximum and minimum; propagate NaN; ties share the gradient.
Tensor maximum(const Tensor& x, const Tensor& y);
Tensor minimum(const Tensor& x, const Tensor& y);

/// The angle of the point (x, y) in radians, in [-pi, pi] (float)
Tensor atan2(const Tensor& y, const Tensor& x);
/// log(e^x + e^y) (float)
Tensor logaddexp(const Tensor& x, const Tensor& y);
/// Remainder of truncated division, with the sign of x (C fmod), and of floor division, with the
/// sign of y (Python %); both exact. floor_divide: floor(x / y). Division by zero: NaN,
/// floor_divide as div; Error{value} for integers. Gradients treat the quotient as constant.
Tensor fmod(const Tensor& x, const Tensor& y);
Tensor remainder(const Tensor& x, const Tensor& y);
Tensor floor_divide(const Tensor& x, const Tensor& y);

/// Comparisons return boolean; false where an operand is NaN, except ne.
Tensor eq(const Tensor& x, const Tensor& y);
Tensor ne(const Tensor& x, const Tensor& y);
Tensor lt(const Tensor& x, const Tensor& y);
Tensor le(const Tensor& x, const Tensor& y);
Tensor gt(const Tensor& x, const Tensor& y);
Tensor ge(const Tensor& x, const Tensor& y);
/// Logical ops: nonzero, NaN included, counts as true. They return boolean.
Tensor logical_and(const Tensor& x, const Tensor& y);
Tensor logical_or(const Tensor& x, const Tensor& y);
Tensor logical_xor(const Tensor& x, const Tensor& y);
Tensor logical_not(const Tensor& x);
/// Return boolean; false, false and true for integers
Tensor isnan(const Tensor& x);
Tensor isinf(const Tensor& x);
Tensor isfinite(const Tensor& x);
/// Bitwise AND, OR, XOR of integers and boolean. Error{dtype} for floats.
Tensor bitwise_and(const Tensor& x, const Tensor& y);
Tensor bitwise_or(const Tensor& x, const Tensor& y);
Tensor bitwise_xor(const Tensor& x, const Tensor& y);
/// Bitwise NOT; logical NOT for boolean. Error{dtype} for floats.
Tensor bitwise_not(const Tensor& x);
/// Left and arithmetic right shift of integers: x 2^y and floor(x / 2^y); overflowing bits are
/// lost. For y negative or at least the dtype's width the result is 0, for shift_right the sign
/// fill (0 or -1).
Tensor shift_left(const Tensor& x, const Tensor& y);
Tensor shift_right(const Tensor& x, const Tensor& y);
/// x where condition is nonzero, else y
Tensor where(const Tensor& condition, const Tensor& x, const Tensor& y);
/// min(max(x, low), high); gradient 1 at the bounds
Tensor clamp(const Tensor& x, const Tensor& low, const Tensor& high);
/// Linear interpolation x + weight (y - x) (float)
Tensor lerp(const Tensor& x, const Tensor& y, const Tensor& weight);

Tensor neg(const Tensor& x);
/// |x|; gradient 0 at 0
Tensor abs(const Tensor& x);
/// Sign of x: -1, 0 or 1
Tensor sign(const Tensor& x);
/// Round to an integer: down, up, to nearest (ties to even), towards zero
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
/// Natural logarithm of x and of 1 + x, base-2 logarithm (float)
Tensor log(const Tensor& x);
Tensor log1p(const Tensor& x);
Tensor log2(const Tensor& x);
/// Square root and reciprocal square root (float)
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
/// Error function and complementary error function 1 - erf(x) (float)
Tensor erf(const Tensor& x);
Tensor erfc(const Tensor& x);
/// Inverse error function (float): infinite at -1 and 1, NaN beyond
Tensor erfinv(const Tensor& x);
/// log(|gamma(x)|) and its derivative (float). digamma is NaN at negative integers
Tensor lgamma(const Tensor& x);
Tensor digamma(const Tensor& x);
/// Hurwitz zeta function (float): the sum of (q + k)^-s over k = 0, 1, ...; s has no gradient. The
/// n-th derivative of digamma is (-1)^(n + 1) n! zeta(n + 1, x). Infinite at s = 1, q = 0, -1,
/// ...; NaN for s < 1 and, where q < 0, for s that is not an integer
Tensor zeta(const Tensor& s, const Tensor& q);
/// Logistic sigmoid 1 / (1 + e^-x) and softplus log(1 + e^x) (float)
Tensor sigmoid(const Tensor& x);
Tensor softplus(const Tensor& x);
/// max(x, 0); gradient 0 at 0
Tensor relu(const Tensor& x);
/// Squared ReLU max(x, 0)^2 (So et al., "Primer", 2021)
Tensor relu_squared(const Tensor& x);
/// Gaussian error linear unit x Phi(x), Phi the standard normal CDF (float); Hendrycks and Gimpel
/// 2016
Tensor gelu(const Tensor& x);
/// The tanh approximation of gelu, as in GPT-2 (float)
Tensor gelu_tanh(const Tensor& x);
/// SiLU (swish): x sigmoid(x) (float)
Tensor silu(const Tensor& x);
/// Leaky ReLU: x if x > 0, else slope * x (float); the gradient at 0 is slope
Tensor leaky_relu(const Tensor& x, const Tensor& slope);
Tensor leaky_relu(const Tensor& x);  ///< slope 0.01
/// Exponential linear unit: x if x > 0, else alpha (e^x - 1) (float); Clevert et al. 2015
Tensor elu(const Tensor& x, const Tensor& alpha);
Tensor elu(const Tensor& x);  ///< alpha 1

/// Fused ops: relu(x + y), relu(x y), x * scale + bias
Tensor add_relu(const Tensor& x, const Tensor& y);
Tensor mul_relu(const Tensor& x, const Tensor& y);
Tensor affine(const Tensor& x, const Tensor& scale, const Tensor& bias);

// In-place variants (ops/in_place.h): add_(x, y), relu_(x), ...
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
