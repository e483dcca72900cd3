#include <algorithm>

#include "gyre/op/apply.h"
#include "gyre/op/samples.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/linalg/decompositions.h"
#include "gyre/ops/linalg/matmul.h"
#include "gyre/ops/linalg/matrix_parts.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/shape.h"

namespace gyre {

extern const OpDef pinv_def;

namespace {

Tensors pinv_compose(const OpDef& op, const void* attrs, Inputs in) {
  const Tensor& x = in[0];
  if (x.rank() < 2) {
    refuse(Code::shape, op, {"expected matrices [..., m, n], got ", x.shape()}, "[..., m, n]",
           x.shape());
  }
  const double given = attrs_as<PinvAttrs>(attrs).rtol;
  const int64_t longest = std::max(x.size(-1), x.size(-2));
  const double rtol = given >= 0 ? given : static_cast<double>(longest) * epsilon_of(x.dtype());
  const SVD d = svd(x);
  if (d.s.numel() == 0) return {clone(transposed(x))};
  const Tensor kept = gt(d.s, mul(max(d.s, -1, true), Tensor(rtol)));
  const Tensor inverses = where(kept, reciprocal(where(kept, d.s, Tensor(1.0))), Tensor(0.0));
  return {matmul(mul(transposed(d.vh), unsqueeze(inverses, -2)), transposed(d.u))};
}

// Golub and Pereyra (1973), eq. 4.12, for P = pinv(A): of the gradient G of P,
// -P^T G P^T + (I - A P) G^T P P^T + P^T P G^T (I - P A).
Tensors pinv_vjp(const VjpArgs& a) {
  if (!a.grad[0].defined()) return Tensors(1);
  const Tensor &x = a.in[0], &p = a.out[0], &g = a.grad[0];
  const Tensor pt = transposed(p), back = transposed(g);
  const Tensor from_left = matmul(matmul(back, p), pt), from_right = matmul(pt, matmul(p, back));
  const Tensor direct = matmul(matmul(pt, g), pt);
  const Tensor left = sub(from_left, matmul(x, matmul(p, from_left)));
  const Tensor right = sub(from_right, matmul(matmul(from_right, p), x));
  return {sub(add(left, right), direct)};
}

void pinv_samples(Samples& s) {
  s.add({well_conditioned(s, {3, 1, 1})});
  s.add({s.uniform({1, 4}, 1, 2)});
  s.add({cat({well_conditioned(s, {2, 2}), s.uniform({1, 2})}, 0)});
  s.add({cat({well_conditioned(s, {2, 2}), s.uniform({2, 1})}, 1)});
  s.add({s.uniform({0, 3})});
  s.refuse(Code::shape, {s.uniform({3})});
  s.refuse(Code::dtype, {s.integers({3, 3}, 0, 9)});
}

}  // namespace

constinit const OpDef pinv_def{.name = "pinv",
                               .doc = "Moore-Penrose pseudoinverse of matrices",
                               .attrs = &record_of<PinvAttrs>,
                               .compose = pinv_compose,
                               .vjp = pinv_vjp,
                               .saves_in = 1,
                               .saves_out = 1,
                               .samples = pinv_samples,
                               .ulp = 200};

GYRE_FUNCTION_OF(pinv, PinvAttrs, double)

}  // namespace gyre
