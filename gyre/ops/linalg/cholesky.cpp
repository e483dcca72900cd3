#include "gyre/op/apply.h"
#include "gyre/op/op_def.h"
#include "gyre/ops/linalg/decompositions.h"
#include "gyre/ops/linalg/factor.h"
#include "gyre/ops/linalg/matrices.h"
#include "gyre/ops/linalg/matrix_parts.h"
#include "gyre/ops/linalg/solve.h"

namespace gyre {
namespace {

void cholesky_infer(const OpDef& op, const void*, Inputs in, std::span<Meta> out) {
  check_square(op, in[0], "x");
  infer_like_first(op, nullptr, in, out);
}

BatchWork cholesky_work(const Shape& shape, DType dtype) {
  int64_t n = shape.back();
  auto d = static_cast<double>(n);
  size_t bytes =
      in_compute_type(dtype, [&](auto t) { return Workspace::bytes<decltype(t)>(n * n); });
  return {numel(leading_shape(shape)), bytes, d * d * d / 3 + 100, factor::is_small(n, n)};
}

// The symmetric part in the upper triangle, column-major; L comes out row-major in the same place,
// which is its place in the result if its elements are T, otherwise `a`.
template <class T>
bool decompose_cholesky(const Matrices& x, const Matrices& l, int64_t index, T* copy) {
  auto n = static_cast<int>(x.rows());
  T *place = l.in_place<T>(index), *a = place ? place : copy;
  x.load(index, a, n, 1);
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = i + 1; j < n; ++j) {
      a[i + j * n] = (a[i + j * n] + a[j + i * n]) / 2;
      a[j + i * n] = 0;
    }
  }
  if (factor::cholesky(n, a) != 0) return false;
  if (!place) l.store(index, a, n, 1);
  return true;
}

Status cholesky_cpu(const OpDef&, const KernelArgs& args) noexcept {
  const View &x = args.in[0], &out = args.out[0];
  if (numel(x.shape) == 0) return {};
  Matrices from(x, leading_shape(x.shape)), to(out, leading_shape(x.shape));
  return run_each(cholesky_work(x.shape, x.dtype), args, "the matrix is not positive definite",
                  [&](auto t, int64_t index, std::byte* memory) {
                    return decompose_cholesky(from, to, index,
                                              reinterpret_cast<decltype(t)*>(memory));
                  });
}

// With P = L^T G, of which the lower triangle counts and the diagonal half: the symmetric part of
// L^-T P L^-1.
Tensors cholesky_vjp(const VjpArgs& a) {
  Tensor l = wide(a.out[0]), g = wide(a.grad[0]);
  Tensor p = matmul(transposed(l), g) * mask_like(l, 1, 0.5, 0);
  Tensor left = triangular_solve(l, p, {.transpose = true});
  return {symmetric_part(triangular_solve(l, left, {.left = false}))};
}

// x x^T + n I of each matrix.
Tensor positive_definite(Samples& s, const Shape& shape) {
  Tensor x = s.uniform(shape);
  return matmul(x, transposed(x)) + identity_like(x) * Tensor(static_cast<double>(shape.back()));
}

void cholesky_samples(Samples& s) {
  s.add({positive_definite(s, {3, 1, 1})});
  s.add({positive_definite(s, {1, 1})});
  s.add({positive_definite(s, {2, 3, 3})});
  s.add({positive_definite(s, {0, 4, 4})});
  s.add({positive_definite(s, {2, 1, 5, 5})});
  s.add({s.uniform({2, 0, 0})});
  s.add({positive_definite(s, {2, 7, 7})});
  s.refuse(Code::numeric, {reshape(s.values({1, 2, 2, 1}), {2, 2})});
  s.refuse(Code::shape, {s.uniform({2, 3})});
  s.refuse(Code::shape, {s.uniform({3})});
  s.refuse(Code::dtype, {s.integers({2, 2}, 0, 3)});
  s.refuse(Code::resource, {expand(s.uniform({1, 1}), {kMostRows + 1, kMostRows + 1})});
}

}  // namespace

extern constinit const OpDef cholesky_def{
    .name = "cholesky",
    .doc =
        "Cholesky decomposition: lower triangular L with x = L L^T (uses the symmetric part of x)",
    .infer = cholesky_infer,
    .kernels = {cholesky_cpu, lapack::kOnTheHost},
    .scratch = scratch_of<cholesky_work>,
    .vjp = cholesky_vjp,
    .saves_out = 1,
    .samples = cholesky_samples,
    .ulp = 32};

Tensor cholesky(const Tensor& x) { return apply_one(cholesky_def, {x}); }

}  // namespace gyre
