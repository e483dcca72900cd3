#include "gyre/models/text/text_model.h"

#include <fmt/format.h>

#include <algorithm>

#include "gyre/base/error.h"
#include "gyre/base/system/memory.h"
#include "gyre/base/text/counted.h"
#include "gyre/models/packing.h"
#include "gyre/models/prepared_task.h"
#include "gyre/models/text/start_model.h"
#include "gyre/packed/compress/compress.h"
#include "gyre/train/progress/text_progress.h"

namespace gyre {
namespace {

const char* name_of(TrainedFormat format) {
  return kTrainedFormatNames[static_cast<size_t>(format)];
}

CompressPolicy policy_of(TrainedFormat format) { return {&ring_format(name_of(format))}; }

void require_packable(nn::Module& model, TrainedFormat format) {
  const CompressPolicy policy = policy_of(format);
  const std::vector<PlannedTensor> plan = plan_formats(model, policy);
  if (std::ranges::any_of(plan, &PlannedTensor::format)) return;
  int64_t largest = 0;
  for (const PlannedTensor& t : plan) {
    if (t.tensor.rank() > 1) largest = std::max(largest, t.tensor.numel());
  }
  refuse_training(
      fmt::format("`packed` {} packs nothing: matrices of fewer than {} weights stay as "
                  "they are, and the largest has {}; set a larger `width`, or omit "
                  "`packed`",
                  name_of(format), grouped(policy.least_weights), grouped(largest)),
      {"a matrix of ", policy.least_weights, " weights"}, largest);
}

}  // namespace

DecoderOptions text_model_options(const TrainOptions& o, const std::string& checkpoint) {
  if (checkpoint.empty()) return o.decoder;
  DecoderOptions options = copied_options(checkpoint);  // the record of a run lacks some
  options.dropout = o.decoder.dropout;
  return options;
}

std::unique_ptr<LanguageModel> make_text_model(const TrainOptions& o,
                                               const DecoderOptions& options) {
  Generator generator{static_cast<uint64_t>(o.trainer.run.seed), 0};
  if (o.trainer.checkpoints.resume) return std::make_unique<Decoder>(options, nn::Unfilled());
  std::unique_ptr<Decoder> model;
  if (o.start.init.empty()) {
    model = std::make_unique<Decoder>(options, &generator);
  } else {
    model = std::make_unique<Decoder>(options, nn::Unfilled());
    model->load(o.start.init);
  }
  if (o.start.packed == TrainedFormat::none || packing_of(*model).packed_tensors > 0) return model;
  require_packable(*model, o.start.packed);
  compress(*model, policy_of(o.start.packed));
  return model;
}

void require_packable(const TrainOptions& o, int64_t vocab) {
  if (o.start.packed == TrainedFormat::none || !o.start.init.empty()) return;
  DecoderOptions options = o.decoder;
  options.vocab = vocab;
  Decoder model(options, nn::Unfilled());
  require_packable(model, o.start.packed);
}

int64_t sequence_length(const TrainOptions& o) {
  return o.text.sequence_length > 0 ? o.text.sequence_length : o.decoder.block_size;
}

std::string describe_text_model(const TrainOptions& o) {
  return fmt::format("transformer of {}, {}, width {}, block {}",
                     counted(o.decoder.layers, "layer"), counted(o.decoder.heads, "head"),
                     o.decoder.width, sequence_length(o));
}

void check_text_model(const TrainOptions& o) {
  check_heads("train", o.decoder);
  if (const int64_t length = sequence_length(o); length > o.decoder.block_size) {
    refuse_training({"`sequence_length` is ", length, ", but the context length of the model is ",
                     o.decoder.block_size},
                    o.decoder.block_size, length);
  }
}

double training_bytes(const TrainOptions& o, const DecoderOptions& model) {
  DecoderOptions batch = model;
  batch.block_size = sequence_length(o);
  const double parameters = parameter_count(model),
               activations = activation_count(batch, o.trainer.batch.size,
                                              o.trainer.batch.gradient_checkpointing);
  const double size = o.trainer.precision.dtype == TrainedDType::f32 ? 4 : 2;
  return size * (parameters + std::max(parameters, activations));
}

void require_memory(const TrainOptions& o, const DecoderOptions& model) {
  const double bytes = training_bytes(o, model);
  const auto available = static_cast<double>(machine_memory());
  if (available == 0 || bytes <= available) return;
  const double tokens =
      static_cast<double>(o.trainer.batch.size) * static_cast<double>(sequence_length(o));
  throw Error(
      Code::resource, "train",
      fmt::format(
          "a model of {:.3g} parameters with batches of {:.3g} tokens needs at least {} to "
          "train, but there are only {} of memory; reduce `width`, `layers`, `batch_size` or "
          "`sequence_length`, or set `gradient_checkpointing`",
          parameter_count(model), tokens, size_text(bytes), size_text(available)),
      "<= " + size_text(available), size_text(bytes));
}

}  // namespace gyre
