#include <cmath>

#include "gyre/base/error.h"
#include "gyre/io/json.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/train/log/training_log.h"
#include "tests/fewer.h"
#include "tests/thrown.h"
#include "tests/trainer_fixture.h"

// Modes of a run: optimisers, dtypes, weight averages, early stopping, tracing.

namespace gyre {
namespace {

class TrainerModes : public Trainer {
 protected:
  // Base options of these tests: dropout, accumulation, weight decay.
  TrainerOptions mode(const std::string& name) const {
    TrainerOptions o = options(name);
    o.schedule.steps = 12;
    o.schedule.warmup = 1;
    o.batch.accumulate = 2;
    o.schedule.lr = 0.003;
    return o;
  }
  std::string optimizer_of(const TrainerOptions& o) {
    return read_file(o.run.out + "/checkpoints/step-" + std::to_string(o.schedule.steps) +
                     "/optimizer.safetensors");
  }
  // k steps, a stop and the remaining steps give the same bytes as all steps at once.
  void expect_going_on(TrainerOptions o) {
    std::string name = o.run.out;
    o.run.out = name + "-whole";
    TrainerOptions cut = o;
    run(o);
    cut.run.out = name + "-cut";
    cut.checkpoints.stop_at = 5;
    run(cut);
    cut.checkpoints.stop_at = 0;
    set_num_threads(3);
    run(cut, state_of(cut, 5));
    set_num_threads(0);
    EXPECT_EQ(model_of(o), model_of(cut)) << name;
    EXPECT_EQ(optimizer_of(o), optimizer_of(cut)) << name;
  }
};

TEST_F(TrainerModes, EveryOptimizerAndDtypeResumesExactly) {
  for (const OptimizerDef* def : optimizer_table().optimizers) {
    for (TrainedDType dtype : {TrainedDType::f32, TrainedDType::bf16, TrainedDType::f16}) {
      TrainerOptions o = mode(std::string(def->name) + kTrainedDTypeNames[static_cast<int>(dtype)]);
      o.optimizer.name = def->name;
      o.precision.dtype = dtype;
      if (kSanitized && dtype != TrainedDType::f32 && o.optimizer.name != "adam") continue;
      if (o.optimizer.name == "sgd") o.optimizer.more = "momentum=0.9,nesterov=true";
      if (o.optimizer.name == "adam") o.optimizer.more = R"({"amsgrad": true})";
      expect_going_on(o);
    }
  }
}

TEST_F(TrainerModes, AveragesResumeAndAreSaved) {
  TrainerOptions o = mode("ema");
  o.optimizer.ema = 0.9;
  expect_going_on(o);
  TrainerOptions plain = mode("plain");
  run(plain);
  TrainerOptions averaged = mode("averaged");
  averaged.optimizer.ema = 0.9;
  run(averaged);
  const char* step = "/checkpoints/step-12/model.safetensors";
  EXPECT_EQ(read_file(plain.run.out + step), read_file(averaged.run.out + step))
      << "resumes from the weights, not the averages";
  EXPECT_NE(model_of(plain), model_of(averaged)) << "the saved model has the averages";
}

TEST_F(TrainerModes, SixteenBitTrainingConverges) {
  for (TrainedDType dtype : {TrainedDType::bf16, TrainedDType::f16}) {
    TrainerOptions o = options(kTrainedDTypeNames[static_cast<int>(dtype)]);
    o.schedule.steps = 200;
    o.precision.dtype = dtype;
    TrainReport report = run(o);
    EXPECT_LT(report.val.loss, 0.5 * recorder_.steps[0].loss.item());
    SafetensorsFile file(o.run.out + "/model.safetensors");
    EXPECT_EQ(size_of(file.load("first.weight").dtype()), 2u);
  }
}

TEST_F(TrainerModes, DynamicLossScaleBacksOffOnOverflow) {
  TrainerOptions o = mode("scale");
  o.precision.dtype = TrainedDType::f16;
  o.schedule.steps = 20;
  o.precision.loss_scale = 0;
  Regression task;
  TrainState fresh;
  fresh.seed = 11;
  Json scale = Json::object();
  scale["scale"] = 1e30;  // gradients overflow f16
  scale["good_steps"] = 0;
  run(o);
  int skipped = 0;
  for (const StepProgress& p : recorder_.steps) skipped += p.skipped;
  EXPECT_LT(skipped, 4);
  TrainState state = state_of(o, 20);
  EXPECT_EQ(state.loss_scale.at("scale").as_real(), std::ldexp(65536, -skipped));
  state.loss_scale = scale;
  o.schedule.steps = 25;
  run(o, state);
  ASSERT_EQ(recorder_.steps.size(), 5u);
  for (const StepProgress& p : recorder_.steps) EXPECT_TRUE(p.skipped) << p.step;
  EXPECT_EQ(state_of(o, 25).loss_scale.at("scale").as_real(), 1e30 / 32);
  EXPECT_EQ(read_file(o.run.out + "/checkpoints/step-25/model.safetensors"),
            read_file(o.run.out + "/checkpoints/step-20/model.safetensors"))
      << "skipped steps change nothing";
}

TEST_F(TrainerModes, NonFiniteGradientsAreSkippedOnRequest) {
  TrainerOptions o = mode("skip");
  o.optimizer.non_finite = NonFinite::skip;
  Regression task;
  task.bad_batch = 7;
  TrainState fresh;
  fresh.seed = 11;
  Recorder recorder;
  run_training(task, o, optimizer_table(), fresh, recorder);
  for (const StepProgress& p : recorder.steps) EXPECT_EQ(p.skipped, p.step == 4) << p.step;
  // a skipped step changes nothing
  TrainerOptions before = o, after = o;
  before.run.out += "-before";
  after.run.out += "-after";
  before.checkpoints.stop_at = 3;
  after.checkpoints.stop_at = 4;
  auto saved = [&](const TrainerOptions& until) {
    Regression again;
    again.bad_batch = 7;
    TrainState begin;
    begin.seed = 11;
    run_training(again, until, optimizer_table(), begin, recorder);
    return model_of(until);
  };
  EXPECT_EQ(saved(before), saved(after));
  EXPECT_FALSE(contains(read_file(o.run.out + "/loss.svg"), "nan"));
}

TEST_F(TrainerModes, AFixedLossScaleStaysAndSkipsOverflow) {
  TrainerOptions o = mode("fixed");
  o.precision.dtype = TrainedDType::f16;
  o.precision.loss_scale = 1e30;
  o.log.check_overflow = true;  // but not of scaled gradients
  run(o);
  for (const StepProgress& p : recorder_.steps) EXPECT_TRUE(p.skipped) << p.step;
  o.run.out += "-sound";
  o.precision.loss_scale = 128;
  run(o);
  for (const StepProgress& p : recorder_.steps) EXPECT_FALSE(p.skipped) << p.step;
  o.optimizer.non_finite = NonFinite::zero;
  EXPECT_EQ(code_of([&] { run(o); }), Code::value);
}

TEST_F(TrainerModes, NamesTheOpThatFirstProducesNaN) {
  TrainerOptions o = mode("watch");
  o.log.check_nan = true;
  Regression task;
  task.bad_batch = 7;
  TrainState fresh;
  fresh.seed = 11;
  Recorder recorder;
  Error e = error_of([&] { run_training(task, o, optimizer_table(), fresh, recorder); });
  EXPECT_EQ(e.code, Code::numeric);
  EXPECT_TRUE(contains(e.what(), "mul")) << e.what();
  EXPECT_TRUE(contains(e.what(), "step 4")) << e.what();
}

// Fits a value on batches of 3 examples, or on batches of 4, 4 and 1 of the same nine.
class Mean final : public TrainTask {
 public:
  struct Net : nn::Module {
    Tensor value = zeros({1}, {.requires_grad = true});
    void visit(nn::Visitor& v) override { v.parameter("value", value); }
  };
  explicit Mean(std::vector<int64_t> sizes) : sizes_(std::move(sizes)) {}
  nn::Module& model() override { return net_; }
  Batch batch(int64_t number) override {
    size_t i = static_cast<size_t>(number) % sizes_.size();
    int64_t from = 0;
    for (size_t k = 0; k < i; ++k) from += sizes_[k];
    return Batch({{"x", slice(arange(0, 9) * 0.1, {0, from, from + sizes_[i], 1})}});
  }
  BatchLoss loss(const Batch& batch) override {
    Tensor x = batch["x"], apart = net_.value - x;
    return {mean(apart * apart), static_cast<double>(x.size(0)) / static_cast<double>(sizes_[0])};
  }
  int64_t tokens_per_batch() const override { return sizes_[0]; }
  std::optional<Validation> validate(TrainSink&) override {
    Validation v;
    v.figures.loss = losses.empty() ? 1 : losses[std::min(seen++, losses.size() - 1)];
    v.measured = !std::isnan(v.figures.loss);
    return v;
  }
  std::string sample(int64_t step) override { return "after " + std::to_string(step); }
  void save(const std::string& folder) override {
    write_safetensors(folder + "/model.safetensors", net_.state_dict());
  }
  void load(const std::string& folder) override {
    net_.load_state_dict(SafetensorsFile(folder + "/model.safetensors"));
  }
  double value() { return net_.value.detach().item(); }
  std::vector<double> losses;
  size_t seen = 0;

