#include <algorithm>

#include "gyre/hyperbolic/ball/ball.h"
#include "gyre/hyperbolic/define_sets.h"
#include "gyre/hyperbolic/klein/klein.h"
#include "gyre/hyperbolic/lorentz/lorentz.h"
#include "gyre/hyperbolic/roots.h"
#include "gyre/hyperbolic/sets.h"
#include "gyre/ops/batch_rules.h"
#include "gyre/ops/linalg/matmul.h"

namespace gyre {

extern const OpDef poincare_frechet_mean_def, lorentz_frechet_mean_def, klein_frechet_mean_def;

namespace {

constexpr double kNear = 0.02;     // steps, as sqrt(c) times the way: from here Newton's
constexpr double kArrived = 1e-9;  // one more step of Newton's squares that
constexpr int kMostCautious = 2000, kMostOfNewton = 8;  // beyond them, m itself is rounded
constexpr int kRecorded = 3;  // steps that derivatives go through: right to that order

// ---- sets of points in the ball, seen from a point that is taken to the origin ----

Tensor beside(const Tensor& c) { return c.rank() ? unsqueeze(c, -1) : c; }

// x of n points, less the point m of each set.
Tensor seen_from(const Tensor& m, const Tensor& x, const Tensor& c) {
  return poincare_add(-unsqueeze(m, -2), x, beside(c));
}

// The largest number there is, 0 for none: NaN is of a set that has no mean.
double largest(const Tensor& x) { return x.numel() ? max(where(x == x, x, 0.0)).item() : 0; }

// The derivatives at the origin of half of sum w d^2, by coordinates of its tangent space: the
// gradient is -pull, the second ones sum w (k I - (k - 1) u u^T) for directions u to the points and
// k = D coth D, D = 2 sqrt(c) |log0|.
struct Spread {
  Tensor pull;        // sum w log0(x) [..., d]
  Tensor logs, bend;  // log0(x) [..., n, d]; w (k - 1) / |log0|^2 [..., n]
  Tensor stiffness;   // sum w k [...]

  Spread(const Tensor& x, const Tensor& w, const Tensor& c) : logs(poincare_log0(x, beside(c))) {
    Tensor squares = sum(logs * logs, -1), k = 4.0 * beside(c) * squares;
    Tensor coth = cosh_root(k) / sinhc(k), apart = squares > 0.0;
    pull = sum(unsqueeze(w, -1) * logs, -2);
    bend = w * where(apart, maximum(coth - 1.0, 0.0) / where(apart, squares, 1.0), 0.0);
    stiffness = sum(w * coth, -1);
  }

  /// The step to the centroid by weights w D / sinh D, which never leads away from the mean: what
  /// it makes least lies above sum w d^2, since arcosh^2 is concave.
  Tensor cautious(const Tensor& c) const {
    Tensor to = pull / unsqueeze(stiffness, -1);
    Tensor u = 4.0 * c * sum(to * to, -1), rest = 1.0 - u;
    return unsqueeze(asinhc(u / rest) / sqrt(rest), -1) * to;
  }
};

// The inverse of second derivatives: v / stiffness + rows^T middle rows v. With A the logarithms
// times sqrt(bend / stiffness) they are stiffness (I - A^T A), and the inverse of that is I +
// A^T (I - A A^T)^-1 A: the smaller one of A^T A and A A^T is made.
struct Inverse {
  Tensor rows, middle, stiffness;

  explicit Inverse(const Spread& s) : stiffness(unsqueeze(s.stiffness, -1)) {
    Tensor a = unsqueeze(sqrt(s.bend / stiffness), -1) * s.logs, across = transpose(a, -1, -2);
    bool by_points = a.size(-2) < a.size(-1);
    Tensor gram = by_points ? matmul(a, across) : matmul(across, a);
    Tensor one = to(eye(gram.size(-1)), DType::f64), inverse = inverse_of(one, gram);
    rows = by_points ? a : one + 0.0 * gram;
    middle = (by_points ? inverse : inverse - one) / unsqueeze(stiffness, -1);
  }
  Inverse(Tensor r, Tensor m, Tensor s)
      : rows(std::move(r)), middle(std::move(m)), stiffness(std::move(s)) {}

