#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gyre/base/record_part.h"
#include "gyre/optim/gradient_norm.h"
#include "gyre/optim/schedule.h"
#include "gyre/train/progress/figures.h"
#include "gyre/train/run_options.h"

namespace gyre {

/// The dtypes that weights and activations can be trained in.
enum class TrainedDType : uint8_t { f32, bf16, f16 };
inline constexpr const char* kTrainedDTypeNames[] = {"f32", "bf16", "f16"};
template <>
inline constexpr std::span<const char* const> kChoices<TrainedDType> = kTrainedDTypeNames;

struct BatchOptions {
  int64_t size = 12, accumulate = 1, gradient_checkpointing = 0;
};
GYRE_FIELDS(BatchOptions,
            GYRE_FIELD_AS(batch_size, size, "sequences or examples per batch", .alias = "batch",
                          .least = 1),
            GYRE_FIELD_AS(gradient_accumulation_steps, accumulate,
                          "batches whose gradients are averaged per optimiser step",
                          .alias = "accumulate", .least = 1),
            GYRE_FIELD(gradient_checkpointing,
                       "keep the activations of every N-th layer of a transformer only, and "
                       "compute the others again in backward, which takes less memory and more "
                       "time, with the same results; 0: off",
                       .tags = kResumable, .least = 0));

struct UpdateOptions {
  std::string name = "adamw", more{};
  double weight_decay = 0.1, beta1 = 0.9, beta2 = 0.99;
  std::string packed_mode = "shadow";
  double clip = 1;
  NonFinite non_finite = NonFinite::raise;
  double ema = 0;
};
GYRE_FIELDS(
    UpdateOptions,
    GYRE_FIELD_AS(
        optimizer, name,
        "optimiser; defaults shown are those of --model gpt2, --print-config prints those of a run",
        .alias = "optim", .metavar = "NAME"),
    GYRE_FIELD_AS(optimizer_options, more,
                  "further options of the optimiser: momentum=0.9,nesterov=true or a JSON object",
                  .alias = "optim_args", .metavar = "NAME=X,NAME=X"),
    GYRE_FIELD(weight_decay, "weight decay, applied to tensors of two or more dimensions",
               .tags = kOfOptimizer, .least = 0),
    GYRE_FIELD(beta1, "beta1, decay rate of the first-moment estimate", .tags = kOfOptimizer,
               .alias = "adam_beta1", .least = 0, .below = 1),
    GYRE_FIELD(beta2, "beta2, decay rate of the second-moment estimate", .tags = kOfOptimizer,
               .alias = "adam_beta2", .least = 0, .below = 1),
    GYRE_FIELD(packed_mode,
               "shadow: f32 weights beside the packed ones are trained; shadow_free: bits of the "
               "words are flipped, in a tenth of the memory; default: shadow_free if the weights "
               "of --init are packed, else shadow",
               .tags = kOfOptimizer | kOfPacked, .metavar = "shadow|shadow_free"),
    GYRE_FIELD_AS(max_grad_norm, clip, "clip the gradient norm to this value; 0: off",
                  .alias = "clip,grad_clip", .least = 0),
    GYRE_FIELD(non_finite,
               "on NaN or infinite gradients: skip the step, raise an error, zero them or apply "
               "them; with f16 such steps are always skipped"),
    GYRE_FIELD_AS(ema_decay, ema,
                  "decay of the exponential moving average (EMA) of the weights, used for "
                  "evaluation and the saved model; 0: off",
                  .alias = "ema", .least = 0, .below = 1));

struct PrecisionOptions {
  TrainedDType dtype = TrainedDType::f32;
  double loss_scale = 0;
};
GYRE_FIELDS(PrecisionOptions,
            GYRE_FIELD(dtype,
                       "dtype of weights and activations, also of the saved model; f16 and bf16 "
                       "keep f32 master weights; default: f32, with --init that of the folder"),
            GYRE_FIELD(loss_scale, "loss scale for f16; 0: dynamic loss scaling", .least = 0));

struct SampleOptions {
  int64_t every = 0, tokens = 64;
  std::string prompt{};
};
GYRE_FIELDS(SampleOptions,
            GYRE_FIELD(every, "steps between generated samples; 0: none", .tags = kResumable,
                       .least = 0),
            GYRE_FIELD(tokens, "length of a sample in tokens", .tags = kResumable, .least = 1),
            GYRE_FIELD(prompt, "prompt of the sample", .tags = kResumable));

struct LogOptions {
  int64_t every = 10;
  std::string trace{};
  int64_t trace_steps = 5;
  bool check_nan = false, check_overflow = false;
  std::vector<std::string> compare{};
};
GYRE_FIELDS(LogOptions,
            GYRE_FIELD_AS(log_every, every, "steps between log entries", .tags = kResumable,
                          .alias = "log_interval", .least = 1),
            GYRE_FIELD(trace, "file for a Chrome trace of the first steps' ops",
                       .tags = kThisProcessOnly, .metavar = "FILE"),
            GYRE_FIELD(trace_steps, "steps to trace; 0: all", .tags = kThisProcessOnly, .least = 0),
            GYRE_FIELD(check_nan, "stop at the first op that produces NaN or infinity and name it",
                       .tags = kThisProcessOnly, .alias = "detect_anomaly"),
            GYRE_FIELD(check_overflow,
                       "stop at the first op whose result is not finite although its operands "
                       "are: a number too large for the dtype, a division by zero",
                       .tags = kThisProcessOnly),
            GYRE_FIELD(compare,
                       "output folders of other training runs: report.html shows their validation "
                       "losses beside its own",
                       .tags = kThisProcessOnly | kCommas, .metavar = "DIR,DIR"));

/// Options of training runs of any kind. `steps` may change when a run is resumed, although it
/// affects the results: the rest of the run follows another schedule.
struct TrainerOptions {
  RunOptions run{};
  BatchOptions batch{};
  UpdateOptions optimizer{};
  ScheduleOptions schedule{.min_lr = -1, .warmup = 100, .steps = 2000};  ///< min_lr < 0: lr / 10
  PrecisionOptions precision{};
  EvaluationOptions evaluation{};
  CheckpointOptions checkpoints{};
  SampleOptions sample{};
  LogOptions log{};
};
GYRE_RECORD(TrainerOptions, GYRE_PART(run, .heading = "Run"),
            GYRE_PART(batch, .heading = "Optimisation"),
            GYRE_FIELD_AS(steps, schedule.steps, "total optimiser steps; may change with --resume",
                          .tags = kByEpochs | kResumable, .alias = "max_steps", .least = 0,
                          .heading = "Optimisation"),
            GYRE_PART(optimizer, .heading = "Optimisation"),
            GYRE_FIELD_AS(lr, schedule.lr,
                          "peak learning rate; by default a twentieth of the optimiser's with "
                          "--init, 5e-5 for AdamW, unless weights are packed",
                          .tags = kOfOptimizer, .alias = "learning_rate", .above = 0,
                          .heading = "Learning rate"),
            GYRE_FIELD_AS(min_lr, schedule.min_lr, "final learning rate; negative: lr / 10",
                          .heading = "Learning rate"),
            GYRE_FIELD_AS(warmup_steps, schedule.warmup,
                          "linear warm-up steps; default: at most a tenth of all steps",
                          .tags = kByEpochs, .alias = "warmup", .least = 0,
                          .heading = "Learning rate"),
            GYRE_FIELD_AS(schedule, schedule.kind, "learning rate schedule after warm-up",
                          .alias = "lr_scheduler_type", .heading = "Learning rate"),
            GYRE_PART(schedule, .prefix = "lr_", .except = "kind,lr,min_lr,warmup,steps",
                      .heading = "Learning rate"),
            GYRE_PART(precision, .heading = "Precision"),
            GYRE_PART(evaluation, .heading = "Evaluation and checkpoints (intervals in steps)"),
            GYRE_PART(checkpoints, .heading = "Evaluation and checkpoints (intervals in steps)"),
            GYRE_PART(sample, .prefix = "sample_", .heading = "Texts and tokens", .tags = kOfText),
            GYRE_PART(log, .heading = "Log and diagnosis"));

/// Result of a training run.
struct TrainReport {
  int64_t steps = 0;
  int64_t new_steps = 0;  ///< done by this process
  /// Of the last step and the last validation, in this process or before a resume; NaN if none.
  double train_loss = Figures::kNone;
  Figures val{};
  int64_t best_step = 0;                 ///< step of the best validation, if there is one
  double best_loss = Figures::kNone;     ///< loss of that validation; NaN: none
  double initial_loss = Figures::kNone;  ///< of a validation before the first step; NaN: none
  double seconds = 0;                    ///< of this process
  double tokens_per_second = 0;
  int64_t peak_bytes = 0;  ///< peak tensor memory
  /// What a step leaves to the next: weights, their averages, the optimiser's state. Gradients and
  /// activations do not count.
  int64_t state_bytes = 0;
  double bytes_per_weight = 0;  ///< state_bytes / parameters
  std::string checkpoint{};     ///< path of the newest
  double lr = 0;                ///< peak learning rate
  int64_t parameters = 0;
  std::string unit = "tok";  ///< unit of tokens_per_second
  bool interrupted = false, stopped_early = false;
};
GYRE_RECORD(TrainReport, GYRE_FIELD(steps, "total optimiser steps"),
            GYRE_FIELD(new_steps, "optimiser steps since the start or resume"),
            GYRE_FIELD(train_loss,
                       "loss of the last step: cross-entropy in nats per token or example, or mean "
                       "squared error"),
            GYRE_PART(val, .prefix = "val_"), GYRE_FIELD(best_step, "step of the best validation"),
            GYRE_FIELD(best_loss, "best validation loss"),
            GYRE_FIELD(initial_loss, "validation loss before the first step, of a run with init"),
            GYRE_FIELD(seconds, "wall time since the start or resume"),
            GYRE_FIELD(tokens_per_second, "training throughput since the start or resume"),
            GYRE_FIELD(peak_bytes, "peak memory of tensors in bytes"),
            GYRE_FIELD(state_bytes,
                       "bytes of the weights, their averages (EMA) and the optimiser's state, "
                       "without gradients and activations"),
            GYRE_FIELD(bytes_per_weight, "state_bytes for each parameter"),
            GYRE_FIELD(checkpoint, "folder of the newest checkpoint"),
            GYRE_FIELD(lr, "peak learning rate"),
            GYRE_FIELD(parameters, "number of trainable parameters"),
            GYRE_FIELD(unit, "unit of tokens_per_second: tok or samples"),
            GYRE_FIELD(interrupted, "interrupted before the last step; continue with --resume"),
            GYRE_FIELD(stopped_early, "stopped early by patience"));

}  // namespace gyre
