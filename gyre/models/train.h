#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gyre/train/options.h"
#include "gyre/train/sink.h"

namespace gyre {

/// A named set of options of `gyre train`.
struct TrainPreset {
  const char* name;
  const char* doc;
  void (*apply)(TrainOptions& options);
};
std::span<const TrainPreset> train_presets();

/// Trains a GPT on text, as `gyre train` does. `given` names the fields of TrainOptions that were
/// set by hand: they override the preset, and with `resume` they are compared with what the
/// checkpoint says (stop_at, threads, eval_batches and the *_every fields may change, and so may
/// steps, with the schedule of what is left); no data are then needed. The folder `out` gets
/// config.json, model.safetensors, tokenizer.json, checkpoints/step-N/, log.jsonl and loss.svg.
/// When the sink wants it to stop, the training is saved and the report says `interrupted`; with no
/// step left to do the report has the losses that are recorded. A start that fails leaves nothing.
/// Errors: value, naming the option (unknown preset or tokenizer, width not a multiple of heads,
/// out already holds a training, resume without one, ...); io; parse; numeric, naming the step,
/// when the loss is no longer finite; resource, when another training runs in `out` or the model is
/// too large for the machine. Messages have names of options in backticks.
TrainReport train(const TrainOptions& options, std::span<const std::string> given, TrainSink& sink);
/// The same where every field counts as given, and no preset may be named.
TrainReport train(const TrainOptions& options, TrainSink& sink);

}  // namespace gyre
