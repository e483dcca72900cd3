#include "tests/conformance/definitions/textbook.h"

#include <cmath>

namespace gyre::conformance::textbook {
namespace {

Definition project() {
  return [](const Call& call, const std::vector<Dense>& in) {
    Real margin = attribute(call, "margin", 0.0);
    return rows([=](const Rows& r, Real c) { return projected(r[0], c, margin); }, 99)(call, in);
  };
}
Row ball_geodesic(const Row& x, const Row& y, Real t, Real c) {
  return ball_exp(x, t * ball_log(x, y, c), c);
}

const Definitions kBall({
    {"poincare_add", rows(ROW(ball_add(r[0], r[1], c)))},
    {"poincare_sub", rows(ROW(ball_add(r[0], minus(r[1]), c)))},
    {"poincare_scalar", rows(ROW(ball_scalar(r[0][0], r[1], c)), 0)},
    {"poincare_scalar_rows", rows(ROW(ball_scalar(r[1][0], r[0], c)), 1)},
    {"poincare_gyration", rows(ROW(ball_gyration(r[0], r[1], r[2], c)))},
    {"poincare_exp", rows(ROW(ball_exp(r[0], r[1], c)))},
    {"poincare_log", rows(ROW(ball_log(r[0], r[1], c)))},
    {"poincare_exp0", rows(ROW(ball_exp0(r[0], c)))},
    {"poincare_log0", rows(ROW(ball_log0(r[0], c)))},
    {"poincare_transport",
     rows(ROW(lambda(r[0], c) / lambda(r[1], c) * ball_gyration(r[1], minus(r[0]), r[2], c)))},
    {"poincare_transport0", rows(ROW(2 / lambda(r[0], c) * r[1]))},
    {"poincare_geodesic", rows(ROW(ball_geodesic(r[0], r[1], r[2][0], c)), 2)},
    {"poincare_egrad2rgrad", rows(ROW(1 / squared(lambda(r[0], c)) * r[1]))},
    {"poincare_project", project()},
    {"poincare_lambda", rows(NUMBER(lambda(r[0], c)))},
    {"poincare_dist", rows(NUMBER(ball_dist(r[0], r[1], c)))},
    {"poincare_dist0", rows(NUMBER(2 * inverse_tangent(c, length(r[0]))))},
    {"poincare_dist2", rows(NUMBER(squared(ball_dist(r[0], r[1], c))))},
    {"poincare_inner", rows(NUMBER(squared(lambda(r[0], c)) * dot(r[1], r[2])))},
    {"poincare_norm", rows(NUMBER(lambda(r[0], c) * length(r[1])))},
    {"poincare_to_lorentz", rows(ROW(lambda(r[0], c) * r[0]))},
    {"poincare_to_klein", rows(ROW(2 / (2 - defect(r[0], c)) * r[0]))},
});

const Definitions kLorentz({
    {"lorentz_add", rows(ROW(lorentz_add(r[0], r[1], c)))},
    {"lorentz_sub", rows(ROW(lorentz_add(r[0], minus(r[1]), c)))},
    {"lorentz_scalar", rows(ROW(lorentz_scalar(r[0][0], r[1], c)), 0)},
    {"lorentz_scalar_rows", rows(ROW(lorentz_scalar(r[1][0], r[0], c)), 1)},
    {"lorentz_gyration", rows(ROW(lorentz_gyration(r[0], r[1], r[2], c)))},
    {"lorentz_exp", rows(ROW(lorentz_exp(r[0], r[1], c)))},
    {"lorentz_log", rows(ROW(lorentz_log(r[0], r[1], c)))},
    {"lorentz_exp0", rows(ROW(lorentz_exp(Real(0) * r[0], r[0], c)))},
    {"lorentz_log0", rows(ROW(lorentz_log(Real(0) * r[0], r[0], c)))},
    {"lorentz_transport", rows(ROW(lorentz_transport(r[0], r[1], r[2], c)))},
    {"lorentz_transport0", rows(ROW(lorentz_transport(Real(0) * r[0], r[0], r[1], c)))},
    {"lorentz_geodesic",
     rows(ROW(lorentz_exp(r[0], r[2][0] * lorentz_log(r[0], r[1], c), c)), 2)},
    {"lorentz_egrad2rgrad", rows(ROW(r[1] + c * dot(r[0], r[1]) * r[0]))},
    {"lorentz_dist", rows(NUMBER(lorentz_dist(r[0], r[1], c)))},
    {"lorentz_dist0", rows(NUMBER(lorentz_dist(Real(0) * r[0], r[0], c)))},
    {"lorentz_dist2", rows(NUMBER(squared(lorentz_dist(r[0], r[1], c))))},
    {"lorentz_inner", rows(NUMBER(inner(r[0], r[1], r[2], c)))},
    {"lorentz_norm", rows(NUMBER(std::sqrt(inner(r[0], r[1], r[1], c))))},
    {"lorentz_to_poincare", rows(ROW(to_ball(r[0], c)))},
    {"lorentz_to_klein", rows(ROW(straight(r[0], c)))},
    {"lorentz_with_time", rows([](const Rows& r, Real c) -> Row {
       Row y{time_of(r[0], c)};
       y.insert(y.end(), r[0].begin(), r[0].end());
       return y;
     })},
    {"lorentz_without_time",
     [](const Call& call, const std::vector<Dense>& in) {
       auto tail = [](const std::vector<Values>& r) { return Values(r[0].begin() + 1, r[0].end()); };
       return std::vector<Values>{by_rows(tail, in, attribute(call, "axis", int64_t{-1}))};
     }},
});

const Definitions kKlein({
    {"klein_add", rows(ROW(klein_add(r[0], r[1], c)))},
    {"klein_sub", rows(ROW(klein_add(r[0], minus(r[1]), c)))},
    {"klein_scalar", rows(ROW(klein_scalar(r[0][0], r[1], c)), 0)},
    {"klein_scalar_rows", rows(ROW(klein_scalar(r[1][0], r[0], c)), 1)},
    {"klein_gyration",
     rows(ROW(ball_gyration(klein_to_ball(r[0], c), klein_to_ball(r[1], c), r[2], c)))},
    {"klein_exp", rows(ROW(klein_exp(r[0], r[1], c)))},
    {"klein_log", rows(ROW(klein_log(r[0], r[1], c)))},
    {"klein_exp0", rows(ROW(klein_exp(Real(0) * r[0], r[0], c)))},
    {"klein_log0", rows(ROW(klein_log(Real(0) * r[0], r[0], c)))},
    {"klein_transport", rows(ROW(klein_transport(r[0], r[1], r[2], c)))},
    {"klein_transport0", rows(ROW(klein_transport(Real(0) * r[0], r[0], r[1], c)))},
    {"klein_untransport0", rows(ROW(klein_transport(r[0], Real(0) * r[0], r[1], c)))},
    {"klein_geodesic", rows(ROW(klein_exp(r[0], r[2][0] * klein_log(r[0], r[1], c), c)), 2)},
    {"klein_egrad2rgrad", rows(ROW(klein_gradient(r[0], r[1], c)))},
    {"klein_project", project()},
    {"klein_dist", rows(NUMBER(klein_dist(r[0], r[1], c)))},
    {"klein_dist0", rows(NUMBER(klein_dist(Real(0) * r[0], r[0], c)))},
    {"klein_dist2", rows(NUMBER(squared(klein_dist(r[0], r[1], c))))},
    {"klein_inner", rows(NUMBER(klein_inner(r[0], r[1], r[2], c)))},
    {"klein_norm", rows(NUMBER(std::sqrt(klein_inner(r[0], r[1], r[1], c))))},
    {"klein_to_poincare", rows(ROW(klein_to_ball(r[0], c)))},
    {"klein_to_lorentz", rows(ROW(raised(r[0], c)))},
});

// ---- paths: the last operand, which rows() passes on as `c`, is t ----

Row ball_lerp(const Row& u, const Row& v, Real t, Real c) {
  return ball_add(ball_scalar(1 - t, u, c), ball_scalar(t, v, c), c);
}
Row lorentz_lerp(const Row& u, const Row& v, Real t, Real c) {
  return lorentz_add(lorentz_scalar(1 - t, u, c), lorentz_scalar(t, v, c), c);
}
Row lorentz_geodesic(const Row& x, const Row& y, Real t, Real c) {
  return lorentz_exp(x, t * lorentz_log(x, y, c), c);
}
Row klein_geodesic(const Row& x, const Row& y, Real t, Real c) {
  return klein_exp(x, t * klein_log(x, y, c), c);
}
Row klein_lerp(const Row& u, const Row& v, Real t, Real c) {
  return straight(lorentz_lerp(raised(u, c), raised(v, c), t, c), c);
}

const Definitions kPaths({
    {"poincare_ball_layer", rows(ROW(ball_geodesic(r[0], r[1], c, r[2][0])), 2)},
    {"lorentz_layer", rows(ROW(lorentz_geodesic(r[0], r[1], c, r[2][0])), 2)},
    {"klein_layer", rows(ROW(klein_geodesic(r[0], r[1], c, r[2][0])), 2)},
    {"poincare_gyro_lerp", rows(ROW(ball_lerp(r[0], r[1], r[2][0], c)), 2)},
    {"lorentz_gyro_lerp", rows(ROW(lorentz_lerp(r[0], r[1], r[2][0], c)), 2)},
    {"klein_gyro_lerp", rows(ROW(klein_lerp(r[0], r[1], r[2][0], c)), 2)},
});

}  // namespace
}  // namespace gyre::conformance::textbook
