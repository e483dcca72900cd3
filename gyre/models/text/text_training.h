#pragma once
#include "gyre/models/prepared_task.h"
#include "gyre/models/train_options.h"

namespace gyre {

/// A language model and its text, read from `options.data`; the tokenizer is trained or, on resume,
/// read from the checkpoint. Errors: value naming an option, io, parse, resource.
PreparedTask prepare_text(const TrainOptions& options, const StartPoint& from, TrainSink& sink);
/// As above, with memory-mapped token files for training and, if there are two, validation; the
/// tokenizer is the file `options.tokenizer`. A resumed run detects changes only in the size and
/// the ends of these files.
PreparedTask prepare_tokens(const TrainOptions& options, const StartPoint& from, TrainSink& sink);

}  // namespace gyre