 private:
  std::vector<int64_t> sizes_;
  Net net_;
};

TEST_F(TrainerModes, RaggedBatchesAreWeightedByExamples) {
  auto after = [&](std::vector<int64_t> sizes, const char* name) {
    TrainerOptions o = options(name);
    o.schedule.steps = 5;
    o.schedule.warmup = 0;
    o.optimizer.name = "sgd";
    o.schedule.lr = 0.1;
    o.optimizer.weight_decay = 0;
    o.batch.accumulate = static_cast<int64_t>(sizes.size());
    Mean task(sizes);
    Recorder recorder;
    run_training(task, o, optimizer_table(), {}, recorder);
    return std::pair(task.value(), recorder.steps.back().loss.item());
  };
  auto whole = after({9}, "nine"), thirds = after({3, 3, 3}, "threes"),
       ragged = after({4, 4, 1}, "441");
  EXPECT_NEAR(thirds.first, whole.first, 1e-7);
  EXPECT_NEAR(ragged.first, whole.first, 1e-7);
  EXPECT_NEAR(ragged.second, whole.second, 1e-7);
  EXPECT_NE(whole.first, 0);
}

TEST_F(TrainerModes, PatienceStopsAfterValidationsWithoutImprovement) {
  TrainerOptions o = options("patience");
  o.schedule.steps = 100;
  o.evaluation.every = 10;
  o.evaluation.patience = 2;
  Mean task({3});
  task.losses = {3, 2, 2.5, 1, 1, 1.5, 0.1};
  Recorder recorder;
  TrainReport report = run_training(task, o, optimizer_table(), {}, recorder);
  EXPECT_TRUE(report.stopped_early);
  EXPECT_FALSE(report.interrupted);
  EXPECT_EQ(report.steps, 60);
  EXPECT_EQ(state_of(o, 60).best_step, 40);
  EXPECT_EQ(report.best_step, 40);
  EXPECT_EQ(report.best_loss, 1);
  auto bytes = [&](const char* of) { return read_file(o.run.out + of + "/model.safetensors"); };
  EXPECT_EQ(bytes(""), bytes("/checkpoints/step-40")) << "the best weights";
  EXPECT_NE(bytes(""), bytes("/checkpoints/step-60"));
  EXPECT_EQ(report.best_step, 40);
  Mean again({3});
  EXPECT_EQ(run_training(again, o, optimizer_table(), state_of(o, 60), recorder).new_steps, 0)
      << "the run had ended";
}

TEST_F(TrainerModes, WithoutAFiniteValidationTheLastWeightsStay) {
  TrainerOptions o = options("lost");
  o.schedule.steps = 100;
  o.evaluation.every = 10;
  o.evaluation.patience = 2;
  Mean task({3});
  task.losses = {INFINITY, INFINITY, INFINITY};
  Recorder recorder;
  TrainReport report = run_training(task, o, optimizer_table(), {}, recorder);
  EXPECT_TRUE(report.stopped_early);
  EXPECT_EQ(report.steps, 20);
  EXPECT_EQ(report.best_step, 0);
  auto bytes = [&](const char* of) { return read_file(o.run.out + of + "/model.safetensors"); };
  EXPECT_EQ(bytes(""), bytes("/checkpoints/step-20"));
}

TEST_F(TrainerModes, AStopAddsNoValidation) {
  const auto part = [&](const TrainerOptions& o, std::vector<double> losses, const TrainState& from,
                        int64_t stop_after) {
    Mean task({3});
    task.losses = std::move(losses);
    Recorder recorder;
    recorder.stop_after = stop_after;
    return run_training(task, o, optimizer_table(), from, recorder);
  };
  TrainerOptions whole = options("whole");
  whole.evaluation.every = 10;
  whole.evaluation.patience = 1;
  EXPECT_EQ(part(whole, {3, 2, 1, 1.5}, {}, 0).steps, 40);
  for (const bool told : {true, false}) {  // by `stop_at`, or by Ctrl-C
    TrainerOptions o = whole;
    o.run.out += told ? "-told" : "-interrupted";
    o.checkpoints.stop_at = told ? 15 : 0;
    const TrainReport first = part(o, {3, 3}, {}, told ? 0 : 15);
    EXPECT_EQ(first.steps, 15);
    EXPECT_EQ(first.val.loss, 3);
    EXPECT_FALSE(first.stopped_early);
    o.checkpoints.stop_at = 0;
    const TrainReport rest = part(o, {2, 1, 1.5}, state_of(o, 15), 0);
    EXPECT_TRUE(rest.stopped_early);
    EXPECT_EQ(rest.steps, 40);
    EXPECT_EQ(model_of(o), model_of(whole));
    const char* end = "/checkpoints/step-40/training.json";
    EXPECT_EQ(read_file(o.run.out + end), read_file(whole.run.out + end));
  }
}

TEST_F(TrainerModes, PatienceNeedsValidations) {
  TrainerOptions o = options("unseen");
  o.evaluation.every = 5;
  o.evaluation.patience = 1;
  Mean task({3});
  task.losses = {std::numeric_limits<double>::quiet_NaN()};
  Recorder recorder;
  EXPECT_EQ(run_training(task, o, optimizer_table(), {}, recorder).steps, 50);
}

TEST_F(TrainerModes, TracesAndWritesSamples) {
  TrainerOptions o = mode("trace");
  create_directories(o.run.out);
  o.log.trace = o.run.out + "/trace.json";
  o.log.trace_steps = 2;
  o.sample.every = 5;
  struct Notes : Recorder {
    void noted(std::string_view lines) override { notes += lines; }
    void sampled(int64_t step, std::string_view text) override {
      notes += std::to_string(step) + std::string(text) + ";";
    }
    std::string notes;
  } sink;
  Mean task({3});
  run_training(task, o, optimizer_table(), {}, sink);
  EXPECT_TRUE(contains(sink.notes, "5after 5;10after 10;")) << sink.notes;
  EXPECT_TRUE(contains(sink.notes, "mean")) << sink.notes;
  const Json trace = Json::read(o.log.trace);
  int spans = 0;
  for (const Json& event : trace.as_array()) {
    const Json* name = event.find("name");
    spans += name &&
             (*name == Json("forward") || *name == Json("backward") || *name == Json("optimizer"));
  }
  EXPECT_EQ(spans, 2 * (2 + 2 + 1)) << "two steps of two batches";
  int samples = 0;
  for (const Json& entry : read_training_log(o.run.out + "/log.jsonl"))
    samples += !!entry.find("sample");
  EXPECT_EQ(samples, 2);
}

}  // namespace
}  // namespace gyre
