#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gyre/base/record.h"
#include "gyre/data/table.h"
#include "gyre/nn/activation.h"
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

/// Tags of the fields of TrainOptions, beside kResumable and kThisRunOnly. Fields with none of the
/// first three apply to every kind of data.
enum TrainTag : uint32_t {
  kOfText = 1,       ///< applies to texts and tokens
  kOfExamples = 2,   ///< applies to images, arrays and tables
  kOfTables = 4,     ///< applies to tables
  kOfOptimizer = 8,  ///< passed to optimisers that have a field of this name
  kByEpochs = 16,    ///< derived from epochs once the data are known
};

/// Options of `gyre train`: data, model, training. The defaults here apply to members that neither
/// a preset nor the kind of data sets. `steps` and `epochs` change the numbers and are resumable
/// nevertheless: they give the rest of the run another schedule.
struct TrainOptions {
  std::vector<std::string> data{};  ///< see data_kind(); not a field of the record
  std::string out{};
  std::string preset{};
  std::string tokenizer = "bpe:2048", model{}, target{}, without{};
  TableTask task = TableTask::detect;
  CsvHeader header = CsvHeader::detect;
  int64_t layers = 4, heads = 4, width = 128, block = 64;
  bool bias = true;
  Activation activation = Activation::gelu_tanh;
  bool tied = true;
  double dropout = 0;
  int64_t batch = 12, accumulate = 1;
  int64_t steps = 2000;
  double epochs = 0;
  int64_t workers = 0;
  double lr = 1e-3, min_lr = -1;
  int64_t warmup = 100;
  Schedule schedule = Schedule::cosine;
  double lr_gamma = 0.1, lr_decay = 0.2;
  int64_t lr_every = 1000;
  std::string optimizer = "adamw", optimizer_options{};
  double weight_decay = 0.1, clip = 1, beta1 = 0.9, beta2 = 0.99;
  NonFinite non_finite = NonFinite::raise;
  double ema = 0;
  TrainedDType dtype = TrainedDType::f32;
  double loss_scale = 0;
  double val_fraction = 0.1;
  int64_t eval_every = 250, eval_batches = 200, patience = 0;
  int64_t save_every = 500, stop_at = 0;
  int64_t log_every = 10;
  int64_t sample_every = 0, sample_tokens = 64;
  std::string sample_prompt{}, trace{};
  int64_t trace_steps = 5;
  bool check_nan = false;
  int64_t seed = 1;
  int64_t threads = 0;
  bool resume = false;
  std::string config{};
  bool print_config = false;
};
GYRE_FIELDS(
    TrainOptions,
    GYRE_FIELD(out,
               "output folder: log, the newest three checkpoints and the best, and "
               "model.safetensors (newest weights, or the best after early stopping)",
               kThisRunOnly),
    GYRE_FIELD(preset, "named set of options; options given explicitly override it", kOfText),
    GYRE_FIELD(tokenizer, "char, bpe:N (byte-pair encoding with N tokens) or a tokenizer.json",
               kOfText),
    GYRE_FIELD(model, "mlp, cnn, linear or a JSON file of layers; default: chosen from the data",
               kOfExamples),
    GYRE_FIELD(target, "target column of a table; default: the last", kOfTables),
    GYRE_FIELD(without, "columns of a table to ignore, comma-separated", kOfTables | kListed),
    GYRE_FIELD(task, "type of the target; detect: classification if it holds texts", kOfTables),
    GYRE_FIELD(header, "whether the first row of a table holds the column names", kOfTables),
    GYRE_FIELD(layers, "transformer blocks", kOfText),
    GYRE_FIELD(heads, "attention heads per block", kOfText),
    GYRE_FIELD(width, "model width (embedding size); divisible by heads", kOfText),
    GYRE_FIELD(block, "context length in tokens", kOfText),
    GYRE_FIELD(bias, "use biases in linear layers and norms", kOfText),
    GYRE_FIELD(activation, "activation function of the MLP", kOfText),
    GYRE_FIELD(tied, "tie the output layer to the token embedding", kOfText),
    GYRE_FIELD(dropout, "dropout probability", kOfText),
    GYRE_FIELD(batch, "batch size in sequences or examples"),
    GYRE_FIELD(accumulate, "gradient accumulation: batches averaged per optimiser step"),
    GYRE_FIELD(steps, "total optimiser steps", kByEpochs | kResumable),
    GYRE_FIELD(epochs, "epochs (instead of steps)", kOfExamples | kResumable),
    GYRE_FIELD(workers, "threads that prefetch batches", kOfExamples | kResumable),
    GYRE_FIELD(lr, "peak learning rate", kOfOptimizer),
    GYRE_FIELD(min_lr, "final learning rate; negative: lr / 10"),
    GYRE_FIELD(warmup, "linear warm-up steps; default: at most a tenth of all steps", kByEpochs),
    GYRE_FIELD(schedule, "learning rate schedule after warm-up"),
    GYRE_FIELD(lr_gamma,
               "decay factor of schedules step and exponential, applied every lr_every steps"),
    GYRE_FIELD(lr_decay, "final fraction of steps in which schedule wsd decays"),
    GYRE_FIELD(lr_every, "decay period in steps of schedules step and exponential"),
    GYRE_FIELD(
        optimizer,
        "optimiser; except with adamw, lr, betas and weight_decay default to the optimiser's own "
        "values"),
    GYRE_FIELD(optimizer_options,
               "further options of the optimiser: momentum=0.9,nesterov=true or a JSON object"),
    GYRE_FIELD(weight_decay, "weight decay, applied to tensors of two or more dimensions",
               kOfOptimizer),
    GYRE_FIELD(clip, "clip the gradient norm to this value; 0: off"),
    GYRE_FIELD(beta1, "beta1, decay rate of the first-moment estimate", kOfOptimizer),
    GYRE_FIELD(beta2, "beta2, decay rate of the second-moment estimate", kOfOptimizer),
    GYRE_FIELD(non_finite, "policy for NaN or infinite gradients"),
    GYRE_FIELD(ema,
               "decay of the exponential moving average (EMA) of the weights, used for validation "
               "and the saved model; 0: off"),
    GYRE_FIELD(dtype, "dtype of weights and activations; f16 and bf16 keep f32 master weights"),
    GYRE_FIELD(loss_scale, "loss scale for f16; 0: dynamic loss scaling"),
    GYRE_FIELD(val_fraction,
               "validation fraction (the end of a text); ignored for data with their own "
               "validation part"),
    GYRE_FIELD(eval_every, "steps between validations; 0: only at the end", kByEpochs | kResumable),
    GYRE_FIELD(eval_batches, "batches per validation", kOfText | kResumable),
    GYRE_FIELD(patience,
               "early stopping: stop after N validations without improvement and restore the best "
               "weights; 0: never",
               kResumable),
    GYRE_FIELD(save_every, "steps between checkpoints; 0: only at the end", kByEpochs | kResumable),
    GYRE_FIELD(stop_at, "save and stop after this step, to --resume later; 0: run to the end",
               kThisRunOnly),
    GYRE_FIELD(log_every, "steps between log entries", kResumable),
    GYRE_FIELD(sample_every, "steps between generated samples; 0: none", kOfText | kResumable),
    GYRE_FIELD(sample_tokens, "length of a sample in tokens", kOfText | kResumable),
    GYRE_FIELD(sample_prompt, "prompt of the sample", kOfText | kResumable),
    GYRE_FIELD(trace, "file for a Chrome trace of the first steps' ops", kThisRunOnly),
    GYRE_FIELD(trace_steps, "steps to trace; 0: all", kThisRunOnly),
    GYRE_FIELD(check_nan, "stop at the first op that produces NaN or infinity and name it",
               kThisRunOnly),
    GYRE_FIELD(seed, "random seed of initial weights, batches and dropout"),
    GYRE_FIELD(threads, "CPU threads; 0: the process's setting", kThisRunOnly),
    GYRE_FIELD(
        resume,
        "resume from the newest checkpoint in --out with its DATA and options; options that do not "
        "change the numbers may differ (--stop-at, --threads, --eval-every, samples, traces, ...), "
        "and --steps or --epochs may change the schedule",
        kThisRunOnly),
    GYRE_FIELD(config,
               "JSON file of options by these names, and `data`, a list; options given explicitly "
               "override it",
               kThisRunOnly),
    GYRE_FIELD(print_config, "print all options as a --config file and exit", kThisRunOnly));

