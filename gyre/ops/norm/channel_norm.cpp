// group_norm and batch_norm of x [n, channels, ...]: moments of rows are combined, then one pass
// normalises.
#include "gyre/op/apply.h"
#include "gyre/op/op_def.h"
#include "gyre/ops/define_rowwise.h"
#include "gyre/ops/norm/norm.h"

namespace gyre {

#define GYRE_OPS "gyre/ops/norm/norm.def"
#include "gyre/kernel/declare_ops.def"

namespace {

constexpr Arg kStandardizeArgs[] = {{"x"},
                                    {"mean"},
                                    {"variance"},
                                    {.name = "weight", .optional = true},
                                    {.name = "bias", .optional = true}};
constexpr Arg kGroupNormArgs[] = {
    {"x"}, {.name = "weight", .optional = true}, {.name = "bias", .optional = true}};
constexpr Arg kBatchNormArgs[] = {{"x"},
                                  {.name = "weight", .optional = true},
                                  {.name = "bias", .optional = true},
                                  {.name = "mean", .optional = true},
                                  {.name = "variance", .optional = true}};
constexpr const char* kMomentsOut[] = {"mean", "variance", "first", "sum", "squares"};
constexpr const char* kBatchNormOut[] = {"out", "mean", "variance"};

// Statistics of 16-bit rows are f32, as x - mean needs their digits.
void moments_infer(const OpDef& op, const void* attrs, Inputs in, std::span<Meta> out) {
  rowwise_infer(op, attrs, in, out);
  for (Meta& m : out.first(2)) m.dtype = promote(m.dtype, DType::f32);
}

void moments_samples(Samples& s) {
  s.add({s.uniform({3, 5}, -4, 4)});
  s.add({s.uniform({4, 3, 2}, -4, 4)}, box(AxisAttrs{0}));
  s.add({s.uniform({2, 70}, -4, 4)}, box(AxisAttrs{1}));
  s.extreme({s.values({2, 2, 2})});
  s.refuse(Code::index, {s.uniform({2, 3})}, box(AxisAttrs{2}));
  s.refuse(Code::value, {s.uniform({2, 0})}, box(AxisAttrs{1}));
}

void standardize_samples(Samples& s) {
  auto add = [&](const Shape& x, const Shape& rows, Tensor weight, Tensor bias, int64_t axis) {
    s.add({s.uniform(x), s.uniform(rows, 0.5, 2), s.uniform(rows, 0.5, 2), std::move(weight),
           std::move(bias)},
          box(NormAttrs{axis, 1e-3}));
  };
  add({3, 5}, {3}, s.uniform({3}), s.uniform({3}), -1);
  add({4, 3, 70}, {4, 3}, s.uniform({3}), Tensor(), -1);
  add({6, 40}, {40}, Tensor(), s.uniform({40}), 0);
  add({2, 3}, {}, Tensor(), Tensor(), 1);
  s.refuse(Code::shape, {s.uniform({3, 5}), s.uniform({5}), s.uniform({3}), Tensor(), Tensor()});
}

// Sizes of x [n, channels, ...].
struct Channels {
  int64_t samples, channels, inside = 1;

