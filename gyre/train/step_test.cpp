#include "gyre/train/step.h"

#include <cmath>

#include "gyre/op/call_observer.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/optim/rules/sgd.h"
#include "tests/thrown.h"
#include "tests/trainer_fixture.h"

namespace gyre {
namespace {

Step step_of(Regression& task, const UpdateOptions& update) {
  return Step(task, std::make_unique<Sgd>(task.model().parameters(), SgdOptions{.lr = 0.1}),
              update);
}

std::vector<std::vector<double>> values_of(nn::Module& model) {
  std::vector<std::vector<double>> all;
  for (const NamedTensor& t : model.state_dict()) all.push_back(to_vector<double>(t.tensor));
  return all;
}

constexpr auto kNever = [] { return false; };

// Counts the copies of buffers; a step copies nothing else in these shapes.
struct Copies : CallObserver {
  void call(const ObservedCall& call) override {
    count += call.op.name == std::string_view("clone") && call.out[0].shape() == Shape{16};
  }
  int64_t count = 0;
};

TEST(TrainStep, LossIsTheWeightedMeanOfBatches) {
  Regression task;
  task.model().eval();
  Step step = step_of(task, {});
  double mean = 0;
  for (int64_t i = 3; i < 6; ++i) mean += task.loss(task.batch(i)).mean.item() / 3;
  const StepOutcome done = step.run({.batch = 3, .accumulate = 3, .lr = 0.1}, kNever).value();
  EXPECT_TRUE(done.applied);
  EXPECT_EQ(done.loss.dtype(), DType::f64);
  EXPECT_FALSE(done.loss.requires_grad());
  EXPECT_NEAR(done.loss.item(), mean, 1e-12);
  EXPECT_GT(done.gradient_norm.item(), 0);
}

TEST(TrainStep, RandomNumbersDependOnTheBatchAndTheSeed) {
  const auto loss = [](uint64_t seed, int64_t batch, int64_t accumulate) {
    Regression task;
    Step step(task, std::make_unique<Sgd>(task.model().parameters()), {}, {}, seed);
    return step.run({.batch = batch, .accumulate = accumulate}, kNever)->loss.item();
  };
  EXPECT_EQ(loss(1, 4, 2), (loss(1, 4, 1) + loss(1, 5, 1)) / 2);
  EXPECT_NE(loss(1, 4, 1), loss(2, 4, 1));
  const Generator before = default_generator();
  loss(1, 4, 1);
  EXPECT_EQ(default_generator().offset, before.offset) << "the thread's generator is restored";
}

TEST(TrainStep, StoppedBetweenBatchesChangesNothing) {
  Regression task;
  Step step = step_of(task, {});
  const auto before = values_of(task.model());
  int polls = 0;
  EXPECT_FALSE(step.run({.accumulate = 4, .lr = 0.1}, [&] { return ++polls == 3; }));
  EXPECT_EQ(polls, 3);
  EXPECT_EQ(values_of(task.model()), before) << "running statistics too";
}

TEST(TrainStep, SkippedChangesNothing) {
  Regression task;
  task.bad_batch = 0;
  Step step = step_of(task, {.non_finite = NonFinite::skip});
  const auto before = values_of(task.model());
  const StepOutcome done = step.run({.lr = 0.1}, kNever).value();
  EXPECT_FALSE(done.applied);
  EXPECT_TRUE(std::isnan(done.loss.item()));
  EXPECT_EQ(values_of(task.model()), before);
}

// The loss is sqrt(x) at `at`: at 0 its derivative is infinite, below it is not defined.
struct Root final : Objective {
  struct Net : nn::Module {
    void visit(nn::Visitor& v) override { v.parameter("x", x); }
    Tensor x;
  };
  explicit Root(double at) { net.x = full({1}, at, {.requires_grad = true}); }
  nn::Module& model() override { return net; }
  Batch batch(int64_t) override { return {}; }
  BatchLoss loss(const Batch&) override { return {sqrt(sum(net.x))}; }
  Net net;
};

TEST(TrainStep, RaisesBeforeWeightsChange) {
  for (const auto& [at, what] : {std::pair{-1.0, "loss is NaN at step 8"},
                                 std::pair{0.0, "gradient is infinite at step 8"}}) {
    Root task(at);
    Step step(task, std::make_unique<Sgd>(task.model().parameters(), SgdOptions{.lr = 0.1}));
    const std::string message =
        message_of(Code::numeric, [&] { step.run({.number = 8, .lr = 0.1}, kNever); });
    EXPECT_TRUE(contains(message, what)) << message;
    EXPECT_EQ(task.net.x.detach().item(), at);
  }
}

TEST(TrainStep, NamesTheOpThatOverflows) {
  for (const auto& [at, what] : {std::pair{-1.0, "sqrt: sqrt(f32[]) produces NaN"},
                                 std::pair{0.0, "the gradient of sqrt"}}) {
    Root task(at);
    Step step(task, std::make_unique<Sgd>(task.model().parameters()), {}, {}, 0,
              {.check_overflow = true});
    const std::string message = message_of(Code::numeric, [&] { step.run({}, kNever); });
    EXPECT_TRUE(contains(message, what)) << message;
    EXPECT_EQ(overflow_mode(), OverflowMode::ieee);
  }
}

TEST(TrainStep, CopiesBuffersOnlyWhereTheyMayBeRestored) {
  struct Case {
    NonFinite policy;
    int64_t accumulate, copies;
  };
  for (const Case& c : {Case{NonFinite::raise, 1, 0},
                        {NonFinite::apply, 1, 0},
                        {NonFinite::raise, 2, 2},
                        {NonFinite::skip, 1, 2}}) {
    Regression task;
    Step step = step_of(task, {.non_finite = c.policy});
    Copies copies;
    ThreadObserver scope(copies);
    step.run({.accumulate = c.accumulate, .lr = 0.1}, kNever);
    EXPECT_EQ(copies.count, c.copies);
  }
}

}  // namespace
}  // namespace gyre
