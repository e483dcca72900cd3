#include "gyre/models/train.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gyre/base/error.h"
#include "gyre/base/system/file.h"
#include "gyre/base/thread_pool.h"
#include "gyre/models/data_kind.h"
#include "gyre/models/refuse_training.h"
#include "gyre/models/supervised/supervised_training.h"
#include "gyre/models/text/text_training.h"
#include "gyre/models/train_report.h"
#include "gyre/train/out_folder.h"

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

// Derives steps from epochs, and validation and checkpoints once per epoch, where not given
// explicitly. A resumed run keeps its stored values unless `epochs` is given.
void count_steps(TrainOptions& o, std::span<const std::string> given, int64_t batches_per_epoch) {
  double steps = static_cast<double>(batches_per_epoch) / static_cast<double>(o.accumulate);
  if (!o.resume && !is_given(given, "eval_every")) {
    o.eval_every = std::max<int64_t>(1, std::llround(steps));
  }
  if (!o.resume && !is_given(given, "save_every")) o.save_every = o.eval_every;
  bool counts = o.epochs > 0 && (!o.resume || is_given(given, "epochs"));
  if (!counts || is_given(given, "steps")) return;
  o.steps = std::max<int64_t>(1, std::llround(o.epochs * steps));
  if (!o.resume && !is_given(given, "warmup")) o.warmup = std::min<int64_t>(100, o.steps / 10);
}

// Fails early if a file cannot be written where it is wanted.
void require_folder(const char* option, const std::string& file) {
  const std::string folder = file.substr(0, file.rfind('/') + 1);
  if (folder.empty() || is_directory(folder)) return;
  refuse_training(fmt::format("`{}`: no such folder: {}", option, folder), "a folder", folder);
}

// Checks that can be made before the data determine the number of steps.
void check_early(TrainOptions o, std::span<const std::string> given) {
  constexpr int64_t kMany = int64_t{1} << 40;
  require_folder("trace", o.trace);
  if (o.epochs > 0 && !is_given(given, "steps")) o.steps = std::max(o.steps, kMany);
  check_train_options(o);
}

void require_steps(const TrainOptions& o, int64_t done) {
  const bool stops = o.stop_at > 0 && o.stop_at < done;
  if (!stops && o.steps >= done) return;
  refuse_training(fmt::format("the run in {} has done {} steps, more than `{}` {}", o.out, done,
                              stops ? "stop_at" : "steps", stops ? o.stop_at : o.steps));
}

PreparedTask prepare(const TrainOptions& o, const StartPoint& from, const nn::LayerTable& layers,
                     TrainSink& sink) {
  switch (data_kind(o.data)) {
    case DataKind::text:
      return prepare_text(o, from, sink);
    case DataKind::tokens:
      return prepare_tokens(o, from, sink);
    default:
      return prepare_supervised(o, from, layers, sink);
  }
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
  if (o.out.empty()) refuse_training("`out` is missing; give the output folder of the model");
  if (!o.resume) check_early(o, resolved.given);
  const OutFolder folder(o.out);
  CheckpointStore store(o.out + "/checkpoints");
  store.recover();
  TrainState state;
  StartPoint from{.out = o.out};
  if (o.resume) {
    state = newest_state(o.out, sink);
    o = continued_options(resolved, state.options);
    check_early(o, resolved.given);
    if (!is_given(resolved.given, "epochs")) require_steps(o, state.step);
    from.checkpoint = store.path(state.step);
    from.data = state.data;
  } else if (!store.steps().empty()) {
    refuse_training(
        o.out +
            " already holds a training run; set `resume` to continue it, or choose another `out`",
        "a new folder", o.out);
  } else {
    std::vector<const char*> written{"model.safetensors", "config.json", "model.json"};
    // the given tokenizer may already be in the output folder
    if (!same_file(o.tokenizer, o.out + "/tokenizer.json")) written.push_back("tokenizer.json");
    folder.require_free("train", written, "step");
  }
  if (o.threads > 0) set_num_threads(static_cast<int>(o.threads));
  PreparedTask prepared = prepare(o, from, layers, sink);
  if (prepared.batches_per_epoch > 0) {
    count_steps(o, resolved.given, prepared.batches_per_epoch);
    check_train_options(o);
    require_steps(o, state.step);
  }
  if (o.patience > 0 && !prepared.validates) {
    refuse_training("`patience` needs validation data; set `val_fraction` above 0");
  }
  state.data = prepared.checksum;
  const Json stored = stored_options(o, optimizers);
  state.options = stored;
  if (!o.resume) state.random.seed = static_cast<uint64_t>(o.seed);
  sink.started(prepared.summary);
  TrainReport report = run_training(*prepared.task, o, optimizers, std::move(state), sink);
  write_report(o, stored, prepared.summary, report);
  return report;
}

TrainReport train(const TrainOptions& options, const nn::LayerTable& layers,
                  const OptimizerTable& optimizers, TrainSink& sink) {
  if (!options.preset.empty())
    refuse_training("`preset` needs the overload of train() that takes the names of given options");
  return train(options, all_applicable(options, optimizers), layers, optimizers, sink);
}

}  // namespace gyre
