#pragma once
#include "gyre/hyperbolic/ball/ball.h"
#include "gyre/op/apply.h"
#include "gyre/op/op_def.h"
#include "gyre/ops/define_rowwise.h"
#include "gyre/ops/norm/norm.h"

// Definitions of row ops on points of a space of sectional curvature -c.

namespace gyre {

/// Allowed values of c.
enum class Curvature : bool { any, positive };

/// Error{value} if c is a literal outside the allowed range; a tensor is not read.
void check_curvature(const OpDef& op, const Tensor& c, Curvature allowed);

template <Curvature allowed>
void curved_infer(const OpDef& op, const void* attrs, Inputs in, std::span<Meta> out) {
  check_curvature(op, in.back(), allowed);
  rowwise_infer(op, attrs, in, out);
}

/// Kinds of operands: a point, a tangent vector, one number per row, the curvature.
enum Kind : char { point, tangent, number, curvature };

/// The operands of an op: their names and kinds.
template <size_t n>
struct Operands {
  Arg args[n];
  Kind kinds[n];
};

inline constexpr Operands<2> kPoint{{{"x"}, {"c"}}, {point, curvature}};
inline constexpr Operands<2> kTangent{{{"v"}, {"c"}}, {tangent, curvature}};
inline constexpr Operands<3> kTwoPoints{{{"x"}, {"y"}, {"c"}}, {point, point, curvature}};
inline constexpr Operands<3> kPointAndTangent{{{"x"}, {"v"}, {"c"}}, {point, tangent, curvature}};
inline constexpr Operands<3> kPointAndGradient{{{"x"}, {"g"}, {"c"}}, {point, tangent, curvature}};
inline constexpr Operands<4> kTwoPointsAndTangent{{{"x"}, {"y"}, {"v"}, {"c"}},
                                                  {point, point, tangent, curvature}};
inline constexpr Operands<4> kTwoTangents{{{"x"}, {"u"}, {"v"}, {"c"}},
                                          {point, tangent, tangent, curvature}};
inline constexpr Operands<4> kGeodesic{{{"x"}, {"y"}, {"t"}, {"c"}},
                                       {point, point, number, curvature}};
inline constexpr Operands<3> kScalarRows{{{"x"}, {"r"}, {"c"}}, {point, number, curvature}};
inline constexpr Operands<3> kScalar{{{"r"}, {"x"}, {"c"}}, {number, point, curvature}};

/// Random operands, rows of shape `space`: points within 0.9 of the ball of c = 1.
Tensors curved_operands(Samples& s, std::span<const Kind> kinds, const Shape& space, int axis,
                        const Tensor& c);

/// Samples of a row op: layouts, curvature per row and shared, c below 0 if allowed. `with` makes
/// the attributes of an axis.
void curved_samples_of(Samples& s, std::span<const Kind> kinds, Curvature allowed,
                       Attrs (*with)(int64_t axis));

template <class Attrs, Curvature allowed, const auto& operands>
void curved_samples(Samples& s) {
  curved_samples_of(s, operands.kinds, allowed, [](int64_t axis) {
    Attrs a;
    a.axis = axis;
    return box(a);
  });
}

/// Defines a row op on points.
template <class Body, Curvature allowed, const auto& operands>
constexpr OpDef define_curved(const char* name, const char* doc,
                              const PerIsa<RowwiseTiles>& tiles) {
  OpDef d = define_rowwise<Body>(name, doc, operands.args, tiles,
                                 curved_samples<typename Body::Attrs, allowed, operands>);
  d.infer = curved_infer<allowed>;
  return d;
}

/// -x, also of unsigned integers.
Tensor opposite(const Tensor& x);

/// Result dtype: the promoted dtype of the operands, f32 for integers.
DType result_dtype(Inputs in);

inline Tensors as_results(Tensor one) { return {std::move(one)}; }
inline Tensors as_results(Tensors all) { return all; }

/// Defines an op composed of others: f of the operands and of Attrs, which have an axis.
template <auto f, class Attrs, Curvature allowed, const auto& operands>
constexpr OpDef compose_rows(const char* name, const char* doc) {
  OpDef d{.name = name, .doc = doc, .args = operands.args, .attrs = &record_of<Attrs>};
  d.compose = [](const OpDef& op, const void* attrs, Inputs in) {
    for (size_t i = 0; i < std::size(operands.kinds); ++i) {
      if (operands.kinds[i] == curvature) check_curvature(op, in[i], allowed);
    }
    return as_results(f(in, attrs_as<Attrs>(attrs)));
  };
  d.samples = curved_samples<Attrs, allowed, operands>;
  return d;
}
template <auto f, Curvature allowed, const auto& operands>
constexpr OpDef compose_curved(const char* name, const char* doc) {
  return compose_rows<f, AxisAttrs, allowed, operands>(name, doc);
}

/// Compositions that models share: x ⊕ (-y); r ⊗ x by the op on rows; the gyration as that of the
/// same points in the Poincaré ball, in f64, since the conversion loses digits.
template <auto add>
Tensor subtracted(Inputs in, const AxisAttrs& a) {
  return add(in[0], opposite(in[1]), in[2], a);
}
template <const OpDef& scalar_rows>
Tensor scaled(Inputs in, const AxisAttrs& a) {
  return apply_one(scalar_rows, {in[1], in[0], in[2]}, box(a));
}
template <auto to_poincare>
Tensor turned(Inputs in, const AxisAttrs& a) {
  const Tensor& c = in[3];
  auto there = [&](const Tensor& x) { return to_poincare(to(x, DType::f64), c, a); };
  Tensor v = poincare_gyration(there(in[0]), there(in[1]), to(in[2], DType::f64), c, a);
  return to(v, result_dtype(in.first(3)));
}

/// Definition and public function of a row op of `count` tensors.
#define GYRE_CURVED_ROWS(count, name, Body, allowed, doc, operands)                       \
  constinit const OpDef name##_def =                                                      \
      define_curved<Body, Curvature::allowed, operands>(#name, doc, GYRE_TILES_OF(name)); \
  GYRE_FUNCTION_##count(name, Body::Attrs)
/// The same of an op composed of others: f.
#define GYRE_CURVED_PARTS(count, name, f, allowed, doc, operands)                                 \
  constinit const OpDef name##_def = compose_curved<f, Curvature::allowed, operands>(#name, doc); \
  GYRE_FUNCTION_##count(name, AxisAttrs)
/// The scalar multiplication of a model, and the op on rows that it calls.
#define GYRE_CURVED_SCALAR(model, Body, allowed, doc)                                           \
  constinit const OpDef model##_scalar_rows_def =                                               \
      define_curved<Body, Curvature::allowed, kScalarRows>(#model "_scalar_rows", doc,          \
                                                           GYRE_TILES_OF(model##_scalar_rows)); \
  GYRE_CURVED_PARTS(3, model##_scalar, scaled<model##_scalar_rows_def>, allowed, doc, kScalar)

/// Row ops that all models share.
#define GYRE_CURVED_MODEL(model, Model, allowed)                                                 \
  GYRE_CURVED_ROWS(3, model##_log, Model##Log, allowed, "logarithmic map of y at x", kTwoPoints) \
  GYRE_CURVED_ROWS(3, model##_transport0, Model##Transport0, allowed,                            \
                   "parallel transport of v from the origin to x", kPointAndTangent)             \
  GYRE_CURVED_ROWS(4, model##_geodesic, Model##Geodesic, allowed,                                \
                   "point at t on the geodesic from x (t = 0) to y (t = 1)", kGeodesic)          \
  GYRE_CURVED_ROWS(3, model##_egrad2rgrad, Model##Egrad2rgrad, allowed,                          \
                   "Riemannian gradient at x from the Euclidean gradient g", kPointAndGradient)  \
  GYRE_CURVED_ROWS(2, model##_dist0, Model##Dist0, allowed,                                      \
                   "geodesic distance from x to the origin", kPoint)                             \
  GYRE_CURVED_ROWS(3, model##_dist2, Model##Dist2, allowed,                                      \
                   "squared geodesic distance between x and y", kTwoPoints)                      \
  GYRE_CURVED_ROWS(4, model##_inner, Model##Inner, allowed,                                      \
                   "inner product <u, v> of tangent vectors at x", kTwoTangents)                 \
  GYRE_CURVED_ROWS(3, model##_norm, Model##Norm, allowed, "norm |v| of a tangent vector at x",   \
                   kPointAndTangent)

}  // namespace gyre
