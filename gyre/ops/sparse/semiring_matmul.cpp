#include <algorithm>
#include <limits>

#include "gyre/kernel/copy.h"
#include "gyre/op/apply.h"
#include "gyre/op/launch.h"
#include "gyre/op/samples.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/index/index.h"
#include "gyre/ops/linalg/matrix_factors.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/ops/sparse/semiring_product.h"

namespace gyre {
namespace {

// witness, for gradients: which combination won each element
constexpr const char* kSemiringOutputs[] = {"out", "witness"};

bool is_product(Semiring s) { return s == Semiring::min_times || s == Semiring::max_times; }

ProductOperand left_factor(const View& x, DType wide) { return {x, false, wide}; }
ProductOperand right_factor(const View& y, DType wide) {
  ProductOperand p(y, true, wide);
  p.copied = p.copied || (p.cols() > 1 && p.col_stride() != 1);
  return p;
}

void semiring_infer(const OpDef& op, const void*, Inputs in, std::span<Meta> out) {
  const Tensor &x = in[0], &y = in[1];
  if (x.rank() == 0 || y.rank() == 0) {
    refuse(Code::shape, op,
           {"operands must have at least one axis; x is ", x.shape(), ", y is ", y.shape()},
           "[..., n, m] and [..., m, k]", {x.shape(), " and ", y.shape()});
  }
  const DType dtype = promote(x.dtype(), y.dtype());
  if (!is_floating(dtype)) {
    throw mismatch(Code::dtype, op.name, "expected floating factors", "floats", dtype);
  }
  const ProductOperand a = left_factor(layout_of(x), dtype), b = right_factor(layout_of(y), dtype);
  if (a.cols() != b.rows()) {
    refuse(Code::shape, op,
           {"inner sizes ", a.cols(), " and ", b.rows(), " differ, x is ", x.shape(), ", y is ",
            y.shape()},
           a.cols(), b.rows());
  }
  out[0].shape = broadcast(a.batch(), b.batch(), op.name);
  if (x.rank() > 1) out[0].shape.push_back(a.rows());
  if (y.rank() > 1) out[0].shape.push_back(b.cols());
  out[0].dtype = dtype;
  out[1].shape = out[0].shape;
  out[1].dtype = DType::i64;
}

// Bytes of the sums of f16 and bf16.
size_t wide_result_bytes(DType dtype, const ProductOperand& a, const ProductOperand& b) {
  if (dtype == dtype_of(compute_of(dtype))) return 0;
  const int64_t matrices = numel(broadcast(a.batch(), b.batch(), "semiring_matmul"));
  return static_cast<size_t>(matrices * a.rows() * b.cols()) * sizeof(float);
}

size_t semiring_scratch(const void*, Inputs in) {
  const DType dtype = promote(in[0].dtype(), in[1].dtype()), wide = dtype_of(compute_of(dtype));
  const ProductOperand a = left_factor(layout_of(in[0]), wide),
                       b = right_factor(layout_of(in[1]), wide);
  return a.copy_bytes(wide) + b.copy_bytes(wide) + wide_result_bytes(dtype, a, b);
}

Status semiring_kernel(const OpDef& op, const KernelArgs& args) noexcept {
  const View& out = args.out[0];
  if (numel(out.shape) == 0) return {};
  const DType wide = dtype_of(compute_of(out.dtype));
  SemiringPlan plan{attrs_as<SemiringAttrs>(args.attrs).semiring,
                    wide,
                    left_factor(args.in[0], wide),
                    right_factor(args.in[1], wide),
                    {},
                    out.data,
                    nullptr};
  std::byte* scratch = args.scratch;
  if (Status s = copy_needed({&plan.x, &plan.y}, scratch, wide); s.failed) return s;
  plan.batch = broadcast(plan.x.batch(), plan.y.batch(), op.name);
  if (args.out.size() > 1) plan.witness = reinterpret_cast<int64_t*>(args.out[1].data);
  if (out.dtype == wide) return launch<run_semiring>(op, args, plan);
  plan.out = scratch;
  if (Status s = launch<run_semiring>(op, args, plan); s.failed) return s;
  const View bests{scratch, out.shape, contiguous_strides(out.shape), wide, out.device};
  return copy_elements(bests, out);
}

// The gradient g of the results goes to the factors of the combination that won: for products
// times the other factor.
Tensors semiring_vjp(const VjpArgs& a) {
  const Semiring s = attrs_as<SemiringAttrs>(a.attrs).semiring;
  const Tensor x = as_matrix(a.in[0], false), y = as_matrix(a.in[1], true);
  Shape batch =
      broadcast(x.shape().part(0, x.rank() - 2), y.shape().part(0, y.rank() - 2), a.op.name);
  const Shape results = concat(batch, {x.size(-2), y.size(-1)});
  const Tensor g = reshape(a.grad[0], results);
  Tensors r(2);
  if (x.size(-1) == 0) return r;
  const Tensor witness = reshape(a.out[1], results), none = Tensor(int64_t{0});
  const Tensor at = maximum(witness, none), wins = witness >= none;
  const auto where_it_wins = [&](const Tensor& t) { return where(wins, t, zeros_like(t)); };
  const auto in_batch = [&](const Tensor& t) {
    return concat(batch, t.shape().part(t.rank() - 2, t.rank()));
  };
  // The gradient of a factor, whose axis of combinations is `axis`. Both parts of a product are
  // masked, since a factor that does not win may be infinite.
  const Tensor given = where_it_wins(g);
  const auto back = [&](const Tensor& factor, int axis, const Tensor& other, int other_axis) {
    Tensor part = given;
    if (is_product(s)) {
      part = part * where_it_wins(gather(expand(other, in_batch(other)), other_axis, at));
    }
    const Tensor start = zeros(in_batch(factor), {.dtype = part.dtype(), .device = part.device()});
    return scatter_add(start, axis, at, part);
  };
  if (a.wanted[0]) r[0] = back(x, -1, y, -2);
  if (a.wanted[1]) r[1] = back(y, -2, x, -1);
  for (size_t i = 0; i < 2; ++i) {
    if (!r[i].defined() || a.in[i].rank() != 1) continue;
    r[i] = reshape(sum_to(r[i], (i == 0 ? x : y).shape()), a.in[i].shape());
  }
  return r;
}

Tensors semiring_batch(const BatchedCall& call) {
  const int rank = std::max(call.rank(0), call.rank(1));
  const Tensor in[] = {matrix_of_batch(call, 0, rank), matrix_of_batch(call, 1, rank)};
  Tensors r = apply_keeping(call.op, in, call.attrs);
  for (size_t i = 0; i < r.size(); ++i)
    r[i] = reshape(r[i], concat({call.size}, call.out[i].shape));
  return r;
}

void semiring_samples(Samples& s) {
  using enum Semiring;
  for (const Semiring semiring : {min_plus, max_plus, min_times, max_times}) {
    const Attrs attrs = box(SemiringAttrs{semiring});
    s.add({s.uniform({3, 4}), s.uniform({4, 5})}, attrs);
    s.add({s.uniform({5, 3}, 0.1, 1), s.uniform({3, 21}, 0.1, 1)}, attrs);
  }
  s.add({s.uniform({2, 1, 3, 4}), s.uniform({3, 4, 2})});
  s.add({s.uniform({4}), s.uniform({4})}, box(SemiringAttrs{max_times}));
  s.add({s.uniform({4}), s.uniform({2, 4, 3})});
  s.add({s.uniform({2, 3, 4}), s.uniform({4})}, box(SemiringAttrs{min_times}));
  s.add({s.uniform({3, 0}), s.uniform({0, 2})}, box(SemiringAttrs{max_plus}));
  s.add({s.uniform({9, 7}), s.uniform({7, 70})}, box(SemiringAttrs{max_plus}));
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const Tensor ties = reshape(s.values({1, 2, 2, 1, 3, 1}), {2, 3});
  const auto edges = [&](double none) {
    return reshape(s.values({none, 1, none, none, none, 2, none, none, none}), {3, 3});
  };
  s.extreme({ties, reshape(s.values({2, 1, 1, 2, 1, 3}), {3, 2})});
  s.extreme({edges(kInfinity), edges(kInfinity)});
  s.extreme({edges(-kInfinity), edges(-kInfinity)}, box(SemiringAttrs{max_plus}));
  s.refuse(Code::shape, {s.uniform({4, 3}), s.uniform({5, 2})});
  s.refuse(Code::shape, {s.uniform({}), s.uniform({3})});
  s.refuse(Code::shape, {s.uniform({2, 3, 4}), s.uniform({3, 4, 5})});
  s.refuse(Code::dtype, {s.integers({2, 2}, 0, 9), s.integers({2, 2}, 0, 9)});
}

}  // namespace

extern constinit const OpDef semiring_matmul_def{
    .name = "semiring_matmul",
    .doc = "matrix product over a semiring, e.g. min_plus: out_ij = min over l of x_il + y_lj",
    .args = kTwoArgs,
    .outputs = kSemiringOutputs,
    .attrs = &record_of<SemiringAttrs>,
    .infer = semiring_infer,
    .kernels = on_every_device(semiring_kernel),
    .scratch = semiring_scratch,
    .vjp = semiring_vjp,
    .saves_in = 3,
    .saves_out = 2,
    .saves_for_others = 3,
    .batch = semiring_batch,
    .samples = semiring_samples};

Tensor semiring_matmul(const Tensor& x, const Tensor& y, Semiring semiring) {
  return apply_one(semiring_matmul_def, {x, y}, box(SemiringAttrs{semiring}));
}

}  // namespace gyre
