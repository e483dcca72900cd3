#include "gyre/train/trainer.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <optional>

#include "gyre/base/error.h"
#include "gyre/base/system/file.h"
#include "gyre/io/record_json.h"
#include "gyre/op/node.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/optim/ema.h"
#include "gyre/optim/loss_scale.h"
#include "gyre/optim/optimizer_def.h"
#include "gyre/optim/schedule.h"
#include "gyre/tensor/allocator.h"
#include "gyre/train/log/training_log.h"
#include "gyre/train/trace/call_trace.h"
#include "gyre/train/trace/nan_watch.h"

namespace gyre {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// The trained parameters with two or more dimensions, or the others.
std::vector<Tensor> parameters_of(nn::Module& model, bool matrices) {
  std::vector<Tensor> chosen;
  for (Tensor& p : model.parameters()) {
    if (p.requires_grad() && (p.rank() > 1) == matrices) chosen.push_back(std::move(p));
  }
  return chosen;
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

std::unique_ptr<Optimizer> optimizer_of(nn::Module& model, const TrainerOptions& o,
                                        const OptimizerTable& optimizers) {
  std::vector<Tensor> matrices = parameters_of(model, true), others = parameters_of(model, false);
  const std::vector<Tensor>& first = matrices.empty() ? others : matrices;
  Json options = group_options(o, optimizers, !matrices.empty());
  auto optimizer = make_optimizer(optimizers, o.optimizer.name, options, first);
  if (!matrices.empty() && !others.empty()) {
    optimizer->add_group(group_options(o, optimizers, false), others);
  }
  return optimizer;
}

DType dtype_of(TrainedDType dtype) {
  return dtype == TrainedDType::bf16  ? DType::bf16
         : dtype == TrainedDType::f16 ? DType::f16
                                      : DType::f32;
}

LossScaleOptions loss_scale_options(const TrainerOptions& o) {
  if (o.precision.dtype != TrainedDType::f16) return {.initial = 1};
  if (o.precision.loss_scale == 0) return {};
  return {.initial = o.precision.loss_scale, .least = o.precision.loss_scale};
}

// Snapshot of a module's buffers: running statistics change in every forward.
class BufferSnapshot {
 public:
  explicit BufferSnapshot(nn::Module& module) : live_(module.named_buffers()) {
    NoGrad off;
    for (const NamedTensor& b : live_) values_.push_back(clone(b.tensor));
  }
  void restore() const {
    for (size_t i = 0; i < live_.size(); ++i)
      nn::assign(live_[i].tensor, values_[i], live_[i].name);
  }

 private:
  std::vector<NamedTensor> live_;
  std::vector<Tensor> values_;
};

ScheduleOptions schedule_of(const TrainerOptions& o) {
  ScheduleOptions schedule = o.schedule;
  if (schedule.min_lr < 0) schedule.min_lr = schedule.lr / 10;
  return schedule;
}

class Run {
 public:
  Run(TrainTask& task, const TrainerOptions& options, const OptimizerTable& optimizers,
      TrainState state, TrainSink& sink)
      : task_(task),
        options_(options),
        schedule_(schedule_of(options)),
        state_(std::move(state)),
        first_(state_.step),
        sink_(sink),
        store_(options.run.out + "/checkpoints"),
        loss_scale_(loss_scale_options(options)) {
    task.model().to(dtype_of(options.precision.dtype));
    if (state_.step > 0 || options.checkpoints.resume) task.load(store_.path(state_.step));
    optimizer_ = optimizer_of(task.model(), options, optimizers);
    if (!options.log.trace.empty())
      trace_.emplace(options.log.trace, TraceOptions{.steps = options.log.trace_steps});
    if (options.log.check_nan) watch_.emplace();
    if (options.optimizer.ema > 0)
      ema_.emplace(task.model().state_dict(),
                   EmaOptions{.decay = options.optimizer.ema, .warmup = true});
    log_.emplace(options.run.out, state_.step);  // last, since it creates files
  }

  TrainReport operator()() {
    GeneratorScope scope(state_.random);
    if (state_.step > 0) restore();
    allocator::reset_peak();
    started_ = Clock::now();
    if (state_.validation_due) {
      validate();
      if (!report_.interrupted) save();
    }
    int64_t end = options_.checkpoints.stop_at > 0
                      ? std::min(options_.checkpoints.stop_at, options_.schedule.steps)
                      : options_.schedule.steps;
    while (state_.step < end && !report_.interrupted && !out_of_patience()) {
      auto begun = Clock::now();
      std::optional<StepProgress> progress = step();
      training_seconds_ += seconds_since(begun);
      if (progress) after_step(*progress, state_.step == end);
    }
    return finish();
  }

 private:
  void restore() {
    optimizer_->load_state_dict(store_.read_optimizer(state_.step));
    if (ema_) ema_->load_state_dict(store_.read_average(state_.step));
    if (!state_.loss_scale.is_null()) loss_scale_.load_state(state_.loss_scale);
    newest_ = state_.step;
  }

  bool out_of_patience() {
    report_.stopped_early =
        options_.evaluation.patience > 0 && state_.worse >= options_.evaluation.patience;
    return report_.stopped_early;
  }

  // Returns nothing, with the run interrupted, if the sink wants to stop between two batches: the
  // step is rolled back.
  std::optional<StepProgress> step() {
    StepProgress p;
    Generator random = default_generator();
    BufferSnapshot buffers(task_.model());
    optimizer_->zero_grad();
    if (watch_) watch_->begin_step(state_.step + 1);
    double weights = 0;
    for (int64_t i = 0; i < options_.batch.accumulate; ++i) {
      if (i > 0 && sink_.stop_wanted()) {
        default_generator() = random;
        buffers.restore();
        report_.interrupted = true;
        return {};
      }
      BatchLoss loss = batch_loss(state_.cursor + i);
      p.loss += loss.mean.item() * loss.weight;
      weights += loss.weight;
      double factor = loss.weight * loss_scale_.scale();
      TraceSpan span(trace(), "backward");
      (factor == 1 ? loss.mean : loss.mean * Tensor(factor)).backward();
    }
    if (watch_ && !expected(watch_->finding())) watch_->check();
    p.loss /= weights;
    p.lr = learning_rate(schedule_, state_.step);
    update(p, 1 / (weights * loss_scale_.scale()));
    if (p.skipped) buffers.restore();
    state_.cursor += options_.batch.accumulate;
    state_.train_loss = p.loss;
    if (trace_) trace_->step_done();
    p.step = ++state_.step;
    p.total = options_.schedule.steps;
    return p;
  }

  // f16 gradients overflow while the loss scale is being found.
  bool expected(const std::optional<NanFinding>& found) const {
    return found && found->backward && options_.precision.dtype == TrainedDType::f16;
  }

  CallTrace* trace() { return trace_ ? &*trace_ : nullptr; }

  BatchLoss batch_loss(int64_t number) {
    TraceSpan span(trace(), "forward");
    return task_.loss(number);
  }

  void update(StepProgress& p, double scale) {
    TraceSpan span(trace(), "optimizer");
    bool scaled = options_.precision.dtype == TrainedDType::f16;
    bool raises = !scaled && options_.optimizer.non_finite == NonFinite::raise;
    if (raises) require_finite(p.loss, "loss");
    optimizer_->set_lr(p.lr);
    NonFinite policy = scaled || raises ? NonFinite::skip : options_.optimizer.non_finite;
    StepResult result = optimizer_->step(
        {.scale = scale, .clip = options_.optimizer.clip, .norm = true, .non_finite = policy});
    if (raises) require_finite(result.gradient_norm, "gradient");
    p.gradient_norm = result.gradient_norm;
    p.skipped = !result.applied;
    if (scaled && options_.precision.loss_scale == 0) loss_scale_.update(result.applied);
    if (result.applied && ema_) ema_->update();
  }

  void require_finite(double value, const char* what) const {
    if (std::isfinite(value)) return;
    throw Error(
        Code::numeric, "train",
        std::string("the ") + what + " is " + (std::isnan(value) ? "NaN" : "infinite") +
            " at step " + std::to_string(state_.step + 1) +
            "; set `check_nan` to find the op that produced it. If training diverges, try a lower "
            "`lr`, more `warmup_steps` or a smaller `max_grad_norm`",
        "a finite number", std::to_string(value));
  }

  bool due(int64_t every) const { return every > 0 && state_.step % every == 0; }

  void after_step(StepProgress p, bool ended) {
    p.tokens_per_second = tokens() / training_seconds_;
    p.unit = task_.unit();
    p.memory_bytes = static_cast<int64_t>(allocator::stats().in_use);
    p.elapsed = seconds_since(started_);
    p.remaining = p.elapsed / static_cast<double>(state_.step - first_) *
                  static_cast<double>(options_.schedule.steps - state_.step);
    sink_.stepped(p);
    report_.interrupted = !ended && sink_.stop_wanted();
    if (due(options_.log.every) || ended || report_.interrupted) log_->add(p);
    // a stop adds no validation: a resumed run must not have made more of them
    state_.validation_due =
        due(options_.evaluation.every) || state_.step == options_.schedule.steps;
    bool best = state_.validation_due && !report_.interrupted && validate();
    if (due(options_.sample.every)) sample();
    ended |= out_of_patience();
    if (due(options_.checkpoints.every) || ended || report_.interrupted || best) save();
  }

  // True if it is the best so far. An interrupted validation remains due.
  bool validate() {
    task_.model().eval();
    std::optional<Validation> done = [&] {
      NoGrad scope;
      std::optional<EmaScope> averaged;
      if (ema_) averaged.emplace(*ema_);
      return task_.validate(sink_);
    }();
    task_.model().train();
    report_.interrupted = !done;
    if (!done) return false;
    state_.validation_due = false;
    Validation& v = *done;
    v.step = state_.step;
    v.best = v.figures.loss < state_.best_loss;
    if (v.best) {
      state_.best_loss = v.figures.loss;
      state_.best_step = state_.step;
    }
    if (!v.measured) return false;
    state_.worse = v.best ? 0 : state_.worse + 1;
    state_.val = v.figures;
    sink_.validated(v);
    log_->add(v);
    return v.best;
  }

  void sample() {
    task_.model().eval();
    std::string text = [&] {
      std::optional<EmaScope> averaged;
      if (ema_) averaged.emplace(*ema_);
      return task_.sample(state_.step);
    }();
    task_.model().train();
    if (text.empty()) return;
    sink_.sampled(state_.step, text);
    log_->add_sample(state_.step, text);
  }

  void save() {
    state_.random = default_generator();
    if (options_.precision.dtype == TrainedDType::f16) state_.loss_scale = loss_scale_.state();
    try {
      task_.save(store_.begin());
      store_.commit(state_, optimizer_->state_dict(),
                    ema_ ? ema_->state_dict() : std::vector<NamedTensor>());
    } catch (...) {
      store_.abandon();
      throw;
    }
    newest_ = state_.step;
    save_model();
    log_->draw();
    sink_.saved(store_.path(state_.step));
  }

  void save_model() {
    std::optional<EmaScope> averaged;
    if (ema_) averaged.emplace(*ema_);
    task_.save(options_.run.out);
  }

  // Restores the model of the best validation into the output folder.
  void save_best() {
    task_.load(store_.path(state_.best_step));
    if (ema_) ema_->load_state_dict(store_.read_average(state_.best_step));
    save_model();
  }

  double tokens() const {
    return static_cast<double>((state_.step - first_) * options_.batch.accumulate *
                               task_.tokens_per_batch());
  }

  TrainReport finish() {
    if (newest_ != state_.step) save();  // no step was left, or the folder is new
    if (report_.stopped_early && state_.best_step != state_.step) save_best();
    if (trace_) {
      trace_->finish();
      sink_.noted(trace_table(trace_->summary()));
    }
    report_.steps = state_.step;
    report_.new_steps = state_.step - first_;
    report_.train_loss = state_.train_loss;
    report_.val = state_.val;
    report_.best_step = state_.best_step;
    if (state_.best_step > 0) report_.best_loss = state_.best_loss;
    report_.seconds = seconds_since(started_);
    report_.tokens_per_second = training_seconds_ > 0 ? tokens() / training_seconds_ : 0;
    report_.peak_bytes = static_cast<int64_t>(allocator::stats().peak);
    report_.checkpoint = store_.path(newest_);
    report_.unit = task_.unit();
    report_.parameters = task_.model().parameter_count();
    return report_;
  }

  TrainTask& task_;
  const TrainerOptions& options_;
  ScheduleOptions schedule_;
  TrainState state_;
  int64_t first_, newest_ = -1;
  TrainSink& sink_;
  CheckpointStore store_;
  std::unique_ptr<Optimizer> optimizer_;
  LossScale loss_scale_;
  std::optional<Ema> ema_;
  std::optional<CallTrace> trace_;
  std::optional<NanWatch> watch_;
  std::optional<TrainingLog> log_;
  TrainReport report_;
  Clock::time_point started_;
  double training_seconds_ = 0;
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
    refuse("patience", "0 if `eval_every` is 0, which validates only at the end",
           text(o.evaluation.patience));
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
  Run run(task, options, optimizers, std::move(state), sink);
  return run();
}

}  // namespace gyre
