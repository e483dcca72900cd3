#include "gyre/models/train.h"

#include "cli/commands.h"
#include "gyre/base/interrupt.h"
#include "gyre/base/terminal.h"
#include "gyre/io/record_json.h"
#include "gyre/train/text_progress.h"

namespace gyre {
namespace {

int run(const Invocation& call) {
  TrainOptions options = call.as<TrainOptions>();
  options.data = call.operands;
  if (options.out.empty()) throw UsageError("--out DIR is missing: the folder that gets the model");
  TextProgress progress(stderr, is_terminal(stderr), note_interrupts());
  TrainReport report = train(options, call.given, progress);
  if (call.json) {
    call.out.json(record_to_json(report));
  } else {
    call.out.print(
        "{} after {} steps: training loss {:.4f}, validation loss {:.4f} ({:.4f} bits a byte)\n",
        options.out, report.steps, report.train_loss, report.val_loss, report.val_bits_per_byte);
    call.out.print("{:.1f} s, {:.0f} tokens a second, at most {:.1f} MB of tensors\n",
                   report.seconds, report.tokens_per_second,
                   static_cast<double>(report.peak_bytes) / 1e6);
    if (report.interrupted) call.out.print("interrupted; `gyre train ... --resume` goes on\n");
  }
  return report.interrupted ? kInterrupted : kDone;
}

}  // namespace

const Command train_command{
    "train",
    "trains a language model on text",
    "gyre train wordnet:glosses --out model --layers 4 --width 128 --steps 2000",
    {"DATA", "text files, or wordnet:glosses", 1, kAny},
    record_of<TrainOptions>,
    run};

}  // namespace gyre
