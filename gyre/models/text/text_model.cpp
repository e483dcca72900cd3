#include "gyre/models/text/text_model.h"

#include <fmt/format.h>

#include <algorithm>

#include "gyre/base/error.h"
#include "gyre/base/system/memory.h"
#include "gyre/base/text/counted.h"
#include "gyre/models/prepared_task.h"
#include "gyre/packed/compress.h"

namespace gyre {
namespace {

DecoderOptions decoder_options(const TrainOptions& o, int64_t vocab) {
  DecoderOptions options = o.decoder;
  options.vocab = vocab;
  return options;
}

}  // namespace

std::unique_ptr<LanguageModel> make_text_model(const TrainOptions& o, int64_t vocab) {
  Generator generator{static_cast<uint64_t>(o.trainer.run.seed), 0};
  const DecoderOptions options = decoder_options(o, vocab);
  if (o.trainer.checkpoints.resume) return std::make_unique<Decoder>(options, nn::Unfilled());
  std::unique_ptr<Decoder> model;
  if (o.start.init.empty()) {
    model = std::make_unique<Decoder>(options, &generator);
  } else {
    model = std::make_unique<Decoder>(options, nn::Unfilled());
    model->load(o.start.init);
  }
  if (const TrainedFormat packed = o.start.packed; packed != TrainedFormat::none)
    compress(*model, {&ring_format(kTrainedFormatNames[static_cast<size_t>(packed)])});
  return model;
}

std::string describe_text_model(const TrainOptions& o) {
  return fmt::format("transformer of {}, {}, width {}, block {}",
                     counted(o.decoder.layers, "layer"), counted(o.decoder.heads, "head"),
                     o.decoder.width, o.decoder.block_size);
}

void check_text_model(const TrainOptions& o) { check_heads("train", o.decoder); }

double training_bytes(const TrainOptions& o, int64_t vocab) {
  DecoderOptions model = decoder_options(o, vocab);
  double parameters = parameter_count(model),
         activations =
             activation_count(model, o.trainer.batch.size, o.trainer.batch.gradient_checkpointing);
  const double size = o.trainer.precision.dtype == TrainedDType::f32 ? 4 : 2;
  return size * (parameters + std::max(parameters, activations));
}

void require_memory(const TrainOptions& o, int64_t vocab) {
  double bytes = training_bytes(o, vocab);
  auto available = static_cast<double>(machine_memory());
  if (available == 0 || bytes <= available) return;
  double tokens =
      static_cast<double>(o.trainer.batch.size) * static_cast<double>(o.decoder.block_size);
  throw Error(
      Code::resource, "train",
      fmt::format(
          "a model of {:.3g} parameters with batches of {:.3g} tokens needs at least {} to "
          "train, but there are only {} of memory; reduce `width`, `layers` or `batch_size`, or "
          "set `gradient_checkpointing`",
          parameter_count(decoder_options(o, vocab)), tokens, size_text(bytes),
          size_text(available)),
      "<= " + size_text(available), size_text(bytes));
}

}  // namespace gyre
