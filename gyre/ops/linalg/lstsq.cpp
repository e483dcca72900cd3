#include "gyre/op/apply.h"
#include "gyre/ops/linalg/decompositions.h"
#include "gyre/ops/linalg/matrices.h"
#include "gyre/ops/linalg/matrix_parts.h"
#include "gyre/ops/linalg/solve.h"

namespace gyre {

extern const OpDef lstsq_def;

namespace {

constexpr Arg kArgs[] = {{"a"}, {"b"}};
constexpr const char* kOut[] = {"out"};

// By a = q r, r X = q^T b; by a^T = q r, the least of all is in the span of q: X = q r^-T b.
Tensors compose(const OpDef&, const void*, Inputs in) {
  const Tensor &a = in[0], &b = in[1];
  check_matrices(lstsq_def, a, "a");
  bool vector = b.rank() == 1;
  if (!vector || !is_floating(b.dtype())) check_matrices(lstsq_def, b, "b");
  if (a.size(-2) != b.size(vector ? 0 : -2)) {
    refuse(Code::shape, lstsq_def,
           "a is " + to_string(a.shape()) + ", b is " + to_string(b.shape()) +
               ", which has not as many rows",
           std::to_string(a.size(-2)), std::to_string(b.size(vector ? 0 : -2)));
  }
  Tensor column = vector ? unsqueeze(b, -1) : b, x;
  if (a.size(-2) >= a.size(-1)) {
    auto [q, r] = qr(a);
    x = triangular_solve(r, matmul(transposed(q), column), {.upper = true});
  } else {
    auto [q, r] = qr(transposed(a));
    x = matmul(q, triangular_solve(r, column, {.upper = true, .transpose = true}));
  }
  return {vector ? squeeze(x, {-1}) : x};
}

void samples(Samples& s) {
  s.add({well_conditioned(s, {3, 1, 1}), s.uniform({3, 1, 2})});
  s.add({well_conditioned(s, {4, 1}), s.uniform({4, 2})});
  s.add({well_conditioned(s, {2, 4, 3}), s.uniform({2, 4, 2})});
  s.add({well_conditioned(s, {1, 3}), s.uniform({1, 2})});
  s.add({well_conditioned(s, {2, 3, 4}), s.uniform({3})});
  s.add({well_conditioned(s, {2, 0}), s.uniform({2, 3})});
  s.refuse(Code::numeric, {s.uniform({3, 2}) * Tensor(0.0), s.uniform({3, 1})});
  s.refuse(Code::shape, {s.uniform({3, 2}), s.uniform({2, 3})});
  s.refuse(Code::shape, {s.uniform({3, 2}), s.uniform({2})});
  s.refuse(Code::shape, {s.uniform({3}), s.uniform({3, 3})});
  s.refuse(Code::dtype, {s.integers({2, 2}, 0, 3), s.uniform({2, 2})});
  s.refuse(Code::dtype, {s.uniform({2, 2}), s.integers({2}, 0, 3)});
}

}  // namespace

constinit const OpDef lstsq_def = [] {
  OpDef d;
  d.name = "lstsq";
  d.doc = "X with the least |a X - b|, for a of full rank";
  d.args = kArgs;
  d.outputs = kOut;
  d.compose = compose;
  d.samples = samples;
  d.ulp = 64;
  return d;
}();

Tensor lstsq(const Tensor& a, const Tensor& b) { return apply_one(lstsq_def, {a, b}); }

}  // namespace gyre
