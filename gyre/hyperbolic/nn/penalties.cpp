#include "gyre/hyperbolic/nn/penalties.h"

#include <cmath>

#include "gyre/hyperbolic/ball/ball.h"
#include "gyre/hyperbolic/define_curved.h"
#include "gyre/hyperbolic/sets.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/norm/norm.h"
#include "gyre/ops/reduce/reduce.h"

namespace gyre {
namespace {

constexpr Arg kCurvature[] = {{"c"}};
constexpr Arg kLabelled[] = {{"x"}, {.name = "labels", .differentiable = false}, {"c"}};

void check_rank(const OpDef& op, const Tensor& x, int least, const char* shape) {
  if (x.rank() >= least) return;
  refuse(Code::shape, op, {"x has shape ", x.shape()}, shape, x.shape());
}

Tensors boundary(const OpDef& op, const void* attrs, Inputs in) {
  check_curvature(op, in[1], Curvature::positive);
  const auto& a = attrs_as<BoundaryAttrs>(attrs);
  check_record(op.name, a);
  check_rank(op, in[0], 1, "[..., d]");
  Tensor x = to(in[0], DType::f64), c = to(in[1], DType::f64);
  Tensor over = relu(c * sum(x * x, -1) - Tensor((1 - a.margin) * (1 - a.margin)));
  return {to(mean(over * over), result_dtype(in.first(1)))};
}

Tensors curvature_terms(const OpDef& op, const void* attrs, Inputs in) {
  const auto& a = attrs_as<CurvatureTargetAttrs>(attrs);
  check_record(op.name, a);
  Tensor off = log(to(in[0], DType::f64)) - Tensor(std::log(a.target));
  return {to(mean(off * off), result_dtype(in.first(1)))};
}

Tensors variance(const OpDef& op, const void*, Inputs in) {
  check_curvature(op, in[1], Curvature::positive);
  check_rank(op, in[0], 2, "[..., n, d]");
  Tensor x = to(in[0], DType::f64);
  Tensor middle = poincare_midpoint(x, ones({x.size(-2)}, {DType::f64, x.device()}), in[1]);
  return {to(mean(poincare_dist2(x, unsqueeze(middle, -2), in[1]), -1), result_dtype(in.first(1)))};
}

Tensors contrastive(const OpDef& op, const void* attrs, Inputs in) {
  check_curvature(op, in[2], Curvature::positive);
  const auto& a = attrs_as<ContrastiveAttrs>(attrs);
  check_record(op.name, a);
  const Tensor &x = in[0], &labels = in[1];
  if (x.rank() != 2 || !(labels.shape() == Shape{x.size(0)})) {
    refuse(Code::shape, op, {"x has shape ", x.shape(), ", labels ", labels.shape()},
           "[n, d] and [n]", labels.shape());
  }
  Tensor points = to(x, DType::f64),
         self = eye(x.size(0), x.size(0), {.device = x.device()}) > Tensor(0.5);
  Tensor alike = unsqueeze(labels, -1) == unsqueeze(labels, -2);
  Tensor pairs = where(self, Tensor(0.0), to(alike, DType::f64)), others = sum(pairs, -1);
  Tensor closeness = poincare_cdist(points, points, in[2]) * Tensor(-1 / a.temperature);
  Tensor logs = log_softmax(where(self, Tensor(-INFINITY), closeness));
  Tensor of_pairs = sum(where(self, Tensor(0.0), logs) * pairs, -1);
  Tensor some = to(others > Tensor(0.5), DType::f64);
  Tensor terms = of_pairs / (others + (Tensor(1.0) - some));
  Tensor count = sum(some);
  return {to(-sum(terms) / maximum(count, Tensor(1.0)), result_dtype(in.first(1)))};
}

template <Tensors (*compose)(const OpDef&, const void*, Inputs), class Attrs>
constexpr OpDef penalty(const char* name, const char* doc, std::span<const Arg> args,
                        void (*samples)(Samples&)) {
  OpDef d{.name = name, .doc = doc, .args = args};
  if constexpr (!std::is_void_v<Attrs>) d.attrs = &record_of<Attrs>;
  d.compose = compose;
  d.samples = samples;
  return d;
}

Tensor points(Samples& s, const Shape& shape) { return s.uniform(shape, -0.4, 0.4); }
Tensor curvature_of(Samples& s) { return s.uniform({}, 0.5, 1); }

}  // namespace

extern constinit const OpDef poincare_boundary_def = penalty<boundary, BoundaryAttrs>(
    "poincare_boundary", "boundary penalty: mean of max(0, c|x|^2 - (1 - margin)^2)^2", kPoint.args,
    [](Samples& s) {
      using A = BoundaryAttrs;
      s.add({s.uniform({4, 3}, 0.35, 0.55), s.uniform({}, 0.8, 1)}, box(A{.margin = 0.6}));
      s.add({points(s, {2, 3, 2}), curvature_of(s)});
      s.add({s.uniform({3}, 0.3, 0.5), s.uniform({}, 0.8, 1)}, box(A{.margin = 0.7}));
      s.extreme({s.values({0, 0}), s.uniform({}, 1, 1)});
      s.refuse(Code::value, {points(s, {2, 3}), curvature_of(s)}, box(A{.margin = 0}));
      s.refuse(Code::value, {points(s, {2, 3}), curvature_of(s)}, box(A{.margin = 1}));
      s.refuse(Code::value, {points(s, {2, 3}), Tensor(-1.0)});
      s.refuse(Code::shape, {points(s, {}), curvature_of(s)});
    });
extern constinit const OpDef curvature_penalty_def = penalty<curvature_terms, CurvatureTargetAttrs>(
    "curvature_penalty", "curvature penalty: mean of log(c / target)^2", kCurvature,
    [](Samples& s) {
      using A = CurvatureTargetAttrs;
      s.add({s.uniform({}, 0.5, 2)});
      s.add({s.uniform({3}, 0.5, 2)}, box(A{.target = 3}));
      s.add({s.uniform({2, 3}, 0.5, 2)}, box(A{.target = 0.1}));
      s.refuse(Code::value, {s.uniform({}, 0.5, 2)}, box(A{.target = 0}));
      s.refuse(Code::value, {s.uniform({}, 0.5, 2)}, box(A{.target = INFINITY}));
    });
extern constinit const OpDef poincare_variance_def = penalty<variance, void>(
    "poincare_variance", "variance: mean squared distance of points to their midpoint", kPoint.args,
    [](Samples& s) {
      // four points: their midpoint is exact when a test makes them equal
      s.add({points(s, {4, 3}), curvature_of(s)});
      s.add({points(s, {2, 4, 2}), curvature_of(s)});
      s.add({points(s, {4, 1}), curvature_of(s)});
      s.refuse(Code::shape, {points(s, {3}), curvature_of(s)});
      s.refuse(Code::value, {points(s, {2, 3}), Tensor(0.0)});
    });
extern constinit const OpDef poincare_contrastive_def = penalty<contrastive, ContrastiveAttrs>(
    "poincare_contrastive", "supervised contrastive loss with negative distances as similarities",
    kLabelled, [](Samples& s) {
      using A = ContrastiveAttrs;
      s.add({points(s, {5, 5}), s.indices({0, 1, 0, 1, 1}), curvature_of(s)},
            box(A{.temperature = 0.5}));
      s.add({points(s, {4, 4}), s.indices({0, 0, 0, 7}), curvature_of(s)},
            box(A{.temperature = 1}));
      s.add({points(s, {3, 3}), s.indices({-1, 4, -1}), curvature_of(s)}, box(A{.temperature = 2}));
      s.extreme({points(s, {3, 2}), s.indices({0, 1, 2}), s.uniform({}, 1, 1)});
      s.refuse(Code::shape, {points(s, {3, 2}), s.indices({0, 1}), curvature_of(s)});
      s.refuse(Code::shape, {points(s, {3}), s.indices({0, 1, 1}), curvature_of(s)});
      s.refuse(Code::value, {points(s, {2, 2}), s.indices({0, 0}), curvature_of(s)},
               box(A{.temperature = 0}));
      s.refuse(Code::value, {points(s, {2, 2}), s.indices({0, 0}), Tensor(0.0)});
    });

GYRE_FUNCTION_2(poincare_boundary, BoundaryAttrs)
GYRE_FUNCTION_1(curvature_penalty, CurvatureTargetAttrs)
Tensor poincare_variance(const Tensor& x, const Tensor& c) {
  return apply_one(poincare_variance_def, {x, c});
}
GYRE_FUNCTION_3(poincare_contrastive, ContrastiveAttrs)

}  // namespace gyre
