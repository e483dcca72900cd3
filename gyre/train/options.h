#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gyre/base/record.h"
#include "gyre/nn/activation.h"
#include "gyre/optim/schedule.h"

namespace gyre {

/// The dtypes of weights and activations that can be trained.
enum class TrainedDType : uint8_t { f32 };
inline constexpr const char* kTrainedDTypeNames[] = {"f32"};
template <>
inline constexpr std::span<const char* const> kChoices<TrainedDType> = kTrainedDTypeNames;

/// What `gyre train` is told: data, model, training. Members that a preset does not set have these
/// defaults.
struct TrainOptions {
  std::vector<std::string> data{};  ///< text files, or `wordnet:glosses`; not a field of the record
  std::string out{};
  std::string preset{};
  std::string tokenizer = "bpe:2048";
  int64_t layers = 4, heads = 4, width = 128, block = 64;
  bool bias = true;
  Activation activation = Activation::gelu_tanh;
  bool tied = true;
  double dropout = 0;
  int64_t batch = 12, accumulate = 1;
  int64_t steps = 2000;
  double lr = 1e-3, min_lr = -1;
  int64_t warmup = 100;
  Schedule schedule = Schedule::cosine;
  double weight_decay = 0.1, clip = 1, beta1 = 0.9, beta2 = 0.99;
  TrainedDType dtype = TrainedDType::f32;
  double val_fraction = 0.1;
  int64_t eval_every = 250, eval_batches = 200;
  int64_t save_every = 500, stop_at = 0;
  int64_t log_every = 10;
  int64_t seed = 1;
  int64_t threads = 0;
  bool resume = false;
};
GYRE_FIELDS(
    TrainOptions,
    GYRE_FIELD(out,
               "folder that gets log, the newest three checkpoints and the best, and "
               "model.safetensors: the weights of the newest"),
    GYRE_FIELD(preset,
               "chargpt, glosses or gpt2: a set of options, which those given by hand override"),
    GYRE_FIELD(tokenizer, "char, bpe:N (N tokens, learned from the data) or a tokenizer.json"),
    GYRE_FIELD(layers, "transformer blocks"), GYRE_FIELD(heads, "attention heads a block"),
    GYRE_FIELD(width, "numbers a token, a multiple of heads"),
    GYRE_FIELD(block, "tokens that the model sees at once"),
    GYRE_FIELD(bias, "linear layers and norms have biases"), GYRE_FIELD(activation, "of the MLP"),
    GYRE_FIELD(tied, "the output layer shares the token table"),
    GYRE_FIELD(dropout, "share of values dropped in training"),
    GYRE_FIELD(batch, "sequences a batch"),
    GYRE_FIELD(accumulate, "batches a step, whose gradients are averaged"),
    GYRE_FIELD(steps, "optimiser steps in all"), GYRE_FIELD(lr, "highest learning rate"),
    GYRE_FIELD(min_lr, "learning rate at the end; below 0: a tenth of lr"),
    GYRE_FIELD(warmup,
               "steps in which the learning rate rises; unless given, at most a tenth of all"),
    GYRE_FIELD(schedule, "of the learning rate after warm-up"),
    GYRE_FIELD(weight_decay, "AdamW's, on tensors of two or more dimensions"),
    GYRE_FIELD(clip, "largest norm of the gradient; 0: any"),
    GYRE_FIELD(beta1, "AdamW's decay of the first moment"),
    GYRE_FIELD(beta2, "AdamW's decay of the second moment"),
    GYRE_FIELD(dtype, "of weights and activations"),
    GYRE_FIELD(val_fraction, "share of the text, its end, kept for validation"),
    GYRE_FIELD(eval_every, "steps between validations; 0: only at the end"),
    GYRE_FIELD(eval_batches, "batches a validation"),
    GYRE_FIELD(save_every, "steps between checkpoints; 0: only at the end"),
    GYRE_FIELD(stop_at, "save and end after this step, for --resume; 0: go to the end"),
    GYRE_FIELD(log_every, "steps between lines of the log"),
    GYRE_FIELD(seed, "of weights, batches and dropout"),
    GYRE_FIELD(threads, "threads to use; 0: as set for the process"),
    GYRE_FIELD(
        resume,
        "go on from the newest checkpoint in --out with its DATA and options. --steps, whose "
        "schedule is then followed, --stop-at, --threads, --eval-batches and every --...-every may "
        "be new"));

/// What a training has come to, when it ends.
struct TrainReport {
  int64_t steps = 0;
  int64_t new_steps = 0;  ///< done by this run
  /// Of the last step and the last validation, whichever run had them; NaN when there was none.
  double train_loss = 0, val_loss = 0;
  double val_bits_per_byte = 0;
  double seconds = 0;  ///< of this run
  double tokens_per_second = 0;
  int64_t peak_bytes = 0;    ///< of tensors
  std::string checkpoint{};  ///< the newest
  int64_t parameters = 0;
  bool interrupted = false;
};
GYRE_FIELDS(TrainReport, GYRE_FIELD(steps, "optimiser steps done in all"),
            GYRE_FIELD(new_steps, "of these, in this run"),
            GYRE_FIELD(train_loss, "of the last step, nats a token"),
            GYRE_FIELD(val_loss, "of the last validation, nats a token"),
            GYRE_FIELD(val_bits_per_byte, "the same in bits a byte of the text"),
            GYRE_FIELD(seconds, "wall time of this run"),
            GYRE_FIELD(tokens_per_second, "trained on, of this run"),
            GYRE_FIELD(peak_bytes, "most memory that tensors took"),
            GYRE_FIELD(checkpoint, "folder of the newest checkpoint"),
            GYRE_FIELD(parameters, "numbers that were trained"),
            GYRE_FIELD(interrupted, "stopped before the end; --resume goes on"));

}  // namespace gyre
