#include "gyre/train/trainer.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <type_traits>

#include "gyre/base/error.h"
#include "gyre/base/system/file.h"
#include "gyre/io/record_json.h"
#include "gyre/op/node.h"
#include "gyre/optim/optimizer_def.h"
#include "gyre/optim/schedule.h"
#include "gyre/tensor/allocator.h"
#include "gyre/train/keeper.h"

namespace gyre {
namespace {

// Kinds of parameters, in the order of their groups.
enum class Sort : uint8_t { matrix, stacked, table, vector };

// The trained parameters by sort. Tables and stacked matrices count as matrices for optimisers to
// which they are the same.
std::map<Sort, std::vector<Tensor>> parameters_of(TrainTask& task, bool whole_matrices) {
  const nn::MatrixRoles roles = task.matrix_roles();
  const auto among = [](const std::vector<Tensor>& some, const Tensor& p) {
    return std::ranges::any_of(some, [&](const Tensor& t) { return t.impl() == p.impl(); });
  };
  std::map<Sort, std::vector<Tensor>> sorts;
  for (const Tensor& p : task.model().parameters()) {
    if (!p.requires_grad()) continue;
    const Sort sort = p.rank() < 2              ? Sort::vector
                      : !whole_matrices         ? Sort::matrix
                      : among(roles.tables, p)  ? Sort::table
                      : among(roles.stacked, p) ? Sort::stacked
                                                : Sort::matrix;
    sorts[sort].push_back(p);
  }
  return sorts;
}

// Options of a parameter group: the run's options that the optimiser has, then optimizer_options.
Json group_options(const TrainerOptions& o, const OptimizerTable& optimizers, bool decays) {
  const Record& record = *optimizers.of(o.optimizer.name).options;
  Json options = Json::object();
  const Json all = record_to_json(o);
  for (const Field& field : record_of<TrainerOptions>.fields) {
    if (field.tags & kOfOptimizer && find_field(record, field.name)) {
      options[field.name] = all.at(field.name);
    }
  }
  const Json more = options_of_text(o.optimizer.more, "optimizer_options");
  for (const Json::Member& member : more.as_object()) options[member.key] = member.value;
  if (!decays && find_field(record, "weight_decay")) options["weight_decay"] = 0.0;
  return options;
}

std::unique_ptr<Optimizer> optimizer_of(TrainTask& task, const TrainerOptions& o,
                                        const OptimizerTable& optimizers) {
  // Muon, or an optimiser with the same options
  const bool whole = find_field(*optimizers.of(o.optimizer.name).options, "use_muon");
  const nn::MatrixRoles roles = task.matrix_roles();
  std::unique_ptr<Optimizer> optimizer;
  for (const auto& [sort, parameters] : parameters_of(task, whole)) {
    Json options = group_options(o, optimizers, sort == Sort::matrix || sort == Sort::stacked);
    if (sort == Sort::table) options["use_muon"] = false;
    if (sort == Sort::stacked) {
      options["parts"] = Json::array();
      for (int64_t rows : roles.parts) options["parts"].push_back(rows);
    }
    if (optimizer) {
      optimizer->add_group(options, parameters);
    } else {
      optimizer = make_optimizer(optimizers, o.optimizer.name, options, parameters);
    }
  }
  if (optimizer) return optimizer;
  return make_optimizer(optimizers, o.optimizer.name, group_options(o, optimizers, false), {});
}

DType dtype_of(TrainedDType dtype) {
  return dtype == TrainedDType::bf16  ? DType::bf16
         : dtype == TrainedDType::f16 ? DType::f16
                                      : DType::f32;
}

ScheduleOptions schedule_of(const TrainerOptions& o) {
  ScheduleOptions schedule = o.schedule;
  if (schedule.min_lr < 0) schedule.min_lr = schedule.lr / 10;
  return schedule;
}

// Of a tensor of any kind: packed weights count by their words and headers.
int64_t bytes_of(const Tensor& t) {
  return t.plain() ? t.numel() * static_cast<int64_t>(size_of(t.dtype()))
                   : static_cast<int64_t>(t.impl()->storage->bytes);
}

int64_t state_bytes_of(TrainTask& task, Step& step) {
  int64_t bytes = 0;
  for (const NamedTensor& t : task.model().state_dict()) bytes += bytes_of(t.tensor);
  for (const NamedTensor& t : step.optimizer().state_dict()) bytes += bytes_of(t.tensor);
  if (const Ema* ema = step.ema()) {
    for (const NamedTensor& t : ema->state_dict()) bytes += bytes_of(t.tensor);
  }
  return bytes;
}

LoopOptions loop_options(const TrainerOptions& o) {
  return {.steps = o.schedule.steps,
          .log_every = o.log.every,
          .sample_every = o.sample.every,
          .evaluation = o.evaluation,
          .checkpoints = o.checkpoints};
}

class TrainingRun final : public LoopTask {
 public:
  TrainingRun(TrainTask& task, const TrainerOptions& options, const OptimizerTable& optimizers,
              TrainState state, TrainSink& sink)
      : task_(task),
        options_(options),
        schedule_(schedule_of(options)),
        state_(std::move(state)),
        sink_(sink),
        keeper_(options.run.out, task, sink) {
    task.model().to(dtype_of(options.precision.dtype));
    if (const int64_t every = options.batch.gradient_checkpointing)
      task.model().set_gradient_checkpointing(every);
    if (state_.step > 0 || options.checkpoints.resume) keeper_.load_model(state_.step);
    auto optimizer = optimizer_of(task, options, optimizers);
    if (!options.log.trace.empty())
      trace_.emplace(options.log.trace, TraceOptions{.steps = options.log.trace_steps});
    step_.emplace(task, std::move(optimizer), options.optimizer, options.precision, state_.seed,
                  options.log, trace_ ? &*trace_ : nullptr);
    keeper_.begin(state_.step);  // last, since it creates files
  }

