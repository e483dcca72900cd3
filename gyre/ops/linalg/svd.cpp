#include <algorithm>

#include "gyre/op/apply.h"
#include "gyre/op/op_def.h"
#include "gyre/ops/linalg/decompositions.h"
#include "gyre/ops/linalg/factor.h"
#include "gyre/ops/linalg/matrices.h"
#include "gyre/ops/linalg/matrix_parts.h"

namespace gyre {
namespace {

constexpr const char* kSvdParts[] = {"u", "s", "vh"};

void svd_infer(const OpDef& op, const void*, Inputs in, std::span<Meta> out) {
  check_matrices(op, in[0], "x");
  int64_t m = in[0].size(-2), n = in[0].size(-1), k = std::min(m, n);
  if (lapack::svd_work(n, m) > lapack::kMostWork) {
    refuse(Code::resource, op,
           {"x ", in[0].shape(), " needs a larger workspace than LAPACK supports"},
           "a shorter side up to about 20,700", in[0].shape());
  }
  const Shape batch = leading_shape(in[0].shape());
  out[0].shape = concat(batch, {m, k});
  out[1].shape = concat(batch, {k});
  out[2].shape = concat(batch, {k, n});
  for (Meta& meta : out) meta.dtype = in[0].dtype();
}

template <class T>
size_t svd_bytes_of(int64_t m, int64_t n) {
  int64_t k = std::min(m, n);
  return Workspace::bytes<T>(m * n) + Workspace::bytes<T>(m * k) + Workspace::bytes<T>(k) +
         Workspace::bytes<T>(k * n) + Workspace::bytes<T>(lapack::svd_work(n, m)) +
         Workspace::bytes<int>(lapack::svd_iwork(n, m));
}

BatchWork svd_work_of(const Shape& shape, DType dtype) {
  int64_t m = shape.back(1), n = shape.back();
  size_t bytes = in_compute_type(dtype, [&](auto t) { return svd_bytes_of<decltype(t)>(m, n); });
  return {numel(leading_shape(shape)), bytes,
          20.0 * static_cast<double>(m * n) * static_cast<double>(std::min(m, n)) + 500,
          factor::is_small_iterative(m, n)};
}

// A row-major x is x^T to LAPACK, whose u and v^T are then vh and u, row-major.
template <class T>
bool decompose_svd(const Matrices& x, const Matrices (&out)[3], int64_t index, std::byte* memory) {
  Workspace space(memory);
  int64_t m = x.rows(), n = x.cols(), k = std::min(m, n);
  T *a = space.take<T>(m * n), *u = space.take<T>(m * k), *s = space.take<T>(k),
    *vh = space.take<T>(k * n), *work = space.take<T>(lapack::svd_work(n, m));
  int* iwork = space.take<int>(lapack::svd_iwork(n, m));
  x.load(index, a, n, 1);
  if (!all_finite(a, m * n)) return false;
  if (factor::svd(static_cast<int>(n), static_cast<int>(m), a, s, vh, u, work, iwork) != 0) {
    return false;
  }
  for (int64_t i = 0; i < k; ++i) {
    if (!points_down(u + i, m, k)) continue;
    for (int64_t j = 0; j < m; ++j) u[j * k + i] = -u[j * k + i];
    for (int64_t j = 0; j < n; ++j) vh[i * n + j] = -vh[i * n + j];
  }
  out[0].store(index, u, k, 1);
  out[1].store(index, s, 1, 1);
  out[2].store(index, vh, n, 1);
  return true;
}

Status svd_cpu(const OpDef&, const KernelArgs& args) noexcept {
  const View& from = args.in[0];
  if (numel(from.shape) == 0) return {};
  Shape batch = leading_shape(from.shape);
  Matrices x(from, batch);
  Matrices out[] = {{args.out[0], batch}, {as_columns(args.out[1]), batch}, {args.out[2], batch}};
  return run_each(svd_work_of(from.shape, from.dtype), args,
                  "NaN, infinity or no convergence in the matrix",
                  [&](auto t, int64_t index, std::byte* memory) {
                    return decompose_svd<decltype(t)>(x, out, index, memory);
                  });
}

// 1 / x, and 0 for x = 0.
Tensor inverse_or_zero(const Tensor& x) {
  Tensor zero = eq(x, Tensor(0.0));
  return where(zero, Tensor(0.0), Tensor(1.0) / where(zero, Tensor(1.0), x));
}

// F o (q^T g - g^T q) for F_ij = 1 / (s_j^2 - s_i^2), 0 for equal ones.
Tensor turned(const Tensor& q, const Tensor& s, const Tensor& g) {
  Tensor p = matmul(transposed(q), g);
  Tensor left = unsqueeze(s, -1), right = unsqueeze(s, -2);
  return inverse_or_zero((right - left) * (right + left)) * (p - transposed(p));
}

Tensor plus(const Tensor& sum, const Tensor& x) { return sum.defined() ? sum + x : x; }

// U [F o skew(U^T G_u) S + S F o skew(V^T G_v) + diag(G_s)] V^T, and what lies outside of the spans
// of U and V: (I - U U^T) G_u S^-1 V^T + U S^-1 G_v^T (I - V V^T).
Tensors svd_vjp(const VjpArgs& a) {
  Tensor u = wide(a.out[0]), s = wide(a.out[1]), vh = wide(a.out[2]);
  Tensor gu = wide(a.grad[0]), gs = wide(a.grad[1]), gvh = wide(a.grad[2]);
  int64_t m = u.size(-2), n = vh.size(-1), k = s.size(-1);
  Tensor inner, outer;
  if (gu.defined()) inner = scale_columns(turned(u, s, gu), s);
  if (gvh.defined()) inner = plus(inner, scale_rows(s, turned(transposed(vh), s, transposed(gvh))));
  if (gs.defined()) {
    Tensor square = slice(slice(m < n ? vh : u, {.axis = -1, .stop = k}), {.axis = -2, .stop = k});
    inner = plus(inner, scale_columns(identity_like(square), gs));
  }
  if (gu.defined() && m > k) {
    Tensor beside = gu - matmul(u, matmul(transposed(u), gu));
    outer = matmul(scale_columns(beside, inverse_or_zero(s)), vh);
  }
  if (gvh.defined() && n > k) {
    Tensor beside = gvh - matmul(matmul(gvh, transposed(vh)), vh);
    outer = plus(outer, matmul(u, scale_rows(inverse_or_zero(s), beside)));
  }
  Tensor within = matmul(matmul(u, inner), vh);
  return {outer.defined() ? within + outer : within};
}

void svd_samples(Samples& s) {
  s.add({well_conditioned(s, {3, 1, 1})});
  s.add({well_conditioned(s, {4, 1})});
  s.add({well_conditioned(s, {2, 3, 3}, 2, 3)});
  s.add({well_conditioned(s, {1, 3})});
  s.add({well_conditioned(s, {2, 5, 3}, 2, 3)});
  s.add({s.uniform({2, 0, 3})});
  s.add({well_conditioned(s, {2, 2, 4}, 2, 3)});
  s.add({s.uniform({0, 2, 2})});
  s.refuse(Code::numeric, {s.values({0}) / reshape(s.values({1, 0, 0, 1}), {2, 2})});
  s.refuse(Code::shape, {s.uniform({3})});
  s.refuse(Code::dtype, {s.integers({2, 2}, 0, 3)});
  s.refuse(Code::resource, {expand(s.uniform({1, 1}), {21000, 21000})});
}

}  // namespace

extern constinit const OpDef svd_def{
    .name = "svd",
    .doc = "reduced singular value decomposition (SVD): x = u diag(s) vh",
    .outputs = kSvdParts,
    .visible = 3,
    .infer = svd_infer,
    .kernels = {svd_cpu, lapack::kOnTheHost},
    .scratch = scratch_of<svd_work_of>,
    .vjp = svd_vjp,
    .saves_out = 7,
    .samples = svd_samples,
    .ulp = 32};

SVD svd(const Tensor& x) {
  Tensors r = apply(svd_def, Inputs(&x, 1));
  return {r[0], r[1], r[2]};
}

}  // namespace gyre