  Channels(const OpDef& op, const Tensor& x) {
    const Shape& s = x.shape();
    if (s.rank < 2) {
      throw mismatch(Code::shape, op.name, "expected x [n, channels, ...]", "[n, channels, ...]",
                     to_string(s));
    }
    samples = s[0];
    channels = s[1];
    for (int i = 2; i < s.rank; ++i) inside *= s[i];
  }
  void check(const OpDef& op, size_t i, const Tensor& t) const {
    Shape expected{channels};
    if (!t.defined() || t.shape() == expected) return;
    refuse(Code::shape, op,
           std::string(op.args[i].name) + " has shape " + to_string(t.shape()) + ", expected " +
               to_string(expected),
           to_string(expected), to_string(t.shape()));
  }
  Tensor as_rows(const Tensor& x) const { return reshape(x, {samples, channels, inside}); }
};

Tensors group_norm_compose(const OpDef&, const void* attrs, Inputs in) {
  const auto& a = attrs_as<GroupNormAttrs>(attrs);
  const Tensor& x = in[0];
  Channels c(group_norm_def, x);
  for (size_t i = 1; i < 3; ++i) c.check(group_norm_def, i, in[i]);
  if (a.groups < 1 || c.channels % a.groups) {
    throw mismatch(Code::value, group_norm_def.name,
                   "groups must divide the number of channels, " + std::to_string(c.channels),
                   "a divisor of " + std::to_string(c.channels), std::to_string(a.groups));
  }
  int64_t each = c.channels / a.groups;
  auto [mean, variance] = moments(reshape(x, {c.samples, a.groups, each * c.inside}));
  auto of_channels = [&](const Tensor& t) {
    return reshape(expand(unsqueeze(t, 2), {c.samples, a.groups, each}), {c.samples, c.channels});
  };
  Tensor y = standardize(c.as_rows(x), of_channels(mean), of_channels(variance), in[1], in[2],
                         {-1, a.eps});
  return {reshape(y, x.shape())};
}

// Rows have equal length, so the total variance is the mean of the variances plus the variance of
// the means.
MeanAndVariance channel_moments(const Channels& c, const Tensor& x) {
  if (c.inside == 1) return moments(reshape(x, {c.samples, c.channels}), {0});
  if (c.samples == 0) refuse(Code::value, batch_norm_def, "the batch is empty");
  auto [means, variances] = moments(c.as_rows(x));
  Tensor all = mean(means, 0), shift = means - all;
  return {all, mean(variances, 0) + mean(shift * shift, 0)};
}

Tensors batch_norm_compose(const OpDef&, const void* attrs, Inputs in) {
  const Tensor &x = in[0], &mean = in[3], &variance = in[4];
  Channels c(batch_norm_def, x);
  for (size_t i = 1; i < 5; ++i) c.check(batch_norm_def, i, in[i]);
  if (mean.defined() != variance.defined()) {
    refuse(Code::value, batch_norm_def, "mean and variance must be given together or not at all");
  }
  MeanAndVariance used{mean, variance};
  if (!mean.defined()) used = channel_moments(c, x);
  Tensor y = standardize(c.as_rows(x), used.mean, used.variance, in[1], in[2],
                         {-1, attrs_as<BatchNormAttrs>(attrs).eps});
  auto seen = [](const Tensor& t) { return reshape(t, t.shape()); };  // never an operand itself
  return {reshape(y, x.shape()), seen(used.mean), seen(used.variance)};
}

void group_norm_samples(Samples& s) {
  s.add({s.uniform({2, 6, 3}), s.uniform({6}), s.uniform({6})}, box(GroupNormAttrs{2, 1e-3}));
  s.add({s.uniform({3, 4, 5, 2}), s.uniform({4}), Tensor()}, box(GroupNormAttrs{1, 1e-5}));
  s.add({s.uniform({2, 3, 5}), Tensor(), s.uniform({3})}, box(GroupNormAttrs{3, 1e-5}));
  s.add({s.uniform({3, 8}), Tensor(), Tensor()}, box(GroupNormAttrs{2, 1e-3}));
  s.add({s.uniform({0, 4, 3}), Tensor(), Tensor()}, box(GroupNormAttrs{2, 1e-3}));
  s.refuse(Code::value, {s.uniform({2, 6, 3}), Tensor(), Tensor()}, box(GroupNormAttrs{4, 1e-5}));
  s.refuse(Code::value, {s.uniform({2, 6, 3}), Tensor(), Tensor()}, box(GroupNormAttrs{0, 1e-5}));
  s.refuse(Code::value, {s.uniform({2, 6, 0}), Tensor(), Tensor()});
  s.refuse(Code::shape, {s.uniform({6}), Tensor(), Tensor()});
  s.refuse(Code::shape, {s.uniform({2, 6, 3}), s.uniform({3}), Tensor()});
}

void batch_norm_samples(Samples& s) {
  auto add = [&](const Shape& x, Tensor weight, Tensor bias) {
    s.add({s.uniform(x), std::move(weight), std::move(bias), Tensor(), Tensor()},
          box(BatchNormAttrs{1e-3}));
  };
  add({4, 3, 5}, s.uniform({3}), s.uniform({3}));
  add({5, 4}, s.uniform({4}), Tensor());
  add({2, 3, 4, 2}, Tensor(), Tensor());
  add({1, 2, 40}, Tensor(), s.uniform({2}));
  s.add({s.uniform({4, 3, 5}), s.uniform({3}), s.uniform({3}), s.uniform({3}),
         s.uniform({3}, 0.5, 2)});
  auto refused = [&](Code code, const Shape& x, Tensor weight, Tensor mean) {
    s.refuse(code, {s.uniform(x), std::move(weight), Tensor(), std::move(mean), Tensor()});
  };
  refused(Code::shape, {3}, {}, {});
  refused(Code::shape, {2, 3}, s.uniform({2}), {});
  refused(Code::value, {2, 3}, {}, s.uniform({3}));
  refused(Code::value, {0, 3}, {}, {});
  refused(Code::value, {0, 3, 2}, {}, {});
}

}  // namespace

constinit const OpDef moments_def = [] {
  OpDef d = define_rowwise<Moments>("moments", "mean and biased variance along an axis", kOneArg,
                                    GYRE_TILES_OF(moments), moments_samples);
  d.infer = moments_infer;
  d.outputs = kMomentsOut;
  return d;
}();
constinit const OpDef standardize_def = define_rowwise<Standardize>(
    "standardize",
    "standardize with given moments: (x - mean) / sqrt(variance + eps) * weight + bias",
    kStandardizeArgs, GYRE_TILES_OF(standardize), standardize_samples);
constinit const OpDef group_norm_def{.name = "group_norm",
                                     .doc = "group normalisation over groups of channels",
                                     .args = kGroupNormArgs,
                                     .attrs = &record_of<GroupNormAttrs>,
                                     .compose = group_norm_compose,
                                     .samples = group_norm_samples};
constinit const OpDef batch_norm_def{
    .name = "batch_norm",
    .doc = "batch normalisation of each channel; also returns mean and biased variance",
    .args = kBatchNormArgs,
    .outputs = kBatchNormOut,
    .visible = 3,
    .attrs = &record_of<BatchNormAttrs>,
    .compose = batch_norm_compose,
    .samples = batch_norm_samples};

MeanAndVariance moments(const Tensor& x, const AxisAttrs& a) {
  Tensors r = apply(moments_def, Inputs(&x, 1), box(a));
  return {r[0], r[1]};
}
Tensor standardize(const Tensor& x, const Tensor& mean, const Tensor& variance,
                   const Tensor& weight, const Tensor& bias, const NormAttrs& a) {
  return apply_one(standardize_def, {x, mean, variance, weight, bias}, box(a));
}
GYRE_FUNCTION_3(group_norm, GroupNormAttrs)
Tensor instance_norm(const Tensor& x, const Tensor& weight, const Tensor& bias, double eps) {
  return group_norm(x, weight, bias, {x.rank() > 1 ? x.shape()[1] : 1, eps});
}
BatchNormed batch_norm(const Tensor& x, const Tensor& weight, const Tensor& bias,
                       const BatchNormAttrs& a) {
  return batch_norm(x, weight, bias, {}, {}, a);
}
BatchNormed batch_norm(const Tensor& x, const Tensor& weight, const Tensor& bias,
                       const Tensor& mean, const Tensor& variance, const BatchNormAttrs& a) {
  Tensors in{x, weight, bias, mean, variance};
  Tensors r = apply(batch_norm_def, in, box(a));
  return {r[0], r[1], r[2]};
}

Tensor normalize(const Tensor& x, const NormalizeAttrs& a) {
  if (!(a.p > 0)) {
    throw Error(Code::value, "normalize", "p must be positive", "> 0", std::to_string(a.p));
  }
  DType dtype = is_floating(x.dtype()) ? x.dtype() : DType::f32;
  Tensor v = to(x, promote(dtype, DType::f32));
  return to(v / maximum(norm(v, PNormAttrs{{a.axis}, true, a.p}), a.eps), dtype);
}

}  // namespace gyre
