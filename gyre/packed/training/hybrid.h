#pragma once
#include "gyre/optim/optimizer_of.h"
#include "gyre/optim/rules/optim_tile.h"
#include "gyre/packed/training/word_step.h"

namespace gyre {

extern const OptimizerDef hybrid_optimizer;

/// How packed tensors are updated.
enum class HybridMode : uint8_t { shadow, shadow_free };
inline constexpr const char* kHybridModeNames[] = {"shadow", "shadow_free"};
template <>
inline constexpr std::span<const char* const> kChoices<HybridMode> = kHybridModeNames;

struct HybridOptions {
  double lr = 1e-3, beta1 = 0.9, beta2 = 0.999, eps = 1e-8, weight_decay = 0.01;
  HybridMode mode = HybridMode::shadow;
  int64_t reencode_every = 10;
  double lr_words = 1;
  int64_t flips = 4;
  double dead_zone = 0;
};
GYRE_FIELDS(
    HybridOptions,
    GYRE_FIELD(lr, "learning rate of tensors, and of scales and angles of packed ones", .least = 0),
    GYRE_FIELD(beta1, "β1, decay rate of the first-moment estimate", .least = 0, .below = 1),
    GYRE_FIELD(beta2, "β2, decay rate of the second-moment estimate", .least = 0, .below = 1),
    GYRE_FIELD(eps, "added to the denominator for numerical stability", .least = 0),
    GYRE_FIELD(weight_decay, "decoupled weight decay; not of packed tensors in mode shadow_free",
               .least = 0),
    GYRE_FIELD(mode,
               "shadow: packed tensors have f32 weights beside them, which AdamW updates and which "
               "are encoded again; shadow_free: bits of their words are flipped",
               .alias = "packed_mode"),
    GYRE_FIELD(reencode_every, "steps from one encoding of f32 weights to the next", .least = 1),
    GYRE_FIELD(lr_words, "learning rate of words in mode shadow_free, times lr", .least = 0),
    GYRE_FIELD(flips, "most bits that a step flips in a tile, in mode shadow_free", .least = 0,
               .most = 128),
    GYRE_FIELD(dead_zone,
               "a bit is flipped only for more than this share of the tile's squared distance",
               .least = 0, .below = 1));

struct HybridRule {
  using Options = HybridOptions;
  static constexpr const OptimizerDef& def = hybrid_optimizer;
  static size_t states(const Options& options, const Tensor& parameter);
  static AdamNumbers numbers(const Options& options, const Optimizer::StepInfo& info);
};

/// The optimiser of modules with packed tensors. In mode shadow a packed tensor has f32 weights
/// beside it, which take AdamW steps with its gradient (straight-through) and are encoded again
/// every `reencode_every` steps. Between two encodings forward uses, while gradients are recorded,
/// the weights that were encoded and what they have moved since, so that it sees the error of an
/// encoding without its delay; other uses see the words, which settle() encodes anew. State "m",
/// "v", "shadow" (these weights), "error" (of the last encoding). In mode shadow_free bits of its
/// words are flipped (packed/training/word_step.h), with a byte for each weight beside the words,
/// and its scales and angles take Riemannian steps of Adam; state "m", "v" of these, "square",
/// "residual", "residual_scale". Other tensors are updated by AdamW.
using HybridOptimizer = OptimizerOf<HybridRule>;

extern template class OptimizerOf<HybridRule>;

/// What steps of mode shadow_free have done in this process since the last call with `reset`.
WordStepCounts hybrid_counts(bool reset = false);

}  // namespace gyre
