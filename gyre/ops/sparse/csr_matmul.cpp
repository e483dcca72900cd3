// csr_matmul and csr_sampled_matmul, of which each is a gradient of the other.
#include "gyre/kernel/copy.h"
#include "gyre/kernel/per_isa.h"
#include "gyre/op/apply.h"
#include "gyre/op/batching.h"
#include "gyre/op/launch.h"
#include "gyre/op/samples.h"
#include "gyre/ops/index/index.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/ops/sparse/csr.h"
#include "gyre/ops/sparse/csr_tiles.h"
#include "gyre/ops/sparse/structure.h"

namespace gyre {

GYRE_DECLARE_TILES(AllCsrTiles, csr)

namespace {

GYRE_TILES_FUNCTION_OF_T(const CsrTiles<T>&, csr_tiles, AllCsrTiles, csr)

constexpr Arg kProductArgs[] = {kCrowIndices, kColIndices, {"values"}, {"dense"}};
constexpr Arg kSampledArgs[] = {kCrowIndices, kColIndices, {"x"}, {"y"}};

DType factors_dtype(const OpDef& op, Inputs in) {
  const DType dtype = promote(in[2].dtype(), in[3].dtype());
  if (!is_floating(dtype)) {
    throw mismatch(Code::dtype, op.name, "expected floating factors", "floats", dtype);
  }
  return dtype;
}

// Calls f(T()) with the compute type.
auto in_wide(DType dtype, auto f) { return dtype == DType::f64 ? f(double()) : f(float()); }

// The result in the compute type: itself, or scratch for f16 and bf16.
View wide_result(const View& out, std::byte* scratch) {
  const DType wide = wide_dtype(out.dtype);
  if (out.dtype == wide) return out;
  return {scratch, out.shape, contiguous_strides(out.shape), wide, out.device};
}
Status narrowed(const Status& s, const View& wide, const View& out) {
  return s.failed || wide.data == out.data ? s : copy_elements(wide, out);
}
size_t wide_bytes(DType dtype, int64_t elements) {
  return dtype == wide_dtype(dtype) ? 0 : static_cast<size_t>(elements) * sizeof(float);
}

// ---- csr_matmul ----

void product_infer(const OpDef& op, const void*, Inputs in, std::span<Meta> out) {
  check_structure(op, in);
  const Shape &values = in[2].shape(), &dense = in[3].shape();
  if (!(values == in[1].shape())) {
    refuse(Code::shape, op, {"expected values ", in[1].shape(), ", got ", values}, in[1].shape(),
           values);
  }
  if (dense.rank != 1 && dense.rank != 2) {
    refuse(Code::shape, op, {"expected dense [m, k] or [m], got ", dense}, "[m, k] or [m]", dense);
  }
  out[0].dtype = factors_dtype(op, in);
  out[0].shape = dense;
  out[0].shape[0] = in[0].numel() - 1;
}

size_t product_scratch(const void*, Inputs in) {
  const DType dtype = promote(in[2].dtype(), in[3].dtype()), wide = wide_dtype(dtype);
  const Shape& dense = in[3].shape();
  return structure_bytes(in) + dense_bytes(layout_of(in[2]), wide) +
         dense_bytes(layout_of(in[3]), wide) +
         wide_bytes(dtype, (in[0].numel() - 1) * (dense.rank == 2 ? dense[1] : 1));
}

template <class T>
void multiply_csr(const CsrProductPlan& p) {
  const CsrStructure& m = p.matrix;
  auto *values = reinterpret_cast<const T*>(p.values), *dense = reinterpret_cast<const T*>(p.dense);
  auto* out = reinterpret_cast<T*>(p.out);
  const auto row = csr_tiles<T>().row;
  for_bands(m.rows, m.count, p.n, sizeof(T),
            [&](int64_t begin, int64_t end, int64_t column, int64_t n) {
              for (int64_t r = begin; r < end; ++r) {
                const int64_t first = m.offsets[r], count = m.offsets[r + 1] - first;
                row({values + first, m.places + first, count, dense + column, p.n,
                     out + r * p.n + column, n});
              }
            });
}

Status run_csr_product(const CsrProductPlan& p) noexcept {
  if (Status s = check_places(p.matrix); s.failed) return s;
  in_wide(p.dtype, [&](auto t) { multiply_csr<decltype(t)>(p); });
  return {};
}

Status product_kernel(const OpDef& op, const KernelArgs& args) noexcept {
  const View& out = args.out[0];
  const DType wide = wide_dtype(out.dtype);
  DenseOperands operands(args.scratch);
  const CsrStructure matrix = operands.structure(args, args.in[3].shape[0]);
  const View values = operands.take(args.in[2], wide), dense = operands.take(args.in[3], wide);
  if (operands.status().failed) return operands.status();
  const View sums = wide_result(out, operands.rest());
  const int64_t n = dense.shape.rank == 2 ? dense.shape[1] : 1;
  const CsrProductPlan plan{matrix, wide, values.data, dense.data, sums.data, n};
  return narrowed(launch<run_csr_product>(op, args, plan), sums, out);
}

// The transposed matrix times x.
Tensor transposed_product(const Tensor& crow, const Tensor& col, const Tensor& values,
                          const Tensor& x, int64_t columns) {
  const CsrTransposed t = csr_transpose(crow, col, columns);
  return csr_matmul(t.crow_indices, t.col_indices, index_select(values, 0, t.order), x);
}

Tensors product_vjp(const VjpArgs& a) {
  const Tensor &crow = a.in[0], &col = a.in[1], &values = a.in[2], &dense = a.in[3];
  const Tensor& g = a.grad[0];
  Tensors r(4);
  if (a.wanted[2]) {
    const auto matrix = [](const Tensor& t) {
      return t.rank() == 2 ? t : reshape(t, {t.numel(), 1});
    };
    r[2] = csr_sampled_matmul(crow, col, matrix(g), matrix(dense));
  }
  if (a.wanted[3]) r[3] = transposed_product(crow, col, values, g, a.in_meta[3].shape[0]);
  return r;
}

// A batch of dense matrices is one with all their columns.
Tensors product_batch(const BatchedCall& call) {
  if (call.batched[0] || call.batched[1] || call.batched[2]) return {};
  const Tensor& dense = call.in[3];
  if (dense.rank() == 2) {
    return {
        transpose(csr_matmul(call.in[0], call.in[1], call.in[2], transpose(dense, 0, 1)), 0, 1)};
  }
  const int64_t m = dense.size(1), k = dense.size(2);
  const Tensor beside = reshape(transpose(dense, 0, 1), {m, call.size * k});
  const Tensor y = csr_matmul(call.in[0], call.in[1], call.in[2], beside);
  return {transpose(reshape(y, {y.size(0), call.size, k}), 0, 1)};
}

void product_samples(Samples& s) {
  const auto add = [&](std::initializer_list<int64_t> offsets, int64_t m, const Shape& dense) {
    const Tensor crow = s.indices(offsets);
    const int64_t count = *(offsets.end() - 1);
    s.add({crow, s.integers({count}, 0, m), s.uniform({count}), s.uniform(dense)});
  };
  add({0, 2, 3, 5}, 4, {4, 3});
  add({0, 0, 7, 7, 9}, 3, {3, 21});
  add({0, 4, 9}, 6, {6});
  add({0, 1, 3}, 5, {5, 1});
  add({0}, 3, {3, 2});
  add({0, 0, 0}, 0, {0, 2});
  add({0, 2}, 2, {2, 0});
  s.add({s.indices({0, 3, 4}), s.indices({2, 0, 2, 1}), s.uniform({4}), s.uniform({3, 70})});
  const Tensor places = s.indices({0, 2}), values = s.uniform({2}), dense = s.uniform({3, 2});
  const auto refuse = [&](Code code, const Tensor& crow, const Tensor& col) {
    s.refuse(code, {crow, col, values, dense});
  };
  refuse(Code::index, s.indices({0, 1, 2}), s.indices({0, 3}));
  refuse(Code::index, s.indices({0, 1, 2}), s.indices({-1, 0}));
  refuse(Code::value, s.indices({0, 3, 2}), places);
  refuse(Code::value, s.indices({1, 1, 2}), places);
  refuse(Code::value, s.indices({0, 1, 1}), places);
  refuse(Code::shape, s.indices({}), places);
  refuse(Code::shape, s.integers({1, 2}, 0, 1), places);
  refuse(Code::shape, s.indices({0, 3}), s.indices({0, 1, 2}));
  refuse(Code::dtype, s.uniform({2}), places);
  refuse(Code::dtype, s.indices({0, 2}), s.uniform({2}));
  s.refuse(Code::shape, {s.indices({0, 2}), places, values, s.uniform({2, 3, 2})});
  s.refuse(Code::shape, {s.indices({0, 2}), places, values, s.uniform({})});
  s.refuse(Code::dtype, {s.indices({0, 2}), places, s.integers({2}, 0, 9), s.mask({3, 2})});
}

// ---- csr_sampled_matmul ----

void sampled_infer(const OpDef& op, const void*, Inputs in, std::span<Meta> out) {
  check_structure(op, in);
  const Shape &x = in[2].shape(), &y = in[3].shape();
  const int64_t rows = in[0].numel() - 1;
  if (x.rank != 2 || y.rank != 2 || x[0] != rows || x[1] != y[1]) {
    refuse(Code::shape, op, {"expected x [", rows, ", k] and y [m, k], got ", x, " and ", y},
           {"x [", rows, ", k] and y [m, k]"}, {x, " and ", y});
  }
  out[0].dtype = factors_dtype(op, in);
  out[0].shape = in[1].shape();
}

size_t sampled_scratch(const void*, Inputs in) {
  const DType dtype = promote(in[2].dtype(), in[3].dtype()), wide = wide_dtype(dtype);
  return structure_bytes(in) + dense_bytes(layout_of(in[2]), wide) +
         dense_bytes(layout_of(in[3]), wide) + wide_bytes(dtype, in[1].numel());
}

template <class T>
void sample_products(const CsrSampledPlan& p) {
  const CsrStructure& m = p.matrix;
  auto *x = reinterpret_cast<const T*>(p.x), *y = reinterpret_cast<const T*>(p.y);
  auto* out = reinterpret_cast<T*>(p.out);
  const auto sampled = csr_tiles<T>().sampled;
  const int64_t work = (m.count / (m.rows ? m.rows : 1) + 1) * (p.depth + 1);
  parallel_for(m.rows, kGrain / work + 1, [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) {
      const int64_t first = m.offsets[r], count = m.offsets[r + 1] - first;
      sampled({x + r * p.depth, y, p.depth, p.depth, m.places + first, count, out + first});
    }
  });
}

Status run_csr_sampled(const CsrSampledPlan& p) noexcept {
  if (Status s = check_places(p.matrix); s.failed) return s;
  in_wide(p.dtype, [&](auto t) { sample_products<decltype(t)>(p); });
  return {};
}

Status sampled_kernel(const OpDef& op, const KernelArgs& args) noexcept {
  const View& out = args.out[0];
  const DType wide = wide_dtype(out.dtype);
  DenseOperands operands(args.scratch);
  const CsrStructure matrix = operands.structure(args, args.in[3].shape[0]);
  const View x = operands.take(args.in[2], wide), y = operands.take(args.in[3], wide);
  if (operands.status().failed) return operands.status();
  const View sums = wide_result(out, operands.rest());
  const CsrSampledPlan plan{matrix, wide, x.data, y.data, sums.data, x.shape[1]};
  return narrowed(launch<run_csr_sampled>(op, args, plan), sums, out);
}

Tensors sampled_vjp(const VjpArgs& a) {
  const Tensor &crow = a.in[0], &col = a.in[1], &g = a.grad[0];
  Tensors r(4);
  if (a.wanted[2]) r[2] = csr_matmul(crow, col, g, a.in[3]);
  if (a.wanted[3]) r[3] = transposed_product(crow, col, g, a.in[2], a.in_meta[3].shape[0]);
  return r;
}

void sampled_samples(Samples& s) {
  const auto add = [&](std::initializer_list<int64_t> offsets, int64_t m, int64_t k) {
    const Tensor crow = s.indices(offsets);
    const int64_t count = *(offsets.end() - 1);
    s.add({crow, s.integers({count}, 0, m), s.uniform({crow.numel() - 1, k}), s.uniform({m, k})});
  };
  add({0, 2, 3, 5}, 4, 3);
  add({0, 0, 4, 6}, 3, 37);
  add({0, 3}, 2, 70);
  add({0, 1}, 1, 0);
  add({0, 0}, 0, 2);
  const Tensor crow = s.indices({0, 1, 2}), places = s.indices({0, 2});
  const Tensor x = s.uniform({2, 4}), y = s.uniform({3, 4});
  s.refuse(Code::index, {crow, s.indices({0, 3}), x, y});
  s.refuse(Code::value, {s.indices({0, 3, 2}), places, x, y});
  s.refuse(Code::shape, {s.indices({}), places, x, y});
  s.refuse(Code::shape, {crow, places, s.uniform({3, 4}), y});
  s.refuse(Code::shape, {crow, places, x, s.uniform({3, 5})});
  s.refuse(Code::shape, {crow, places, x, s.uniform({4})});
  s.refuse(Code::dtype, {s.uniform({3}), places, x, y});
  s.refuse(Code::dtype, {crow, places, s.integers({2, 4}, 0, 9), s.integers({3, 4}, 0, 9)});
}

}  // namespace

