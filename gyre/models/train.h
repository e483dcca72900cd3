#pragma once
#include <span>
#include <string>

#include "gyre/models/train_config.h"
#include "gyre/nn/layer_def.h"
#include "gyre/train/progress/sink.h"

namespace gyre {

/// Trains as `gyre train` does, with one of `optimizers`: a GPT on text, a network of `layers` on
/// images, arrays and tables. `given` names the fields of TrainOptions that were set explicitly:
/// they override config and preset; other fields are ignored, except data and those tagged
/// kThisProcessOnly. With `resume`, given fields must not change the numbers (train_config.h),
/// except steps or epochs, which change the remaining schedule; data may be omitted.
///
/// The folder `out` gets model.safetensors with config.json and tokenizer.json in Hugging Face's
/// format, or with model.json; checkpoints/step-N/, log.jsonl, loss.svg, TensorBoard events
/// (train/log/event_file.h) and report.html. If the sink stops the run, it is saved and the report
/// has `interrupted`; without steps left to do, the report has the recorded losses. A run that
/// fails to start leaves nothing. Errors: value, naming the option in backticks (unknown preset or
/// tokenizer, width not divisible by heads, out already holds a model, run or log, resume without
/// one, ...); io; parse; numeric, naming the step, if the loss is not finite; resource, if another
/// run uses `out` or the model is too large for the machine; unsupported, for a checkpoint of
/// another format version.
TrainReport train(const TrainOptions& options, std::span<const std::string> given,
                  const nn::LayerTable& layers, const OptimizerTable& optimizers, TrainSink& sink);
/// As above, with every field that applies to the data counted as given (except steps and what
/// follows from them if there are epochs); no preset may be named.
TrainReport train(const TrainOptions& options, const nn::LayerTable& layers,
                  const OptimizerTable& optimizers, TrainSink& sink);

}  // namespace gyre
