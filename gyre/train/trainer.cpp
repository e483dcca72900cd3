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
Json group_options(const TrainOptions& o, const OptimizerTable& optimizers, bool decays) {
  const Record& record = *optimizers.of(o.optimizer).options;
  Json options = Json::object();
  const Json all = record_to_json(o);
  for (const Field& field : record_of<TrainOptions>.fields) {
    if (field.tags & kOfOptimizer && find_field(record, field.name)) {
      options[field.name] = all.at(field.name);
    }
  }
  const Json more = options_of_text(o.optimizer_options, "optimizer_options");
  for (const Json::Member& member : more.as_object()) options[member.key] = member.value;
  if (!decays && find_field(record, "weight_decay")) options["weight_decay"] = 0.0;
  return options;
}

std::unique_ptr<Optimizer> optimizer_of(nn::Module& model, const TrainOptions& o,
                                        const OptimizerTable& optimizers) {
  std::vector<Tensor> matrices = parameters_of(model, true), others = parameters_of(model, false);
  const std::vector<Tensor>& first = matrices.empty() ? others : matrices;
  Json options = group_options(o, optimizers, !matrices.empty());
  auto optimizer = make_optimizer(optimizers, o.optimizer, options, first);
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

LossScaleOptions loss_scale_options(const TrainOptions& o) {
  if (o.dtype != TrainedDType::f16) return {.initial = 1};
  if (o.loss_scale == 0) return {};
  return {.initial = o.loss_scale, .least = o.loss_scale};
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

ScheduleOptions schedule_of(const TrainOptions& o) {
  return {o.schedule, o.lr,      o.min_lr < 0 ? o.lr / 10 : o.min_lr, o.warmup, o.steps, o.lr_gamma,
          o.lr_every, o.lr_decay};
}

class Run {
 public:
  Run(TrainTask& task, const TrainOptions& options, const OptimizerTable& optimizers,
      TrainState state, TrainSink& sink)
      : task_(task),
        options_(options),
        schedule_(schedule_of(options)),
        state_(std::move(state)),
        first_(state_.step),
        sink_(sink),
        store_(options.out + "/checkpoints"),
        loss_scale_(loss_scale_options(options)) {
    task.model().to(dtype_of(options.dtype));
    optimizer_ = optimizer_of(task.model(), options, optimizers);
    if (!options.trace.empty())
      trace_.emplace(options.trace, TraceOptions{.steps = options.trace_steps});
    if (options.check_nan) watch_.emplace();
    if (options.ema > 0)
      ema_.emplace(task.model().state_dict(), EmaOptions{.decay = options.ema, .warmup = true});
    log_.emplace(options.out, state_.step);  // last, since it creates files
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
    int64_t end =
        options_.stop_at > 0 ? std::min(options_.stop_at, options_.steps) : options_.steps;
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
    task_.load(store_.path(state_.step));
    optimizer_->load_state_dict(store_.read_optimizer(state_.step));
    if (ema_) ema_->load_state_dict(store_.read_average(state_.step));
    if (!state_.loss_scale.is_null()) loss_scale_.load_state(state_.loss_scale);
    newest_ = state_.step;
  }

  bool out_of_patience() {
    report_.stopped_early = options_.patience > 0 && state_.worse >= options_.patience;
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
    for (int64_t i = 0; i < options_.accumulate; ++i) {
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
    state_.cursor += options_.accumulate;
    state_.train_loss = p.loss;
    if (trace_) trace_->step_done();
    p.step = ++state_.step;
    p.total = options_.steps;
    return p;
  }

  // f16 gradients overflow while the loss scale is being found.
  bool expected(const std::optional<NanFinding>& found) const {
    return found && found->backward && options_.dtype == TrainedDType::f16;
  }

  CallTrace* trace() { return trace_ ? &*trace_ : nullptr; }

  BatchLoss batch_loss(int64_t number) {
    TraceSpan span(trace(), "forward");
    return task_.loss(number);
  }

  void update(StepProgress& p, double scale) {
    TraceSpan span(trace(), "optimizer");
    bool scaled = options_.dtype == TrainedDType::f16;
    bool raises = !scaled && options_.non_finite == NonFinite::raise;
    if (raises) require_finite(p.loss, "loss");
    optimizer_->set_lr(p.lr);
    NonFinite policy = scaled || raises ? NonFinite::skip : options_.non_finite;
    StepResult result = optimizer_->step(
        {.scale = scale, .clip = options_.clip, .norm = true, .non_finite = policy});
    if (raises) require_finite(result.gradient_norm, "gradient");
    p.gradient_norm = result.gradient_norm;
    p.skipped = !result.applied;
    if (scaled && options_.loss_scale == 0) loss_scale_.update(result.applied);
    if (result.applied && ema_) ema_->update();
  }

  void require_finite(double value, const char* what) const {
    if (std::isfinite(value)) return;
    throw Error(
        Code::numeric, "train",
        std::string("the ") + what + " is " + (std::isnan(value) ? "NaN" : "infinite") +
            " at step " + std::to_string(state_.step + 1) +
            "; set `check_nan` to find the op that produced it. If training diverges, try a lower "
            "`lr`, a longer `warmup` or a smaller `clip`",
        "a finite number", std::to_string(value));
  }

  bool due(int64_t every) const { return every > 0 && state_.step % every == 0; }

  void after_step(StepProgress p, bool ended) {
    p.tokens_per_second = tokens() / training_seconds_;
    p.unit = task_.unit();
    p.memory_bytes = static_cast<int64_t>(allocator::stats().in_use);
    p.elapsed = seconds_since(started_);
    p.remaining = p.elapsed / static_cast<double>(state_.step - first_) *
                  static_cast<double>(options_.steps - state_.step);
    sink_.stepped(p);
    report_.interrupted = !ended && sink_.stop_wanted();
    if (due(options_.log_every) || ended || report_.interrupted) log_->add(p);
    // a stop adds no validation: a resumed run must not have made more of them
    state_.validation_due = due(options_.eval_every) || state_.step == options_.steps;
    bool best = state_.validation_due && !report_.interrupted && validate();
    if (due(options_.sample_every)) sample();
    ended |= out_of_patience();
    if (due(options_.save_every) || ended || report_.interrupted || best) save();
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
    if (options_.dtype == TrainedDType::f16) state_.loss_scale = loss_scale_.state();
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
    task_.save(options_.out);
  }

  // Restores the model of the best validation into the output folder.
  void save_best() {
    task_.load(store_.path(state_.best_step));
    if (ema_) ema_->load_state_dict(store_.read_average(state_.best_step));
    save_model();
  }

  double tokens() const {
    return static_cast<double>((state_.step - first_) * options_.accumulate *
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
  const TrainOptions& options_;
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

void check_integers(const TrainOptions& o) {
  struct Bound {
    const char* name;
    int64_t value, least;
  };
  const Bound bounds[] = {{"layers", o.layers, 1},
                          {"heads", o.heads, 1},
                          {"width", o.width, 1},
                          {"block", o.block, 1},
                          {"batch", o.batch, 1},
                          {"accumulate", o.accumulate, 1},
                          {"steps", o.steps, 0},
                          {"warmup", o.warmup, 0},
                          {"lr_every", o.lr_every, 1},
                          {"eval_every", o.eval_every, 0},
                          {"stop_at", o.stop_at, 0},
                          {"eval_batches", o.eval_batches, 1},
                          {"threads", o.threads, 0},
                          {"save_every", o.save_every, 0},
                          {"log_every", o.log_every, 1},
                          {"patience", o.patience, 0},
                          {"sample_every", o.sample_every, 0},
                          {"sample_tokens", o.sample_tokens, 1},
                          {"trace_steps", o.trace_steps, 0},
                          {"workers", o.workers, 0},
                          {"seed", o.seed, 0}};
  for (const Bound& b : bounds) {
    if (b.value < b.least) {
      refuse(b.name, std::to_string(b.least) + " or more", std::to_string(b.value));
    }
  }
}

void check_reals(const TrainOptions& o) {
  struct Bound {
    const char* name;
    double value;
    bool holds;
    const char* wanted;
  };
  const Bound bounds[] = {
      {"lr", o.lr, o.lr > 0, "above 0"},
      {"min_lr", o.min_lr, true, "a finite number"},
      {"lr_gamma", o.lr_gamma, o.lr_gamma > 0 && o.lr_gamma <= 1, "in (0, 1]"},
      {"lr_decay", o.lr_decay, o.lr_decay >= 0 && o.lr_decay <= 1, "in [0, 1]"},
      {"weight_decay", o.weight_decay, o.weight_decay >= 0, "0 or more"},
      {"clip", o.clip, o.clip >= 0, "0 or more"},
      {"beta1", o.beta1, o.beta1 >= 0 && o.beta1 < 1, "in [0, 1)"},
      {"beta2", o.beta2, o.beta2 >= 0 && o.beta2 < 1, "in [0, 1)"},
      {"ema", o.ema, o.ema >= 0 && o.ema < 1, "in [0, 1)"},
      {"loss_scale", o.loss_scale, o.loss_scale >= 0, "0 or more"},
      {"epochs", o.epochs, o.epochs >= 0, "0 or more"},
      {"dropout", o.dropout, o.dropout >= 0 && o.dropout < 1, "in [0, 1)"},
      {"val_fraction", o.val_fraction, o.val_fraction >= 0 && o.val_fraction < 1, "in [0, 1)"}};
  for (const Bound& b : bounds) {
    if (!b.holds || !std::isfinite(b.value)) refuse(b.name, b.wanted, fmt::format("{}", b.value));
  }
}

}  // namespace

void check_train_options(const TrainOptions& o) {
  check_integers(o);
  check_reals(o);
  if (o.dtype == TrainedDType::f16 &&
      (o.non_finite == NonFinite::zero || o.non_finite == NonFinite::apply)) {
    refuse("non_finite", "skip or raise with f16, whose loss scaling skips overflowed steps",
           kNonFiniteNames[static_cast<size_t>(o.non_finite)]);
  }
  auto text = [](auto value) { return fmt::format("{}", value); };
  if (o.width % o.heads) {
    refuse("width", "divisible by `heads` (" + text(o.heads) + ")", text(o.width));
  }
  if (o.loss_scale > 0 && o.dtype != TrainedDType::f16) {
    refuse("loss_scale", "0 unless `dtype` is f16", text(o.loss_scale));
  }
  if (o.patience > 0 && o.eval_every == 0) {
    refuse("patience", "0 if `eval_every` is 0, which validates only at the end", text(o.patience));
  }
  if (o.warmup > o.steps && o.steps > 0) {
    refuse("warmup", "at most `steps` (" + text(o.steps) + ")", text(o.warmup));
  }
  if (o.min_lr > o.lr) refuse("min_lr", "at most `lr` (" + text(o.lr) + ")", text(o.min_lr));
  if (o.stop_at > o.steps) {
    refuse("stop_at", "at most `steps` (" + text(o.steps) + ")", text(o.stop_at));
  }
}

TrainReport run_training(TrainTask& task, const TrainOptions& options,
                         const OptimizerTable& optimizers, TrainState state, TrainSink& sink) {
  check_train_options(options);
  create_directories(options.out);
  Run run(task, options, optimizers, std::move(state), sink);
  return run();
}

}  // namespace gyre
