#include <cmath>
#include <limits>

#include "gyre/op/apply.h"
#include "gyre/ops/define_op.h"
#include "gyre/ops/linalg/factor.h"
#include "gyre/ops/linalg/matrices.h"
#include "gyre/ops/linalg/matrix_parts.h"
#include "gyre/ops/linalg/solve.h"

namespace gyre {

extern const OpDef det_def, slogdet_def;

namespace {

constexpr const char* kSignAndLog[] = {"sign", "logabsdet"};

// One number a matrix, in each result.
void infer(const OpDef& op, const void*, Inputs in, std::span<Meta> out) {
  check_square(op, in[0], "x");
  for (Meta& m : out) {
    m.shape = leading_shape(in[0].shape());
    m.dtype = in[0].dtype();
  }
}

BatchWork work_of(const Shape& shape, DType dtype) {
  int64_t n = shape.back();
  size_t bytes =
      in_compute_type(dtype, [&](auto t) { return Workspace::bytes<decltype(t)>(n * n); });
  auto d = static_cast<double>(n);
  return {numel(leading_shape(shape)), bytes + Workspace::bytes<int>(n), d * d * d * 2 / 3 + 200,
          factor::is_small(n, n)};
}

size_t scratch(const void*, Inputs in) { return work_of(in[0].shape(), in[0].dtype()).scratch(); }

// Factors each matrix and hands put(index, diagonal of U, sign of the exchanges) what determines
// its determinant; of a singular one the diagonal has a zero.
template <class T, class Put>
Status factor_all(const View& x, std::byte* scratch, Put put) {
  Matrices from(x, leading_shape(x.shape));
  auto n = static_cast<int>(from.rows());
  return run_batch(work_of(x.shape, x.dtype), scratch, "",
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

// Results are one number a matrix.
Matrices numbers(View v) {
  Shape batch = v.shape;
  for (int i = 0; i < 2; ++i) {
    v.shape.push_back(1);
    v.strides.push_back(1);
  }
  return Matrices(v, batch);
}

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

// A number a matrix times its inverse, transposed.
Tensor times_inverse(const Tensor& number, const Tensor& x) {
  return unsqueeze(unsqueeze(number, -1), -1) * transposed(inverse(x));
}

Tensors det_vjp(const VjpArgs& a) {
  return {times_inverse(wide(a.grad[0]) * wide(a.out[0]), wide(a.in[0]))};
}

Tensors slogdet_vjp(const VjpArgs& a) {
  if (!a.grad[1].defined()) return Tensors(1);
  return {times_inverse(wide(a.grad[1]), wide(a.in[0]))};
}

void samples(Samples& s) {
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

}  // namespace

constinit const OpDef det_def = [] {
  OpDef d = define_op("det", "determinants", nullptr);
  d.infer = infer;
  d.kernels[Device::cpu] = det_cpu;
  d.scratch = scratch;
  d.vjp = det_vjp;
  d.saves_in = d.saves_out = 1;
  d.samples = samples;
  d.ulp = 32;
  return d;
}();

constinit const OpDef slogdet_def = [] {
  OpDef d = define_op("slogdet", "sign and logarithm of the magnitude of determinants", nullptr);
  d.outputs = kSignAndLog;
  d.visible = 2;
  d.infer = infer;
  d.kernels[Device::cpu] = slogdet_cpu;
  d.scratch = scratch;
  d.vjp = slogdet_vjp;
  d.saves_in = 1;
  d.samples = samples;
  d.ulp = 32;
  return d;
}();

Tensor det(const Tensor& x) { return apply_one(det_def, {x}); }

SLogDet slogdet(const Tensor& x) {
  Tensors r = apply(slogdet_def, Inputs(&x, 1));
  return {r[0], r[1]};
}

}  // namespace gyre
