#include "gyre/models/measure/perplexity.h"

#include "cli/command.h"
#include "cli/model_memory.h"
#include "gyre/base/system/terminal.h"
#include "gyre/io/record_json.h"
#include "gyre/models/language_model.h"
#include "gyre/train/progress/writing_sink.h"

namespace gyre {
namespace {

int run_perplexity(const Invocation& call) {
  const auto& options = call.as<PerplexityOptions>();
  if (options.file.empty()) throw UsageError("--file FILE is missing");
  const std::string& folder = call.operands[0];
  ModelMemoryMeter meter;
  const auto model = load_language_model(folder, FileAccess::map);
  meter.pause();
  const MeasuredText text = measured_text(options, folder, *model);
  meter.resume();
  make_weights_contiguous(*model);
  model->eval();
  StatusLine line(stderr, is_terminal(stderr));
  const auto progress = [&](int64_t tokens, int64_t all) {
    if (line.terminal()) {
      line.redraw(fmt::format("predicting: {:3.0f} %",
                              100.0 * static_cast<double>(tokens) / static_cast<double>(all)));
    }
  };
  const Perplexity result = perplexity(*model, text.tokens, text.bytes, options, progress);
  line.end(false);
  const ModelMemory memory = meter.used(folder);
  if (call.json) {
    Json j = record_to_json(result);
    add_memory(j, memory);
    call.out.json(j);
  } else {
    call.out.print(
        "perplexity {:.4f}: {:.5f} nats per token, {:.5f} bits per byte, over {} tokens "
        "({} bytes) in {:.1f} s\n{}\n",
        result.perplexity, result.loss, result.bits_per_byte, result.tokens, result.bytes,
        result.seconds, memory_text(memory));
  }
  return kDone;
}

}  // namespace

const Command perplexity_command{
    "perplexity",
    "measure how well a language model predicts a text",
    "gyre perplexity model --file text.txt",
    {"MODEL", "a model folder, a .gguf file or a .bin file of llama2.c", 1, 1},
    record_of<PerplexityOptions>,
    run_perplexity};

}  // namespace gyre
