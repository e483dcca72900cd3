#include "gyre/hyperbolic/nn/rows/planes.h"

#include "gyre/hyperbolic/nn/rows/planes_bodies.h"
#include "gyre/hyperbolic/nn/rows/result_dtypes.h"

namespace gyre {

#define GYRE_OPS "gyre/hyperbolic/nn/rows/rows.def"
#include "gyre/kernel/declare_ops.def"

namespace {

constexpr Operands<3> kNormals{{{"z"}, {"r"}, {"c"}}, {tangent, number, curvature}};
constexpr Operands<6> kProducts{{{"product"}, {"slope"}, {"offset"}, {"gain"}, {"time"}, {"c"}},
                                {tangent, tangent, tangent, tangent, number, curvature}};
constexpr const char* kLifted[] = {"space", "time"};
constexpr const char* kPlanes[] = {"normal", "slope", "offset", "gain"};

// ---- factors ----

// Results up to `last` are f64 if `wide`.
template <size_t last>
DType factor_dtype(const void* attrs, Inputs, size_t i, DType d) {
  return i <= last && attrs_as<PlaneAttrs>(attrs).wide ? DType::f64 : d;
}

template <const auto& operands>
void factor_samples(Samples& s) {
  curved_samples<PlaneAttrs, Curvature::positive, operands>(s);
  s.add(curved_operands(s, operands.kinds, {3, 5}, 1, s.uniform({}, 0.5, 1)),
        box(PlaneAttrs{.wide = true}));
  s.refuse(Code::value, curved_operands(s, operands.kinds, {3, 5}, 1, Tensor(-1.0)));
}

template <class Body, size_t last, const auto& operands>
constexpr OpDef factor_op(const char* name, const char* doc, std::span<const char* const> outputs,
                          const PerIsa<RowwiseTiles>& tiles) {
  OpDef d = define_curved<Body, Curvature::positive, operands>(name, doc, tiles);
  d.outputs = outputs;
  d.samples = factor_samples<operands>;
  return with_result_dtypes<Body, factor_dtype<last>>(d);
}

template <class Body>
constexpr OpDef lift_op(const char* name, const char* doc, const PerIsa<RowwiseTiles>& tiles) {
  OpDef d = factor_op<Body, 1, kPoint>(name, doc, kLifted, tiles);
  d.samples = [](Samples& s) {
    factor_samples<kPoint>(s);
    s.extreme({s.values({0, 0}), s.uniform({}, 1, 1)});
  };
  return d;
}
template <class Body>
constexpr OpDef planes_op(const char* name, const char* doc, const PerIsa<RowwiseTiles>& tiles) {
  OpDef d = factor_op<Body, 2, kNormals>(name, doc, kPlanes, tiles);
  d.samples = [](Samples& s) {
    factor_samples<kNormals>(s);
    s.extreme({s.values({0, 0}), s.uniform({}, 0.5, 0.5), s.uniform({}, 1, 1)});  // zero normal
    s.extreme({s.values({1, 2}), s.uniform({}, 0, 0), s.uniform({}, 1, 1)});  // through the origin
    s.extreme({s.values({1, 2}), s.uniform({}, -3, -3), s.uniform({}, 1, 1)});
  };
  return d;
}

// ---- results ----

DType dtype_of_gain(const void*, Inputs in, size_t, DType) {
  DType d = in[3].dtype();
  return is_floating(d) ? d : DType::f32;
}
void product_samples(Samples& s) {
  curved_samples<AxisAttrs, Curvature::positive, kProducts>(s);
  auto add = [&](const Shape& product, const Shape& plane) {
    s.add({s.uniform(product), s.uniform(plane, 0.5, 2), s.uniform(plane), s.uniform(plane),
           s.uniform(product.without(product.rank - 1), 1, 3), s.uniform({}, 0.5, 1)});
  };
  add({4, 5}, {5});
  add({70, 3}, {3});
  add({2, 3, 4}, {4});
  s.extreme({s.values({0, 1}), s.values({1, 0}), s.values({0, 0}), s.values({1, 1}),
             s.uniform({}, 1, 1), s.uniform({}, 1, 1)});
  s.refuse(Code::value, {s.values({1}), s.values({1}), s.values({1}), s.values({1}), s.uniform({}),
                         Tensor(-1.0)});
}
template <class Body>
constexpr OpDef product_op(const char* name, const char* doc, const PerIsa<RowwiseTiles>& tiles) {
  OpDef d = define_rowwise<Body>(name, doc, kProducts.args, tiles, product_samples);
  d.ulp = 16;  // u is a difference
  return with_result_dtypes<Body, dtype_of_gain>(d);
}

Lifted lifted(const OpDef& op, const Tensor& x, const Tensor& c, const PlaneAttrs& a) {
  Tensor in[] = {x, c};
  Tensors out = apply(op, in, box(a));
  return {out[0], out[1]};
}
Hyperplanes planes(const OpDef& op, const Tensor& z, const Tensor& r, const Tensor& c,
                   const PlaneAttrs& a) {
  Tensor in[] = {z, r, c};
  Tensors out = apply(op, in, box(a));
  return {out[0], out[1], out[2], out[3]};
}
Tensor of_product(const OpDef& op, const Tensor& product, const Hyperplanes& p, const Tensor& time,
                  const Tensor& c) {
  return apply_one(op, {product, p.slope, p.offset, p.gain, time, c}, box(AxisAttrs{}));
}

}  // namespace

constinit const OpDef poincare_lift_def = lift_op<PoincareLift>(
    "poincare_lift", "points of the Poincaré ball and their time coordinate on the hyperboloid",
    GYRE_TILES_OF(poincare_lift));
constinit const OpDef lorentz_lift_def =
    lift_op<LorentzLift>("lorentz_lift", "points of the hyperboloid and their time coordinate",
                         GYRE_TILES_OF(lorentz_lift));
constinit const OpDef poincare_planes_def =
    planes_op<PoincarePlanes>("poincare_planes",
                              "hyperplanes of the Poincaré ball with normals z at gyrodistance r: "
                              "normals and logit coefficients",
                              GYRE_TILES_OF(poincare_planes));
constinit const OpDef lorentz_planes_def = planes_op<LorentzPlanes>(
    "lorentz_planes",
    "hyperplanes of the hyperboloid with normals z at distance r: normals and logit coefficients",
    GYRE_TILES_OF(lorentz_planes));
constinit const OpDef poincare_scores_def = product_op<PoincareScores>(
    "poincare_scores", "logits of PoincareMLR from the product of points and normals",
    GYRE_TILES_OF(poincare_scores));
constinit const OpDef lorentz_scores_def = product_op<LorentzScores>(
    "lorentz_scores", "logits of LorentzMLR from the product of points and normals",
    GYRE_TILES_OF(lorentz_scores));
constinit const OpDef poincare_from_planes_def = product_op<PoincareFromPlanes>(
    "poincare_from_planes", "output of PoincareLinear from the product of points and normals",
    GYRE_TILES_OF(poincare_from_planes));

#define GYRE_LIFT_FUNCTION(name)                                       \
  Lifted name(const Tensor& x, const Tensor& c, const PlaneAttrs& a) { \
    return lifted(name##_def, x, c, a);                                \
  }
#define GYRE_PLANES_FUNCTION(name)                                                           \
  Hyperplanes name(const Tensor& z, const Tensor& r, const Tensor& c, const PlaneAttrs& a) { \
    return planes(name##_def, z, r, c, a);                                                   \
  }
#define GYRE_PRODUCT_FUNCTION(name)                                                 \
  Tensor name(const Tensor& product, const Hyperplanes& planes, const Tensor& time, \
              const Tensor& c) {                                                    \
    return of_product(name##_def, product, planes, time, c);                        \
  }
GYRE_LIFT_FUNCTION(poincare_lift)
GYRE_LIFT_FUNCTION(lorentz_lift)
GYRE_PLANES_FUNCTION(poincare_planes)
GYRE_PLANES_FUNCTION(lorentz_planes)
GYRE_PRODUCT_FUNCTION(poincare_scores)
GYRE_PRODUCT_FUNCTION(lorentz_scores)
GYRE_PRODUCT_FUNCTION(poincare_from_planes)
#undef GYRE_PRODUCT_FUNCTION
#undef GYRE_PLANES_FUNCTION
#undef GYRE_LIFT_FUNCTION

}  // namespace gyre
