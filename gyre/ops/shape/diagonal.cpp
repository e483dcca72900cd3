// Diagonals and triangles of matrices.
#include <cstring>

#include "gyre/base/thread_pool.h"
#include "gyre/kernel/copy.h"
#include "gyre/kernel/strided.h"
#include "gyre/op/apply.h"
#include "gyre/op/launch.h"
#include "gyre/op/op_def.h"
#include "gyre/op/samples.h"
#include "gyre/ops/batch_rules.h"
#include "gyre/ops/shape/plans.h"
#include "gyre/ops/shape/shape.h"

namespace gyre {
namespace {

struct Plane {
  int rows, columns;  ///< axes
};

Plane plane_of(const OpDef& op, int64_t axis0, int64_t axis1, int rank) {
  Plane p{normalize_axis(axis0, rank, op.name), normalize_axis(axis1, rank, op.name)};
  if (p.rows == p.columns) {
    refuse(Code::value, op, "axis0 and axis1 must be different axes", "two axes", p.rows);
  }
  return p;
}

int64_t diagonal_length(int64_t rows, int64_t columns, int64_t offset) {
  if (offset >= columns || offset <= -rows) return 0;
  if (offset >= 0) return rows < columns - offset ? rows : columns - offset;
  return rows + offset < columns ? rows + offset : columns;
}

// The diagonal of two axes as a new last axis.
Layout diagonal_of(const Shape& shape, const Shape& strides, Plane p, int64_t offset) {
  Layout d;
  for (int i = 0; i < shape.rank; ++i) {
    if (i == p.rows || i == p.columns) continue;
    d.shape.push_back(shape[i]);
    d.strides.push_back(strides[i]);
  }
  int64_t n = diagonal_length(shape[p.rows], shape[p.columns], offset);
  d.shape.push_back(n);
  d.strides.push_back(strides[p.rows] + strides[p.columns]);
  if (n > 0) d.offset = offset >= 0 ? offset * strides[p.columns] : -offset * strides[p.rows];
  return d;
}

// ---- diagonal ----

bool diagonal_view(const OpDef& op, const void* attrs, const Tensor& x, Layout& out) {
  const auto& a = attrs_as<DiagonalAttrs>(attrs);
  if (x.rank() < 2) {
    throw mismatch(Code::shape, op.name, "expected matrices [..., rows, columns]",
                   "[..., rows, columns]", x.shape());
  }
  Plane p = plane_of(op, a.axis0, a.axis1, x.rank());
  Layout d = diagonal_of(x.shape(), x.strides(), p, a.offset);
  out = {d.shape, d.strides, out.offset + d.offset};
  return true;
}

Tensors diagonal_back(const VjpArgs& v) {
  const auto& a = attrs_as<DiagonalAttrs>(v.attrs);
  const Shape& shape = v.in_meta[0].shape;
  Plane p = plane_of(v.op, a.axis0, a.axis1, shape.rank);
  return {diag_embed(v.grad[0], {a.offset, p.rows, p.columns, shape[p.rows], shape[p.columns]})};
}

void diagonal_samples(Samples& s) {
  s.add({s.uniform({3, 4})});
  s.add({s.uniform({2, 3, 4})}, box(DiagonalAttrs{1, -2, -1}));
  s.add({s.uniform({4, 2, 3})}, box(DiagonalAttrs{-1, 0, 2}));
  s.add({s.uniform({4, 3})}, box(DiagonalAttrs{-2, 1, 0}));
  s.add({s.uniform({2, 3})}, box(DiagonalAttrs{INT64_MIN, 0, 1}));
  s.add({s.uniform({0, 3})}, box(DiagonalAttrs{2, 0, 1}));
  s.refuse(Code::value, {s.uniform({2, 3})}, box(DiagonalAttrs{0, 1, -1}));
  s.refuse(Code::index, {s.uniform({2, 3})}, box(DiagonalAttrs{0, 0, 2}));
  s.refuse(Code::shape, {s.uniform({3})});
}

// ---- diag_embed ----

void diag_embed_infer(const OpDef& op, const void* attrs, Inputs in, std::span<Meta> out) {
  const auto& a = attrs_as<DiagEmbedAttrs>(attrs);
  const Shape& x = in[0].shape();
  if (x.rank == 0) refuse(Code::shape, op, "expected [..., n], got a 0-d tensor", "[..., n]", "[]");
  Plane p = plane_of(op, a.axis0, a.axis1, x.rank + 1);
  int64_t n = x.back(), side = 0;
  bool overflow = (a.offset < 0 ? __builtin_sub_overflow(n, a.offset, &side)
                                : __builtin_add_overflow(n, a.offset, &side)) &&
                  (a.rows < 0 || a.columns < 0);
  int64_t rows = a.rows < 0 ? side : a.rows, columns = a.columns < 0 ? side : a.columns;
  if (overflow || diagonal_length(rows, columns, a.offset) != n) {
    refuse(Code::shape, op,
           {"a diagonal of ", n, " elements at offset ", a.offset, " does not match a matrix [",
            rows, ", ", columns, "]"},
           diagonal_length(rows, columns, a.offset), n);
  }
  int at = 0;
  for (int i = 0; i <= x.rank; ++i) {
    out[0].shape.push_back(i == p.rows ? rows : i == p.columns ? columns : x[at++]);
  }
  out[0].dtype = in[0].dtype();
}

Status diag_embed_kernel(const OpDef& op, const KernelArgs& args) noexcept {
  const auto& a = attrs_as<DiagEmbedAttrs>(args.attrs);
  const View& y = args.out[0];
  if (Status s = zero_elements(y); s.failed) return s;
  Plane p = plane_of(op, a.axis0, a.axis1, y.shape.rank);
  Layout d = diagonal_of(y.shape, y.strides, p, a.offset);
  std::byte* first = y.data + d.offset * static_cast<int64_t>(size_of(y.dtype));
  return copy_elements(args.in[0], View(first, d.shape, d.strides, y.dtype, y.device));
}

Tensors diag_embed_back(const VjpArgs& v) {
  const auto& a = attrs_as<DiagEmbedAttrs>(v.attrs);
  return {diagonal(v.grad[0], {a.offset, a.axis0, a.axis1})};
}

void diag_embed_samples(Samples& s) {
  s.add({s.uniform({3})});
  s.add({s.uniform({2, 3})}, box(DiagEmbedAttrs{1, -2, -1}));
  s.add({s.uniform({4, 2})}, box(DiagEmbedAttrs{-1, 0, 2, 3, 5}));
  s.add({s.uniform({0})}, box(DiagEmbedAttrs{-2, 0, 1}));
  s.refuse(Code::shape, {s.uniform({})});
  s.refuse(Code::shape, {s.uniform({3})}, box(DiagEmbedAttrs{0, 0, 1, 4, 5}));
  s.refuse(Code::shape, {s.uniform({3})}, box(DiagEmbedAttrs{INT64_MAX, 0, 1}));
  s.refuse(Code::shape, {s.uniform({3})}, box(DiagEmbedAttrs{INT64_MIN, 0, 1}));
  s.refuse(Code::value, {s.uniform({3})}, box(DiagEmbedAttrs{0, 1, -1}));
  s.refuse(Code::index, {s.uniform({3})}, box(DiagEmbedAttrs{0, 0, 2}));
}

// ---- tril and triu ----

void triangle_infer(const OpDef& op, const void*, Inputs in, std::span<Meta> out) {
  if (in[0].rank() < 2) {
    throw mismatch(Code::shape, op.name, "expected matrices [..., rows, columns]",
                   "[..., rows, columns]", in[0].shape());
  }
  infer_like_first(op, nullptr, in, out);
}

Status run_triangle(const TrianglePlan& p) noexcept {
  parallel_for(p.lines, kGrain / p.columns, [&](int64_t begin, int64_t end) {
    for (int64_t line = begin; line < end; ++line) {
      int64_t edge = line % p.rows + p.first_edge;
      edge = edge < 0 ? 0 : edge > p.columns ? p.columns : edge;
      int64_t from = p.lower ? edge : 0, to = p.lower ? p.columns : edge;
      std::memset(p.data + (line * p.columns + from) * p.size, 0,
                  static_cast<size_t>((to - from) * p.size));
    }
  });
  return {};
}

template <bool kLower>
Status triangle_kernel(const OpDef& op, const KernelArgs& args) noexcept {
  const View& y = args.out[0];
  if (Status s = copy_elements(args.in[0], y); s.failed) return s;
  int64_t rows = y.shape.back(1), columns = y.shape.back(), all = numel(y.shape);
  if (all == 0) return {};
  int64_t diagonal = attrs_as<TriangleAttrs>(args.attrs).diagonal;
  diagonal = diagonal < -rows ? -rows : diagonal > columns ? columns : diagonal;
  const int64_t size = static_cast<int64_t>(size_of(y.dtype)), edge = diagonal + (kLower ? 1 : 0);
  const TrianglePlan plan{y.data, size, all / columns, rows, columns, edge, kLower};
  return launch<run_triangle>(op, args, plan);
}

Tensors tril_back(const VjpArgs& a) {
  return {tril(a.grad[0], attrs_as<TriangleAttrs>(a.attrs).diagonal)};
}
Tensors triu_back(const VjpArgs& a) {
  return {triu(a.grad[0], attrs_as<TriangleAttrs>(a.attrs).diagonal)};
}

void triangle_samples(Samples& s) {
  s.add({s.uniform({3, 4})});
  s.add({s.uniform({4, 3})}, box(TriangleAttrs{1}));
  s.add({s.uniform({2, 3, 3})}, box(TriangleAttrs{-1}));
  s.add({s.uniform({2, 0, 3})});
  s.add({s.uniform({2, 2})}, box(TriangleAttrs{INT64_MIN}));
  s.add({s.uniform({2, 2})}, box(TriangleAttrs{INT64_MAX}));
  s.refuse(Code::shape, {s.uniform({3})});
}

constexpr OpDef define_triangle(const char* name, const char* doc, Kernel kernel, Vjp vjp) {
  return {.name = name,
          .doc = doc,
          .attrs = &record_of<TriangleAttrs>,
          .infer = triangle_infer,
          .kernels = on_every_device(kernel),
          .vjp = vjp,
          .samples = triangle_samples};
}

}  // namespace

extern constinit const OpDef diagonal_def{.name = "diagonal",
                                          .doc = "diagonal of two axes, as a view",
                                          .attrs = &record_of<DiagonalAttrs>,
                                          .view = diagonal_view,
                                          .vjp = diagonal_back,
                                          .batch = batch_along_axes,
                                          .samples = diagonal_samples};
GYRE_FUNCTION_1(diagonal, DiagonalAttrs)

extern constinit const OpDef diag_embed_def{
    .name = "diag_embed",
    .doc = "diagonal matrices: zeros with the last axis on a diagonal",
    .attrs = &record_of<DiagEmbedAttrs>,
    .infer = diag_embed_infer,
    .kernels = on_every_device(diag_embed_kernel),
    .vjp = diag_embed_back,
    .samples = diag_embed_samples};
GYRE_FUNCTION_1(diag_embed, DiagEmbedAttrs)

Tensor diag(const Tensor& x, int64_t offset) {
  if (x.rank() == 1) return diag_embed(x, {.offset = offset});
  if (x.rank() == 2) return diagonal(x, {.offset = offset});
  throw mismatch(Code::shape, "diag", "expected a vector or a matrix", "[n] or [rows, columns]",
                 x.shape());
}

extern constinit const OpDef tril_def = define_triangle(
    "tril", "lower triangle: zeros above a diagonal", triangle_kernel<true>, tril_back);
extern constinit const OpDef triu_def = define_triangle(
    "triu", "upper triangle: zeros below a diagonal", triangle_kernel<false>, triu_back);

GYRE_FUNCTION_OF(tril, TriangleAttrs, int64_t)
GYRE_FUNCTION_OF(triu, TriangleAttrs, int64_t)

}  // namespace gyre
