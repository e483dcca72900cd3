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

/// The dtypes of weights and activations that can be trained.
enum class TrainedDType : uint8_t { f32, bf16, f16 };
inline constexpr const char* kTrainedDTypeNames[] = {"f32", "bf16", "f16"};
template <>
inline constexpr std::span<const char* const> kChoices<TrainedDType> = kTrainedDTypeNames;

/// Tags of the fields of TrainOptions, beside kResumable and kThisRunOnly. Those with none of the first three
/// are of every kind of data.
enum TrainTag : uint32_t {
  kOfText = 1,       ///< of texts and tokens
  kOfExamples = 2,   ///< of images, arrays and tables
  kOfTables = 4,     ///< of tables
  kOfOptimizer = 8,  ///< of those optimisers that have a field of this name
  kByEpochs = 16,    ///< epochs decide it when the data are known
};

/// What `gyre train` is told: data, model, training. Members that neither a preset nor the kind of
/// data sets have these defaults. `steps` and `epochs` are of the numbers and free nevertheless:
/// they give the rest of a training another schedule.
struct TrainOptions {
  std::vector<std::string> data{};  ///< what data_kind() tells apart; not a field of the record
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
               "folder that gets log, the newest three checkpoints and the best, and "
               "model.safetensors: the weights of the newest, or the best where patience ends it",
               kThisRunOnly),
    GYRE_FIELD(preset, "a set of options, which those given by hand override", kOfText),
    GYRE_FIELD(tokenizer, "char, bpe:N (N tokens, learned from the data) or a tokenizer.json",
               kOfText),
    GYRE_FIELD(model, "mlp, cnn, linear or a JSON file of layers; unless given, what suits",
               kOfExamples),
    GYRE_FIELD(target, "column of a table that is learned; unless given, the last", kOfTables),
    GYRE_FIELD(without, "columns of a table that are left out, with commas between",
               kOfTables | kListed),
    GYRE_FIELD(task, "what the target of a table is; detect: classes if it holds texts", kOfTables),
    GYRE_FIELD(header, "whether the first record of a table has the names of its columns",
               kOfTables),
    GYRE_FIELD(layers, "transformer blocks", kOfText),
    GYRE_FIELD(heads, "attention heads a block", kOfText),
    GYRE_FIELD(width, "numbers a token, a multiple of heads", kOfText),
    GYRE_FIELD(block, "tokens that the model sees at once", kOfText),
    GYRE_FIELD(bias, "linear layers and norms have biases", kOfText),
    GYRE_FIELD(activation, "of the MLP", kOfText),
    GYRE_FIELD(tied, "the output layer shares the token table", kOfText),
    GYRE_FIELD(dropout, "share of values dropped in training", kOfText),
    GYRE_FIELD(batch, "sequences or examples a batch"),
    GYRE_FIELD(accumulate, "batches a step, whose gradients are averaged"),
    GYRE_FIELD(steps, "optimiser steps in all", kByEpochs | kResumable),
    GYRE_FIELD(epochs, "passes over the data, in place of steps", kOfExamples | kResumable),
    GYRE_FIELD(workers, "threads that make batches ahead", kOfExamples | kResumable),
    GYRE_FIELD(lr, "highest learning rate", kOfOptimizer),
    GYRE_FIELD(min_lr, "learning rate at the end; below 0: a tenth of lr"),
    GYRE_FIELD(warmup,
               "steps in which the learning rate rises; unless given, at most a tenth of all",
               kByEpochs),
    GYRE_FIELD(schedule, "of the learning rate after warm-up"),
    GYRE_FIELD(lr_gamma, "times the rate in lr_every steps, by the schedules step, exponential"),
    GYRE_FIELD(lr_decay, "share of all steps, the last, in which the schedule wsd falls"),
    GYRE_FIELD(lr_every, "steps in which the schedules step and exponential multiply once"),
    GYRE_FIELD(
        optimizer,
        "name of an optimiser; unless given, lr, betas and weight_decay of others than adamw "
        "are their own defaults"),
    GYRE_FIELD(optimizer_options,
               "more options of the optimiser, as momentum=0.9,nesterov=true or a JSON object"),
    GYRE_FIELD(weight_decay, "of the optimiser, on tensors of two or more dimensions",
               kOfOptimizer),
    GYRE_FIELD(clip, "largest norm of the gradient; 0: any"),
    GYRE_FIELD(beta1, "share of the first moment that stays", kOfOptimizer),
    GYRE_FIELD(beta2, "share of the second moment that stays", kOfOptimizer),
    GYRE_FIELD(non_finite, "what is done about a gradient that is NaN or infinite"),
    GYRE_FIELD(ema,
               "share of an average of the weights that stays at each step, for validation "
               "and the saved model; 0: no average"),
    GYRE_FIELD(dtype, "of weights and activations; optimisers keep weights of f32 beside 16 bits"),
    GYRE_FIELD(loss_scale, "factor of the loss with f16; 0: found as it goes"),
    GYRE_FIELD(val_fraction,
               "share of the data kept for validation, of a text its end; data with a part for "
               "that keep none"),
    GYRE_FIELD(eval_every, "steps between validations; 0: only at the end", kByEpochs | kResumable),
    GYRE_FIELD(eval_batches, "batches a validation", kOfText | kResumable),
    GYRE_FIELD(patience,
               "ends the training after so many validations without a better one, and leaves the "
               "weights of the best; 0: never",
               kResumable),
    GYRE_FIELD(save_every, "steps between checkpoints; 0: only at the end", kByEpochs | kResumable),
    GYRE_FIELD(stop_at, "save and end after this step, for --resume; 0: go to the end",
               kThisRunOnly),
    GYRE_FIELD(log_every, "steps between lines of the log", kResumable),
    GYRE_FIELD(sample_every, "steps between texts that the model writes; 0: none",
               kOfText | kResumable),
    GYRE_FIELD(sample_tokens, "tokens of such a text", kOfText | kResumable),
    GYRE_FIELD(sample_prompt, "that such a text goes on from", kOfText | kResumable),
    GYRE_FIELD(trace, "file that gets a Chrome trace of the first steps' ops", kThisRunOnly),
    GYRE_FIELD(trace_steps, "steps that are traced; 0: all", kThisRunOnly),
    GYRE_FIELD(check_nan, "ends with the op that first gives NaN or an infinity", kThisRunOnly),
    GYRE_FIELD(seed, "of weights, batches and dropout"),
    GYRE_FIELD(threads, "threads to use; 0: as set for the process", kThisRunOnly),
    GYRE_FIELD(
        resume,
        "go on from the newest checkpoint in --out with its DATA and options. What does not change "
        "the numbers may be new (--stop-at, --threads, --eval-every, samples, traces, ...), and so "
        "may --steps or --epochs, whose schedule is then followed",
        kThisRunOnly),
    GYRE_FIELD(config,
               "JSON file of options by their names here, and `data`, a list; options given "
               "by hand override it",
               kThisRunOnly),
    GYRE_FIELD(print_config, "print all options, as --config takes them, and do nothing",
               kThisRunOnly));

