#pragma once
#include "gyre/ops/norm/norm.h"

// Maps of the tangent space at the origin, applied to points of the three models (ball.h,
// lorentz.h, klein.h): exp0(f(log0(x))), computed in f64. The result is accurate as long as x is
// distinguishable from the boundary. c, gradients and errors as there.

namespace gyre {

/// Möbius matrix-vector multiplication M ⊗ x = exp0(M log0(x)), which is tanh(|Mx| / |x|
/// artanh(sqrt(c)|x|)) Mx / (sqrt(c) |Mx|) in the ball (Ganea, Bécigneul and Hofmann 2018, eq. 27).
/// M [m, d], x [..., d]: [..., m].
Tensor poincare_matvec(const Tensor& m, const Tensor& x, const Tensor& c);
Tensor lorentz_matvec(const Tensor& m, const Tensor& x, const Tensor& c);
Tensor klein_matvec(const Tensor& m, const Tensor& x, const Tensor& c);

/// The functions that *_pointwise applies, by op name.
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
            GYRE_FIELD(f, "function applied to each coordinate"));

/// f applied elementwise.
Tensor tangent_function(TangentFunction f, const Tensor& x);

/// Möbius version of f, exp0(f(log0(x))), f applied to each coordinate. For functions that are not
/// in the list there is Manifold::pointwise().
Tensor poincare_pointwise(const Tensor& x, const Tensor& c, const TangentAttrs& a = {});
Tensor lorentz_pointwise(const Tensor& x, const Tensor& c, const TangentAttrs& a = {});
Tensor klein_pointwise(const Tensor& x, const Tensor& c, const TangentAttrs& a = {});

}  // namespace gyre
