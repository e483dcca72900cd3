#include "gyre/ops/linalg/solve.h"

#include "gyre/op/apply.h"
#include "gyre/ops/linalg/factor.h"
#include "gyre/ops/linalg/matrices.h"
#include "gyre/ops/linalg/matrix_parts.h"

namespace gyre {
namespace {

void solve_infer(const OpDef& op, const void*, Inputs in, std::span<Meta> out) {
  const Tensor &a = in[0], &b = in[1];
  check_square(op, a, "a");
  bool vector = check_system(op, a, b);
  out[0].shape = broadcast(leading_shape(a.shape()), leading_shape(b.shape()), op.name);
  out[0].shape.push_back(a.size(-1));
  if (!vector) out[0].shape.push_back(b.size(-1));
  out[0].dtype = promote(a.dtype(), b.dtype());
}

BatchWork solve_work_of(int64_t count, int64_t n, int64_t k, DType dtype) {
  size_t bytes = in_compute_type(dtype, [&](auto t) {
    return Workspace::bytes<decltype(t)>(n * n) + Workspace::bytes<decltype(t)>(n * k);
  });
  auto d = static_cast<double>(n);
  return {count, bytes + Workspace::bytes<int>(n),
          d * d * (d * 2 / 3 + 2 * static_cast<double>(k)) + 200, factor::is_small(n, n)};
}

Shape batches(const Shape& a, const Shape& b) {
  return broadcast(leading_shape(a), leading_shape(b), "solve");
}

size_t solve_scratch(const void*, Inputs in) {
  const Tensor &a = in[0], &b = in[1];
  return solve_work_of(numel(batches(a.shape(), b.shape())), a.size(-1),
                       b.rank() == 1 ? 1 : b.size(-1), promote(a.dtype(), b.dtype()))
      .scratch();
}

// A row-major matrix is its transpose to LAPACK; matrices that broadcast are factored once.
template <class T>
int64_t solve_range(const Matrices& a, const Matrices& b, const Matrices& out, int64_t begin,
                    int64_t end, std::byte* memory) {
  Workspace space(memory);
  auto n = static_cast<int>(a.rows()), k = static_cast<int>(b.cols());
  int64_t factored = -1;
  T *lu = space.take<T>(a.rows() * n), *x = space.take<T>(b.cols() * n);
  int* pivots = space.take<int>(n);
  for (int64_t i = begin; i < end; ++i) {
    if (i == begin || a.offset(i) != factored) {
      a.load(i, lu, n, 1);
      if (factor::lu(n, lu, pivots) != 0) return i;
      factored = a.offset(i);
    }
    b.load(i, x, 1, n);
    factor::solve_transposed(n, k, lu, pivots, x);
    out.store(i, x, 1, n);
  }
  return end;
}

Status solve_cpu(const OpDef&, const KernelArgs& args) noexcept {
  bool vector = args.in[1].shape.rank == 1;
  View to = vector ? as_columns(args.out[0]) : args.out[0];
  if (numel(to.shape) == 0) return {};
  Shape batch = leading_shape(to.shape);
  Matrices a(args.in[0], batch), b(args.in[1], batch), out(to, batch);
  return in_compute_type(to.dtype, [&](auto t) {
    return run_batch(solve_work_of(numel(batch), a.rows(), b.cols(), to.dtype), args.scratch,
                     "a singular matrix", [&](int64_t begin, int64_t end, std::byte* memory) {
                       return solve_range<decltype(t)>(a, b, out, begin, end, memory);
                     });
  });
}

// G_b = a^-T G and G_a = -G_b X^T.
Tensors solve_vjp(const VjpArgs& v) {
  bool vector = v.in_meta[1].shape.rank == 1;
  Tensor a = wide(v.in[0]), x = wide(v.out[0]), g = wide(v.grad[0]);
  if (vector) {
    x = unsqueeze(x, -1);
    g = unsqueeze(g, -1);
  }
  Tensor gb = solve(transposed(a), g);
  Tensors r(2);
  if (v.wanted[0]) r[0] = neg(matmul(gb, transposed(x)));
  r[1] = vector ? squeeze(gb, {-1}) : gb;
  return r;
}

void solve_samples(Samples& s) {
  s.add({well_conditioned(s, {3, 1, 1}), s.uniform({3, 1, 2})});
  s.add({well_conditioned(s, {1, 1}), s.uniform({1, 5})});
  s.add({well_conditioned(s, {2, 3, 3}), s.uniform({2, 3, 2})});
  s.add({well_conditioned(s, {2, 1, 1}), s.uniform({1, 4})});
  s.add({well_conditioned(s, {2, 4, 4}), s.uniform({4})});
  s.add({s.uniform({0, 0}), s.uniform({0, 2})});
  s.add({well_conditioned(s, {2, 1, 3, 3}), s.uniform({4, 3, 1})});
  s.add({well_conditioned(s, {0, 3, 3}), s.uniform({3, 1})});
  s.refuse(Code::numeric, {s.uniform({2, 2}) * Tensor(0.0), s.uniform({2, 1})});
  s.refuse(Code::shape, {s.uniform({2, 2}), s.uniform({3, 2})});
  s.refuse(Code::shape, {s.uniform({2, 2}), s.uniform({3})});
  s.refuse(Code::shape, {s.uniform({2, 3}), s.uniform({2, 3})});
  s.refuse(Code::shape, {s.uniform({2, 2, 2}), s.uniform({3, 2, 2})});
  s.refuse(Code::dtype, {s.uniform({2, 2}), s.integers({2}, 0, 3)});
}

}  // namespace

extern constinit const OpDef solve_def{.name = "solve",
                                       .doc = "solve the linear system a X = b",
                                       .args = kSystemArgs,
                                       .infer = solve_infer,
                                       .kernels = {solve_cpu, lapack::kOnTheHost},
                                       .scratch = solve_scratch,
                                       .vjp = solve_vjp,
                                       .saves_in = 1,
                                       .saves_out = 1,
                                       .samples = solve_samples,
                                       .ulp = 32};

Tensor solve(const Tensor& a, const Tensor& b) { return apply_one(solve_def, {a, b}); }

}  // namespace gyre
