// Classification losses: nll, cross_entropy and its row kernels.
#include "gyre/op/apply.h"
#include "gyre/op/op_def.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/define_rowwise.h"
#include "gyre/ops/index/index.h"
#include "gyre/ops/loss/loss.h"
#include "gyre/ops/loss/plans.h"
#include "gyre/ops/loss/reduced.h"

namespace gyre {

#define GYRE_OPS "gyre/ops/loss/loss.def"
#include "gyre/kernel/declare_ops.def"

namespace {

constexpr Arg kRowsArgs[] = {{"logits"}, {.name = "target", .differentiable = false}};
constexpr Arg kWeightedRowsArgs[] = {
    {"logits"}, {.name = "weight", .optional = true}, {.name = "target", .differentiable = false}};
constexpr Arg kProbabilityRowsArgs[] = {
    {"logits"}, {"target"}, {.name = "weight", .optional = true}};
constexpr Arg kNllArgs[] = {
    {"x"}, {.name = "target", .differentiable = false}, {.name = "weight", .optional = true}};
constexpr Arg kCrossEntropyArgs[] = {{"logits"}, {"target"}, {.name = "weight", .optional = true}};

bool is_class(DType d) { return d == DType::i32 || d == DType::i64; }

// ---- rows ----

// The last operand is the target.
void target_infer(const OpDef& op, const void* attrs, Inputs in, std::span<Meta> out) {
  if (DType d = in.back().dtype(); !is_class(d)) {
    throw mismatch(Code::dtype, op.name, "target must be i32 or i64", "i32 or i64", d);
  }
  if (in[0].rank() == 0)
    refuse(Code::shape, op, "logits must have a class axis", "[..., classes]", "[]");
  rowwise_infer(op, attrs, in, out);
}

Status check_targets(const TargetPlan& p) {
  const int64_t classes = p.rows.job.walk.length;
  Reader reader(p.target, 0, Compute::i64);
  int64_t values[kTile];
  for (int64_t i = 0, n = p.target.size(); i < n; i += kTile) {
    int64_t m = n - i < kTile ? n - i : kTile;
    const auto* t = static_cast<const int64_t*>(reader.read(i, m, values));
    for (int64_t j = 0; j < m; ++j) {
      if ((t[j] < 0 || t[j] >= classes) && t[j] != p.ignored) {
        return {true, Code::index, i + j, t[j], "target", classes};
      }
    }
  }
  return {};
}

Status run_target_rows(const TargetPlan& p) noexcept {
  if (Status s = check_targets(p); s.failed) return s;
  return p.rows.empty() ? Status{} : run_rowwise(p.rows);
}

template <class Attrs>
Status target_rows_kernel(const OpDef& op, const KernelArgs& args) noexcept {
  const TargetPlan plan{plan_rowwise(op, args), StridedLoop(args.in.back()),
                        attrs_as<Attrs>(args.attrs).ignore_index};
  return launch<run_target_rows>(op, args, plan);
}

// Wrong targets of calls with the operands `of` logits and target.
void target_refusals(Samples& s, Tensors (*of)(const Tensor& logits, const Tensor& target)) {
  s.refuse(Code::index, of(s.uniform({2, 3}), s.indices({0, 3})));
  s.refuse(Code::index, of(s.uniform({2, 3}), s.indices({0, -1})));
  s.refuse(Code::shape, of(s.uniform({2, 3}), s.indices({0, 1, 2})));
  s.refuse(Code::shape, of(s.uniform({}), s.integers({}, 0, 1)));
}
Tensors unweighted(const Tensor& logits, const Tensor& target) { return {logits, target, {}}; }

void rows_samples(Samples& s) {
  using A = CrossEntropyRowsAttrs;
  s.add({s.uniform({4, 5}, -3, 3), s.integers({4}, 0, 5)});
  s.add({s.uniform({2, 6, 3}, -3, 3), s.integers({2, 3}, 0, 6)}, box(A{1, -100}));
  s.add({s.uniform({3, 80}, -3, 3), s.indices({79, 2, 5})}, box(A{-1, 2}));
  s.extreme({s.values({1e4, -1e4, 0}), s.integers({}, 0, 3)});
  s.extreme({s.uniform({3, 3}, -1e4, 1e4), s.indices({0, 1, 2})}, box(A{-1, 1}));
  target_refusals(s, [](const Tensor& x, const Tensor& t) -> Tensors { return {x, t}; });
  s.refuse(Code::dtype, {s.uniform({2, 3}), s.uniform({2})});
}

void weighted_rows_samples(Samples& s) {
  using A = WeightedRowsAttrs;
  s.add({s.uniform({4, 5}, -3, 3), s.uniform({5}, 0.5, 2), s.integers({4}, 0, 5)},
        box(A{-1, -100, 0.1}));
  s.add({s.uniform({2, 6, 3}, -3, 3), s.uniform({6, 1}, 0.5, 2), s.integers({2, 3}, 0, 6)},
        box(A{1, 2, 0}));
  s.add({s.uniform({3, 80}, -3, 3), Tensor(), s.indices({79, 2, 5})}, box(A{-1, 2, 0.3}));
  s.extreme({s.values({1e4, -1e4, 0}), Tensor(), s.integers({}, 0, 3)}, box(A{-1, -100, 0.1}));
  target_refusals(s, [](const Tensor& x, const Tensor& t) -> Tensors { return {x, {}, t}; });
  s.refuse(Code::dtype, {s.uniform({2, 3}), Tensor(), s.uniform({2})});
}

void probability_rows_samples(Samples& s) {
  using A = ProbabilityRowsAttrs;
  s.add({s.uniform({4, 5}, -3, 3), s.uniform({4, 5}, 0, 1), s.uniform({5}, 0.5, 2)},
        box(A{-1, 0.1}));
  s.add({s.uniform({2, 6, 3}, -3, 3), s.uniform({2, 6, 3}, 0, 1), s.uniform({6, 1}, 0.5, 2)},
        box(A{1, 0}));
  s.add({s.uniform({3, 80}, -3, 3), s.uniform({3, 80}, 0, 1), Tensor()}, box(A{-1, 0.3}));
  s.extreme({s.values({1e4, -1e4, 0}), s.values({0, 1, 0}), Tensor()}, box(A{-1, 0.1}));
  s.refuse(Code::shape, {s.uniform({2, 3}), s.uniform({2, 4}), Tensor()});
}

// ---- shared by nll and cross_entropy ----

Shape rows_of(const OpDef& op, const Tensor& x, int64_t axis) {
  if (x.rank() == 0) {
    refuse(Code::shape, op, {op.args[0].name, " must have a class axis"}, "[..., classes]", "[]");
  }
  return x.shape().without(normalize_axis(axis, x.rank(), op.name));
}

void check_target(const OpDef& op, Inputs in, const Shape& target, int64_t axis) {
  const Shape &x = in[0].shape(), &t = in[1].shape();
  if (!(t == target)) {
    throw mismatch(Code::shape, op.name,
                   {op.args[0].name, " ", x, " requires target of shape ", target}, target, t);
  }
  if (!in[2].defined()) return;
  Shape classes{x[normalize_axis(axis, x.rank, op.name)]};
  if (!(in[2].shape() == classes)) {
    refuse(Code::shape, op, {"weight has shape ", in[2].shape(), ", expected ", classes}, classes,
           in[2].shape());
  }
  if (!is_floating(in[2].dtype())) {
    throw mismatch(Code::dtype, op.name, "weight must have a floating dtype", "a floating dtype",
                   in[2].dtype());
  }
}

// Targets and the mask of those not ignored.
struct Targets {
  Tensor target, counted;
  Targets(const Tensor& t, int64_t ignored)
      : target(t),
        counted(ne(t, full({}, static_cast<double>(ignored), {DType::i64, t.device()}))) {}
  /// With a class that there is in place of those that are ignored.
  Tensor classes() const { return where(counted, target, zeros_like(target)); }
  /// The weight of each; 0 for those that are ignored.
  Tensor weights(const Tensor& weight) const {
    Tensor w = embedding(weight, classes());
    return where(counted, w, zeros_like(w));
  }
};

// The mean of weighted losses: divided by the sum of `weights`, which may be counts. Computed from
// means, so that sums of 16-bit losses do not overflow.
Tensor weighted_mean(const Tensor& losses, const Tensor& weights) {
  DType wide = losses.dtype() == DType::f64 ? DType::f64 : DType::f32;
  Tensor w = is_floating(weights.dtype()) ? sum(to(weights, wide)) : to(sum(weights), wide);
  // If all targets are ignored the mean is 0 / 0, but the gradient is 0.
  Tensor undefined = Tensor(0.0) / w.detach();
  Tensor ratio = Tensor(static_cast<double>(losses.numel())) / where(eq(w, 0.0), 1.0, w);
  return to(mean(losses) * ratio + undefined, losses.dtype());
}

// ---- nll ----

Tensors nll_compose(const OpDef&, const void* attrs, Inputs in) {
  const auto& a = attrs_as<NllAttrs>(attrs);
  const Tensor &x = in[0], &target = in[1];
  if (!is_class(target.dtype()) || !is_floating(x.dtype())) {
    refuse(Code::dtype, nll_def,
           {"x must be floating and target i32 or i64, got ", x.dtype(), " and ", target.dtype()},
           "i32 or i64", target.dtype());
  }
  check_target(nll_def, in, rows_of(nll_def, x, a.axis), a.axis);
  int axis = normalize_axis(a.axis, x.rank(), nll_def.name);
  Targets targets(target, a.ignore_index);
  Tensor picked = squeeze(gather(x, axis, unsqueeze(targets.classes(), axis)), {axis});
  Tensor losses = where(targets.counted, -picked, zeros_like(picked)), weights = targets.counted;
  if (in[2].defined()) {
    weights = targets.weights(in[2]);
    losses = losses * weights;
  }
  if (a.reduction == Reduction::mean) return {weighted_mean(losses, weights)};
  return {reduced(losses, a.reduction)};
}

void nll_samples(Samples& s) {
  NllAttrs none{1, 2, Reduction::none};
  s.add({s.uniform({4, 5}, -3, 0), s.indices({4, -100, 0, 4}), Tensor()});
  s.add({s.uniform({4, 5}, -3, 0), s.indices({4, 1, 0, 1}), s.uniform({5}, 0.5, 2)},
        box(NllAttrs{-1, 1, Reduction::mean}));
  s.add({s.uniform({2, 6, 3}, -3, 0), s.integers({2, 3}, 0, 6), s.uniform({6}, 0.5, 2)}, box(none));
  s.add({s.uniform({3}, -3, 0), s.integers({}, 0, 3), Tensor()});
  s.add({s.uniform({0, 3}, -3, 0), s.integers({0}, 0, 3), Tensor()},
        box(NllAttrs{-1, -100, Reduction::sum}));
  target_refusals(s, unweighted);
  s.refuse(Code::shape, {s.uniform({2, 3}), s.indices({0, 1}), s.uniform({2})});
  s.refuse(Code::dtype, {s.uniform({2, 3}), s.indices({0, 1}), s.mask({3})});
  s.refuse(Code::dtype, {s.uniform({2, 3}), s.uniform({2}), Tensor()});
  s.refuse(Code::dtype, {s.integers({2, 3}, 0, 9), s.indices({0, 1}), Tensor()});
}

// ---- cross_entropy ----

// Class weights reshaped to broadcast along the class axis of logits.
Tensor along_axis(const Tensor& weight, int axis, int rank) {
  if (!weight.defined()) return weight;
  Shape s{weight.numel()};
  for (int i = axis + 1; i < rank; ++i) s.push_back(1);
  return reshape(weight, s);
}

Tensor losses_of_classes(const CrossEntropyAttrs& a, Inputs in) {
  if (!in[2].defined() && a.label_smoothing == 0) {
    return cross_entropy_rows(in[0], in[1], {a.axis, a.ignore_index});
  }
  int axis = normalize_axis(a.axis, in[0].rank(), cross_entropy_def.name);
  return apply_one(weighted_cross_entropy_rows_def,
                   {in[0], along_axis(in[2], axis, in[0].rank()), in[1]},
                   box(WeightedRowsAttrs{a.axis, a.ignore_index, a.label_smoothing}));
}

Tensors by_probabilities(const CrossEntropyAttrs& a, Inputs in) {
  check_target(cross_entropy_def, in, in[0].shape(), a.axis);
  int axis = normalize_axis(a.axis, in[0].rank(), cross_entropy_def.name);
  Tensor losses = apply_one(probability_cross_entropy_rows_def,
                            {in[0], in[1], along_axis(in[2], axis, in[0].rank())},
                            box(ProbabilityRowsAttrs{a.axis, a.label_smoothing}));
  return {reduced(losses, a.reduction)};
}

Tensors cross_entropy_compose(const OpDef&, const void* attrs, Inputs in) {
  const auto& a = attrs_as<CrossEntropyAttrs>(attrs);
  const Tensor& target = in[1];
  if (!is_floating(in[0].dtype())) {
    throw mismatch(Code::dtype, cross_entropy_def.name, "logits must have a floating dtype",
                   "a floating dtype", in[0].dtype());
  }
  Shape rows = rows_of(cross_entropy_def, in[0], a.axis);
  check_record(cross_entropy_def.name, a);
  if (is_floating(target.dtype())) return by_probabilities(a, in);
  check_target(cross_entropy_def, in, rows, a.axis);
  Tensor losses = losses_of_classes(a, in);
  if (a.reduction != Reduction::mean) return {reduced(losses, a.reduction)};
  Targets targets(target, a.ignore_index);
  return {
      weighted_mean(losses, in[2].defined() ? targets.weights(in[2]) : Tensor(targets.counted))};
}

void cross_entropy_samples(Samples& s) {
  using A = CrossEntropyAttrs;
  auto mean = Reduction::mean, sum = Reduction::sum, none = Reduction::none;
  auto logits = [&](const Shape& shape) { return s.uniform(shape, -3, 3); };
  s.add({logits({4, 5}), s.indices({4, -100, 0, 2}), Tensor()});
  s.add({logits({2, 6, 3}), s.integers({2, 3}, 0, 6), s.uniform({6}, 0.5, 2)},
        box(A{1, 3, 0.1, mean}));
  s.add({logits({3, 80}), s.integers({3}, 0, 80), Tensor()}, box(A{-1, -100, 0.2, sum}));
  s.add({logits({4, 5}), s.uniform({4, 5}, 0, 1), s.uniform({5}, 0.5, 2)},
        box(A{-1, -100, 0.1, mean}));
  s.add({logits({2, 6, 3}), s.uniform({2, 6, 3}, 0, 1), Tensor()}, box(A{-2, -100, 0, none}));
  s.add({logits({3}), s.integers({}, 0, 3), Tensor()});
  s.add({logits({0, 3}), s.integers({0}, 0, 3), Tensor()}, box(A{-1, -100, 0, none}));
  s.extreme({s.values({1e4, -1e4, 0}), s.integers({}, 0, 3), Tensor()});
  s.extreme({s.uniform({2, 3}, -1e4, 1e4), s.indices({0, 2}), s.values({1, 2, 3})},
            box(A{-1, -100, 0.1, mean}));
  s.extreme({s.values({1e4, -1e4, 0}), s.values({0, 1, 0}), Tensor()});
  target_refusals(s, unweighted);
  s.refuse(Code::shape, {s.uniform({2, 3}), s.uniform({2}), Tensor()});
  s.refuse(Code::shape, {s.uniform({2, 3}), s.indices({0, 1}), s.uniform({2})});
  s.refuse(Code::dtype, {s.uniform({2, 3}), s.indices({0, 1}), s.mask({3})});
  s.refuse(Code::dtype, {s.uniform({2, 3}), s.mask({2}), Tensor()});
  s.refuse(Code::dtype, {s.integers({2, 3}, 0, 9), s.indices({0, 1}), Tensor()});
  s.refuse(Code::value, {s.uniform({2, 3}), s.indices({0, 1}), Tensor()},
           box(A{-1, -100, 1.5, mean}));
}

}  // namespace

constinit const OpDef cross_entropy_rows_def = [] {
  OpDef d = define_rowwise<CrossEntropyRows>(
      "cross_entropy_rows", "cross entropy per row: -log softmax(logits)[target]", kRowsArgs,
      GYRE_TILES_OF(cross_entropy_rows), rows_samples);
  d.infer = target_infer;
  d.kernels = on_every_device(target_rows_kernel<CrossEntropyRowsAttrs>);
  return d;
}();
constinit const OpDef weighted_cross_entropy_rows_def = [] {
  OpDef d = define_rowwise<WeightedCrossEntropyRows>(
      "weighted_cross_entropy_rows", "cross entropy per row with class weights and label smoothing",
      kWeightedRowsArgs, GYRE_TILES_OF(weighted_cross_entropy_rows), weighted_rows_samples);
  d.infer = target_infer;
  d.kernels = on_every_device(target_rows_kernel<WeightedRowsAttrs>);
  return d;
}();
constinit const OpDef probability_cross_entropy_rows_def =
    define_rowwise<ProbabilityCrossEntropyRows>(
        "probability_cross_entropy_rows",
        "cross entropy per row with class probabilities as target", kProbabilityRowsArgs,
        GYRE_TILES_OF(probability_cross_entropy_rows), probability_rows_samples);
constinit const OpDef nll_def{
    .name = "nll",
    .doc = "negative log-likelihood: -x[target] of log-probabilities x; mean by default",
    .args = kNllArgs,
    .attrs = &record_of<NllAttrs>,
    .compose = nll_compose,
    .samples = nll_samples};
constinit const OpDef cross_entropy_def{
    .name = "cross_entropy",
    .doc = "cross entropy loss: -log softmax(logits)[target]; mean by default",
    .args = kCrossEntropyArgs,
    .attrs = &record_of<CrossEntropyAttrs>,
    .compose = cross_entropy_compose,
    .samples = cross_entropy_samples};

GYRE_FUNCTION_2(cross_entropy_rows, CrossEntropyRowsAttrs)
Tensor nll(const Tensor& x, const Tensor& target, const NllAttrs& a, const Tensor& weight) {
  return apply_one(nll_def, {x, target, weight}, box(a));
}
Tensor cross_entropy(const Tensor& logits, const Tensor& target, const CrossEntropyAttrs& a,
                     const Tensor& weight) {
  return apply_one(cross_entropy_def, {logits, target, weight}, box(a));
}

}  // namespace gyre
