#include "gyre/op/apply.h"
#include "gyre/ops/linalg/factor.h"
#include "gyre/ops/linalg/matrices.h"
#include "gyre/ops/linalg/matrix_parts.h"
#include "gyre/ops/linalg/solve.h"

namespace gyre {
namespace {

void triangular_infer(const OpDef& op, const void* attrs, Inputs in, std::span<Meta> out) {
  check_square(op, in[0], "a");
  check_matrices(op, in[1], "b");
  bool left = attrs_as<TriangularSolveAttrs>(attrs).left;
  int64_t n = in[0].size(-1), size = in[1].size(left ? -2 : -1);
  if (n != size) {
    refuse(Code::shape, op,
           {"a and b must have the same number of ", left ? "rows" : "columns", ", got ",
            in[0].shape(), " and ", in[1].shape()},
           n, size);
  }
  out[0].shape = broadcast(leading_shape(in[0].shape()), leading_shape(in[1].shape()), op.name);
  out[0].shape.push_back(in[1].size(-2));
  out[0].shape.push_back(in[1].size(-1));
  out[0].dtype = promote(in[0].dtype(), in[1].dtype());
}

BatchWork triangular_work_of(const TriangularSolveAttrs& attrs, int64_t count, int64_t rows,
                             int64_t cols, DType dtype) {
  int64_t n = attrs.left ? rows : cols;
  size_t bytes = in_compute_type(dtype, [&](auto t) {
    return Workspace::bytes<decltype(t)>(n * n) + Workspace::bytes<decltype(t)>(rows * cols);
  });
  return {count, bytes, static_cast<double>(n) * static_cast<double>(rows * cols) + 100,
          factor::is_small(n, n)};
}

size_t triangular_scratch(const void* attrs, Inputs in) {
  Shape batch =
      broadcast(leading_shape(in[0].shape()), leading_shape(in[1].shape()), "triangular_solve");
  return triangular_work_of(attrs_as<TriangularSolveAttrs>(attrs), numel(batch), in[1].size(-2),
                            in[1].size(-1), promote(in[0].dtype(), in[1].dtype()))
      .scratch();
}

bool has_zero(const auto* a, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    if (a[i * n + i] == 0) return true;
  }
  return false;
}

template <class T>
int64_t solve_range(const TriangularSolveAttrs& attrs, const Matrices& a, const Matrices& b,
                    const Matrices& out, int64_t begin, int64_t end, std::byte* memory) {
  Workspace space(memory);
  int64_t n = a.rows(), rows = b.rows(), cols = b.cols(), loaded = -1;
  T *copy = space.take<T>(n * n), *x = space.take<T>(rows * cols);
  int how = (attrs.upper ? lapack::upper : 0) | (attrs.transpose ? lapack::transposed : 0) |
            (attrs.unitriangular ? lapack::unit : 0) | (attrs.left ? 0 : lapack::from_the_right);
  for (int64_t i = begin; i < end; ++i) {
    const T* matrix = a.in_place<T>(i);
    if (!matrix) {
      if (i == begin || a.offset(i) != loaded) a.load(i, copy, n, 1);
      loaded = a.offset(i);
      matrix = copy;
    }
    if (!attrs.unitriangular && has_zero(matrix, n)) return i;
    b.load(i, x, cols, 1);
    factor::solve_triangular(how, static_cast<int>(rows), static_cast<int>(cols), matrix, x);
    out.store(i, x, cols, 1);
  }
  return end;
}

Status triangular_solve_cpu(const OpDef&, const KernelArgs& args) noexcept {
  const auto& attrs = attrs_as<TriangularSolveAttrs>(args.attrs);
  const View& to = args.out[0];
  if (numel(to.shape) == 0) return {};
  Shape batch = leading_shape(to.shape);
  Matrices a(args.in[0], batch), b(args.in[1], batch), out(to, batch);
  return in_compute_type(to.dtype, [&](auto t) {
    return run_batch(triangular_work_of(attrs, numel(batch), b.rows(), b.cols(), to.dtype),
                     args.scratch, "a zero on the diagonal of the matrix",
                     [&](int64_t begin, int64_t end, std::byte* memory) {
                       return solve_range<decltype(t)>(attrs, a, b, out, begin, end, memory);
                     });
  });
}

// For op(a) X = b: the gradient of b solves op(a)^T G_b = G, that of op(a) is -G_b X^T; for X op(a)
// = b it is -X^T G_b. Only the triangle that is read gets a gradient.
Tensors triangular_solve_vjp(const VjpArgs& v) {
  const auto& attrs = attrs_as<TriangularSolveAttrs>(v.attrs);
  Tensor a = wide(v.in[0]), x = wide(v.out[0]), g = wide(v.grad[0]);
  TriangularSolveAttrs back = attrs;
  back.transpose = !attrs.transpose;
  Tensor gb = triangular_solve(a, g, back);
  Tensors r(2);
  r[1] = gb;
  if (!v.wanted[0]) return r;
  Tensor of_op = attrs.left ? matmul(gb, transposed(x)) : matmul(transposed(x), gb);
  if (attrs.transpose) of_op = transposed(of_op);
  double on = attrs.unitriangular ? 0 : -1;
  r[0] = of_op * mask_like(a, attrs.upper ? 0 : -1, on, attrs.upper ? -1 : 0);
  return r;
}

void triangular_samples(Samples& s) {
  auto how = [](bool upper, bool transpose, bool unit, bool left) {
    return box(TriangularSolveAttrs{upper, transpose, unit, left});
  };
  s.add({well_conditioned(s, {3, 1, 1}), s.uniform({3, 1, 2})});
  s.add({well_conditioned(s, {1, 1}), s.uniform({1, 5})}, how(true, false, false, true));
  for (int flags = 0; flags < 16; ++flags) {
    bool left = flags & 8;
    s.add({well_conditioned(s, {2, 3, 3}), left ? s.uniform({2, 3, 2}) : s.uniform({2, 2, 3})},
          how(flags & 1, flags & 2, flags & 4, left));
  }
  s.add({well_conditioned(s, {2, 1, 3, 3}), s.uniform({4, 3, 2})}, how(true, true, false, true));
  s.add({well_conditioned(s, {0, 2, 2}), s.uniform({2, 2})}, how(true, true, false, true));
  s.add({s.uniform({0, 0}), s.uniform({0, 2})}, how(true, true, false, true));
  s.refuse(Code::numeric, {s.uniform({2, 2}) * Tensor(0.0), s.uniform({2, 1})});
  s.refuse(Code::shape, {s.uniform({2, 2}), s.uniform({3, 2})});
  s.refuse(Code::shape, {s.uniform({2, 2}), s.uniform({2, 3})}, how(false, false, false, false));
  s.refuse(Code::shape, {s.uniform({2, 3}), s.uniform({2, 3})});
  s.refuse(Code::shape, {s.uniform({2, 2}), s.uniform({2})});
  s.refuse(Code::shape, {s.uniform({2, 2, 2}), s.uniform({3, 2, 2})});
}

}  // namespace

extern constinit const OpDef triangular_solve_def{
    .name = "triangular_solve",
    .doc = "solve a X = b or X a = b for triangular a",
    .args = kSystemArgs,
    .attrs = &record_of<TriangularSolveAttrs>,
    .infer = triangular_infer,
    .kernels = {triangular_solve_cpu, lapack::kOnTheHost},
    .scratch = triangular_scratch,
    .vjp = triangular_solve_vjp,
    .saves_in = 1,
    .saves_out = 1,
    .samples = triangular_samples,
    .ulp = 32};

GYRE_FUNCTION_2(triangular_solve, TriangularSolveAttrs)

}  // namespace gyre
