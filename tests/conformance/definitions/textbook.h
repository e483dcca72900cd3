#pragma once
#include <functional>
#include <vector>

#include "tests/conformance/definitions.h"

// Textbook formulas of hyperbolic geometry in long double: Ungar 2008 for the Poincare ball, the
// Lorentz inner product for the hyperboloid; the Klein ball by conversion to the hyperboloid.

namespace gyre::conformance::textbook {

using Real = long double;
using Row = std::vector<Real>;
using Rows = std::vector<Row>;

Real dot(const Row& a, const Row& b);
Row operator*(Real k, Row a);
Row operator+(Row a, const Row& b);
Row operator-(const Row& a, const Row& b);
Row minus(const Row& x);
Real length(const Row& x);
Row to_length(const Row& x, Real u);
inline Real squared(Real x) { return x * x; }

// ---- ball; c of any sign ----

/// tanh(sqrt(c) u) / sqrt(c), and its inverse.
Real tangent(Real c, Real u);
Real inverse_tangent(Real c, Real u);
/// 1 - c|x|^2; NaN for points outside.
Real defect(const Row& x, Real c);
Real lambda(const Row& x, Real c);
Row ball_add(const Row& x, const Row& y, Real c);
Row ball_scalar(Real r, const Row& x, Real c);
Row ball_gyration(const Row& x, const Row& y, const Row& v, Real c);
Row ball_exp0(const Row& v, Real c);
Row ball_log0(const Row& x, Real c);
Row ball_exp(const Row& x, const Row& v, Real c);
Row ball_log(const Row& x, const Row& y, Real c);
Real ball_dist(const Row& x, const Row& y, Real c);
/// x, or if outside the point in its direction at 1 - margin of the ball's radius.
Row projected(const Row& x, Real c, Real margin);

// ---- hyperboloid; c > 0 ----

Real time_of(const Row& x, Real c);
/// Of tangent vectors at x.
Real inner(const Row& x, const Row& u, const Row& v, Real c);
Real lorentz_dist(const Row& x, const Row& y, Real c);
Row lorentz_add(const Row& x, const Row& y, Real c);
Row lorentz_exp(const Row& x, const Row& v, Real c);
Row lorentz_log(const Row& x, const Row& y, Real c);
Row lorentz_transport(const Row& x, const Row& y, const Row& v, Real c);
Row lorentz_scalar(Real r, const Row& x, Real c);
Row lorentz_gyration(const Row& x, const Row& y, const Row& v, Real c);

// ---- Klein ball, and conversions ----

/// From the hyperboloid to the ball and to the Klein ball.
Row to_ball(const Row& x, Real c);
Row straight(const Row& x, Real c);
/// From the Klein ball to the hyperboloid, of a point and of a tangent vector at k; back, of a
/// tangent vector.
Row raised(const Row& k, Real c);
Row raised(const Row& k, const Row& v, Real c);
Row lowered(const Row& k, const Row& v, Real c);
Row klein_to_ball(const Row& k, Real c);
Row klein_add(const Row& x, const Row& y, Real c);
Row klein_exp(const Row& x, const Row& v, Real c);
Row klein_log(const Row& x, const Row& y, Real c);
Row klein_transport(const Row& x, const Row& y, const Row& v, Real c);
Row klein_scalar(Real r, const Row& x, Real c);
Real klein_inner(const Row& x, const Row& u, const Row& v, Real c);
Real klein_dist(const Row& x, const Row& y, Real c);
Row klein_gradient(const Row& x, const Row& g, Real c);

enum class Model { ball, hyperboloid, klein };
Row midpoint(const Rows& points, const Row& weights, Real c, Model model);

// ---- calls ----

using Curved = std::function<Row(const Rows& x, Real c)>;
/// f of rows, whose last is the curvature; `numbers` operands from the `first` on have one value
/// per row.
Definition rows(const Curved& f, size_t first = 99, size_t numbers = 1);

#define ROW(...) [](const Rows& r, Real c) -> Row { return __VA_ARGS__; }
#define NUMBER(...) [](const Rows& r, Real c) -> Row { return {Real(__VA_ARGS__)}; }

}  // namespace gyre::conformance::textbook
