#include "gyre/base/error.h"
#include "gyre/op/apply.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/linalg/decompositions.h"
#include "gyre/ops/linalg/matrices.h"
#include "gyre/ops/linalg/matrix_parts.h"
#include "gyre/ops/linalg/solve.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/shape.h"

namespace gyre {

extern const OpDef lstsq_def;

namespace {

// r with zeroed rows where the diagonal is at rounding level, so that a solve rejects them.
Tensor of_full_rank(const Tensor& r, int64_t rows) {
  if (r.numel() == 0) return r;
  const Tensor d = unsqueeze(abs(diagonal(r.detach(), {0, -2, -1})), -1);
  const Tensor least = max(d, -2, true) * (epsilon_of(r) * static_cast<double>(rows));
  return r * to(gt(d, least), r.dtype());
}

// By a = q r, r X = q^T b; by a^T = q r, the least of all is in the span of q: X = q r^-T b.
Tensor solve_by_qr(const Tensor& a, const Tensor& column) {
  if (a.size(-2) >= a.size(-1)) {
    auto [q, r] = qr(a);
    return triangular_solve(of_full_rank(r, a.size(-2)), matmul(transposed(q), column),
                            {.upper = true});
  }
  auto [q, r] = qr(transposed(a));
  return matmul(
      q, triangular_solve(of_full_rank(r, a.size(-1)), column, {.upper = true, .transpose = true}));
}

Tensors lstsq_compose(const OpDef&, const void*, Inputs in) {
  check_matrices(lstsq_def, in[0], "a");
  const bool vector = check_system(lstsq_def, in[0], in[1]);
  const DType dtype = promote(in[0].dtype(), in[1].dtype());
  const Tensor a = to(in[0], dtype), b = to(in[1], dtype);
  Tensor column = vector ? unsqueeze(b, -1) : b, x;
  try {
    x = solve_by_qr(a, column);
  } catch (const Error& error) {
    if (error.code != Code::numeric) throw;
    refuse(Code::numeric, lstsq_def, "a does not have full rank");
  }
  return {vector ? squeeze(x, {-1}) : x};
}

void lstsq_samples(Samples& s) {
  s.add({well_conditioned(s, {3, 1, 1}), s.uniform({3, 1, 2})});
  s.add({well_conditioned(s, {4, 1}), s.uniform({4, 2})});
  s.add({well_conditioned(s, {2, 4, 3}), s.uniform({2, 4, 2})});
  s.add({well_conditioned(s, {1, 3}), s.uniform({1, 2})});
  s.add({well_conditioned(s, {2, 3, 4}), s.uniform({3})});
  s.add({well_conditioned(s, {2, 0}), s.uniform({2, 3})});
  s.refuse(Code::numeric, {s.uniform({3, 2}) * Tensor(0.0), s.uniform({3, 1})});
  s.refuse(Code::numeric, {reshape(s.values({1, 2, 2, 4}), {2, 2}), s.uniform({2})});
  s.refuse(Code::numeric, {expand(s.values({1}), {2, 3}), s.uniform({2})});
  s.refuse(Code::shape, {s.uniform({3, 2}), s.uniform({2, 3})});
  s.refuse(Code::shape, {s.uniform({3, 2}), s.uniform({2})});
  s.refuse(Code::shape, {s.uniform({3}), s.uniform({3, 3})});
  s.refuse(Code::dtype, {s.integers({2, 2}, 0, 3), s.uniform({2, 2})});
  s.refuse(Code::dtype, {s.uniform({2, 2}), s.integers({2}, 0, 3)});
}

}  // namespace

constinit const OpDef lstsq_def{.name = "lstsq",
                                .doc = "least-squares solution of a X = b; a must have full rank",
                                .args = kSystemArgs,
                                .compose = lstsq_compose,
                                .samples = lstsq_samples,
                                .ulp = 64};

Tensor lstsq(const Tensor& a, const Tensor& b) { return apply_one(lstsq_def, {a, b}); }

}  // namespace gyre
