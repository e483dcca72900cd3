#pragma once
#include "gyre/ops/norm/norm.h"

// Maps of the tangent space at the origin, applied to points of the three models (ball.h,
// lorentz.h, klein.h): exp0(f(log0(x))), in f64. The radius of a result is that of f(log0(x)), so
// it is right wherever x can be told from the edge. c, gradients and errors as there.

namespace gyre {

/// M times x, Moebius: exp0(M log0(x)), which is tanh(|Mx| / |x| artanh(sqrt(c)|x|)) Mx / (sqrt(c)
/// |Mx|) in the ball (Ganea, Becigneul and Hofmann 2018, eq. 27). M [m, d], x [..., d]: [..., m].
Tensor poincare_matvec(const Tensor& m, const Tensor& x, const Tensor& c);
Tensor lorentz_matvec(const Tensor& m, const Tensor& x, const Tensor& c);
Tensor klein_matvec(const Tensor& m, const Tensor& x, const Tensor& c);

/// The functions of one number that *_pointwise applies, by their names as ops.
#define GYRE_TANGENT_FUNCTIONS(F) \
  F(relu) F(leaky_relu) F(elu) F(gelu) F(gelu_tanh) F(silu) F(sigmoid) F(softplus) F(tanh) F(sin)

enum class TangentFunction : uint8_t {
#define GYRE_NAME(f) f,
  GYRE_TANGENT_FUNCTIONS(GYRE_NAME)
#undef GYRE_NAME
};
inline constexpr const char* kTangentFunctionNames[] = {
#define GYRE_NAME(f) #f,
    GYRE_TANGENT_FUNCTIONS(GYRE_NAME)
#undef GYRE_NAME
};
template <>
inline constexpr std::span<const char* const> kChoices<TangentFunction> = kTangentFunctionNames;

struct TangentAttrs {
  int64_t axis = -1;
  TangentFunction f = TangentFunction::relu;
};
GYRE_FIELDS(TangentAttrs, GYRE_FIELD(axis, "the axis; negative counts from the last"),
            GYRE_FIELD(f, "the function of each coordinate"));

/// f of each number of x.
Tensor tangent_function(TangentFunction f, const Tensor& x);

/// exp0(f(log0(x))), f of each coordinate.
Tensor poincare_pointwise(const Tensor& x, const Tensor& c, const TangentAttrs& a = {});
Tensor lorentz_pointwise(const Tensor& x, const Tensor& c, const TangentAttrs& a = {});
Tensor klein_pointwise(const Tensor& x, const Tensor& c, const TangentAttrs& a = {});

}  // namespace gyre
