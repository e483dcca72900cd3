#pragma once
#include "gyre/base/record.h"
#include "gyre/optim/optimizer_of.h"

namespace gyre {

/// How the learning rate of a matrix [rows, columns] depends on its shape: `original` (Jordan et
/// al. 2024): times sqrt(max(1, rows / columns)); `match_rms_adamw` (Liu et al. 2025): times 0.2
/// sqrt(max(rows, columns)), so that updates are as large as those of AdamW.
enum class LrAdjustment : uint8_t { original, match_rms_adamw };
inline constexpr const char* kLrAdjustmentNames[] = {"original", "match_rms_adamw"};
template <>
inline constexpr std::span<const char* const> kChoices<LrAdjustment> = kLrAdjustmentNames;

struct MuonOptions {
  double lr = 1e-3, weight_decay = 0.1, momentum = 0.95;
  bool nesterov = true;
  double ns_a = 3.4445, ns_b = -4.7750, ns_c = 2.0315, eps = 1e-7;
  int64_t ns_steps = 5;
  LrAdjustment adjust_lr = LrAdjustment::original;
  DType ns_dtype = DType::f32;
  int64_t momentum_warmup = 0;
  Shape parts{};
  bool use_muon = true;
  double adamw_lr_ratio = 0.25, beta1 = 0.9, beta2 = 0.95, adamw_eps = 1e-8;
  bool maximize = false;
};
GYRE_FIELDS(
    MuonOptions, GYRE_FIELD(lr, "learning rate", .least = 0),
    GYRE_FIELD(weight_decay, "decoupled weight decay: value -= lr weight_decay value", .least = 0),
    GYRE_FIELD(momentum, "momentum factor", .least = 0, .below = 1),
    GYRE_FIELD(nesterov, "Nesterov momentum"),
    GYRE_FIELD(ns_a, "coefficient a of the Newton-Schulz iterations x = a x + (b A + c A²) x"),
    GYRE_FIELD(ns_b, "their coefficient b"), GYRE_FIELD(ns_c, "their coefficient c"),
    GYRE_FIELD(eps, "least norm that an update is divided by", .above = 0),
    GYRE_FIELD(ns_steps, "Newton-Schulz iterations", .least = 1, .most = 100),
    GYRE_FIELD(adjust_lr, "how lr depends on the shape of a matrix", .alias = "adjust_lr_fn"),
    GYRE_FIELD(ns_dtype, "dtype of the Newton-Schulz iterations: f32, bf16 or f64"),
    GYRE_FIELD(momentum_warmup, "steps over which the factor rises from momentum - 0.1 to momentum",
               .least = 0),
    GYRE_FIELD(parts,
               "row counts of the matrices that each parameter of the group stacks, such as query, "
               "key and value; empty: one matrix"),
    GYRE_FIELD(use_muon,
               "false: update the group by AdamW, as embeddings and output layers should"),
    GYRE_FIELD(adamw_lr_ratio, "learning rate of AdamW relative to lr", .least = 0),
    GYRE_FIELD(beta1, "β1 of AdamW", .least = 0, .below = 1),
    GYRE_FIELD(beta2, "β2 of AdamW", .least = 0, .below = 1),
    GYRE_FIELD(adamw_eps, "added to the denominator of AdamW", .least = 0),
    GYRE_FIELD(maximize, kMaximizeDoc));

/// The update rule of Muon. Error{value} for another ns_dtype and for parts below 1.
struct MuonRule {
  using Options = MuonOptions;
  static constexpr const OptimizerDef& def = muon_optimizer;
  static void check(const MuonOptions& options);
  /// Whether the parameter is updated as a matrix.
  static bool takes(const Tensor& parameter, const MuonOptions& options);
  static size_t states(const MuonOptions& options, const Tensor& parameter) {
    return takes(parameter, options) ? 1 : 2;
  }
  static AdamNumbers numbers(const MuonOptions& options, const Optimizer::StepInfo& info);
};

/// Muon (Jordan et al. 2024): m += (1 - momentum) (g - m); the update u = g + momentum (m - g), or
/// m without Nesterov, is replaced by roughly the nearest matrix with orthonormal rows or columns:
/// from x = u / |u|, ns_steps times x = a x + (b A + c A²) x with A = x xᵀ; then value -=
/// lr (weight_decay value + adjustment x). A parameter of more than two dimensions is a matrix
/// [first, rest]. State "m". Parameters of fewer dimensions, and groups with use_muon = false, are
/// updated by AdamW with adamw_lr_ratio lr; state "m", "v". Error{shape} in a step for `parts`
/// that do not sum to the rows.
using Muon = OptimizerOf<MuonRule>;

extern template class OptimizerOf<MuonRule>;

/// The matrices x [n, rows, columns] made orthogonal as above, in their dtype, with the iterations
/// and eps of the options.
Tensor orthogonalized(const Tensor& x, const MuonOptions& options = {});

}  // namespace gyre