extern constinit const OpDef csr_matmul_def{
    .name = "csr_matmul",
    .doc =
        "product of a sparse matrix in compressed sparse rows (CSR) with a dense matrix or "
        "vector",
    .args = kProductArgs,
    .infer = product_infer,
    .kernels = on_every_device(product_kernel),
    .scratch = product_scratch,
    .vjp = product_vjp,
    .saves_in = 0b1111,
    .saves_for_others = 0b1100,
    .batch = product_batch,
    .samples = product_samples};

extern constinit const OpDef csr_sampled_matmul_def{
    .name = "csr_sampled_matmul",
    .doc = "sampled dense-dense product: elements of x y^T at the places of a sparse matrix (CSR)",
    .args = kSampledArgs,
    .infer = sampled_infer,
    .kernels = on_every_device(sampled_kernel),
    .scratch = sampled_scratch,
    .vjp = sampled_vjp,
    .saves_in = 0b1111,
    .saves_for_others = 0b1100,
    .samples = sampled_samples};

Tensor csr_matmul(const Tensor& crow_indices, const Tensor& col_indices, const Tensor& values,
                  const Tensor& dense) {
  return apply_one(csr_matmul_def, {crow_indices, col_indices, values, dense});
}

Tensor csr_sampled_matmul(const Tensor& crow_indices, const Tensor& col_indices, const Tensor& x,
                          const Tensor& y) {
  return apply_one(csr_sampled_matmul_def, {crow_indices, col_indices, x, y});
}

}  // namespace gyre
