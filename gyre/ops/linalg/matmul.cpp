#include "gyre/ops/linalg/matmul.h"

#include <algorithm>

#include "gyre/kernel/strided.h"
#include "gyre/op/apply.h"
#include "gyre/op/launch.h"
#include "gyre/op/samples.h"
#include "gyre/ops/batch_rules.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/linalg/gemm.h"
#include "gyre/ops/linalg/matrix_factors.h"
#include "gyre/ops/linalg/product_operand.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/shape.h"

namespace gyre {
namespace {

constexpr Arg kLinearArgs[] = {{"x"}, {"weight"}, {.name = "bias", .optional = true}};

DType product_dtype(Inputs in) {
  DType d = in[0].dtype();
  for (size_t i = 1; i < in.size(); ++i) {
    if (in[i].defined()) d = promote(d, in[i].dtype());
  }
  return sum_dtype(d);
}

// The inner sizes m of x and n of y differ.
[[noreturn]] void refuse_inner(const OpDef& op, const Tensor& x, int64_t m, const Tensor& y,
                               int64_t n) {
  std::string of_x = std::to_string(m), of_y = std::to_string(n);
  refuse(Code::shape, op,
         {"inner sizes ", of_x, " and ", of_y, " differ, x is ", x.shape(), ", ", op.args[1].name,
          " is ", y.shape()},
         of_x, of_y);
}

// All rows of a batch as one matrix, when they lie a constant stride apart.
bool merge_rows(ProductOperand& a) {
  Shape s = a.batch();
  s.push_back(a.rows());
  StridedLoop loop(
      View{a.view.data, s, a.view.strides.part(0, s.rank), a.view.dtype, a.view.device});
  if (loop.rank != 1 || (loop.dims[0] > 1 && loop.strides[0][0] == 0)) return false;
  int64_t cols = a.cols(), stride = a.col_stride();
  a.view.shape = {loop.dims[0], cols};
  a.view.strides = {loop.strides[0][0], stride};
  return true;
}

template <class T>
void run_product_of(const ProductPlan& p) {
  const ProductOperand &a = p.a, &b = p.b;
  Gemm<T> g;
  g.m = a.rows();
  g.k = a.cols();
  g.n = b.cols();
  g.a = reinterpret_cast<const T*>(a.view.data);
  g.a_row = a.row_stride();
  g.a_col = a.col_stride();
  g.b = reinterpret_cast<const T*>(b.view.data);
  g.b_row = b.row_stride();
  g.b_col = b.col_stride();
  g.c = reinterpret_cast<T*>(p.out);
  g.c_row = g.n;
  g.bias = reinterpret_cast<const T*>(p.bias);
  int64_t count = numel(p.batch);
  if (count == 1) {
    gemm(g);
    return;
  }
  gemm_batched<T>(g, count, [&](int64_t i, Gemm<T>& one) {
    one.a = g.a + a.offset(p.batch, i);
    one.b = g.b + b.offset(p.batch, i);
    one.c = g.c + i * g.m * g.n;
  });
}

Status run_product(const ProductPlan& p) noexcept {
  if (!is_floating(p.dtype)) {  // i64 or u64, whose products are the same bits
    run_product_of<int64_t>(p);
  } else {
    visit_floating(p.dtype, [&](auto t) { run_product_of<decltype(t)>(p); });
  }
  return {};
}

// The first operand times y, plus the bias unless that is null.
Status multiply(const OpDef& op, const KernelArgs& args, const View& y, const View* bias) {
  const View& out = args.out[0];
  if (numel(out.shape) == 0) return {};
  const DType d = out.dtype;
  ProductPlan p(args.in[0], y, out);
  std::byte* scratch = args.scratch;
  Status s = copy_needed({&p.a, &p.b}, scratch, d);
  if (bias && !s.failed) {
    ProductOperand row = ProductOperand::by_rows(*bias, d);
    s = copy_needed({&row}, scratch, d);
    p.bias = row.view.data;
  }
  if (s.failed) return s;
  p.batch = broadcast(p.a.batch(), p.b.batch(), op.name);
  if (numel(p.b.batch()) == 1 && p.a.view.shape.rank > 2 && merge_rows(p.a)) p.batch = {};
  return launch<run_product>(op, args, p);
}

// --- matmul

void matmul_infer(const OpDef& op, const void*, Inputs in, std::span<Meta> out) {
  const Tensor &x = in[0], &y = in[1];
  if (x.rank() == 0 || y.rank() == 0) {
    refuse(Code::shape, op,
           {"operands must have at least one axis; x is ", x.shape(), ", y is ", y.shape()},
           x.shape(), y.shape());
  }
  DType d = product_dtype(in);
  ProductOperand a(layout_of(x), false, d), b(layout_of(y), true, d);
  if (a.cols() != b.rows()) refuse_inner(op, x, a.cols(), y, b.rows());
  out[0].shape = broadcast(a.batch(), b.batch(), op.name);
  if (x.rank() > 1) out[0].shape.push_back(a.rows());
  if (y.rank() > 1) out[0].shape.push_back(b.cols());
  out[0].dtype = d;
}

size_t matmul_scratch(const void*, Inputs in) {
  DType d = product_dtype(in);
  return ProductOperand(layout_of(in[0]), false, d).copy_bytes(d) +
         ProductOperand(layout_of(in[1]), true, d).copy_bytes(d);
}

Status matmul_kernel(const OpDef& op, const KernelArgs& args) noexcept {
  return multiply(op, args, args.in[1], nullptr);
}

// Merges all leading axes.
Tensor flat_rows(const Tensor& t) {
  Shape leading = t.shape();
  --leading.rank;
  return reshape(t, {numel(leading), t.size(-1)});
}

Tensors matmul_vjp(const VjpArgs& a) {
  Tensor x = as_matrix(a.in[0], false), y = as_matrix(a.in[1], true), g = a.grad[0];
  Shape gs = broadcast(ProductOperand(layout_of(x), false, x.dtype()).batch(),
                       ProductOperand(layout_of(y), true, y.dtype()).batch(), a.op.name);
  gs.push_back(x.size(-2));
  gs.push_back(y.size(-1));
  g = reshape(g, gs);
  Tensors r(2);
  if (a.wanted[0]) {
    r[0] = matmul(g, transpose(y, -1, -2));
    if (a.in[0].rank() == 1) r[0] = reshape(sum_to(r[0], x.shape()), a.in[0].shape());
  }
  if (a.wanted[1]) {
    // one product over all rows instead of a batch that is then summed
    bool one = y.rank() == 2 && x.rank() > 2;
    r[1] =
        one ? matmul(transpose(flat_rows(x), 0, 1), flat_rows(g)) : matmul(transpose(x, -1, -2), g);
    if (a.in[1].rank() == 1) r[1] = reshape(sum_to(r[1], y.shape()), a.in[1].shape());
  }
  return r;
}

Tensors matmul_batch(const BatchedCall& call) {
  // all slices of x are rows to one matrix or vector
  if (!call.batched[1] && call.rank(1) <= 2) return {matmul(call.in[0], call.in[1])};
  int rank = std::max(call.rank(0), call.rank(1));
  Tensor y = matmul(matrix_of_batch(call, 0, rank), matrix_of_batch(call, 1, rank));
  return {reshape(y, concat({call.size}, call.out[0].shape))};
}

void matmul_samples(Samples& s) {
  s.add({s.uniform({3, 4}), s.uniform({4, 5})});
  s.add({s.uniform({2, 1, 3, 4}), s.uniform({3, 4, 2})});
  s.add({s.uniform({4}), s.uniform({4})});
  s.add({s.uniform({4}), s.uniform({2, 4, 3})});
  s.add({s.uniform({2, 3, 4}), s.uniform({4})});
  s.add({s.uniform({2, 3, 4}), s.uniform({4, 5})});
  s.add({s.uniform({33, 17}), s.uniform({17, 40})});
  s.add({s.uniform({3, 0}), s.uniform({0, 2})});
  s.refuse(Code::shape, {s.uniform({4, 3}), s.uniform({5, 2})});
  s.refuse(Code::shape, {s.uniform({}), s.uniform({3})});
  s.refuse(Code::shape, {s.uniform({2, 3, 4}), s.uniform({3, 4, 5})});
  s.add({s.integers({2, 3, 70}, -9, 9), s.integers({70, 5}, -9, 9)});
  s.add({s.integers({4}, -9, 9), s.mask({4})});
}

// --- linear

void linear_infer(const OpDef& op, const void*, Inputs in, std::span<Meta> out) {
  const Tensor &x = in[0], &w = in[1];
  if (x.rank() == 0 || w.rank() != 2) {
    refuse(
        Code::shape, op,
        {"expected x [..., in] and weight [out, in]; x is ", x.shape(), ", weight is ", w.shape()},
        "[out, in]", w.shape());
  }
  if (x.size(-1) != w.size(1)) refuse_inner(op, x, x.size(-1), w, w.size(1));
  if (in.size() > 2 && in[2].defined() && !(in[2].shape() == Shape{w.size(0)})) {
    throw mismatch(Code::shape, op.name, {"expected bias ", Shape{w.size(0)}}, Shape{w.size(0)},
                   in[2].shape());
  }
  out[0].shape = x.shape();
  out[0].shape.dims[x.rank() - 1] = w.size(0);
  out[0].dtype = product_dtype(in);
}

View transposed(View v) {
  int r = v.shape.rank;
  std::swap(v.shape[r - 1], v.shape[r - 2]);
  std::swap(v.strides[r - 1], v.strides[r - 2]);
  return v;
}

size_t linear_scratch(const void*, Inputs in) {
  bool biased = in.size() > 2 && in[2].defined();
  DType d = product_dtype(in);
  size_t bytes = ProductOperand(layout_of(in[0]), false, d).copy_bytes(d) +
                 ProductOperand(transposed(layout_of(in[1])), true, d).copy_bytes(d);
  if (biased) bytes += ProductOperand::by_rows(layout_of(in[2]), d).copy_bytes(d);
  return bytes;
}

Status linear_kernel(const OpDef& op, const KernelArgs& args) noexcept {
  const bool biased = args.in.size() > 2 && args.in[2].data;
  return multiply(op, args, transposed(args.in[1]), biased ? &args.in[2] : nullptr);
}

Tensors linear_vjp(const VjpArgs& a) {
  const Tensor& g = a.grad[0];
  Tensors r(a.in_meta.size());
  if (a.wanted[0]) r[0] = matmul(g, a.in[1]);
  if (a.wanted[1]) r[1] = matmul(transpose(flat_rows(g), 0, 1), flat_rows(a.in[0]));
  if (a.wanted.size() > 2 && a.wanted[2]) r[2] = sum_to(g, a.in_meta[2].shape);
  return r;
}

Tensors linear_batch(const BatchedCall& call) {
  bool biased = call.in.size() > 2 && call.in[2].defined();
  if (!call.batched[1] && !(biased && call.batched[2])) {
    return {linear(call.in[0], call.in[1], biased ? call.in[2] : Tensor())};
  }
  Tensor x = with_batch(call, 0), w = with_batch(call, 1);
  int64_t rows = 1;
  for (int k = 1; k + 1 < x.rank(); ++k) rows *= x.shape()[k];
  Tensor y = matmul(reshape(x, {call.size, rows, x.size(-1)}), transpose(w, -1, -2));
  if (biased) y = y + with_batch(call, 2, 2);
  return {reshape(y, concat({call.size}, call.out[0].shape))};
}

void linear_samples(Samples& s) {
  s.add({s.uniform({3, 4}), s.uniform({5, 4}), s.uniform({5})});
  s.add({s.uniform({2, 3, 4}), s.uniform({2, 4}), Tensor()});
  s.add({s.uniform({4}), s.uniform({5, 4}), s.uniform({5})});
  s.add({s.uniform({0, 4}), s.uniform({5, 4}), s.uniform({5})});
  s.add({s.integers({3, 4}, -9, 9), s.integers({5, 4}, -9, 9), s.integers({5}, -9, 9)});
  s.refuse(Code::shape, {s.uniform({3, 4}), s.uniform({5, 3}), s.uniform({5})});
  s.refuse(Code::shape, {s.uniform({3, 4}), s.uniform({5, 4}), s.uniform({4})});
  s.refuse(Code::shape, {s.uniform({3, 4}), s.uniform({4}), Tensor()});
}

}  // namespace

extern constinit const OpDef matmul_def{
    .name = "matmul",
    .doc = "matrix product; broadcasts batch axes, accepts vectors",
    .symbol = "@",
    .args = kTwoArgs,
    .infer = matmul_infer,
    .kernels = on_every_device(matmul_kernel),
    .scratch = matmul_scratch,
    .vjp = matmul_vjp,
    .saves_in = 3,
    .saves_for_others = 3,
    .batch = matmul_batch,
    .samples = matmul_samples};

extern constinit const OpDef linear_def{.name = "linear",
                                        .doc = "linear layer: x W^T + bias, weight W [out, in]",
                                        .args = kLinearArgs,
                                        .infer = linear_infer,
                                        .kernels = on_every_device(linear_kernel),
                                        .scratch = linear_scratch,
                                        .vjp = linear_vjp,
                                        .saves_in = 3,
                                        .saves_for_others = 3,
                                        .batch = linear_batch,
                                        .samples = linear_samples};

Tensor matmul(const Tensor& x, const Tensor& y) { return apply_one(matmul_def, {x, y}); }

Tensor linear(const Tensor& x, const Tensor& weight, const Tensor& bias) {
  return apply_one(linear_def, {x, weight, bias});
}

}  // namespace gyre
