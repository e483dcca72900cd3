// Elementwise losses: their terms are pointwise ops.
#include "gyre/ops/loss/loss.h"

#include "gyre/op/apply.h"
#include "gyre/op/op_def.h"
#include "gyre/ops/define_pointwise.h"
#include "gyre/ops/loss/reduced.h"

namespace gyre {

#define GYRE_OPS "gyre/ops/loss/loss.def"
#include "gyre/kernel/declare_ops.def"

namespace {

constexpr Arg kWeightedArgs[] = {{"x"}, {"y"}, {.name = "pos_weight", .optional = true}};
constexpr Arg kHuberTermsArgs[] = {{"x"}, {"y"}, {"delta"}};
constexpr Arg kWeightedTermsArgs[] = {{"x"}, {"y"}, {"pos_weight"}};

void check_shapes(const OpDef& op, const Tensor& x, const Tensor& y) {
  if (x.shape() == y.shape()) return;
  refuse(Code::shape, op, {"x and y must have the same shape, got ", x.shape(), " and ", y.shape()},
         x.shape(), y.shape());
}

Tensor terms_of(const OpDef& terms, const OpDef& op, Inputs in) {
  check_shapes(op, in[0], in[1]);
  return apply_one(terms, in.first(2));
}

template <const OpDef& terms>
Tensors terms_compose(const OpDef& op, const void* attrs, Inputs in) {
  return {reduced(terms_of(terms, op, in), attrs_as<LossAttrs>(attrs).reduction)};
}

Tensors huber_compose(const OpDef&, const void* attrs, Inputs in) {
  const auto& a = attrs_as<HuberAttrs>(attrs);
  check_shapes(huber_def, in[0], in[1]);
  if (!(a.delta > 0)) refuse(Code::value, huber_def, "delta must be positive", "> 0", a.delta);
  return {reduced(apply_one(huber_terms_def, {in[0], in[1], Tensor(a.delta)}), a.reduction)};
}

Tensors smooth_l1_compose(const OpDef&, const void* attrs, Inputs in) {
  const auto& a = attrs_as<SmoothL1Attrs>(attrs);
  check_shapes(smooth_l1_def, in[0], in[1]);
  if (!(a.beta >= 0)) {
    refuse(Code::value, smooth_l1_def, "beta must not be negative", ">= 0", a.beta);
  }
  if (a.beta == 0) return {reduced(apply_one(l1_terms_def, in), a.reduction)};
  Tensor terms = apply_one(huber_terms_def, {in[0], in[1], Tensor(a.beta)});
  return {reduced(terms, a.reduction) * Tensor(1 / a.beta)};
}

Tensors bce_with_logits_compose(const OpDef&, const void* attrs, Inputs in) {
  check_shapes(bce_with_logits_def, in[0], in[1]);
  Tensor weight = in[2].defined() ? in[2] : Tensor(1.0);
  if (!(broadcast(in[0].shape(), weight.shape(), bce_with_logits_def.name) == in[0].shape())) {
    refuse(Code::shape, bce_with_logits_def,
           {"pos_weight ", weight.shape(), " does not broadcast to x ", in[0].shape()},
           in[0].shape(), weight.shape());
  }
  return {reduced(apply_one(bce_with_logits_terms_def, {in[0], in[1], weight}),
                  attrs_as<LossAttrs>(attrs).reduction)};
}

Tensors kl_div_compose(const OpDef&, const void* attrs, Inputs in) {
  const auto& a = attrs_as<KlDivAttrs>(attrs);
  const OpDef& terms = a.log_target ? kl_div_log_terms_def : kl_div_terms_def;
  return {reduced(terms_of(terms, kl_div_def, in), a.reduction)};
}

// Pairs of equal shape between `low` and `high`, with each reduction.
template <class Attrs>
void pair_samples(Samples& s, double low, double high, Attrs attrs = {}) {
  auto with = [&](Reduction r) {
    attrs.reduction = r;
    return box(attrs);
  };
  auto pair = [&](const Shape& shape) {
    return Tensors{s.uniform(shape, low, high), s.uniform(shape, low, high)};
  };
  s.add(pair({3, 5}), with(Reduction::mean));
  s.add(pair({2, 3, 4}), with(Reduction::sum));
  s.add(pair({7}), with(Reduction::none));
  s.add(pair({}), with(Reduction::mean));
  s.add(pair({0, 3}), with(Reduction::sum));
  s.refuse(Code::shape, {s.uniform({2}, low, high), s.uniform({3}, low, high)},
           with(Reduction::mean));
  s.refuse(Code::shape, {s.uniform({4, 1}, low, high), s.uniform({4}, low, high)},
           with(Reduction::mean));
}

void distance_samples(Samples& s) {
  pair_samples<LossAttrs>(s, -3, 3);
  s.extreme({s.values({1, -2, 1e4}), s.values({1, 2, -1e4})});
}

void huber_samples(Samples& s) {
  pair_samples(s, -3, 3, HuberAttrs{0.7, {}});
  s.extreme({s.values({1, -2, 1e4, 3}), s.values({1, 2, -1e4, 2})});
  s.refuse(Code::value, {s.values({1}), s.values({2})}, box(HuberAttrs{0, {}}));
}

void smooth_l1_samples(Samples& s) {
  pair_samples(s, -3, 3, SmoothL1Attrs{0.7, {}});
  s.add({s.uniform({4}), s.uniform({4})}, box(SmoothL1Attrs{0, Reduction::mean}));
  s.extreme({s.values({1, -2, 1e4, 3}), s.values({1, 2, -1e4, 2})});
  s.refuse(Code::value, {s.values({1}), s.values({2})}, box(SmoothL1Attrs{-1, {}}));
}

void bce_samples(Samples& s) {
  pair_samples<LossAttrs>(s, 0.01, 0.99);
  s.extreme({s.values({0, 1, 0, 1, 0.5}), s.values({0, 1, 1, 0, 0})});
}

void bce_with_logits_samples(Samples& s) {
  LossAttrs mean, none{Reduction::none};
  auto call = [&](const Shape& shape, Tensor weight, const LossAttrs& attrs) {
    s.add({s.uniform(shape, -3, 3), s.uniform(shape, 0, 1), std::move(weight)}, box(attrs));
  };
  call({3, 5}, {}, mean);
  call({3, 5}, s.uniform({5}, 0.5, 2), mean);
  call({2, 3, 4}, s.uniform({3, 1}, 0.5, 2), none);
  call({}, {}, {Reduction::sum});
  call({0, 3}, {}, {Reduction::sum});
  s.extreme({s.values({1e4, -1e4, 1e4, -1e4, 0}), s.values({1, 0, 0, 1, 0.5}), Tensor()},
            box(mean));
  s.refuse(Code::shape, {s.uniform({2}), s.uniform({3}), Tensor()}, box(mean));
  s.refuse(Code::shape, {s.uniform({2}), s.uniform({2}), s.uniform({3, 2})}, box(mean));
}

void kl_div_samples(Samples& s) {
  pair_samples(s, 0.01, 0.99, KlDivAttrs{});
  pair_samples(s, -3, 0, KlDivAttrs{true, {}});
  s.extreme({s.values({-1e4, -1, 0}), s.values({0, 1, 0.5})});
}

void bce_terms_samples(Samples& s) {
  pointwise_samples<BceTerms>(s);
  s.extreme({s.values({0, 1, 0, 1, 0.5}), s.values({0, 1, 1, 0, 0})});
}
void bce_with_logits_terms_samples(Samples& s) {
  auto call = [&](const Shape& x, const Shape& y, const Shape& weight) {
    s.add({s.uniform(x, -3, 3), s.uniform(y, 0, 0.7), s.uniform(weight, 0.5, 2)});
  };
  call({3, 5}, {5}, {1, 5});
  call({2, 1, 4}, {3, 1}, {2, 3, 4});
  call({70}, {1}, {});
  call({0, 3}, {3}, {1, 1});
  s.extreme({s.values({1e4, -1e4, 1e4, -1e4, 0}), s.values({1, 0, 0, 1, 0.5}), s.values({1})});
  s.refuse(Code::shape, {s.uniform({2}), s.uniform({3}), s.uniform({})});
}
void kl_div_terms_samples(Samples& s) {
  pointwise_samples<KlDivTerms>(s);
  s.extreme({s.values({-1e4, -1}), s.values({0, 1})});
}

constexpr OpDef define_loss(const char* name, const char* doc, const Record* attrs,
                            Tensors (*compose)(const OpDef&, const void*, Inputs),
                            void (*samples)(Samples&)) {
  return {.name = name,
          .doc = doc,
          .args = kTwoArgs,
          .attrs = attrs,
          .compose = compose,
          .samples = samples};
}

}  // namespace

constinit const OpDef mse_terms_def = define_pointwise<MseTerms>(
    "mse_terms", "squared error: (x - y)^2", kTwoArgs, GYRE_TILES_OF(mse_terms));
constinit const OpDef l1_terms_def = define_pointwise<L1Terms>(
    "l1_terms", "absolute error: |x - y|", kTwoArgs, GYRE_TILES_OF(l1_terms));
constinit const OpDef huber_terms_def = define_pointwise<HuberTerms>(
    "huber_terms", "Huber loss per element: (x - y)^2 / 2 if |x - y| < delta, else linear",
    kHuberTermsArgs, GYRE_TILES_OF(huber_terms));
constinit const OpDef bce_terms_def = define_pointwise<BceTerms>(
    "bce_terms", "binary cross entropy per element: -(y log x + (1 - y) log(1 - x))", kTwoArgs,
    GYRE_TILES_OF(bce_terms), bce_terms_samples);
constinit const OpDef bce_with_logits_terms_def = define_pointwise<BceWithLogitsTerms>(
    "bce_with_logits_terms",
    "binary cross entropy of logits per element: -(pos_weight y log s(x) + (1 - y) log s(-x)), s "
    "= sigmoid",
    kWeightedTermsArgs, GYRE_TILES_OF(bce_with_logits_terms), bce_with_logits_terms_samples);
constinit const OpDef kl_div_terms_def =
    define_pointwise<KlDivTerms>("kl_div_terms", "Kullback-Leibler divergence terms: y (log y - x)",
                                 kTwoArgs, GYRE_TILES_OF(kl_div_terms), kl_div_terms_samples);
constinit const OpDef kl_div_log_terms_def = define_pointwise<KlDivLogTerms>(
    "kl_div_log_terms", "Kullback-Leibler divergence terms of log-probabilities: e^y (y - x)",
    kTwoArgs, GYRE_TILES_OF(kl_div_log_terms));

constinit const OpDef mse_def =
    define_loss("mse", "mean squared error: (x - y)^2, reduced by mean (default), sum or none",
                &record_of<LossAttrs>, terms_compose<mse_terms_def>, distance_samples);
constinit const OpDef l1_def =
    define_loss("l1", "mean absolute error: |x - y|, reduced by mean (default), sum or none",
                &record_of<LossAttrs>, terms_compose<l1_terms_def>, distance_samples);
constinit const OpDef huber_def = define_loss(
    "huber", "Huber loss: (x - y)^2 / 2 if |x - y| < delta, else linear; mean by default",
    &record_of<HuberAttrs>, huber_compose, huber_samples);
constinit const OpDef smooth_l1_def =
    define_loss("smooth_l1", "smooth L1 loss: Huber loss / beta; mean by default",
                &record_of<SmoothL1Attrs>, smooth_l1_compose, smooth_l1_samples);
constinit const OpDef bce_def =
    define_loss("bce", "binary cross entropy of probabilities; mean by default",
                &record_of<LossAttrs>, terms_compose<bce_terms_def>, bce_samples);
constinit const OpDef bce_with_logits_def = [] {
  OpDef d = define_loss("bce_with_logits",
                        "binary cross entropy of logits: bce of sigmoid(x); mean by default",
                        &record_of<LossAttrs>, bce_with_logits_compose, bce_with_logits_samples);
  d.args = kWeightedArgs;
  return d;
}();
constinit const OpDef kl_div_def = define_loss(
    "kl_div", "Kullback-Leibler divergence of y from log-probabilities x; mean by default",
    &record_of<KlDivAttrs>, kl_div_compose, kl_div_samples);

GYRE_FUNCTION_2(mse, LossAttrs)
GYRE_FUNCTION_2(l1, LossAttrs)
GYRE_FUNCTION_2(huber, HuberAttrs)
GYRE_FUNCTION_2(smooth_l1, SmoothL1Attrs)
GYRE_FUNCTION_2(bce, LossAttrs)
Tensor bce_with_logits(const Tensor& x, const Tensor& y, const LossAttrs& a,
                       const Tensor& pos_weight) {
  return apply_one(bce_with_logits_def, {x, y, pos_weight}, box(a));
}
GYRE_FUNCTION_2(kl_div, KlDivAttrs)

}  // namespace gyre
