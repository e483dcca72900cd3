#include "gyre/models/train.h"

#include <cmath>

#include "cli/command.h"
#include "cli/option_text.h"
#include "cli/trained.h"
#include "gyre/base/system/interrupt.h"
#include "gyre/base/system/memory.h"
#include "gyre/base/system/terminal.h"
#include "gyre/base/text/counted.h"
#include "gyre/registry/layer_table.h"
#include "gyre/registry/optimizer_table.h"
#include "gyre/train/progress/text_progress.h"

namespace gyre {
namespace {

// Warnings name options as the command line spells them.
class CommandProgress : public TextProgress {
 public:
  using TextProgress::TextProgress;
  void warned(std::string_view message) override {
    TextProgress::warned(with_options(std::string(message), record_of<TrainOptions>));
  }
};

std::string losses(const TrainReport& report) {
  std::string text = std::isnan(report.train_loss)
                         ? "no training loss, "
                         : fmt::format("training loss {:.4f}, ", report.train_loss);
  if (std::isnan(report.val.loss)) return text + "no validation";
  text += "validation " + figures_text(report.val);
  return text;
}

void show(Output& out, const std::string& folder, const TrainReport& report) {
  out.print("{} after {}: {}\n", folder, counted(report.steps, "step"), losses(report));
  if (std::isfinite(report.initial_loss))
    out.print("validation loss before the first step {:.4f}\n", report.initial_loss);
  if (std::isfinite(report.best_loss) && report.best_step != report.steps) {
    out.print("best validation loss {:.4f} at step {}: {}\n", report.best_loss, report.best_step,
              report.interrupted ? fmt::format("{}/checkpoints/step-{}", folder, report.best_step)
                                 : "its weights are in " + folder);
  }
  if (report.stopped_early)
    out.print("stopped early by --patience: the validation loss no longer improved\n");
  if (report.new_steps == 0 && !report.interrupted) {
    out.print("nothing to do: no steps left\n");
  } else {
    out.print(
        "{}, {:.0f} {} per second, peak tensor memory {}\n"
        "weights and optimiser state {}, {:.2f} bytes a weight\n",
        duration_text(report.seconds), report.tokens_per_second,
        report.unit == "tok" ? "tokens" : report.unit,
        size_text(static_cast<double>(report.peak_bytes)),
        size_text(static_cast<double>(report.state_bytes)), report.bytes_per_weight);
  }
}

std::string notes() {
  std::string text = "Presets:\n";
  for (const TrainPreset& preset : train_presets()) {
    text += fmt::format("  {:<10} {}\n", preset.name, preset.doc);
  }
  std::string names;
  for (const OptimizerDef* def : optimizer_table().optimizers) {
    names += (names.empty() ? "" : ", ") + std::string(def->name);
  }
  text += "Optimisers: " + names + ".\n";
  text += "Defaults for texts (--model gyre): " + suited_to_texts() + ".\n";
  text += "Defaults for images and arrays: " + suited_to_arrays() + ".\n";
  text += "Defaults for tables: " + suited_to_tables() + ".\n";
  text +=
      "Images, arrays and tables: steps are epochs x batches per epoch. The model is evaluated and "
      "saved after every epoch; in runs of more than 50 epochs less often, at most 50 times.\n";
  return with_options(text, record_of<TrainOptions>);
}

int run_train(const Invocation& call) {
  const auto& options = call.as<TrainOptions>();
  const ResolvedOptions resolved = resolve(options, call.given, optimizer_table());
  const TrainerOptions& all = resolved.options.trainer;
  if (all.run.print_config) {
    call.out.text(config_of(resolved, optimizer_table()).dump(2) + "\n");
    return kDone;
  }
  if (all.run.out.empty())
    throw UsageError("--out DIR is missing: the folder to write the model to");
  if (resolved.options.data.sources.empty() && !all.checkpoints.resume) {
    throw UsageError(
        "missing DATA: texts, wordnet:glosses, FILE.bin, mnist:FOLDER, FILE.npz or FILE.csv");
  }
  const TrainReport report = [&] {
    CommandProgress progress(stderr, is_terminal(stderr), note_interrupts);
    return train(options, call.given, layer_table(), optimizer_table(), progress);
  }();
  return answer_trained(call, "train", all.run.out, report, show);
}

}  // namespace

const Command train_command{
    "train",
    "train a model on text, images or tables",
    "gyre train wordnet:glosses --out model --layers 4 --width 128 --steps 2000",
    {"DATA",
     "texts (.txt, .jsonl, wordnet:glosses), tokens (.bin), mnist:FOLDER, .npz or .csv; not "
     "needed with --resume",
     0, kAny},
    record_of<TrainOptions>,
    run_train,
    notes};

}  // namespace gyre
