#pragma once
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

/// Comparisons give boolean; false where an operand is NaN, but for ne.
Tensor eq(const Tensor& x, const Tensor& y);
Tensor ne(const Tensor& x, const Tensor& y);
Tensor lt(const Tensor& x, const Tensor& y);
Tensor le(const Tensor& x, const Tensor& y);
Tensor gt(const Tensor& x, const Tensor& y);
Tensor ge(const Tensor& x, const Tensor& y);
/// x where condition is not zero, else y
Tensor where(const Tensor& condition, const Tensor& x, const Tensor& y);

Tensor neg(const Tensor& x);
/// |x|; gradient 0 at 0
Tensor abs(const Tensor& x);
/// -1, 0 or 1
Tensor sign(const Tensor& x);
/// e^x, 2^x, e^x - 1 (float)
Tensor exp(const Tensor& x);
Tensor exp2(const Tensor& x);
Tensor expm1(const Tensor& x);
/// Natural logarithms of x and of 1 + x (float)
Tensor log(const Tensor& x);
Tensor log1p(const Tensor& x);
/// Square root and its inverse (float)
Tensor sqrt(const Tensor& x);
Tensor rsqrt(const Tensor& x);
/// x in radians (float)
Tensor sin(const Tensor& x);
Tensor cos(const Tensor& x);
Tensor tanh(const Tensor& x);
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

}  // namespace gyre
