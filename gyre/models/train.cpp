#include "gyre/models/train.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gyre/base/error.h"
#include "gyre/base/system/file.h"
#include "gyre/base/thread_pool.h"
#include "gyre/models/data_kind.h"
#include "gyre/models/packing.h"
#include "gyre/models/prepared_task.h"
#include "gyre/models/text/start_model.h"
#include "gyre/models/text/text_model.h"
#include "gyre/models/train_report.h"
#include "gyre/train/log/training_log.h"
#include "gyre/train/out_folder.h"
#include "gyre/train/report/report.h"

namespace gyre {
namespace {

// The newest intact checkpoint.
TrainState newest_state(const std::string& out, TrainSink& sink) {
  CheckpointStore store(out + "/checkpoints");
  std::vector<int64_t> steps = store.steps();
  if (steps.empty())
    refuse_training("there is no checkpoint in " + out + " to `resume` from", "a checkpoint");
  for (size_t i = steps.size(); i-- > 0;) {
    try {
      return store.read(steps[i]);
    } catch (const Error& e) {
      if (i == 0 || !is_damage(e)) throw;
      sink.warned(store.path(steps[i]) + " is unusable (" + e.what() + "); falling back to step " +
                  std::to_string(steps[i - 1]));
    }
  }
  refuse_training("there is no checkpoint in " + out);
}

bool is_given(std::span<const std::string> given, const char* name) {
  return std::find(given.begin(), given.end(), name) != given.end();
}

// Derives steps from epochs, and validation and checkpoints once per epoch, or every few epochs so
// that there are at most 50, where not given explicitly. A resumed run keeps its stored values
// unless `epochs` is given.
void count_steps(TrainOptions& o, std::span<const std::string> given, int64_t batches_per_epoch) {
  TrainerOptions& t = o.trainer;
  double steps = static_cast<double>(batches_per_epoch) / static_cast<double>(t.batch.accumulate);
  if (!t.checkpoints.resume && !is_given(given, "eval_every")) {
    constexpr double kMostEvaluations = 50;
    const double epochs =
        is_given(given, "steps") ? static_cast<double>(t.schedule.steps) / steps : o.data.epochs;
    const double apart = std::max(1.0, std::ceil(epochs / kMostEvaluations));
    t.evaluation.every = std::max<int64_t>(1, std::llround(steps * apart));
  }
  if (!t.checkpoints.resume && !is_given(given, "save_every"))
    t.checkpoints.every = t.evaluation.every;
  bool counts = o.data.epochs > 0 && (!t.checkpoints.resume || is_given(given, "epochs"));
  if (!counts || is_given(given, "steps")) return;
  t.schedule.steps = std::max<int64_t>(1, std::llround(o.data.epochs * steps));
  if (!t.checkpoints.resume && !is_given(given, "warmup_steps"))
    t.schedule.warmup = std::min<int64_t>(100, t.schedule.steps / 10);
}

// Fails early if a file cannot be written where it is wanted.
void require_folder(const char* option, const std::string& file) {
  const std::string folder = file.substr(0, file.rfind('/') + 1);
  if (folder.empty() || is_directory(folder)) return;
  refuse_training(fmt::format("`{}`: no such folder: {}", option, folder), "a folder", folder);
}

// Fails early if there is nothing to compare with.
void require_runs(const std::vector<std::string>& folders) {
  if (constexpr size_t kMost = kMostCompared - 1; folders.size() > kMost) {
    refuse_training(
        fmt::format("`compare` takes at most {} folders, got {}", kMost, folders.size()),
        {"at most ", kMost}, folders.size());
  }
  for (const std::string& folder : folders) {
    const std::string log = folder + "/log.jsonl";
    if (!file_exists(log)) {
      refuse_training(
          fmt::format("`compare`: {} holds no training run; it has no log.jsonl", folder),
          "the output folder of a training run", folder);
    }
    const auto validates = [](const Json& entry) { return entry.find("val_loss") != nullptr; };
    if (std::ranges::none_of(read_training_log(log), validates))
      refuse_training(fmt::format("`compare`: {} has no validation losses", log));
  }
}

void check_options(const TrainOptions& o) {
  check_record("train", o);
  check_trainer_options(o.trainer);
  check_text_model(o);
}

// Checks that can be made before the data determine the number of steps.
void check_early(TrainOptions o, std::span<const std::string> given) {
  constexpr int64_t kMany = int64_t{1} << 40;
  TrainerOptions& t = o.trainer;
  require_folder("trace", t.log.trace);
  require_runs(t.log.compare);
  const bool needs_tokenizer = !t.checkpoints.resume && !is_given(given, "tokenizer") &&
                               o.start.init.empty() &&
                               data_kind(o.data.sources) == DataKind::tokens;
  if (needs_tokenizer) {
    refuse_training("`tokenizer` is missing; " + o.data.sources[0] +
                        " holds token ids: give the tokenizer.json that made them",
                    "a tokenizer.json");
  }
  if (o.data.epochs > 0 && !is_given(given, "steps"))
    t.schedule.steps = std::max(t.schedule.steps, kMany);
  check_options(o);
}

void require_steps(const TrainOptions& o, int64_t done) {
  const TrainerOptions& t = o.trainer;
  const bool stops = t.checkpoints.stop_at > 0 && t.checkpoints.stop_at < done;
  if (!stops && t.schedule.steps >= done) return;
  refuse_training(fmt::format("the run in {} has done {} steps, more than `{}` {}", t.run.out, done,
                              stops ? "stop_at" : "steps",
                              stops ? t.checkpoints.stop_at : t.schedule.steps));
}

// Refuses to overwrite files of something else.
void require_free(const OutFolder& folder, const TrainOptions& o) {
  const std::string& out = o.trainer.run.out;
  std::vector<const char*> written{"model.safetensors", "config.json", "model.json"};
  // the given tokenizer may already be in the output folder
  if (!same_file(o.text.tokenizer, out + "/tokenizer.json")) written.push_back("tokenizer.json");
  const std::vector<TokenizerFile> carried = carried_files(o, "");
  if (!same_file(o.text.tokenizer, out)) {
    for (const TokenizerFile& file : carried) written.push_back(file.name.c_str());
  }
  folder.require_free("train", written, "step");
}

PreparedTask prepare(const TrainOptions& o, const StartPoint& from, const nn::LayerTable& layers,
                     TrainSink& sink) {
  switch (data_kind(o.data.sources)) {
    case DataKind::text:
      return prepare_text(o, from, sink);
    case DataKind::tokens:
      return prepare_tokens(o, from, sink);
    default:
      return prepare_supervised(o, from, layers, sink);
  }
}

// What of the model is packed, and how it is trained; empty if nothing is.
std::string packing_line(const StartPoint& from, TrainTask& task, const std::string& mode) {
  // a resumed run gets its weights with the optimiser
  const Packing packing = from.checkpoint.empty()
                              ? packing_of(task.model())
                              : packing_of(from.checkpoint + "/model.safetensors");
  return packing.formats.empty() ? "" : packing_text(packing) + ", mode " + mode;
}

}  // namespace

void StartPoint::require_same(uint64_t checksum) const {
  if (checkpoint.empty() || checksum == data) return;
  refuse_training("the data differ from those that the run in " + out + " was started with");
}

TrainReport train(const TrainOptions& options, std::span<const std::string> by_hand,
                  const nn::LayerTable& layers, const OptimizerTable& optimizers, TrainSink& sink) {
  ResolvedOptions resolved = resolve(options, by_hand, optimizers);
  TrainOptions& o = resolved.options;
  TrainerOptions& t = o.trainer;
  if (t.run.out.empty()) refuse_training("`out` is missing; give the output folder of the model");
  if (!t.checkpoints.resume) check_early(o, resolved.given);
  const OutFolder folder(t.run.out);
  CheckpointStore store(t.run.out + "/checkpoints");
  store.recover();
  TrainState state;
  StartPoint from{.out = t.run.out};
  if (t.checkpoints.resume) {
    state = newest_state(t.run.out, sink);
    o = continued_options(resolved, state.options, optimizers);
    check_early(o, resolved.given);
    if (!is_given(resolved.given, "epochs")) require_steps(o, state.step);
    from.checkpoint = store.path(state.step);
    from.data = state.data;
  } else if (!store.steps().empty()) {
    refuse_training(
        t.run.out +
            " already holds a training run; set `resume` to continue it, or choose another `out`",
        "a new folder", t.run.out);
  } else {
    require_free(folder, o);
  }
  if (t.run.threads > 0) set_num_threads(static_cast<int>(t.run.threads));
  PreparedTask prepared = prepare(o, from, layers, sink);
  if (prepared.batches_per_epoch > 0) {
    count_steps(o, resolved.given, prepared.batches_per_epoch);
    check_options(o);
    require_steps(o, state.step);
  }
  if (t.evaluation.patience > 0 && !prepared.validates) {
    refuse_training("`patience` needs validation data; set `val_fraction` above 0");
  }
  state.data = prepared.checksum;
  const Json stored = stored_options(o, optimizers);
  state.options = stored;
  if (!t.checkpoints.resume) {
    state.seed = static_cast<uint64_t>(t.run.seed);
    state.validation_due = !o.start.init.empty() && prepared.validates;
  }
  sink.started(prepared.summary);
  const std::string packing = packing_line(from, *prepared.task, t.optimizer.packed_mode);
  if (!packing.empty()) sink.noted(packing);
  TrainReport report = run_training(*prepared.task, o.trainer, optimizers, std::move(state), sink);
  report.lr = t.schedule.lr;
  write_report(o, stored, prepared.summary + (packing.empty() ? "" : "; ") + packing, report);
  return report;
}

TrainReport train(const TrainOptions& options, const nn::LayerTable& layers,
                  const OptimizerTable& optimizers, TrainSink& sink) {
  if (!options.preset.empty())
    refuse_training("`preset` needs the overload of train() that takes the names of given options");
  return train(options, all_applicable(options, optimizers), layers, optimizers, sink);
}

}  // namespace gyre
