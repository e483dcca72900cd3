// masked_fill and one_hot.
#include <cstring>

#include "gyre/kernel/copy.h"
#include "gyre/op/apply.h"
#include "gyre/op/launch.h"
#include "gyre/op/literals.h"
#include "gyre/op/op_def.h"
#include "gyre/op/samples.h"
#include "gyre/ops/batch_rules.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/index/plans.h"

namespace gyre {
namespace {

constexpr Arg kMaskArgs[] = {{"x"}, {.name = "mask", .differentiable = false}};
constexpr Arg kOneHotArgs[] = {{.name = "index", .differentiable = false}};

Tensors masked_fill_by_where(const OpDef& op, const void* attrs, Inputs in) {
  const Tensor &x = in[0], &mask = in[1];
  if (mask.dtype() != DType::boolean) {
    refuse(Code::dtype, op, "the mask must be boolean", "boolean", mask.dtype());
  }
  if (!(broadcast(x.shape(), mask.shape(), op.name) == x.shape())) {
    refuse(Code::shape, op, {"mask ", mask.shape(), " does not broadcast to x ", x.shape()},
           x.shape(), mask.shape());
  }
  const Tensor value = attrs_as<MaskedFillAttrs>(attrs).value.literal();
  require_fit(value, x.dtype(), op.name);
  return {where(mask, on_device(to(value, x.dtype()), x.device()), x)};
}

void masked_fill_samples(Samples& s) {
  s.add({s.uniform({3, 4}), s.mask({3, 4})}, box(MaskedFillAttrs{2}));
  s.add({s.uniform({2, 3, 4}), s.mask({3, 1})}, box(MaskedFillAttrs{-0.5}));
  s.add({s.uniform({}), s.mask({})});
  s.add({s.uniform({0, 3}), s.mask({3})}, box(MaskedFillAttrs{1}));
  s.add({s.integers({3}, 0, 4), s.mask({3})}, box(MaskedFillAttrs{(int64_t{1} << 53) + 1}));
  s.refuse(Code::value, {s.integers({3}, 0, 4), s.mask({3})}, box(MaskedFillAttrs{1e30}));
  s.refuse(Code::dtype, {s.uniform({3}), s.indices({0, 1, 0})});
  s.refuse(Code::shape, {s.uniform({3}), s.mask({2, 3})});
  s.refuse(Code::shape, {s.uniform({3}), s.mask({2})});
}

void one_hot_infer(const OpDef& op, const void* attrs, Inputs in, std::span<Meta> out) {
  const auto& a = attrs_as<OneHotAttrs>(attrs);
  check_index_dtype(op, in[0]);
  if (a.classes < 0) {
    refuse(Code::value, op, {"expected a number of classes, 0 or more, got ", a.classes}, ">= 0",
           a.classes);
  }
  out[0].shape = in[0].shape();
  out[0].shape.push_back(a.classes);
  out[0].dtype = a.dtype;
}

Status run_one_hot(const OneHotPlan& p) noexcept {
  if (Status s = check_indices(p.index); s.failed) return s;
  for_indices(p.index, 0, p.index.size(), [&](const int64_t* v, int64_t at, int64_t n) {
    for (int64_t i = 0; i < n; ++i) {
      std::memcpy(p.out + static_cast<size_t>((at + i) * p.index.bound + v[i]) * p.size, p.one,
                  p.size);
    }
  });
  return {};
}

Status one_hot_kernel(const OpDef& op, const KernelArgs& args) noexcept {
  const auto& a = attrs_as<OneHotAttrs>(args.attrs);
  const View& out = args.out[0];
  if (Status s = zero_elements(out); s.failed) return s;
  OneHotPlan plan{{args.in[0], a.classes}, out.data, size_of(out.dtype), {}};
  alignas(8) static constexpr double kOne = 1;
  store_of(Compute::f64, out.dtype)(&kOne, plan.one, 1);
  return launch<run_one_hot>(op, args, plan);
}

void one_hot_samples(Samples& s) {
  s.add({s.indices({2, 0, 1})}, box(OneHotAttrs{3, DType::f32}));
  s.add({s.integers({2, 3}, 0, 4)}, box(OneHotAttrs{5, DType::i64}));
  s.add({s.integers({}, 0, 2)}, box(OneHotAttrs{2, DType::boolean}));
  s.add({s.integers({0}, 0, 1)}, box(OneHotAttrs{0, DType::f64}));
  s.refuse(Code::index, {s.indices({3})}, box(OneHotAttrs{3, DType::f32}));
  s.refuse(Code::index, {s.indices({-1})}, box(OneHotAttrs{3, DType::f32}));
  s.refuse(Code::value, {s.indices({0})}, box(OneHotAttrs{-1, DType::f32}));
  s.refuse(Code::dtype, {s.uniform({2})}, box(OneHotAttrs{3, DType::f32}));
}

}  // namespace

extern constinit const OpDef masked_fill_def{
    .name = "masked_fill",
    .doc = "copy of x with elements set to value where mask is true",
    .args = kMaskArgs,
    .attrs = &record_of<MaskedFillAttrs>,
    .compose = masked_fill_by_where,
    .samples = masked_fill_samples};
Tensor masked_fill(const Tensor& x, const Tensor& mask, Number value) {
  return apply_one(masked_fill_def, {x, mask}, box(MaskedFillAttrs{value}));
}

extern constinit const OpDef one_hot_def{.name = "one_hot",
                                         .doc = "one-hot encoding along a new last axis",
                                         .args = kOneHotArgs,
                                         .attrs = &record_of<OneHotAttrs>,
                                         .infer = one_hot_infer,
                                         .kernels = on_every_device(one_hot_kernel),
                                         .batch = batch_leading,
                                         .samples = one_hot_samples,
                                         .is_discrete = true};
GYRE_FUNCTION_1(one_hot, OneHotAttrs)

}  // namespace gyre
