#pragma once
#include "gyre/models/prepared_task.h"

namespace gyre {

/// A Gpt and its text, read from `options.data`; the tokenizer is made or, of a training that goes
/// on, that of its checkpoint. Errors: value naming an option, io, parse, resource.
PreparedTask prepare_text(const TrainOptions& options, const StartPoint& from, TrainSink& sink);
/// The same with mapped files of tokens, to train and, if there are two, to validate with; the
/// tokenizer is the file that `options.tokenizer` names. Of files whose ends and sizes stay, a
/// training that goes on does not notice other changes.
PreparedTask prepare_tokens(const TrainOptions& options, const StartPoint& from, TrainSink& sink);

}  // namespace gyre
