#include "gyre/op/apply.h"
#include "gyre/op/op_def.h"
#include "gyre/ops/linalg/decompositions.h"
#include "gyre/ops/linalg/factor.h"
#include "gyre/ops/linalg/matrices.h"
#include "gyre/ops/linalg/matrix_parts.h"

namespace gyre {
namespace {

constexpr const char* kEighParts[] = {"values", "vectors"};

void eigh_infer(const OpDef& op, const void*, Inputs in, std::span<Meta> out) {
  check_square(op, in[0], "x");
  out[0].shape = leading_shape(in[0].shape());
  out[0].shape.push_back(in[0].size(-1));
  out[1].shape = in[0].shape();
  out[0].dtype = out[1].dtype = in[0].dtype();
}

static_assert(lapack::eigh_work(kMostRows) <= lapack::kMostWork);
template <class T>
size_t eigh_bytes_of(int64_t n) {
  return Workspace::bytes<T>(n * n) + Workspace::bytes<T>(n) +
         Workspace::bytes<T>(lapack::eigh_work(n)) + Workspace::bytes<int>(lapack::eigh_iwork(n));
}

BatchWork eigh_work_of(const Shape& shape, DType dtype) {
  int64_t n = shape.back();
  size_t bytes = in_compute_type(dtype, [&](auto t) { return eigh_bytes_of<decltype(t)>(n); });
  auto d = static_cast<double>(n);
  return {numel(leading_shape(shape)), bytes, d * d * d * 9 + 500,
          factor::is_small_iterative(n, n)};
}

// LAPACK's columns are rows of `a` as it lies in memory.
template <class T>
bool decompose_eigh(const Matrices& x, const Matrices& values, const Matrices& vectors,
                    int64_t index, std::byte* memory) {
  Workspace space(memory);
  int64_t n = x.rows();
  T *a = space.take<T>(n * n), *w = space.take<T>(n), *work = space.take<T>(lapack::eigh_work(n));
  int* iwork = space.take<int>(lapack::eigh_iwork(n));
  x.load(index, a, n, 1);
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = 0; j < i; ++j) a[i * n + j] = a[j * n + i] = (a[i * n + j] + a[j * n + i]) / 2;
  }
  if (!all_finite(a, n * n)) return false;
  if (factor::eigh(static_cast<int>(n), a, w, work, iwork) != 0) return false;
  for (int64_t i = 0; i < n; ++i) {
    if (!points_down(a + i * n, n, 1)) continue;
    for (int64_t j = 0; j < n; ++j) a[i * n + j] = -a[i * n + j];
  }
  values.store(index, w, 1, 1);
  vectors.store(index, a, 1, n);
  return true;
}

Status eigh_cpu(const OpDef&, const KernelArgs& args) noexcept {
  const View& from = args.in[0];
  if (numel(from.shape) == 0) return {};
  Shape batch = leading_shape(from.shape);
  Matrices x(from, batch), values(as_columns(args.out[0]), batch), vectors(args.out[1], batch);
  return run_each(eigh_work_of(from.shape, from.dtype), args,
                  "NaN, infinity or no convergence in the matrix",
                  [&](auto t, int64_t index, std::byte* memory) {
                    return decompose_eigh<decltype(t)>(x, values, vectors, index, memory);
                  });
}

// The symmetric part of V (diag(G_w) + F o (V^T G_V)) V^T with F_ij = 1 / (w_j - w_i), 0 for equal
// values.
Tensors eigh_vjp(const VjpArgs& a) {
  Tensor w = wide(a.out[0]), v = wide(a.out[1]), gw = wide(a.grad[0]), gv = wide(a.grad[1]);
  Tensor inner;
  if (gv.defined()) {
    Tensor apart = unsqueeze(w, -2) - unsqueeze(w, -1), equal = eq(apart, Tensor(0.0));
    Tensor f = where(equal, Tensor(0.0), Tensor(1.0) / where(equal, Tensor(1.0), apart));
    inner = f * matmul(transposed(v), gv);
  }
  if (gw.defined()) {
    Tensor on_diagonal = scale_columns(identity_like(v), gw);
    inner = inner.defined() ? inner + on_diagonal : on_diagonal;
  }
  return {symmetric_part(matmul(matmul(v, inner), transposed(v)))};
}

void eigh_samples(Samples& s) {
  s.add({well_conditioned(s, {3, 1, 1})});
  s.add({well_conditioned(s, {1, 1})});
  s.add({well_conditioned(s, {2, 3, 3}, 0, 3)});
  s.add({s.uniform({2, 0, 0})});
  s.add({well_conditioned(s, {2, 1, 5, 5}, -6, 3)});
  s.add({well_conditioned(s, {2, 1, 1})});
  s.refuse(Code::numeric, {s.values({0}) / reshape(s.values({1, 0, 0, 1}), {2, 2})});
  s.refuse(Code::shape, {s.uniform({2, 3})});
  s.refuse(Code::dtype, {s.integers({2, 2}, 0, 3)});
}

}  // namespace

extern constinit const OpDef eigh_def{
    .name = "eigh",
    .doc = "eigenvalues and eigenvectors of symmetric matrices (uses the symmetric part of x)",
    .outputs = kEighParts,
    .visible = 2,
    .infer = eigh_infer,
    .kernels = {eigh_cpu, lapack::kOnTheHost},
    .scratch = scratch_of<eigh_work_of>,
    .vjp = eigh_vjp,
    .saves_out = 3,
    .samples = eigh_samples,
    .ulp = 32};

Eigh eigh(const Tensor& x) {
  Tensors r = apply(eigh_def, Inputs(&x, 1));
  return {r[0], r[1]};
}

}  // namespace gyre
