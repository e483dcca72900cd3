#include "gyre/hyperbolic/manifold/euclidean.h"

#include "gyre/hyperbolic/manifold/formula_space.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/linalg/matmul.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/shape.h"

namespace gyre::hyperbolic {

Tensor times_rows(const Tensor& numbers, const Tensor& rows) {
  return (numbers.rank() ? unsqueeze(numbers, -1) : numbers) * rows;
}

Tensor weighted_sum(const Tensor& x, const Tensor& weights) {
  return sum(unsqueeze(weights, -1) * x, -2);
}

Tensor by_pairs(Tensor (*dist)(Inputs in), Inputs in) {
  const Tensor pairs[] = {unsqueeze(in[0], -2), unsqueeze(in[1], -3)};
  return dist(Inputs(pairs));
}

namespace {

Tensor euclidean_distance(Inputs in) { return norm(in[1] - in[0], -1); }
Tensor straight(Inputs in) { return in[0] + times_rows(in[2], in[1] - in[0]); }
Tensor mean(Inputs in) { return weighted_sum(in[0], in[1]) / unsqueeze(sum(in[1], -1), -1); }
Tensor squared(const Tensor& v) { return sum(v * v, -1); }

constexpr Formula kEuclideanFormulas[] = {
    {Method::add, [](Inputs in) { return in[0] + in[1]; }},
    {Method::sub, [](Inputs in) { return in[0] - in[1]; }},
    {Method::scalar, [](Inputs in) { return times_rows(in[0], in[1]); }},
    {Method::gyration, [](Inputs in) { return in[2]; }},
    {Method::exp, [](Inputs in) { return in[0] + in[1]; }},
    {Method::log, [](Inputs in) { return in[1] - in[0]; }},
    {Method::exp0, [](Inputs in) { return in[0]; }},
    {Method::log0, [](Inputs in) { return in[0]; }},
    {Method::transport, [](Inputs in) { return in[2]; }},
    {Method::transport0, [](Inputs in) { return in[1]; }},
    {Method::geodesic, straight},
    {Method::layer, straight},
    {Method::egrad2rgrad, [](Inputs in) { return in[1]; }},
    {Method::project, [](Inputs in) { return in[0]; }},
    {Method::dist, euclidean_distance},
    {Method::dist0, [](Inputs in) { return norm(in[0], -1); }},
    {Method::dist2, [](Inputs in) { return squared(in[1] - in[0]); }},
    {Method::cdist, [](Inputs in) { return by_pairs(euclidean_distance, in); }},
    {Method::inner, [](Inputs in) { return sum(in[1] * in[2], -1); }},
    {Method::norm, [](Inputs in) { return norm(in[1], -1); }},
    {Method::midpoint, mean},
    {Method::frechet_mean, mean},
    {Method::matvec, [](Inputs in) { return linear(in[1], in[0]); }},
};

struct Flat final : FormulaSpace {
  Flat() : FormulaSpace("Euclidean", kEuclideanFormulas) {}
  bool has(Method m) const override { return m == Method::pointwise || FormulaSpace::has(m); }
  Tensor call(Method m, Inputs in, TangentFunction f) const override {
    return m == Method::pointwise ? tangent_function(f, in[0]) : FormulaSpace::call(m, in, f);
  }
  std::string fault(const Tensor&) const override { return {}; }
};

}  // namespace

Euclidean::Euclidean() : Manifold(make_ref<Flat>()) {}

}  // namespace gyre::hyperbolic
