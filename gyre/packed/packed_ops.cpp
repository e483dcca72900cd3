#include "gyre/packed/packed_ops.h"

#include "gyre/base/error.h"
#include "gyre/op/apply.h"
#include "gyre/op/launch.h"
#include "gyre/ops/index/indices.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/packed/gradient/factored.h"
#include "gyre/packed/packed.h"
#include "gyre/packed/packed_product.h"

namespace gyre {
namespace {

constexpr const char* kHostOnly = "words are decoded on the host only";

const RingFormat& format_of(PackedFormat format) {
  return ring_formats()[static_cast<size_t>(format)];
}

PackedFormat format_of(const Tensor& w) {
  return static_cast<PackedFormat>(packed_storage(w).layout.format - ring_formats().data());
}

// Operand i of a call, packed in the format that the attributes name.
void require_packed(const OpDef& op, const Tensor& w, PackedFormat format) {
  if (!is_packed(w)) {
    refuse(Code::unsupported, op, {"expected packed weights, got ", describe_kind(w)},
           "packed weights", describe_kind(w));
  }
  const RingFormat& own = *packed_storage(w).layout.format;
  if (&own == &format_of(format)) return;
  refuse(Code::value, op,
         {"the weights are packed in ", own.name, ", not in ", format_of(format).name}, own.name,
         format_of(format).name);
}

// What kernels see of a packed operand.
PackedMatrix matrix_of(const View& w, PackedFormat format) {
  const int64_t rows = w.shape[0];
  const PackedLayout layout{&format_of(format), rows, numel(w.shape) / rows};
  const auto* headers = reinterpret_cast<const Packed128*>(w.data);
  return {layout, headers, headers + layout.headers()};
}

// ---- packed_decode ----

constexpr Arg kDecodeArgs[] = {{.name = "w", .packed = true}};

void decode_infer(const OpDef& op, const void* attrs, Inputs in, std::span<Meta> out) {
  require_packed(op, in[0], attrs_as<PackedAttrs>(attrs).format);
  out[0].shape = in[0].shape();
}

Status decode_kernel(const OpDef&, const KernelArgs& args) noexcept {
  return run_or_report([&] {
    decode_matrix(matrix_of(args.in[0], attrs_as<PackedAttrs>(args.attrs).format),
                  reinterpret_cast<float*>(args.out[0].data));
  });
}

Tensors decode_back(const VjpArgs& a) {
  return {factored(a.in_meta[0].shape, {{.sort = FactoredTerm::dense, .right = a.grad[0]}})};
}

// ---- packed_stand_in ----

Tensors stand_in_of(const OpDef&, const void*, Inputs in) {
  return {packed_storage(in[0]).stand_in.detach()};
}

// ---- packed_matmul ----

constexpr Arg kMatmulArgs[] = {{"x"}, {.name = "w", .packed = true}};

void matmul_infer(const OpDef& op, const void* attrs, Inputs in, std::span<Meta> out) {
  const auto& a = attrs_as<PackedMatmulAttrs>(attrs);
  require_packed(op, in[1], a.format);
  const PackedLayout& w = packed_storage(in[1]).layout;
  if (in[1].rank() != 2) {
    refuse(Code::shape, op, {"expected a packed matrix, got shape ", in[1].shape()}, "[rows, cols]",
           in[1].shape());
  }
  if (in[0].dtype() != DType::f32 || !in[0].is_contiguous()) {
    refuse(Code::unsupported, op, "expected a contiguous f32 tensor x");
  }
  const int64_t inner = a.transpose ? w.cols : w.rows;
  const Shape& x = in[0].shape();
  if (x.rank == 0 || x[x.rank - 1] != inner) {
    refuse(Code::shape, op, {"x has shape ", x, ", expected ", inner, " as its last size"},
           {"[..., ", inner, "]"}, x);
  }
  out[0].shape = x;
  out[0].shape[x.rank - 1] = a.transpose ? w.rows : w.cols;
}

Status matmul_kernel(const OpDef&, const KernelArgs& args) noexcept {
  const auto& a = attrs_as<PackedMatmulAttrs>(args.attrs);
  return run_or_report([&] {
    const PackedMatrix w = matrix_of(args.in[1], a.format);
    const auto* x = reinterpret_cast<const float*>(args.in[0].data);
    auto* y = reinterpret_cast<float*>(args.out[0].data);
    const int64_t rows = numel(args.out[0].shape) / (a.transpose ? w.layout.rows : w.layout.cols);
    (a.transpose ? multiply_transposed : multiply)(w, x, rows, y);
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

// ---- packed_rows ----

constexpr Arg kRowsArgs[] = {{.name = "w", .packed = true},
                             {.name = "indices", .differentiable = false}};

void rows_infer(const OpDef& op, const void* attrs, Inputs in, std::span<Meta> out) {
  require_packed(op, in[0], attrs_as<PackedAttrs>(attrs).format);
  check_index_dtype(op, in[1]);
  if (!in[1].is_contiguous()) refuse(Code::unsupported, op, "expected contiguous indices");
  const Shape& w = in[0].shape();
  out[0].shape = concat(in[1].shape(), w.part(1, w.rank));
}

Status rows_kernel(const OpDef&, const KernelArgs& args) noexcept {
  const PackedMatrix w = matrix_of(args.in[0], attrs_as<PackedAttrs>(args.attrs).format);
  const View& indices = args.in[1];
  if (const Status wrong = check_indices(indices, w.layout.rows, 0); wrong.failed) return wrong;
  return run_or_report([&] {
    const auto index = [&](int64_t i) { return index_at(indices, i); };
    decode_rows(w, numel(indices.shape), index, reinterpret_cast<float*>(args.out[0].data));
  });
}

Tensors rows_back(const VjpArgs& a) {
  return {factored(a.in_meta[0].shape,
                   {{.sort = FactoredTerm::rows, .left = a.in[1], .right = a.grad[0]}}),
          {}};
}

}  // namespace

extern constinit const OpDef packed_decode_def{.name = "packed_decode",
                                               .doc = "weights of a packed tensor",
                                               .args = kDecodeArgs,
                                               .attrs = &record_of<PackedAttrs>,
                                               .infer = decode_infer,
                                               .kernels = {decode_kernel, kHostOnly},
                                               .vjp = decode_back};

static constinit const OpDef packed_stand_in_def{.name = "packed_stand_in",
                                                 .doc = "weights in training in place of words",
                                                 .args = kDecodeArgs,
                                                 .compose = stand_in_of,
                                                 .vjp = decode_back};

extern constinit const OpDef packed_matmul_def{.name = "packed_matmul",
                                               .doc = "x w^T, or x w, for packed w",
                                               .args = kMatmulArgs,
                                               .attrs = &record_of<PackedMatmulAttrs>,
                                               .local = Locality::row,
                                               .infer = matmul_infer,
                                               .kernels = {matmul_kernel, kHostOnly},
                                               .vjp = matmul_back,
                                               .saves_in = 0b11,
                                               .saves_for_others = 0b11};

extern constinit const OpDef packed_rows_def{.name = "packed_rows",
                                             .doc = "rows of packed w by index",
                                             .args = kRowsArgs,
                                             .attrs = &record_of<PackedAttrs>,
                                             .infer = rows_infer,
                                             .kernels = {rows_kernel, kHostOnly},
                                             .vjp = rows_back,
                                             .saves_in = 0b10};

namespace {

// The format for the attributes; infer() refuses what is not packed.
PackedFormat named_format(const Tensor& w) { return is_packed(w) ? format_of(w) : PackedFormat{}; }

}  // namespace

Tensor packed_decode(const Tensor& w) {
  return apply_one(packed_decode_def, Inputs(&w, 1), box(PackedAttrs{named_format(w)}));
}

Tensor packed_stand_in(const Tensor& w) {
  return apply_one(packed_stand_in_def, Inputs(&w, 1), {});
}

Tensor packed_matmul(const Tensor& x, const Tensor& w, bool transpose) {
  const DType dtype = is_floating(x.dtype()) ? x.dtype() : DType::f32;
  const Tensor y = apply_one(packed_matmul_def, {contiguous(to(x, DType::f32)), w},
                             box(PackedMatmulAttrs{named_format(w), transpose}));
  return to(y, dtype);
}

Tensor packed_rows(const Tensor& w, const Tensor& indices) {
  return apply_one(packed_rows_def, {w, contiguous(indices)}, box(PackedAttrs{named_format(w)}));
}

}  // namespace gyre