/// Result of a training run.
struct TrainReport {
  int64_t steps = 0;
  int64_t new_steps = 0;  ///< done by this process
  /// Of the last step and the last validation, in this process or before a resume; NaN if none.
  double train_loss = Figures::kNone;
  Figures val{};
  int64_t best_step = 0;              ///< step of the best validation; 0: none
  double best_loss = Figures::kNone;  ///< loss of that validation
  double seconds = 0;                 ///< of this process
  double tokens_per_second = 0;
  int64_t peak_bytes = 0;    ///< peak tensor memory
  std::string checkpoint{};  ///< path of the newest
  int64_t parameters = 0;
  std::string unit = "tok";  ///< unit of tokens_per_second
  bool interrupted = false, stopped_early = false;
};
GYRE_FIELDS(TrainReport, GYRE_FIELD(steps, "total optimiser steps"),
            GYRE_FIELD(new_steps, "optimiser steps since the start or resume"),
            GYRE_FIELD(train_loss,
                       "loss of the last step: cross-entropy in nats per token or example, or mean "
                       "squared error"),
            GYRE_FIELD_AS(val_loss, val.loss, "loss of the last validation"),
            GYRE_FIELD_AS(val_bits_per_byte, val.bits_per_byte,
                          "bits per byte of text, in the last validation"),
            GYRE_FIELD_AS(val_accuracy, val.accuracy, "accuracy, in the last validation"),
            GYRE_FIELD_AS(val_mae, val.mae, "mean absolute error, in the last validation"),
            GYRE_FIELD_AS(val_r2, val.r2,
                          "coefficient of determination R^2, in the last validation"),
            GYRE_FIELD(best_step, "step of the best validation"),
            GYRE_FIELD(best_loss, "best validation loss"),
            GYRE_FIELD(seconds, "wall time since the start or resume"),
            GYRE_FIELD(tokens_per_second, "training throughput since the start or resume"),
            GYRE_FIELD(peak_bytes, "peak memory of tensors in bytes"),
            GYRE_FIELD(checkpoint, "folder of the newest checkpoint"),
            GYRE_FIELD(parameters, "number of trainable parameters"),
            GYRE_FIELD(unit, "unit of tokens_per_second: tok or samples"),
            GYRE_FIELD(interrupted, "interrupted before the last step; continue with --resume"),
            GYRE_FIELD(stopped_early, "stopped early by patience"));

}  // namespace gyre
