#include <algorithm>

#include "gyre/op/apply.h"
#include "gyre/op/op_def.h"
#include "gyre/ops/linalg/decompositions.h"
#include "gyre/ops/linalg/factor.h"
#include "gyre/ops/linalg/matrices.h"
#include "gyre/ops/linalg/matrix_parts.h"
#include "gyre/ops/linalg/solve.h"

namespace gyre {
namespace {

constexpr const char* kQrParts[] = {"q", "r"};

void qr_infer(const OpDef& op, const void*, Inputs in, std::span<Meta> out) {
  check_matrices(op, in[0], "x");
  int64_t m = in[0].size(-2), n = in[0].size(-1), k = std::min(m, n);
  const Shape batch = leading_shape(in[0].shape());
  out[0].shape = concat(batch, {m, k});
  out[1].shape = concat(batch, {k, n});
  for (Meta& meta : out) meta.dtype = in[0].dtype();
}

static_assert(lapack::qr_work(kMostRows) <= lapack::kMostWork);
template <class T>
size_t qr_bytes_of(int64_t m, int64_t n) {
  int64_t k = std::min(m, n);
  return Workspace::bytes<T>(m * n) + Workspace::bytes<T>(k * n) + Workspace::bytes<T>(k) +
         Workspace::bytes<T>(lapack::qr_work(n));
}

BatchWork qr_work_of(const Shape& shape, DType dtype) {
  int64_t m = shape.back(1), n = shape.back();
  size_t bytes = in_compute_type(dtype, [&](auto t) { return qr_bytes_of<decltype(t)>(m, n); });
  return {numel(leading_shape(shape)), bytes,
          4.0 * static_cast<double>(m * n) * static_cast<double>(std::min(m, n)) + 300,
          factor::is_small(m, n)};
}

// LAPACK does not fix the signs: negates rows of R with a negative diagonal and the columns of Q.
template <class T>
void decompose_qr(const Matrices& x, const Matrices& q, const Matrices& r, int64_t index,
                  std::byte* memory) {
  Workspace space(memory);
  int64_t m = x.rows(), n = x.cols(), k = std::min(m, n);
  T *a = space.take<T>(m * n), *triangle = space.take<T>(k * n), *tau = space.take<T>(k),
    *work = space.take<T>(lapack::qr_work(n));
  x.load(index, a, 1, m);
  factor::qr(static_cast<int>(m), static_cast<int>(n), a, tau, work);
  for (int64_t i = 0; i < k; ++i) {
    T sign = a[i + i * m] < 0 ? T(-1) : T(1);
    for (int64_t j = 0; j < n; ++j) triangle[i * n + j] = j < i ? T(0) : sign * a[i + j * m];
  }
  r.store(index, triangle, n, 1);
  for (int64_t i = 0; i < k; ++i) triangle[i] = a[i + i * m] < 0 ? T(-1) : T(1);  // R is stored
  factor::orthogonal(static_cast<int>(m), static_cast<int>(n), a, tau, work);
  for (int64_t j = 0; j < k; ++j) {
    for (int64_t i = 0; i < m; ++i) a[i + j * m] *= triangle[j];
  }
  q.store(index, a, 1, m);
}

Status qr_cpu(const OpDef&, const KernelArgs& args) noexcept {
  const View& from = args.in[0];
  if (numel(from.shape) == 0) return {};
  Shape batch = leading_shape(from.shape);
  Matrices x(from, batch), q(args.out[0], batch), r(args.out[1], batch);
  return run_each(qr_work_of(from.shape, from.dtype), args, "",
                  [&](auto t, int64_t index, std::byte* memory) {
                    decompose_qr<decltype(t)>(x, q, r, index, memory);
                    return true;
                  });
}

// For m >= n: [G_q + q M'] r^-T, M' the symmetric matrix with the lower triangle of
// M = r G_r^T - G_q^T q (S. Walter and L. Lehmann, "Algorithmic differentiation of linear algebra
// functions", 2010).
Tensor tall_gradient(const Tensor& q, const Tensor& r, const Tensor& gq, const Tensor& gr) {
  Tensor m;
  if (gr.defined()) m = matmul(r, transposed(gr));
  if (gq.defined()) {
    Tensor of_q = matmul(transposed(gq), q);
    m = m.defined() ? m - of_q : neg(of_q);
  }
  Tensor lower = m * mask_like(m, 1, 0.5, 0);
  Tensor sum = matmul(q, lower + transposed(lower));
  if (gq.defined()) sum = sum + gq;
  return triangular_solve(r, sum, {.upper = true, .transpose = true, .left = false});
}

// For m < n with x = [x1 x2] and r = [r1 r2]: x1 = q r1, and x2 = q r2 gives G_x2 = q G_r2 and adds
// x2 G_r2^T to the gradient of q.
Tensors qr_vjp(const VjpArgs& a) {
  Tensor x = wide(a.in[0]), q = wide(a.out[0]), r = wide(a.out[1]), gq = wide(a.grad[0]),
         gr = wide(a.grad[1]);
  int64_t m = x.size(-2), n = x.size(-1);
  if (m >= n) return {tall_gradient(q, r, gq, gr)};
  Tensor r1 = slice(r, {.axis = -1, .stop = m});
  if (!gr.defined()) {
    Tensor g1 = tall_gradient(q, r1, gq, {});
    return {slice_embed(g1, {.axis = -1, .start = 0, .step = 1, .size = n})};
  }
  Tensor gr1 = slice(gr, {.axis = -1, .stop = m}), gr2 = slice(gr, {.axis = -1, .start = m});
  Tensor more = matmul(slice(x, {.axis = -1, .start = m}), transposed(gr2));
  Tensor g1 = tall_gradient(q, r1, gq.defined() ? gq + more : more, gr1);
  return {cat({g1, matmul(q, gr2)}, -1)};
}

void qr_samples(Samples& s) {
  s.add({well_conditioned(s, {3, 1, 1})});
  s.add({well_conditioned(s, {4, 1})});
  s.add({well_conditioned(s, {2, 3, 3})});
  s.add({well_conditioned(s, {1, 3})});
  s.add({well_conditioned(s, {2, 5, 3})});
  s.add({s.uniform({2, 0, 3})});
  s.add({well_conditioned(s, {2, 3, 5})});
  s.add({s.uniform({0, 2, 2})});
  s.refuse(Code::shape, {s.uniform({3})});
  s.refuse(Code::dtype, {s.integers({2, 2}, 0, 3)});
}

}  // namespace

extern constinit const OpDef qr_def{
    .name = "qr",
    .doc = "reduced QR decomposition: x = Q R, Q with orthonormal columns, R upper triangular",
    .outputs = kQrParts,
    .visible = 2,
    .infer = qr_infer,
    .kernels = {qr_cpu, lapack::kOnTheHost},
    .scratch = scratch_of<qr_work_of>,
    .vjp = qr_vjp,
    .saves_in = 1,
    .saves_out = 3,
    .samples = qr_samples,
    .ulp = 32};

QR qr(const Tensor& x) {
  Tensors r = apply(qr_def, Inputs(&x, 1));
  return {r[0], r[1]};
}

}  // namespace gyre