/// What a training has come to, when it ends.
struct TrainReport {
  int64_t steps = 0;
  int64_t new_steps = 0;  ///< done by this run
  /// Of the last step and the last validation, whichever run had them; NaN when there was none.
  double train_loss = Figures::kNone;
  Figures val{};
  int64_t best_step = 0;              ///< whose validation was the best; 0: none
  double best_loss = Figures::kNone;  ///< of that validation
  double seconds = 0;                 ///< of this run
  double tokens_per_second = 0;
  int64_t peak_bytes = 0;    ///< of tensors
  std::string checkpoint{};  ///< the newest
  int64_t parameters = 0;
  std::string unit = "tok";  ///< what tokens_per_second counts
  bool interrupted = false, stopped_early = false;
};
GYRE_FIELDS(TrainReport, GYRE_FIELD(steps, "optimiser steps done in all"),
            GYRE_FIELD(new_steps, "of these, in this run"),
            GYRE_FIELD(train_loss, "of the last step: nats a token or an example, or squares"),
            GYRE_FIELD_AS(val_loss, val.loss, "the same of the last validation"),
            GYRE_FIELD_AS(val_bits_per_byte, val.bits_per_byte, "the same in bits a byte of text"),
            GYRE_FIELD_AS(val_accuracy, val.accuracy, "share of right classes, there"),
            GYRE_FIELD_AS(val_mae, val.mae, "mean absolute error of numbers, there"),
            GYRE_FIELD_AS(val_r2, val.r2, "share of their variance that was explained"),
            GYRE_FIELD(best_step, "step of the best validation"),
            GYRE_FIELD(best_loss, "of that validation"),
            GYRE_FIELD(seconds, "wall time of this run"),
            GYRE_FIELD(tokens_per_second, "trained on, of this run"),
            GYRE_FIELD(peak_bytes, "most memory that tensors took"),
            GYRE_FIELD(checkpoint, "folder of the newest checkpoint"),
            GYRE_FIELD(parameters, "numbers that were trained"),
            GYRE_FIELD(unit, "what tokens_per_second counts: tok or samples"),
            GYRE_FIELD(interrupted, "stopped before the end; --resume goes on"),
            GYRE_FIELD(stopped_early, "ended by patience"));

}  // namespace gyre
