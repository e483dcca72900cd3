#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gyre/models/train_config.h"
#include "gyre/nn/layer_def.h"
#include "gyre/train/progress/sink.h"

namespace gyre {

/// Trains as `gyre train` does: a GPT on text, a network of `layers` on images and tables;
/// by one of `optimizers`. `given`
/// names the fields of TrainOptions that were set by hand: they override config and preset, and
/// others but data and what is of this run only (kThisRunOnly) do not count. With `resume` what they
/// change must not change the numbers (train_config.h); but steps or epochs may be new, with the
/// schedule of what is left, and no data are needed. The folder `out` gets model.safetensors with
/// config.json and tokenizer.json as Hugging Face has them, or with model.json;
/// checkpoints/step-N/, log.jsonl, loss.svg, a file for TensorBoard (train/log/event_file.h) and
/// report.html. When the sink wants it to stop, the training is saved and the report says
/// `interrupted`; with no step left to do the report has the losses that are recorded. A start that
/// fails leaves nothing. Errors: value, naming the option (unknown preset or tokenizer, width not a
/// multiple of heads, out already holds a model, a training or the log of one, resume without one,
/// ...); io; parse; numeric, naming the step, when the loss is no longer finite;
/// resource, when another training runs in `out` or the model is too large for the machine;
/// unsupported, a checkpoint of another format. Messages have names of options in backticks.
TrainReport train(const TrainOptions& options, std::span<const std::string> given,
                  const nn::LayerTable& layers, const OptimizerTable& optimizers, TrainSink& sink);
/// The same where every field counts as given that means something with the data (steps and what
/// follows from them unless there are epochs), and no preset may be named.
TrainReport train(const TrainOptions& options, const nn::LayerTable& layers,
                  const OptimizerTable& optimizers, TrainSink& sink);

}  // namespace gyre
