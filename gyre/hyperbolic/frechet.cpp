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
namespace {

constexpr double kNear = 0.02;     // steps below this (times sqrt(c)) switch to Newton's method
constexpr double kArrived = 1e-9;  // converged: another Newton step would square this
constexpr int kMostCautious = 2000, kMostOfNewton = 8;  // limits of iterations
constexpr int kRecorded = 3;  // recorded Newton steps: derivatives are correct to this order

// ---- sets of points in the ball, translated so that a given point is the origin ----

Tensor beside(const Tensor& c) { return c.rank() ? unsqueeze(c, -1) : c; }

// The points x translated by -m, one m per set.
Tensor seen_from(const Tensor& m, const Tensor& x, const Tensor& c) {
  return poincare_add(-unsqueeze(m, -2), x, beside(c));
}

// The maximum, ignoring NaN, which marks sets without a mean; 0 if empty.
double largest(const Tensor& x) { return x.numel() ? max(where(x == x, x, 0.0)).item() : 0; }

// Derivatives of 1/2 sum w d^2 at the origin, in coordinates of its tangent space: the gradient is
// -pull, the Hessian sum w (k I - (k - 1) u u^T) for directions u to the points and k = D coth D,
// D = 2 sqrt(c) |log0|.
struct Spread {
  Tensor pull;        // sum w log0(x) [..., d]
  Tensor logs, bend;  // log0(x) [..., n, d]; w (k - 1) / |log0|^2 [..., n]
  Tensor stiffness;   // sum w k [...]

  Spread(const Tensor& x, const Tensor& w, const Tensor& c) : logs(poincare_log0(x, beside(c))) {
    Tensor squares = sum(logs * logs, -1), k = 4.0 * beside(c) * squares;
    Tensor coth = cosh_root(k) / sinhc(k), apart = squares > 0.0;
    pull = sum(unsqueeze(w, -1) * logs, -2);
    bend = w * where(apart, (coth - 1.0) / where(apart, squares, 1.0), 0.0);
    stiffness = sum(w * coth, -1);
  }

  /// The step to the centroid with weights w D / sinh D, which never increases sum w d^2: it
  /// minimises an upper bound (majorisation), since arcosh^2 is concave.
  Tensor cautious(const Tensor& c) const {
    Tensor to = pull / unsqueeze(stiffness, -1);
    Tensor u = 4.0 * c * sum(to * to, -1), rest = 1.0 - u;
    return unsqueeze(asinhc(u / rest) / sqrt(rest), -1) * to;
  }
};

// The inverse Hessian: v / stiffness + rows^T middle rows v. With A the logarithms times
// sqrt(|bend| / stiffness) and S the signs of bend, which is negative for c < 0, the Hessian is
// stiffness (I - A^T S A), and (I - A^T S A)^-1 = I + A^T (I - S A A^T)^-1 S A (Woodbury): the
// smaller one of A^T S A and S A A^T is computed.
struct Inverse {
  Tensor rows, middle, stiffness;

  explicit Inverse(const Spread& s) : stiffness(unsqueeze(s.stiffness, -1)) {
    Tensor a = unsqueeze(sqrt(abs(s.bend) / stiffness), -1) * s.logs;
    Tensor signs = unsqueeze(where(s.bend < 0.0, -1.0, 1.0), -1), signed_rows = signs * a;
    bool by_points = a.size(-2) < a.size(-1);
    Tensor gram = by_points ? matmul(signed_rows, transpose(a, -1, -2))
                            : matmul(transpose(signed_rows, -1, -2), a);
    const int64_t n = gram.size(-1);
    Tensor one = eye(n, n, {DType::f64, gram.device()}), inverse = inverse_of(one, gram);
    rows = by_points ? a : one + 0.0 * gram;
    middle =
        (by_points ? inverse * transpose(signs, -1, -2) : inverse - one) / unsqueeze(stiffness, -1);
  }
  Inverse(Tensor r, Tensor m, Tensor s)
      : rows(std::move(r)), middle(std::move(m)), stiffness(std::move(s)) {}

  /// (I - gram)^-1 by the Newton-Schulz iteration (Schulz 1933), which converges from I if the
  /// eigenvalues of gram lie in (-1, 1), as for c >= 0; those of 1 - gram are positive in any case,
  /// and their inverse bound is a start, too.
  static Tensor inverse_of(const Tensor& one, const Tensor& gram) {
    const double bound = largest(sum(abs(gram), -1));
    Tensor x = bound < 1 ? one + gram : one / (1 + bound);
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
  return std::sqrt(largest(4.0 * abs(c) * sum(step * step, -1)));
}

// The mean and the inverse Hessian there. An op of its own outside the op table, since it reads
// values, also inside vmap().
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
extern constinit const OpDef solution_def{
    .name = "frechet_mean",
    .doc = "weighted Fréchet mean and the inverse Hessian there",
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

// Recorded Newton steps from the mean with a constant Hessian: each makes derivatives of one more
// order correct (the first is the implicit function theorem).
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

template <Convert to_ball, Convert from_ball, Curvature allowed>
constexpr OpDef frechet_op(const char* name) {
  OpDef d = weighted_op<mean<to_ball, from_ball>, allowed>(
      name, "weighted Fréchet mean of points x [..., n, d], weights [..., n]");
  d.ulp = 16;  // the e^r of sets.h at the distances of the samples
  return d;
}

}  // namespace

extern constinit const OpDef poincare_frechet_mean_def =
    frechet_op<itself, itself, Curvature::any>("poincare_frechet_mean");
extern constinit const OpDef lorentz_frechet_mean_def =
    frechet_op<lorentz_to_poincare, poincare_to_lorentz, Curvature::positive>(
        "lorentz_frechet_mean");
extern constinit const OpDef klein_frechet_mean_def =
    frechet_op<klein_to_poincare, poincare_to_klein, Curvature::positive>("klein_frechet_mean");

GYRE_SET_FUNCTION(poincare_frechet_mean)
GYRE_SET_FUNCTION(lorentz_frechet_mean)
GYRE_SET_FUNCTION(klein_frechet_mean)

}  // namespace gyre
