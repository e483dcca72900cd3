#include <cstring>

#include "gyre/kernel/copy.h"
#include "gyre/op/apply.h"
#include "gyre/op/launch.h"
#include "gyre/op/op_def.h"
#include "gyre/op/samples.h"
#include "gyre/ops/batch_rules.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/index/along_index.h"
#include "gyre/ops/shape/shape.h"

namespace gyre {
namespace {

void scatter_infer(const OpDef& op, const void* attrs, Inputs in, std::span<Meta> out) {
  DType x = in[0].dtype(), src = in[2].dtype();
  if (x != src) {
    refuse(Code::dtype, op, {"x and src must have the same dtype, got ", x, " and ", src}, x, src);
  }
  check_scattered(op, attrs_as<AlongAttrs>(attrs).axis, in);
  infer_like_first(op, attrs, in, out);
}

template <size_t size>
void write_at(const AlongIndex& along) {
  std::byte* to = along.lines.data[0];
  const std::byte* from = along.lines.data[1];
  for_along(along, [=](int64_t t, int64_t f) {
    std::memcpy(to + t * static_cast<int64_t>(size), from + f * static_cast<int64_t>(size), size);
  });
}

Status run_scatter(const ScatterPlan& p) noexcept {
  if (Status s = check_indices(p.index); s.failed) return s;
  switch (size_of(p.along.lines.dtype[0])) {
    case 1:
      write_at<1>(p.along);
      break;
    case 2:
      write_at<2>(p.along);
      break;
    case 4:
      write_at<4>(p.along);
      break;
    default:
      write_at<8>(p.along);
  }
  return {};
}

Status scatter_kernel(const OpDef& op, const KernelArgs& args) noexcept {
  const View &x = args.in[0], &index = args.in[1], &src = args.in[2], &out = args.out[0];
  int axis = axis_of(args.attrs, x.shape);
  if (Status s = copy_elements(x, out); s.failed || numel(index.shape) == 0) return s;
  const ScatterPlan plan{{index, x.shape.rank ? x.shape[axis] : 1},
                         along_index(out, src, index, axis)};
  return launch<run_scatter>(op, args, plan);
}

// True where an index element is the last that names its target.
Tensor is_last(const Tensor& index, int64_t axis, const Shape& target) {
  Tensor number = arange(0, static_cast<double>(index.numel()), 1, {DType::i64, index.device()});
  number = reshape(number, index.shape());
  Tensor board = constant(target, 0, {DType::i64, index.device()});
  return eq(gather(scatter(board, axis, index, number), axis, index), number);
}

Tensors scatter_back(const VjpArgs& a) {
  const Tensor &g = a.grad[0], &index = a.in[1];
  int64_t axis = attrs_as<AlongAttrs>(a.attrs).axis;
  Tensor none = constant(index.shape(), 0, {g.dtype(), g.device()});
  Tensors r(3);
  if (a.wanted[0]) r[0] = scatter(g, axis, index, none);
  if (a.wanted[2]) {
    Tensor gs = where(is_last(index, axis, g.shape()), gather(g, axis, index), none);
    r[2] = filled_up(gs, a.in_meta[2].shape);
  }
  return r;
}

void scatter_samples(Samples& s) {
  s.add({s.uniform({3, 4}), s.integers({3, 6}, 0, 4), s.uniform({3, 6})}, box(AlongAttrs{1}));
  s.add({s.uniform({3, 4, 2}), s.integers({5, 2, 2}, 0, 3), s.uniform({5, 4, 2})});
  s.add({s.uniform({4}), s.indices({3, 3, 0}), s.uniform({5})}, box(AlongAttrs{-1}));
  s.add({s.uniform({}), s.integers({}, 0, 1), s.uniform({})});
  s.add({s.uniform({3}), s.integers({0}, 0, 1), s.uniform({2})});
  s.add({s.mask({4}), s.indices({3, 3, 0}), s.mask({3})});
  s.refuse(Code::index, {s.uniform({4}), s.indices({0, 4}), s.uniform({2})});
  s.refuse(Code::index, {s.uniform({4}), s.indices({-1}), s.uniform({1})});
  s.refuse(Code::dtype, {s.uniform({4}), s.uniform({1}), s.uniform({1})});
  s.refuse(Code::dtype, {s.uniform({4}), s.indices({1}), s.indices({1})});
  s.refuse(Code::shape, {s.uniform({4}), s.indices({1, 2}), s.uniform({1})});
}

}  // namespace

extern constinit const OpDef scatter_def{.name = "scatter",
                                         .doc = "copy of x with src written at index along an axis",
                                         .args = kWriteArgs,
                                         .attrs = &record_of<AlongAttrs>,
                                         .infer = scatter_infer,
                                         .kernels = on_every_device(scatter_kernel),
                                         .vjp = scatter_back,
                                         .saves_in = kSavesIndex,
                                         .batch = batch_along_axes,
                                         .samples = scatter_samples};
Tensor scatter(const Tensor& x, int64_t axis, const Tensor& index, const Tensor& src) {
  return apply_one(scatter_def, {x, index, src}, box(AlongAttrs{axis}));
}

}  // namespace gyre
