// Inverses and powers, as compositions.
#include "gyre/op/apply.h"
#include "gyre/op/op_def.h"
#include "gyre/ops/linalg/matrices.h"
#include "gyre/ops/linalg/matrix_parts.h"
#include "gyre/ops/linalg/solve.h"

namespace gyre {

extern const OpDef inverse_def, matrix_power_def;

namespace {

Tensors inverse_compose(const OpDef&, const void*, Inputs in) {
  check_square(inverse_def, in[0], "x");
  return {solve(in[0], identity_like(in[0]))};
}

void inverse_samples(Samples& s) {
  s.add({well_conditioned(s, {3, 1, 1})});
  s.add({well_conditioned(s, {1, 1})});
  s.add({well_conditioned(s, {2, 3, 3})});
  s.add({s.uniform({2, 0, 0})});
  s.refuse(Code::shape, {s.uniform({2, 3})});
  s.refuse(Code::dtype, {s.integers({2, 2}, 0, 3)});
  s.refuse(Code::numeric, {s.uniform({3, 2, 2}) * Tensor(0.0)});
}

Tensors power_compose(const OpDef&, const void* attrs, Inputs in) {
  int64_t power = attrs_as<MatrixPowerAttrs>(attrs).power;
  check_square(matrix_power_def, in[0], "x");
  if (power == 0) return {expand(identity_like(in[0]), in[0].shape())};
  Tensor square = power < 0 ? inverse(in[0]) : in[0], result;
  // of INT64_MIN too
  for (uint64_t rest = power < 0 ? -static_cast<uint64_t>(power) : static_cast<uint64_t>(power);;) {
    if (rest & 1) result = result.defined() ? matmul(result, square) : square;
    if (!(rest >>= 1)) break;
    square = matmul(square, square);
  }
  return {power == 1 ? clone(result) : result};
}

void power_samples(Samples& s) {
  auto power = [](int64_t n) { return box(MatrixPowerAttrs{n}); };
  s.add({well_conditioned(s, {3, 1, 1})}, power(3));
  s.add({well_conditioned(s, {1, 1})}, power(1));
  s.add({well_conditioned(s, {2, 3, 3}, 1, 0.5)}, power(5));
  s.add({well_conditioned(s, {2, 1, 1})}, power(-1));
  s.add({well_conditioned(s, {2, 3, 3})}, power(-2));
  s.add({s.uniform({2, 0, 0})}, power(2));
  s.refuse(Code::shape, {s.uniform({2, 3})}, power(2));
  s.refuse(Code::dtype, {s.integers({2, 2}, 0, 3)}, power(2));
  s.refuse(Code::numeric, {s.uniform({2, 2}) * Tensor(0.0)}, power(-1));
}

}  // namespace

constinit const OpDef inverse_def{.name = "inverse",
                                  .doc = "inverse of square matrices",
                                  .compose = inverse_compose,
                                  .samples = inverse_samples,
                                  .ulp = 32};

constinit const OpDef matrix_power_def{.name = "matrix_power",
                                       .doc = "integer power of square matrices",
                                       .attrs = &record_of<MatrixPowerAttrs>,
                                       .compose = power_compose,
                                       .samples = power_samples,
                                       .ulp = 32};

Tensor inverse(const Tensor& x) { return apply_one(inverse_def, {x}); }

GYRE_FUNCTION_OF(matrix_power, MatrixPowerAttrs, int64_t)

}  // namespace gyre
