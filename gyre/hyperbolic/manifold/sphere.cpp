#include "gyre/hyperbolic/manifold/sphere.h"

#include <fmt/format.h>

#include "gyre/hyperbolic/manifold/formula_space.h"
#include "gyre/hyperbolic/roots.h"
#include "gyre/ops/define_pointwise.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/shape.h"

namespace gyre::hyperbolic {
namespace {

Tensor dot(const Tensor& x, const Tensor& y) { return sum(x * y, -1, true); }
Tensor unit(const Tensor& x) { return x / norm(x, -1, true); }

// The angle as 2 atan(|x - y| / |x + y|), accurate near 0 and near pi (Kahan 2006).
Tensor sphere_distance(Inputs in) {
  return 2.0 * atan(norm(in[0] - in[1], -1) / norm(in[0] + in[1], -1));
}
Tensor squared_distance(Inputs in) {
  Tensor angle = sphere_distance(in);
  return angle * angle;
}

Tensor along(const Tensor& x, const Tensor& v) {
  Tensor k = -dot(v, v);  // sinh and cosh of sqrt(k) give sin and cos of |v|
  return cosh_root(k) * x + sinhc(k) * v;
}

// y - x minus its component along x, divided by sin(angle) / angle.
Tensor direction(Inputs in) {
  Tensor e = in[1] - in[0], across = e - dot(in[0], e) * in[0];
  return across / sinhc(-unsqueeze(squared_distance(in), -1));
}

Tensor great_circle(Inputs in) { return along(in[0], times_rows(in[2], direction(in.first(2)))); }

constexpr Formula kSphereFormulas[] = {
    {Method::exp, [](Inputs in) { return along(in[0], in[1]); }},
    {Method::log, direction},
    {Method::transport,
     [](Inputs in) {
       const Tensor &x = in[0], &y = in[1], &v = in[2];
       return v - dot(y, v) / (1.0 + dot(x, y)) * (x + y);
     }},
    {Method::geodesic, great_circle},
    {Method::layer, great_circle},
    {Method::egrad2rgrad, [](Inputs in) { return in[1] - dot(in[0], in[1]) * in[0]; }},
    {Method::project, [](Inputs in) { return unit(in[0]); }},
    {Method::dist, sphere_distance},
    {Method::dist2, squared_distance},
    {Method::cdist, [](Inputs in) { return by_pairs(sphere_distance, in); }},
    {Method::inner, [](Inputs in) { return sum(in[1] * in[2], -1); }},
    {Method::norm, [](Inputs in) { return norm(in[1], -1); }},
    {Method::midpoint, [](Inputs in) { return unit(weighted_sum(in[0], in[1])); }},
};

struct UnitSphere final : FormulaSpace {
  UnitSphere() : FormulaSpace("Sphere", kSphereFormulas) {}

  // The tolerance covers rounding of d elements and of their sum of squares.
  std::string fault(const Tensor& x) const override {
    if (x.numel() == 0) return {};
    double off = max(abs(norm(to(x, DType::f64), -1) - 1.0)).item();
    double allowed = static_cast<double>(4 + x.size(-1)) * epsilon_of(x.dtype());
    return off <= allowed ? std::string() : fmt::format("a norm differs from 1 by {}", off);
  }
};

}  // namespace

Sphere::Sphere() : Manifold(make_ref<UnitSphere>()) {}

}  // namespace gyre::hyperbolic