  TrainReport operator()() {
    if (state_.chained) {
      sink_.noted(
          "the checkpoint was saved by an earlier version of gyre: from here on, the random "
          "numbers "
          "of dropout differ from those of an uninterrupted run");
    }
    if (state_.step > 0) keeper_.restore(state_, *step_);
    allocator::reset_peak();
    const LoopProgress end = run_loop(loop_options(options_), state_, *this);
    if (keeper_.newest() != state_.step) save();  // no step was left, or the folder is new
    read_loss();
    const bool complete = end.stopped_early || state_.step >= options_.schedule.steps;
    if (complete && state_.has_best() && state_.best_step != state_.step)
      keeper_.save_best(state_.best_step, *step_);
    if (trace_) {
      trace_->finish();
      sink_.noted(trace_table(trace_->summary()));
    }
    return report(end);
  }

  bool run_step() override {
    const StepCall call{.number = state_.step + 1,
                        .batch = state_.cursor,
                        .accumulate = options_.batch.accumulate,
                        .lr = learning_rate(schedule_, state_.step)};
    const std::optional<StepOutcome> done =
        step_->run(call, [this] { return sink_.stop_wanted(); });
    if (!done) return false;
    state_.cursor += call.accumulate;
    if (trace_) trace_->step_done();
    shown_ = {.step = call.number,
              .total = options_.schedule.steps,
              .loss = done->loss,
              .lr = call.lr,
              .gradient_norm = done->gradient_norm,
              .unit = task_.unit(),
              .skipped = !done->applied};
    return true;
  }

  [[nodiscard]] int64_t cycle() const override { return step_->optimizer().cycle(); }

  void stepped(const LoopProgress& progress, bool) override {
    shown_.tokens_per_second = progress.per_second(tokens_per_step());
    shown_.memory_bytes = static_cast<int64_t>(allocator::stats().in_use);
    shown_.elapsed = progress.elapsed;
    shown_.remaining = progress.remaining;
    sink_.stepped(shown_);
  }

  bool stop_wanted() override { return sink_.stop_wanted(); }

  void log() override { keeper_.log(shown_); }

  std::optional<Validation> validate() override {
    NoGrad scope;
    return evaluated([this] { return task_.validate(sink_); });
  }

  bool validated(const Validation& validation) override {
    state_.val = validation.figures;
    if (state_.step == 0) state_.initial_loss = state_.val.loss;
    keeper_.validated(validation);
    return validation.best;
  }

  void sample() override {
    const std::string text = evaluated([this] { return task_.sample(state_.step); });
    if (!text.empty()) keeper_.sampled(state_.step, text);
  }

