#include <cmath>
#include <limits>

#include "gyre/op/apply.h"
#include "gyre/op/node.h"
#include "gyre/op/op_def.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/linalg/decompositions.h"
#include "gyre/ops/linalg/factor.h"
#include "gyre/ops/linalg/matrices.h"
#include "gyre/ops/linalg/matrix_parts.h"
#include "gyre/ops/linalg/solve.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/tensor/batched.h"

namespace gyre {
namespace {

constexpr const char* kSignAndLog[] = {"sign", "logabsdet"};

// Each result has one number per matrix.
void factors_infer(const OpDef& op, const void*, Inputs in, std::span<Meta> out) {
  check_square(op, in[0], "x");
  for (Meta& m : out) {
    m.shape = leading_shape(in[0].shape());
    m.dtype = in[0].dtype();
  }
}

BatchWork factors_work_of(const Shape& shape, DType dtype) {
  int64_t n = shape.back();
  size_t bytes =
      in_compute_type(dtype, [&](auto t) { return Workspace::bytes<decltype(t)>(n * n); });
  auto d = static_cast<double>(n);
  return {numel(leading_shape(shape)), bytes + Workspace::bytes<int>(n), d * d * d * 2 / 3 + 200,
          factor::is_small(n, n)};
}

// Factors each matrix and hands put(index, diagonal of U, sign of the exchanges) what determines
// its determinant; of a singular one the diagonal has a zero.
template <class T, class Put>
Status factor_all(const View& x, std::byte* scratch, Put put) {
  Matrices from(x, leading_shape(x.shape));
  auto n = static_cast<int>(from.rows());
  return run_batch(factors_work_of(x.shape, x.dtype), scratch, "",
                   [&](int64_t begin, int64_t end, std::byte* memory) {
                     Workspace space(memory);
                     T* lu = space.take<T>(int64_t{n} * n);
                     int* pivots = space.take<int>(n);
                     for (int64_t index = begin; index < end; ++index) {
                       from.load(index, lu, n, 1);
                       T sign = 1;
                       if (n > 0) factor::lu(n, lu, pivots);
                       for (int i = 0; i < n; ++i) sign = pivots[i] == i + 1 ? sign : -sign;
                       put(index, lu, sign);
                     }
                     return end;
                   });
}

// Results have one number per matrix.
Matrices numbers(const View& v) { return Matrices(as_columns(as_columns(v)), v.shape); }

Status det_cpu(const OpDef&, const KernelArgs& args) noexcept {
  const View& x = args.in[0];
  if (numel(args.out[0].shape) == 0) return {};
  Matrices out = numbers(args.out[0]);
  int64_t n = x.shape.back();
  return in_compute_type(x.dtype, [&](auto t) {
    using T = decltype(t);
    return factor_all<T>(x, args.scratch, [&](int64_t index, const T* lu, T product) {
      for (int64_t i = 0; i < n; ++i) product *= lu[i * (n + 1)];
      out.store(index, &product, 1, 1);
    });
  });
}

Status slogdet_cpu(const OpDef&, const KernelArgs& args) noexcept {
  const View& x = args.in[0];
  if (numel(args.out[0].shape) == 0) return {};
  Matrices signs = numbers(args.out[0]), logs = numbers(args.out[1]);
  int64_t n = x.shape.back();
  return in_compute_type(x.dtype, [&](auto t) {
    using T = decltype(t);
    return factor_all<T>(x, args.scratch, [&](int64_t index, const T* lu, T sign) {
      T log = 0;
      for (int64_t i = 0; i < n; ++i) {
        T u = lu[i * (n + 1)];
        if (u == 0) sign = 0;
        if (u < 0) sign = -sign;
        log += std::log(std::fabs(u));
      }
      // zeros before and after infinities would make a NaN
      if (sign == 0) log = -std::numeric_limits<T>::infinity();
      signs.store(index, &sign, 1, 1);
      logs.store(index, &log, 1, 1);
    });
  });
}

bool any_of(const Tensor& truth) { return any(all_slices(truth)).item() != 0; }
int64_t most_of(const Tensor& counts) {
  return static_cast<int64_t>(max(all_slices(counts)).item());
}

// Constants left and right [..., n, k] that make x + left right^T regular: directions in which a
// singular matrix gives nothing, in as many of the last columns as `kernel` [..., k] has ones. The
// other columns are zeros, so that matrices that are regular stay as they are. `exact` [..., 1, 1]
// is 1 where what is filled was nothing but rounding.
struct Filling {
  Tensor left, right, kernel, exact;
};

Filling filling_of(const Tensor& x, const Tensor& singular) {
  NoGrad off;
  Tensor chosen = unsqueeze(singular, -1), one = identity_like(x);
  SVD parts = svd(where(unsqueeze(chosen, -1), x.detach(), one));
  int64_t n = x.size(-1);
  Tensor largest = slice(parts.s, {.axis = -1, .stop = 1});
  Tensor tiny = le(parts.s, largest * Tensor(static_cast<double>(n) * epsilon_of(x)));
  Tensor last = gt(select(one, {-2, n - 1}), Tensor(0.0));
  Tensor kernel = to(logical_and(chosen, logical_or(tiny, last)), DType::i64);
  Tensor exact = to(slice(tiny, {.axis = -1, .start = n - 1}), x.dtype());
  int64_t begin = n - most_of(sum(kernel, -1));
  kernel = to(slice(kernel, {.axis = -1, .start = begin}), x.dtype());
  Tensor scale = where(gt(largest, Tensor(0.0)), largest, Tensor(1.0)) * kernel;
  return {scale_columns(slice(parts.u, {.axis = -1, .start = begin}), scale),
          scale_columns(transposed(slice(parts.vh, {.axis = -2, .start = begin})), kernel), kernel,
          unsqueeze(exact, -1)};
}

// For x = b - left right^T, det x = det b det(1 - right^T b^-1 left), and the last is e_m(c), the
// sum of the principal minors of size m of c = diag(kernel) - right^T b^-1 left, for a kernel of m
// ones. All in c is about 0, so that its powers do no harm to e_m = tr(c M_m) / m by
// M_1 = 1, M_(m+1) = e_m - c M_m (Faddeev and LeVerrier), of which the gradient is M_m^T.
Tensor cofactors_of_singular(const Tensor& x, const Tensor& singular) {
  Filling f = filling_of(x, singular);
  Tensor b = x + matmul(f.left, transposed(f.right)), inverted = inverse(b);
  Tensor right = matmul(transposed(inverted), f.right), left = matmul(inverted, f.left);
  Tensor c = neg(matmul(transposed(f.right), left)), one = identity_like(c);
  c = c + scale_columns(one, f.kernel);
  c = c - c.detach() * f.exact;
  Tensor m = expand(one, c.shape()), none = Tensor(0.0);
  Tensor size = unsqueeze(sum(f.kernel, -1, true), -1);
  Tensor minors = where(eq(size, none), Tensor(1.0), none), slopes = none;
  for (int64_t k = 1; k <= c.size(-1); ++k) {
    Tensor product = matmul(c, m), counts = eq(size, Tensor(static_cast<double>(k)));
    Tensor e = sum(product * one, {{-2, -1}, true}) / Tensor(static_cast<double>(k));
    minors = minors + where(counts, e, none);
    slopes = slopes + where(counts, transposed(m), none);
    m = e * one - product;
  }
  Tensor of_slopes = matmul(matmul(right, slopes), transposed(left));
  return unsqueeze(unsqueeze(det(b), -1), -1) * (minors * transposed(inverted) + of_slopes);
}

// True where det x^-T loses half of its digits when differentiated.
Tensor nearly_singular(const Tensor& x, const Tensor& inverted) {
  NoGrad off;
  auto norm = [](const Tensor& t) { return max(abs(t.detach()), ReduceAttrs{{-2, -1}}); };
  return gt(norm(x) * norm(inverted), Tensor(1 / std::sqrt(epsilon_of(x))));
}

// The cofactor matrix, also of singular matrices: det x^-T where that is exact.
Tensors det_vjp(const VjpArgs& a) {
  Tensor g = wide(a.grad[0]), x = wide(a.in[0]), y = wide(a.out[0]);
  if (x.size(-1) == 0) return Tensors(1);
  Tensor singular = eq(y.detach(), Tensor(0.0)), inverted;
  bool any = any_of(singular);
  if (!any || grad_enabled()) {
    Tensor chosen = unsqueeze(unsqueeze(singular, -1), -1);
    inverted = inverse(any ? where(chosen, identity_like(x), x) : x);
  }
  if (grad_enabled()) {
    singular = logical_or(singular, nearly_singular(x, inverted));
    any = any_of(singular);
  }
  if (any) return {unsqueeze(unsqueeze(g, -1), -1) * cofactors_of_singular(x, singular)};
  return {unsqueeze(unsqueeze(g * y, -1), -1) * transposed(inverted)};
}

Tensors slogdet_vjp(const VjpArgs& a) {
  if (!a.grad[1].defined()) return Tensors(1);
  Tensor g = unsqueeze(unsqueeze(wide(a.grad[1]), -1), -1);
  return {g * transposed(inverse(wide(a.in[0])))};
}

void det_inverse_samples(Samples& s) {
  s.add({well_conditioned(s, {3, 1, 1})});
  s.add({well_conditioned(s, {1, 1})});
  s.add({well_conditioned(s, {2, 3, 3}, -1.5, 3)});
  s.add({well_conditioned(s, {2, 1, 1}, -3)});
  s.add({well_conditioned(s, {2, 1, 5, 5}, 0.5, 0.5)});
  s.add({s.uniform({0, 2, 2})});
  s.add({s.uniform({2, 0, 0})});
  s.refuse(Code::shape, {s.uniform({2, 3})});
  s.refuse(Code::dtype, {s.integers({2, 2}, 0, 3)});
}

void det_samples(Samples& s) {
  det_inverse_samples(s);
  Tensor regular = well_conditioned(s, {1, 2, 2});
  s.add({cat({reshape(s.values({1, 2, 2, 4}), {1, 2, 2}), regular, zeros_like(regular)}, 0)});
  s.add({reshape(s.values({1, 2, 3, 4, 5, 6, 1, 2, 3}), {3, 3})});
}

}  // namespace

extern constinit const OpDef det_def{.name = "det",
                                     .doc = "determinant of square matrices",
                                     .infer = factors_infer,
                                     .kernels = {det_cpu, lapack::kOnTheHost},
                                     .scratch = scratch_of<factors_work_of>,
                                     .vjp = det_vjp,
                                     .saves_in = 1,
                                     .saves_out = 1,
                                     .samples = det_samples,
                                     .ulp = 32};

extern constinit const OpDef slogdet_def{
    .name = "slogdet",
    .doc = "sign and log |det x| (natural logarithm) of square matrices",
    .outputs = kSignAndLog,
    .visible = 2,
    .infer = factors_infer,
    .kernels = {slogdet_cpu, lapack::kOnTheHost},
    .scratch = scratch_of<factors_work_of>,
    .vjp = slogdet_vjp,
    .saves_in = 1,
    .samples = det_inverse_samples,
    .ulp = 32};

Tensor det(const Tensor& x) { return apply_one(det_def, {x}); }

SLogDet slogdet(const Tensor& x) {
  Tensors r = apply(slogdet_def, Inputs(&x, 1));
  return {r[0], r[1]};
}

}  // namespace gyre
