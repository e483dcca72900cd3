#pragma once
#include "gyre/op/tiles.h"
#include "gyre/ops/elementwise/bodies.h"
#include "gyre/simd/pack.h"

// Bodies of the losses: the terms that a loss sums or averages, element by element, and the rows of
// cross entropy (anchor, reduce, finish; see kernel/rows/rowwise_tile.h).

namespace gyre {

struct OnProbabilities {
  static constexpr double low = 0.01, high = 0.99;
};

struct MseTerms : Floating<OnReals, 2> {
  static GYRE_BODY auto eval(auto x, auto y) {
    auto d = x - y;
    return d * d;
  }
};

struct L1Terms : Floating<OnReals, 2> {
  static GYRE_BODY auto eval(auto x, auto y) { return abs(x - y); }
};

// The difference clamped to [-delta, delta]: smooth at 0, where the second derivative is 1.
struct HuberTerms : Floating<OnPositives, 3> {
  static GYRE_BODY auto eval(auto x, auto y, auto delta) {
    auto d = x - y;
    auto a = abs(d);
    return select(a <= delta, 0.5 * d * d, delta * (a - 0.5 * delta));
  }
};

// A probability of 0 counts as e^-100.
struct BceTerms : Floating<OnProbabilities, 2> {
  static GYRE_BODY auto eval(auto p, auto y) {
    auto no = p <= 3.720075976020836e-44, yes = p == 1.0;
    auto log_p = select(no, select(p < 0.0, __builtin_nan(""), -100.0), log(select(no, 1.0, p)));
    auto log_q = select(yes, -100.0, log1p(-select(yes, 0.5, p)));
    return -(y * log_p + (1.0 - y) * log_q);
  }
};

// Both terms have the same sign for targets in [0, 1], so nothing cancels.
struct BceWithLogitsTerms : Floating<OnProbabilities, 3> {
  static GYRE_BODY auto eval(auto x, auto y, auto positive) {
    return positive * (y * softplus(-x)) + (1.0 - y) * softplus(x);
  }
};

struct KlDivTerms : Floating<OnProbabilities, 2> {
  static GYRE_BODY auto eval(auto x, auto y) {
    auto none = y == 0.0;
    auto absent = none & (abs(x) == __builtin_inf());
    return select(absent, 0.0, y * (log(select(none, 1.0, y)) - select(absent, 0.0, x)));
  }
};

struct KlDivLogTerms : Floating<OnReals, 2> {
  static GYRE_BODY auto eval(auto x, auto y) { return exp(y) * (y - x); }
};

struct CrossEntropyRowsAttrs {
  int64_t axis = -1;
  int64_t ignore_index = -100;
};
struct WeightedRowsAttrs {
  int64_t axis = -1;
  int64_t ignore_index = -100;
  double label_smoothing = 0;
};
struct ProbabilityRowsAttrs {
  int64_t axis = -1;
  double label_smoothing = 0;
};

// -log softmax(x)[target]: the target's logit is picked out of the row by its position.
struct CrossEntropyRows {
  using Attrs = CrossEntropyRowsAttrs;
  static constexpr RowSpec spec{.rows = 1,
                                .scalars = 1,
                                .sums = 2,
                                .coefs = 1,
                                .out_scalars = 1,
                                .anchored = true,
                                .indexed = true};
  static GYRE_BODY auto anchor(auto x, auto) { return x; }
  static GYRE_BODY auto reduce(auto m, auto target, auto x, auto i) {
    return pack(exp(x - m), select(i == target, x - m, 0.0));
  }
  static GYRE_BODY auto finish(RowInfo<Attrs> row, auto, auto target, auto sum, auto picked) {
    auto ignored = target == static_cast<double>(row.attrs.ignore_index);
    return pack(select(ignored, 0.0, log(sum) - picked));
  }
};

// sum_k q_k (log sum - d_k) for q = (1 - smoothing) target + smoothing / classes, both weighted:
// sums of the weighted target, of that times d, of the weights, of those times d.
template <class S, class T, class TD, class W, class WD>
GYRE_BODY auto smoothed_cross_entropy(double smoothing, double classes, S sum, T target,
                                      TD target_d, W all, WD all_d) {
  double keep = 1 - smoothing, share = smoothing / classes;
  WD others = share == 0 ? WD(0.0) : all_d;  // ignores logits of -inf without label smoothing
  return (keep * target + share * all) * log(sum) - (keep * target_d + share * others);
}

// Cross entropy with class indices, class weights and label smoothing.
struct WeightedCrossEntropyRows {
  using Attrs = WeightedRowsAttrs;
  static constexpr RowSpec spec{.rows = 2,
                                .scalars = 1,
                                .sums = 5,
                                .coefs = 1,
                                .out_scalars = 1,
                                .anchored = true,
                                .indexed = true,
                                .absent_ones = 1 << 1};
  static GYRE_BODY auto anchor(auto x, auto, auto) { return x; }
  static GYRE_BODY auto reduce(auto m, auto target, auto x, auto weight, auto i) {
    auto d = x - m;
    auto hit = i == target;
    return pack(exp(d), select(hit, weight, 0.0), select(hit, weight * d, 0.0), weight, weight * d);
  }
  static GYRE_BODY auto finish(RowInfo<Attrs> row, auto, auto target, auto sum, auto hit,
                               auto hit_d, auto all, auto all_d) {
    auto ignored = target == static_cast<double>(row.attrs.ignore_index);
    return pack(select(ignored, 0.0,
                       smoothed_cross_entropy(row.attrs.label_smoothing, row.length, sum, hit,
                                              hit_d, all, all_d)));
  }
};

// The same with class probabilities as the target.
struct ProbabilityCrossEntropyRows {
  using Attrs = ProbabilityRowsAttrs;
  static constexpr RowSpec spec{
      .rows = 3, .sums = 5, .coefs = 1, .out_scalars = 1, .anchored = true, .absent_ones = 1 << 2};
  static GYRE_BODY auto anchor(auto x, auto, auto) { return x; }
  static GYRE_BODY auto reduce(auto m, auto x, auto target, auto weight) {
    auto d = x - m;
    auto q = weight * target;
    auto held = select(q == 0.0, select(d == -__builtin_inf(), 0.0, d), d);  // 0 times inf is 0
    return pack(exp(d), q, q * held, weight, weight * d);
  }
  static GYRE_BODY auto finish(RowInfo<Attrs> row, auto, auto sum, auto hit, auto hit_d, auto all,
                               auto all_d) {
    return pack(
        smoothed_cross_entropy(row.attrs.label_smoothing, row.length, sum, hit, hit_d, all, all_d));
  }
};

}  // namespace gyre