  void save() override {
    read_loss();
    step_->optimizer().settle();
    keeper_.save(state_, *step_);
  }

 private:
  // f() with the model in evaluation mode and the averages of the weights.
  template <class F>
  std::invoke_result_t<F> evaluated(const F& f) {
    step_->optimizer().settle();
    const GeneratorScope random({state_.seed, 0});
    task_.model().eval();
    auto result = [&] {
      std::optional<EmaScope> averaged;
      if (step_->ema()) averaged.emplace(*step_->ema());
      return f();
    }();
    task_.model().train();
    return result;
  }

  void read_loss() {
    if (shown_.step > 0) state_.train_loss = shown_.loss.item();
  }

  [[nodiscard]] int64_t tokens_per_step() const {
    return options_.batch.accumulate * task_.tokens_per_batch();
  }

  [[nodiscard]] TrainReport report(const LoopProgress& end) {
    const int64_t held = state_bytes_of(task_, *step_),
                  parameters = task_.model().parameter_count();
    return {.steps = state_.step,
            .new_steps = end.new_steps,
            .train_loss = state_.train_loss,
            .val = state_.val,
            .best_step = state_.best_step,
            .best_loss = state_.has_best() ? state_.best_loss : Figures::kNone,
            .initial_loss = state_.initial_loss,
            .seconds = end.elapsed,
            .tokens_per_second = end.per_second(tokens_per_step()),
            .peak_bytes = static_cast<int64_t>(allocator::stats().peak),
            .state_bytes = held,
            .bytes_per_weight = static_cast<double>(held) / static_cast<double>(parameters),
            .checkpoint = keeper_.checkpoint(),
            .parameters = parameters,
            .unit = task_.unit(),
            .interrupted = end.interrupted,
            .stopped_early = end.stopped_early};
  }

  TrainTask& task_;
  const TrainerOptions& options_;
  ScheduleOptions schedule_;
  TrainState state_;
  TrainSink& sink_;
  Keeper keeper_;
  std::optional<CallTrace> trace_;
  std::optional<Step> step_;
  StepProgress shown_;  // of the last step
};

[[noreturn]] void refuse(const char* name, const std::string& wanted, const std::string& actual) {
  throw Error(Code::value, "train", fmt::format("`{}` must be {}, got {}", name, wanted, actual),
              wanted, actual);
}

}  // namespace

void check_trainer_options(const TrainerOptions& o) {
  check_record("train", o);
  if (o.precision.dtype == TrainedDType::f16 &&
      (o.optimizer.non_finite == NonFinite::zero || o.optimizer.non_finite == NonFinite::apply)) {
    refuse("non_finite", "skip or raise with f16, whose loss scaling skips overflowed steps",
           kNonFiniteNames[static_cast<size_t>(o.optimizer.non_finite)]);
  }
  auto text = [](auto value) { return fmt::format("{}", value); };
  if (o.precision.loss_scale > 0 && o.precision.dtype != TrainedDType::f16) {
    refuse("loss_scale", "0 unless `dtype` is f16", text(o.precision.loss_scale));
  }
  if (o.evaluation.patience > 0 && o.evaluation.every == 0) {
    refuse("eval_every", "above 0 with `patience`", "0");
  }
  if (o.schedule.warmup > o.schedule.steps && o.schedule.steps > 0) {
    refuse("warmup_steps", "at most `steps` (" + text(o.schedule.steps) + ")",
           text(o.schedule.warmup));
  }
  if (o.schedule.min_lr > o.schedule.lr)
    refuse("min_lr", "at most `lr` (" + text(o.schedule.lr) + ")", text(o.schedule.min_lr));
  if (o.checkpoints.stop_at > o.schedule.steps) {
    refuse("stop_at", "at most `steps` (" + text(o.schedule.steps) + ")",
           text(o.checkpoints.stop_at));
  }
}

TrainReport run_training(TrainTask& task, const TrainerOptions& options,
                         const OptimizerTable& optimizers, TrainState state, TrainSink& sink) {
  check_trainer_options(options);
  create_directories(options.run.out);
  return TrainingRun(task, options, optimizers, std::move(state), sink)();
}

}  // namespace gyre
