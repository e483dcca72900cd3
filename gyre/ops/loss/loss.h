#pragma once
#include "gyre/base/record.h"
#include "gyre/ops/loss/bodies.h"
#include "gyre/tensor/tensor.h"

// Losses. Elementwise losses require operands of equal shape (Error{shape}), reduce by mean, sum or
// none, and promote integers to f32. Undefined gradients are zero.

namespace gyre {

/// Reduction of a loss over its elements.
enum class Reduction : uint8_t { mean, sum, none };
inline constexpr const char* kReductionNames[] = {"mean", "sum", "none"};
template <>
inline constexpr std::span<const char* const> kChoices<Reduction> = kReductionNames;

struct LossAttrs {
  Reduction reduction = Reduction::mean;
};
GYRE_FIELDS(LossAttrs, GYRE_FIELD(reduction, "reduction over elements"));

/// (x - y)^2
Tensor mse(const Tensor& x, const Tensor& y, const LossAttrs& attrs = {});
/// |x - y|
Tensor l1(const Tensor& x, const Tensor& y, const LossAttrs& attrs = {});

struct HuberAttrs {
  double delta = 1;
  Reduction reduction = Reduction::mean;
};
GYRE_FIELDS(HuberAttrs,
            GYRE_FIELD(delta, "threshold |x - y| above which the loss is linear; positive"),
            GYRE_FIELD(reduction, "reduction over elements"));

/// Huber loss: (x - y)^2 / 2 for |x - y| <= delta, otherwise delta (|x - y| - delta / 2); Huber
/// 1964. Error{value} unless delta is positive.
Tensor huber(const Tensor& x, const Tensor& y, const HuberAttrs& attrs = {});

struct SmoothL1Attrs {
  double beta = 1;
  Reduction reduction = Reduction::mean;
};
GYRE_FIELDS(SmoothL1Attrs, GYRE_FIELD(beta, "threshold |x - y| above which the loss is linear"),
            GYRE_FIELD(reduction, "reduction over elements"));

/// Smooth L1 loss: huber with delta = beta, divided by beta; l1 for beta = 0. Error{value} for a
/// negative beta.
Tensor smooth_l1(const Tensor& x, const Tensor& y, const SmoothL1Attrs& attrs = {});

/// Binary cross entropy -(y log x + (1 - y) log(1 - x)) of probabilities x; logarithms are clamped
/// to at least -100; NaN for x outside [0, 1].
Tensor bce(const Tensor& x, const Tensor& y, const LossAttrs& attrs = {});
/// Binary cross entropy with logits: bce of sigmoid(x). The positive term is multiplied by
/// pos_weight, which broadcasts to x (empty: 1). Error{shape}.
Tensor bce_with_logits(const Tensor& x, const Tensor& y, const LossAttrs& attrs = {},
                       const Tensor& pos_weight = {});

struct KlDivAttrs {
  bool log_target = false;
  Reduction reduction = Reduction::mean;
};
GYRE_FIELDS(KlDivAttrs, GYRE_FIELD(log_target, "y holds log-probabilities"),
            GYRE_FIELD(reduction, "reduction over elements"));

/// Kullback-Leibler divergence y (log y - x) for log-probabilities x; 0 where y is 0. mean divides
/// by the number of elements.
Tensor kl_div(const Tensor& x, const Tensor& y, const KlDivAttrs& attrs = {});

struct NllAttrs {
  int64_t axis = -1;
  int64_t ignore_index = -100;
  Reduction reduction = Reduction::mean;
};
GYRE_FIELDS(NllAttrs, GYRE_FIELD(axis, "class axis; negative: from the end"),
            GYRE_FIELD(ignore_index, "target value to ignore: no loss, no gradient"),
            GYRE_FIELD(reduction, "reduction over elements"));

/// Negative log-likelihood -weight[target] x[target] per row of log-probabilities x [..., classes,
/// ...] along the axis; target (i32 or i64) has that shape without the axis, weight [classes] may
/// be empty. mean divides by the sum of the weights of targets that are not ignored; NaN when all
/// are. Error{shape, dtype}; Error{index} for a target that is neither a class nor ignored.
Tensor nll(const Tensor& x, const Tensor& target, const NllAttrs& attrs = {},
           const Tensor& weight = {});

struct CrossEntropyAttrs {
  int64_t axis = -1;
  int64_t ignore_index = -100;
  double label_smoothing = 0;
  Reduction reduction = Reduction::mean;
};
GYRE_FIELDS(CrossEntropyAttrs, GYRE_FIELD(axis, "class axis; negative: from the end"),
            GYRE_FIELD(ignore_index, "target value to ignore: no loss, no gradient"),
            GYRE_FIELD(label_smoothing,
                       "label smoothing: fraction of the target spread uniformly over the classes",
                       .least = 0, .most = 1),
            GYRE_FIELD(reduction, "reduction over rows"));

/// Cross entropy -sum_k weight_k q_k log softmax(logits)_k per row of logits [..., classes, ...]
/// along the axis, accurate for logits up to +-1e4. The target holds one class index per row, as in
/// nll, or floating probabilities q of the shape of logits. Label smoothing s replaces q by (1 - s)
/// q + s / classes (Szegedy et al. 2016). mean divides as in nll for class indices, by the number
/// of rows for probabilities. Error{shape, dtype, index} as in nll; Error{value} for a smoothing
/// outside [0, 1].
Tensor cross_entropy(const Tensor& logits, const Tensor& target,
                     const CrossEntropyAttrs& attrs = {}, const Tensor& weight = {});

GYRE_FIELDS(CrossEntropyRowsAttrs, GYRE_FIELD(axis, "class axis; negative: from the end"),
            GYRE_FIELD(ignore_index, "target value to ignore: the row gives 0"));

/// cross_entropy of each row with class indices, without weights or smoothing: the row kernel.
/// target broadcasts to the rows.
Tensor cross_entropy_rows(const Tensor& logits, const Tensor& target,
                          const CrossEntropyRowsAttrs& attrs = {});

GYRE_FIELDS(
    WeightedRowsAttrs, GYRE_FIELD(axis, "class axis"),
    GYRE_FIELD(ignore_index, "target value to ignore: the row gives 0"),
    GYRE_FIELD(label_smoothing,
               "label smoothing: fraction of the target spread uniformly over the classes"));
GYRE_FIELDS(
    ProbabilityRowsAttrs, GYRE_FIELD(axis, "class axis"),
    GYRE_FIELD(label_smoothing,
               "label smoothing: fraction of the target spread uniformly over the classes"));

}  // namespace gyre
