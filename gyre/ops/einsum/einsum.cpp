#include "gyre/ops/einsum/einsum.h"

#include <fmt/format.h>

#include "gyre/op/apply.h"
#include "gyre/op/op_def.h"
#include "gyre/op/samples.h"
#include "gyre/ops/einsum/plan.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/linalg/matmul.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/shape.h"

namespace gyre {
namespace {

constexpr Arg kOperands[] = {{.name = "tensors", .variadic = true}};

// Literals take the dtype of the others.
DType common_dtype(Inputs in) {
  Promotion p;
  for (const Tensor& t : in) p.meet(t.dtype(), t.meta().weak);
  return p.result();
}

// Replaces two axes of equal size by their diagonal as the last axis.
Tensor diagonal_of(const Tensor& x, int64_t first, int64_t second) {
  Shape axes, shape;
  for (int64_t i = 0; i < x.rank(); ++i) {
    if (i == first || i == second) continue;
    axes.push_back(i);
    shape.push_back(x.size(i));
  }
  axes.push_back(first);
  axes.push_back(second);
  int64_t n = x.size(first);
  shape.push_back(n * n);
  return slice(reshape(permute(x, axes), shape), {.axis = -1, .step = n + 1});
}

Tensor arranged(Tensor x, const Arrangement& a) {
  if (a.permutes) x = permute(x, a.axes);
  if (a.reshapes) x = reshape(x, a.shape);
  return x;
}

Tensor one_operand(Tensor x, const EinsumPlan::Step& step) {
  if (step.dropped.rank) x = squeeze(x, step.dropped);
  for (const auto& [first, second] : step.diagonals) x = diagonal_of(x, first, second);
  if (step.summed.rank) {
    x = sum(x, {step.summed});
    if (!step.result.permutes) return x;
  }
  return permute(x, step.result.axes);
}

Tensor two_operands(const Tensor& x, const Tensor& y, const EinsumPlan::Step& step) {
  Tensor a = arranged(x, step.left), b = arranged(y, step.right);
  if (step.kind == EinsumStep::pointwise) return mul(a, b);
  Tensor r = matmul(a, b);
  if (step.result.reshapes) r = reshape(r, step.result.shape);
  return step.result.permutes ? permute(r, step.result.axes) : r;
}

SmallVector<Shape, 4> shapes_of(Inputs in) {
  SmallVector<Shape, 4> shapes;
  for (const Tensor& t : in) shapes.push_back(t.shape());
  return shapes;
}

Tensors einsum_compose(const OpDef&, const void* attrs, Inputs in) {
  return {run_einsum(*einsum_plan(attrs_as<EinsumAttrs>(attrs).spec, shapes_of(in)), in)};
}

void einsum_samples(Samples& s) {
  auto spec = [](const char* text) { return box(EinsumAttrs{text}); };
  s.add({s.uniform({3, 4}), s.uniform({4, 5})}, spec("ij,jk->ik"));
  s.add({s.uniform({2, 3, 4}), s.uniform({4, 3, 2})}, spec("bij,jib"));
  auto positive = [&](const Shape& shape) { return s.uniform(shape, 0.5, 1); };
  s.add({positive({2, 3}), positive({3, 4}), positive({4, 2})}, spec("ij, jk, ki ->"));
  s.add({s.uniform({3, 3})}, spec("ii->i"));
  s.add({s.uniform({2, 3, 3, 2})}, spec("abba->"));
  s.add({s.uniform({2, 3, 4})}, spec("ijk->ki"));
  s.add({s.uniform({2, 3, 4})}, spec("...j->j..."));
  s.add({s.uniform({2, 1, 3}), s.uniform({4, 3, 2})}, spec("...i,...ij->...j"));
  s.add({s.uniform({2, 3}), s.uniform({3, 2}), s.uniform({2, 3})}, spec("ij,ji,ij->ij"));
  s.add({s.uniform({3}), s.uniform({4}), s.uniform({})}, spec("Z,a,->aZ"));
  s.add({s.uniform({2, 3, 1}), s.uniform({2, 3})}, spec("bij,bi->b"));
  s.add({s.uniform({2, 0}), s.uniform({0, 3})}, spec("ij,jk"));
  s.add({s.uniform({1, 3, 4}), s.uniform({2, 4, 1})}, spec("bij,bjk->bik"));
  s.add({s.uniform({3, 1}), s.uniform({1, 1}), s.uniform({1, 2})}, spec("ij,ij,ij->j"));
  s.add({s.integers({3, 3}, -5, 5), s.mask({3})}, spec("ii,i->i"));
  s.refuse(Code::parse, {s.uniform({2}), s.uniform({2})}, spec("i,j%->ij"));
  s.refuse(Code::parse, {s.uniform({2})}, spec("i->ii"));
  s.refuse(Code::parse, {s.uniform({2})}, spec("i->j"));
  s.refuse(Code::parse, {s.uniform({2})}, spec("i->i->i"));
  s.refuse(Code::parse, {s.uniform({2})}, spec("i->i,"));
  s.refuse(Code::parse, {s.uniform({2})}, spec("i-"));
  s.refuse(Code::parse, {s.uniform({2})}, spec("i..->i"));
  s.refuse(Code::parse, {s.uniform({2})}, spec("...i..."));
  s.refuse(Code::value, {s.uniform({2})}, spec("i,i"));
  s.refuse(Code::value, {}, spec(""));
  s.refuse(Code::shape, {s.uniform({2})}, spec("ij"));
  s.refuse(Code::shape, {s.uniform({2})}, spec("ij..."));
  s.refuse(Code::shape, {s.uniform({2, 3}), s.uniform({2, 3})}, spec("ij,jk"));
  s.refuse(Code::shape, {s.uniform({2}), s.uniform({3})}, spec("...,..."));
  s.refuse(Code::shape, {s.uniform({1, 3})}, spec("ii"));
}

// Non-negative axes as a Shape; rejects repeated axes and lists of different lengths.
Shape normal_axes(const Shape& axes, const Tensor& x) {
  normalize_axes(axes, x.rank(), "tensordot");
  Shape r;
  for (int64_t axis : axes) r.push_back(normalize_axis(axis, x.rank(), "tensordot"));
  return r;
}

}  // namespace

extern constinit const OpDef einsum_def{.name = "einsum",
                                        .doc = "Einstein summation",
                                        .args = kOperands,
                                        .attrs = &record_of<EinsumAttrs>,
                                        .compose = einsum_compose,
                                        .samples = einsum_samples};

Tensor run_einsum(const EinsumPlan& plan, Inputs tensors) {
  DType dtype = common_dtype(tensors);
  if (plan.sums) dtype = sum_dtype(dtype);
  Tensors values;
  for (const Tensor& t : tensors) values.push_back(to(t, dtype));
  for (const EinsumPlan::Step& step : plan.steps) {
    Tensor x = std::move(values[static_cast<size_t>(step.a)]), y;  // released as soon as used
    if (step.b >= 0) y = std::move(values[static_cast<size_t>(step.b)]);
    values.push_back(step.b < 0 ? one_operand(std::move(x), step) : two_operands(x, y, step));
  }
  return values.back();
}

Tensor einsum(std::string_view spec, Inputs tensors) {
  return apply_one(einsum_def, tensors, box(EinsumAttrs{std::string(spec)}));
}

EinsumPath einsum_path(std::string_view spec, std::span<const Shape> shapes, DType dtype) {
  auto plan = einsum_plan(spec, shapes);
  EinsumPath path;
  path.naive_flops = plan->naive_flops;
  for (const EinsumPlan::Step& step : plan->steps) {
    if (!path.steps.empty()) path.bytes += path.steps.back().bytes;
    std::vector<int> operands{step.a};
    if (step.b >= 0) operands.push_back(step.b);
    path.steps.push_back({step.kind, std::move(operands), step.spec, step.flops,
                          step.elements * static_cast<double>(size_of(dtype))});
    path.flops += step.flops;
  }
  return path;
}

EinsumPath einsum_path(std::string_view spec, Inputs tensors) {
  return einsum_path(spec, shapes_of(tensors), common_dtype(tensors));
}

const char* name_of(EinsumStep::Kind kind) {
  constexpr const char* kKinds[] = {"view", "sum", "pointwise", "product"};
  return kKinds[kind];
}

std::string EinsumPath::text() const {
  std::string r =
      fmt::format("{:<10}{:<10}{:<30}{:>12}{:>12}\n", "kind", "operands", "spec", "FLOPs", "bytes");
  for (const EinsumStep& step : steps) {
    std::string operands;
    for (int i : step.operands) operands += (operands.empty() ? "" : " ") + std::to_string(i);
    r += fmt::format("{:<10}{:<10}{:<30}{:>12.4g}{:>12.4g}\n", name_of(step.kind), operands,
                     step.spec, step.flops, step.bytes);
  }
  return r +
         fmt::format("{:.6g} FLOPs ({:.6g} in one loop); {:.6g} bytes of intermediate results\n",
                     flops, naive_flops, bytes);
}

Tensor tensordot(const Tensor& x, const Tensor& y, const Shape& axes_x, const Shape& axes_y) {
  if (axes_x.rank != axes_y.rank) {
    throw Error(Code::value, "tensordot", "expected as many axes of x as of y", axes_x.rank,
                axes_y.rank);
  }
  Shape of_x = normal_axes(axes_x, x), of_y = normal_axes(axes_y, y);
  Labels x_term, y_term, out;
  for (int i = 0; i < x.rank(); ++i) {
    x_term += static_cast<Label>(i);
    if (!of_x.contains(i)) out += x_term.back();
  }
  for (int i = 0; i < y.rank(); ++i) y_term += static_cast<Label>(kMaxRank + i);
  for (int i = 0; i < of_y.rank; ++i) {
    if (x.size(of_x[i]) != y.size(of_y[i])) {
      throw Error(Code::shape, "tensordot",
                  {"axis ", of_x[i], " of ", x.shape(), " and axis ", of_y[i], " of ", y.shape(),
                   " differ in size"},
                  x.size(of_x[i]), y.size(of_y[i]));
    }
    y_term[static_cast<size_t>(of_y[i])] = x_term[static_cast<size_t>(of_x[i])];
  }
  for (int i = 0; i < y.rank(); ++i) {
    if (!of_y.contains(i)) out += y_term[static_cast<size_t>(i)];
  }
  return einsum(text_of(x_term) + "," + text_of(y_term) + "->" + text_of(out), {x, y});
}

Tensor tensordot(const Tensor& x, const Tensor& y, int64_t axes) {
  if (axes < 0 || axes > x.rank() || axes > y.rank()) {
    throw Error(Code::value, "tensordot",
                {"cannot sum ", axes, " axes of ", x.shape(), " and ", y.shape()}, {}, axes);
  }
  Shape of_x, of_y;
  for (int64_t i = 0; i < axes; ++i) {
    of_x.push_back(x.rank() - axes + i);
    of_y.push_back(i);
  }
  return tensordot(x, y, of_x, of_y);
}

Tensor inner(const Tensor& x, const Tensor& y) { return tensordot(x, y, Shape{-1}, Shape{-1}); }

}  // namespace gyre