  /// (I - gram)^-1 by Newton's iteration (Schulz 1933), which converges from I since eigenvalues of
  /// gram lie in [0, 1).
  static Tensor inverse_of(const Tensor& one, const Tensor& gram) {
    Tensor x = one + gram;
    for (double left = 1; left > 1e-8;) {
      Tensor error = one - matmul(one - gram, x);
      x = x + matmul(x, error);
      double now = largest(abs(error));
      left = now < left ? now : 0;
    }
    return x;
  }
  Tensor times(const Tensor& v) const {
    Tensor part = matmul(middle, matmul(rows, unsqueeze(v, -1)));
    return v / stiffness + squeeze(matmul(transpose(rows, -1, -2), part), {-1});
  }
};

double longest(const Tensor& step, const Tensor& c) {
  return std::sqrt(largest(4.0 * c * sum(step * step, -1)));
}

// The mean and the inverse of the second derivatives there. A call of its own, of no table: values
// are read on the way, also inside of vmap().
Tensors solve(const OpDef&, const void*, Inputs in) {
  const Tensor &x = in[0], &w = in[1], &c = in[2];
  Tensor m = sum(unsqueeze(w, -1) * x, -2) / unsqueeze(sum(w, -1), -1);
  auto go = [&](const Tensor& step) {
    m = poincare_add(m, poincare_exp0(step, c), c);
    return longest(step, c);
  };
  for (int i = 0; i < kMostCautious; ++i) {
    if (go(Spread(seen_from(m, x, c), w, c).cautious(c)) <= kNear) break;
  }
  for (int i = 0;; ++i) {
    Spread seen(seen_from(m, x, c), w, c);
    Inverse inverse(seen);
    Tensor step = inverse.times(seen.pull);
    if (longest(step, c) <= kArrived || i == kMostOfNewton) {
      return {m, inverse.rows, inverse.middle, inverse.stiffness};
    }
    go(step);
  }
}
Tensors solve_batch(const BatchedCall& call) {
  int sets = std::max({call.rank(0) - 2, call.rank(1) - 1, call.rank(2)});
  Tensor in[] = {with_batch(call, 0, sets + 2), with_batch(call, 1, sets + 1),
                 with_batch(call, 2, sets)};
  return apply_keeping(call.op, in, call.attrs);
}
constexpr const char* kSolution[] = {"mean", "rows", "middle", "stiffness"};
constinit const OpDef solution_def{
    .name = "frechet_mean",
    .doc = "the mean and the inverse of second derivatives there",
    .args = kSet,
    .outputs = kSolution,
    .visible = 4,
    .compose = solve,
    .batch = solve_batch,
};
Tensors solution(const Tensor& x, const Tensor& w, const Tensor& c) {
  NoGrad constant;
  Tensor in[] = {x.detach(), w.detach(), c.detach()};
  return apply(solution_def, in);
}

// Seen from the mean, Newton's steps with constant second derivatives find it anew: each makes
// derivatives of one more order right (the implicit function theorem for the first).
Tensor mean_in_ball(const Tensor& x, const Tensor& w, const Tensor& c) {
  Tensors at = solution(x, w, c);
  const Tensor& m = at[0];
  Inverse inverse(at[1], at[2], at[3]);
  Tensor seen = seen_from(m, x, c), steps[kRecorded];
  for (Tensor& step : steps) {
    Tensor pull = sum(unsqueeze(w, -1) * poincare_log0(seen, beside(c)), -2);
    step = poincare_exp0(inverse.times(pull), c);
    seen = seen_from(step, seen, c);
  }
  Tensor way = steps[kRecorded - 1];
  for (int i = kRecorded - 1; i-- > 0;) way = poincare_add(steps[i], way, c);
  return poincare_add(m, way, c);
}

using Convert = Tensor (*)(const Tensor&, const Tensor&, const AxisAttrs&);
Tensor itself(const Tensor& x, const Tensor&, const AxisAttrs&) { return x; }

template <Convert to_ball, Convert from_ball>
Tensor mean(Inputs in) {
  Tensor c = to(in[2], DType::f64), x = to(in[0], DType::f64), w = to(in[1], DType::f64);
  return from_ball(mean_in_ball(to_ball(x, beside(c), {}), w, c), c, {});
}

template <Convert to_ball, Convert from_ball>
constexpr OpDef frechet_op(const char* name) {
  OpDef d = weighted_op<mean<to_ball, from_ball>>(
      name, "the point of the least sum of weights [..., n] times squared distances to points x");
  d.ulp = 16;  // the e^r of sets.h for points as far out as those of the samples
  return d;
}

}  // namespace

constinit const OpDef poincare_frechet_mean_def =
    frechet_op<itself, itself>("poincare_frechet_mean");
constinit const OpDef lorentz_frechet_mean_def =
    frechet_op<lorentz_to_poincare, poincare_to_lorentz>("lorentz_frechet_mean");
constinit const OpDef klein_frechet_mean_def =
    frechet_op<klein_to_poincare, poincare_to_klein>("klein_frechet_mean");

#define GYRE_FRECHET_MEAN_FUNCTION(name)                                 \
  Tensor name(const Tensor& x, const Tensor& weights, const Tensor& c) { \
    return apply_one(name##_def, {x, weights, c});                       \
  }
GYRE_FRECHET_MEAN_FUNCTION(poincare_frechet_mean)
GYRE_FRECHET_MEAN_FUNCTION(lorentz_frechet_mean)
GYRE_FRECHET_MEAN_FUNCTION(klein_frechet_mean)
#undef GYRE_FRECHET_MEAN_FUNCTION

}  // namespace gyre
