#pragma once
#include "gyre/models/prepared_task.h"
#include "gyre/models/train_options.h"
#include "gyre/nn/layer_def.h"

namespace gyre {

/// A network and its images, arrays or table, read from `options.data`. Errors: value naming an
/// option, io, parse, and those of SupervisedTask.
PreparedTask prepare_supervised(const TrainOptions& options, const StartPoint& from,
                                const nn::LayerTable& layers, TrainSink& sink);

}  // namespace gyre
