#include "gyre/packed/packed_ops.h"

#include "gyre/base/error.h"
#include "gyre/kernel/copy.h"
#include "gyre/kernel/strided.h"
#include "gyre/op/apply.h"
#include "gyre/op/batching.h"
#include "gyre/op/launch.h"
#include "gyre/op/node.h"
#include "gyre/ops/index/indices.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/packed/gradient/factored.h"
#include "gyre/packed/packed.h"
#include "gyre/packed/packed_product.h"

namespace gyre {
namespace {

constexpr const char* kHostOnly = "words are decoded on the host only";

OperandFormat named(const Codec& format) {
  return static_cast<OperandFormat>(static_cast<int>(format.format) + 1);
}

}  // namespace

void require_packed(const OpDef& op, const Tensor& w, OperandFormat format) {
  if (!is_packed(w)) {
    refuse(Code::unsupported, op, {"expected packed weights, got ", describe_kind(w)},
           "packed weights", describe_kind(w));
  }
  const Codec& own = *packed_storage(w).layout.format;
  if (format == OperandFormat::own || format == named(own)) return;
  const char* wanted = kOperandFormatNames[static_cast<size_t>(format)];
  refuse(Code::value, op, {"the weights are packed in ", own.name, ", not in ", wanted}, wanted,
         own.name);
}

const PackedMatrix& packed_matrix(const View& w) {
  return *reinterpret_cast<const PackedMatrix*>(w.data);
}

// infer() refuses what is not packed.
OperandFormat operand_format(const Tensor& w) {
  return is_packed(w) ? named(*packed_storage(w).layout.format) : OperandFormat::own;
}

void infer_product(const OpDef& op, OperandFormat format, bool transpose, Inputs in, Meta& out) {
  require_packed(op, in[1], format);
  const PackedLayout& w = packed_storage(in[1]).layout;
  if (in[1].rank() != 2) {
    refuse(Code::shape, op, {"expected a packed matrix, got shape ", in[1].shape()}, "[rows, cols]",
           in[1].shape());
  }
  const int64_t inner = transpose ? w.cols : w.rows;
  const Shape& x = in[0].shape();
  if (x.rank == 0 || x[x.rank - 1] != inner) {
    refuse(Code::shape, op, {"x has shape ", x, ", expected ", inner, " as its last size"},
           {"[..., ", inner, "]"}, x);
  }
  out.shape = x;
  out.shape[x.rank - 1] = transpose ? w.rows : w.cols;
}

namespace {

// ---- packed_decode ----

constexpr Arg kDecodeArgs[] = {{.name = "w", .packed = true}};

void decode_infer(const OpDef& op, const void* attrs, Inputs in, std::span<Meta> out) {
  require_packed(op, in[0], attrs_as<PackedAttrs>(attrs).format);
  out[0].shape = in[0].shape();
}

Status decode_kernel(const OpDef&, const KernelArgs& args) noexcept {
  return run_or_report([&] {
    decode_matrix(packed_matrix(args.in[0]), reinterpret_cast<float*>(args.out[0].data));
  });
}

Tensors decode_back(const VjpArgs& a) {
  return {factored(a.in_meta[0].shape, {{.sort = FactoredTerm::dense, .right = a.grad[0]}})};
}

void decode_samples(Samples& s) {
  s.add({packed_uniform(s, {5, 20}, "D4")});
  s.add({packed_uniform(s, {18, 70}, "T4")}, box(PackedAttrs{OperandFormat::T4}));
  s.add({packed_uniform(s, {33, 3, 7}, "D3")});
  s.add({packed_uniform(s, {2, 300}, "D1")});
  s.add({packed_uniform(s, {3, 70}, "q4_0")});
  s.refuse(Code::unsupported, {s.uniform({5, 20})});
  s.refuse(Code::value, {packed_uniform(s, {5, 20}, "D4")}, box(PackedAttrs{OperandFormat::D2}));
}

// ---- packed_stand_in ----

Tensors stand_in_of(const OpDef&, const void*, Inputs in) {
  return {packed_storage(in[0]).stand_in.detach()};
}

// ---- packed_matmul ----

constexpr Arg kMatmulArgs[] = {{"x"}, {.name = "w", .packed = true}};

void matmul_infer(const OpDef& op, const void* attrs, Inputs in, std::span<Meta> out) {
  const auto& a = attrs_as<PackedMatmulAttrs>(attrs);
  infer_product(op, a.format, a.transpose, in, out[0]);
  out[0].dtype = promote(in[0].dtype(), DType::f32);
}

size_t matmul_scratch(const void*, Inputs in) {
  return dense_bytes(layout_of(in[0]), promote(in[0].dtype(), DType::f32));
}

Status matmul_kernel(const OpDef&, const KernelArgs& args) noexcept {
  const auto& a = attrs_as<PackedMatmulAttrs>(args.attrs);
  const View& out = args.out[0];
  View dense = args.in[0];
  std::byte* memory = args.scratch;
  if (const Status s = make_dense(dense, out.dtype, memory); s.failed) return s;
  return run_or_report([&] {
    const PackedMatrix& w = packed_matrix(args.in[1]);
    const int64_t rows = numel(out.shape) / (a.transpose ? w.layout.rows : w.layout.cols);
    const auto run = [&]<class T>(T) {
      const auto* x = reinterpret_cast<const T*>(dense.data);
      auto* y = reinterpret_cast<T*>(out.data);
      if (a.transpose) return multiply_transposed(w, x, rows, y);
      multiply(w, x, rows, y);
    };
    out.dtype == DType::f64 ? run(double()) : run(float());
  });
}

Tensors matmul_back(const VjpArgs& a) {
  const bool transpose = attrs_as<PackedMatmulAttrs>(a.attrs).transpose;
  const Tensor& g = a.grad[0];
  Tensors to(2);
  if (a.wanted[0]) to[0] = packed_matmul(g, a.in[1], !transpose);
  if (a.wanted[1]) {
    to[1] = factored(a.in_meta[1].shape, {{.sort = FactoredTerm::product,
                                           .left = transpose ? g : a.in[0],
                                           .right = transpose ? a.in[0] : g}});
  }
  return to;
}

// All slices of x are rows of it.
Tensors matmul_batch(const BatchedCall& call) {
  if (call.batched[1]) return {};
  const bool transpose = attrs_as<PackedMatmulAttrs>(call.attrs->value).transpose;
  return {packed_matmul(call.in[0], call.in[1], transpose)};
}

void matmul_samples(Samples& s) {
  const auto of = [](bool transpose, OperandFormat format = OperandFormat::own) {
    return box(PackedMatmulAttrs{transpose, format});
  };
  s.add({s.uniform({3, 20}), packed_uniform(s, {5, 20}, "D4")});
  s.add({s.uniform({2, 3, 18}), packed_uniform(s, {18, 7}, "T4")}, of(false));
  s.add({s.uniform({30}), packed_uniform(s, {9, 30}, "D3")}, of(true, OperandFormat::D3));
  s.add({s.uniform({4, 33}), packed_uniform(s, {33, 5}, "D2")}, of(false));
  s.add({s.uniform({2, 300}), packed_uniform(s, {18, 300}, "T2")});
  s.add({s.uniform({0, 12}), packed_uniform(s, {3, 12}, "D1")});
  s.add({s.uniform({4, 40}), packed_uniform(s, {18, 40}, "q8_0")});
  s.add({s.uniform({2, 18}), packed_uniform(s, {18, 40}, "vq")}, of(false));
  s.refuse(Code::shape, {s.uniform({3, 19}), packed_uniform(s, {5, 20}, "D4")});
  s.refuse(Code::shape, {s.uniform({}), packed_uniform(s, {5, 1}, "D4")});
  s.refuse(Code::shape, {s.uniform({3, 20}), packed_uniform(s, {5, 4, 5}, "D4")});
  s.refuse(Code::value, {s.uniform({3, 20}), packed_uniform(s, {5, 20}, "D4")},
           of(true, OperandFormat::T4));
  s.refuse(Code::unsupported, {s.uniform({3, 20}), s.uniform({5, 20})});
}

// ---- packed_rows ----

constexpr Arg kRowsArgs[] = {{.name = "w", .packed = true},
                             {.name = "indices", .differentiable = false}};

void rows_infer(const OpDef& op, const void* attrs, Inputs in, std::span<Meta> out) {
  require_packed(op, in[0], attrs_as<PackedAttrs>(attrs).format);
  check_index_dtype(op, in[1]);
  const Shape& w = in[0].shape();
  out[0].shape = concat(in[1].shape(), w.part(1, w.rank));
}

Status rows_kernel(const OpDef&, const KernelArgs& args) noexcept {
  const PackedMatrix& w = packed_matrix(args.in[0]);
  const View& indices = args.in[1];
  if (const Status wrong = check_indices(indices, w.layout.rows, 0); wrong.failed) return wrong;
  return run_or_report([&] {
    const StridedLoop loop(indices);
    const auto row = [&](int64_t i) { return index_at(indices, loop.offset(0, i)); };
    decode_rows(w, numel(indices.shape), row, reinterpret_cast<float*>(args.out[0].data));
  });
}

Tensors rows_back(const VjpArgs& a) {
  return {factored(a.in_meta[0].shape,
                   {{.sort = FactoredTerm::rows, .left = a.in[1], .right = a.grad[0]}}),
          {}};
}

Tensors rows_batch(const BatchedCall& call) {
  if (call.batched[0]) return {};
  return {packed_rows(call.in[0], call.in[1])};
}

void rows_samples(Samples& s) {
  s.add({packed_uniform(s, {5, 20}, "D4"), s.indices({4, 0, 4})});
  s.add({packed_uniform(s, {18, 2, 9}, "T2"), s.integers({2, 3}, 0, 18)},
        box(PackedAttrs{OperandFormat::T2}));
  s.add({packed_uniform(s, {33, 21}, "D3"), s.integers({}, 0, 33)});
  s.add({packed_uniform(s, {3, 4}, "D1"), s.integers({0, 2}, 0, 3)});
  s.add({packed_uniform(s, {9, 21}, "int8"), s.integers({4}, 0, 9)});
  s.refuse(Code::index, {packed_uniform(s, {5, 20}, "D4"), s.indices({5})});
  s.refuse(Code::dtype, {packed_uniform(s, {5, 20}, "D4"), s.uniform({2})});
  s.refuse(Code::unsupported, {s.uniform({5, 20}), s.indices({1})});
}

}  // namespace

extern constinit const OpDef packed_decode_def{
    .name = "packed_decode",
    .doc = "weights of a packed tensor as a plain f32 tensor",
    .args = kDecodeArgs,
    .attrs = &record_of<PackedAttrs>,
    .infer = decode_infer,
    .kernels = {decode_kernel, kHostOnly},
    .vjp = decode_back,
    .samples = decode_samples};

static constinit const OpDef packed_stand_in_def{.name = "packed_stand_in",
                                                 .doc = "weights in training in place of words",
                                                 .args = kDecodeArgs,
                                                 .compose = stand_in_of,
                                                 .vjp = decode_back};

extern constinit const OpDef packed_matmul_def{
    .name = "packed_matmul",
    .doc = "x w^T, or x w, for packed w, which is decoded tile by tile",
    .args = kMatmulArgs,
    .attrs = &record_of<PackedMatmulAttrs>,
    .infer = matmul_infer,
    .kernels = {matmul_kernel, kHostOnly},
    .scratch = matmul_scratch,
    .vjp = matmul_back,
    .saves_in = 0b11,
    .saves_for_others = 0b11,
    .batch = matmul_batch,
    .samples = matmul_samples,
    .ulp = 16};

extern constinit const OpDef packed_rows_def{.name = "packed_rows",
                                             .doc = "rows of packed w by index",
                                             .args = kRowsArgs,
                                             .attrs = &record_of<PackedAttrs>,
                                             .infer = rows_infer,
                                             .kernels = {rows_kernel, kHostOnly},
                                             .vjp = rows_back,
                                             .saves_in = 0b10,
                                             .batch = rows_batch,
                                             .samples = rows_samples};

Tensor packed_decode(const Tensor& w) {
  return apply_one(packed_decode_def, Inputs(&w, 1), box(PackedAttrs{operand_format(w)}));
}

Tensor packed_stand_in(const Tensor& w) {
  return apply_one(packed_stand_in_def, Inputs(&w, 1), {});
}

Tensor packed_matmul(const Tensor& x, const Tensor& w, bool transpose) {
  const Tensor y =
      apply_one(packed_matmul_def, {x, w}, box(PackedMatmulAttrs{transpose, operand_format(w)}));
  return size_of(x.dtype()) == 2 && is_floating(x.dtype()) ? to(y, x.dtype()) : y;
}

Tensor packed_rows(const Tensor& w, const Tensor& indices) {
  return apply_one(packed_rows_def, {w, indices}, box(PackedAttrs{operand_format(w)}));
}

Tensor packed_uniform(Samples& samples, const Shape& shape, std::string_view format) {
  NoGrad off;
  return packed_encode(samples.uniform(shape), codec(format));
}

}  // namespace gyre
