#include "gyre/train/trainer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "gyre/base/error.h"
#include "gyre/base/system/file.h"
#include "gyre/base/system/memory.h"
#include "gyre/base/thread_pool.h"
#include "gyre/data/draw.h"
#include "gyre/nn/linear.h"
#include "gyre/nn/op_layers.h"
#include "gyre/op/node.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/loss/loss.h"
#include "gyre/ops/random/random.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/registry/optimizer_table.h"
#include "gyre/tensor/allocator.h"
#include "tests/fewer.h"
#include "tests/recorded.h"
#include "tests/thrown.h"
#include "tests/trainer_fixture.h"

namespace gyre {
namespace {

TEST_F(Trainer, LearnsAndReports) {
  TrainerOptions o = options("learns");
  o.schedule.steps = 300;
  o.evaluation.every = 100;
  TrainReport report = run(o);
  EXPECT_EQ(report.steps, 300);
  EXPECT_EQ(report.parameters, 8 * 16 + 16 + 2 * 16 + 16 * 4 + 4);
  EXPECT_EQ(recorder_.steps.size(), 300u);
  EXPECT_EQ(recorder_.validations.size(), 3u);
  EXPECT_LT(report.val.loss, 0.3 * recorder_.steps[0].loss.item());
  EXPECT_EQ(report.val.loss, recorder_.validations.back().figures.loss);
  EXPECT_FALSE(report.interrupted);
  EXPECT_TRUE(is_directory(report.checkpoint));
  EXPECT_GT(report.peak_bytes, 0);
  const int64_t adam = 3 * 4 * report.parameters, counts_and_buffers = 400;
  EXPECT_GE(report.state_bytes, adam);
  EXPECT_LE(report.state_bytes, adam + counts_and_buffers);
  EXPECT_EQ(report.bytes_per_weight * static_cast<double>(report.parameters), report.state_bytes);
  EXPECT_GT(report.tokens_per_second, 0);
  for (const char* file : {"/model.safetensors", "/log.jsonl", "/loss.svg"}) {
    EXPECT_TRUE(file_exists(o.run.out + file)) << file;
  }
}

TEST_F(Trainer, StopAndResumeGivesTheSameBytes) {
  TrainerOptions whole = options("whole"), parts = options("parts");
  whole.batch.accumulate = parts.batch.accumulate = 2;
  run(whole);
  parts.checkpoints.stop_at = 20;
  TrainReport first = run(parts);
  EXPECT_EQ(first.steps, 20);
  EXPECT_NE(model_of(parts), model_of(whole));
  parts.checkpoints.stop_at = 0;
  TrainReport rest = run(parts, state_of(parts, 20));
  EXPECT_EQ(rest.steps, 50);
  EXPECT_EQ(recorder_.steps.size(), 30u);
  EXPECT_EQ(model_of(parts), model_of(whole));
  std::string end = "/checkpoints/step-50/";
  for (const char* file : {"model.safetensors", "optimizer.safetensors", "training.json"}) {
    EXPECT_EQ(read_file(parts.run.out + end + file), read_file(whole.run.out + end + file)) << file;
  }
}

TEST_F(Trainer, GivesTheSameBytesOnAnyNumberOfThreads) {
  std::vector<std::string> models;
  for (int threads : {1, 2, 3, 7}) {
    set_num_threads(threads);
    TrainerOptions o = options("threads" + std::to_string(threads));
    run(o);
    models.push_back(model_of(o));
    EXPECT_EQ(models.back(), models.front()) << threads << " threads";
  }
}

TEST_F(Trainer, InterruptSavesAndCanResume) {
  TrainerOptions whole = options("whole"), o = options("interrupted");
  run(whole);
  stop_after_ = 13;
  TrainReport report = run(o);
  EXPECT_TRUE(report.interrupted);
  EXPECT_EQ(report.steps, 13);
  EXPECT_EQ(recorder_.validations.size(), 0u) << "stops immediately";
  stop_after_ = 0;
  EXPECT_FALSE(run(o, state_of(o, 13)).interrupted);
  EXPECT_EQ(model_of(o), model_of(whole));
}

TEST_F(Trainer, AStepInterruptedBetweenBatchesIsRolledBack) {
  Recorded<TrainSink> sink;
  sink.asks_before_stop = 4 * 7 + 1;  // three polls between the batches of a step, one after it
  TrainerOptions whole = options("whole"), o = options("between");
  whole.batch.accumulate = o.batch.accumulate = 4;
  run(whole);
  Regression task;
  TrainState fresh;
  fresh.seed = 11;
  TrainReport report = run_training(task, o, optimizer_table(), fresh, sink);
  EXPECT_TRUE(report.interrupted);
  EXPECT_EQ(report.steps, 7);
  EXPECT_EQ(state_of(o, 7).cursor, 28);
  EXPECT_EQ(run(o, state_of(o, 7)).steps, 50);
  EXPECT_EQ(model_of(o), model_of(whole));
}

TEST_F(Trainer, SaysOnceThatAnOlderRunDrewOtherRandomNumbers) {
  struct Notes : Recorder {
    void noted(std::string_view lines) override { notes.emplace_back(lines); }
    std::vector<std::string> notes;
  } sink;
  TrainerOptions o = options("older");
  o.checkpoints.stop_at = 3;
  run(o);
  TrainState older = state_of(o, 3);
  older.chained = true;
  for (const size_t notes : {1, 0}) {
    ++o.checkpoints.stop_at;
    Regression task;
    sink.notes.clear();
    run_training(task, o, optimizer_table(), notes == 1 ? older : state_of(o, 4), sink);
    ASSERT_EQ(sink.notes.size(), notes);
    if (notes == 1) {
      EXPECT_TRUE(contains(sink.notes[0], "random numbers")) << sink.notes[0];
    }
  }
}

TEST_F(Trainer, AnInterruptedValidationIsRepeatedOnResume) {
  TrainerOptions whole = options("whole");
  whole.evaluation.every = 20;
  run(whole);
  // Polled after every step but the last, and by the validations after steps 20, 40 and 50.
  for (auto [step, asks] : {std::pair<int64_t, int64_t>{20, 20}, {40, 41}, {50, 51}}) {
    TrainerOptions o = options("at" + std::to_string(step));
    o.evaluation.every = 20;
    Regression task;
    TrainState fresh;
    fresh.seed = 11;
    Recorded<TrainSink> sink;
    sink.asks_before_stop = asks;
    TrainReport report = run_training(task, o, optimizer_table(), fresh, sink);
    EXPECT_TRUE(report.interrupted);
    EXPECT_EQ(report.steps, step);
    EXPECT_TRUE(state_of(o, step).validation_due);
    report = run(o, state_of(o, step));
    EXPECT_FALSE(report.interrupted);
    EXPECT_EQ(recorder_.validations.front().step, step);
    EXPECT_EQ(model_of(o), model_of(whole));
    const char* end = "/checkpoints/step-50/training.json";
    EXPECT_EQ(read_file(o.run.out + end), read_file(whole.run.out + end));
  }
}

TEST_F(Trainer, WithoutStepsLeftReportsRecordedLosses) {
  TrainerOptions o = options("done");
  TrainReport first = run(o), again = run(o, state_of(o, 50));
  EXPECT_EQ(first.new_steps, 50);
  EXPECT_EQ(again.new_steps, 0);
  EXPECT_EQ(again.steps, 50);
  EXPECT_EQ(again.train_loss, first.train_loss);
  EXPECT_EQ(again.val.loss, first.val.loss);
  o = options("nothing");
  o.schedule.steps = o.schedule.warmup = 0;
  EXPECT_TRUE(std::isnan(run(o).train_loss)) << "no step, no loss";
}

TEST_F(Trainer, SavesWhenDueAndWhenBest) {
  TrainerOptions o = options("saves");
  o.checkpoints.every = 20;
  o.evaluation.every = 25;
  run(o);
  std::vector<std::string> wanted;
  double best = std::numeric_limits<double>::infinity();
  for (int64_t step : {20, 25, 40, 50}) {
    bool evaluated = step % 25 == 0;
    double loss = evaluated ? recorder_.validations[step == 50].figures.loss : 0;
    if (evaluated && loss >= best && step != 50) continue;
    if (evaluated) best = std::min(best, loss);
    wanted.push_back(o.run.out + "/checkpoints/step-" + std::to_string(step));
  }
  EXPECT_EQ(recorder_.saves, wanted);
}

TEST_F(Trainer, AccumulationIsTheMeanOfBatches) {
  TrainerOptions o = options("accumulate");
  o.schedule.steps = 1;
  o.schedule.warmup = 0;
  o.batch.accumulate = 4;
  run(o);
  Regression task;
  task.model().eval();  // the mean is simple without dropout
  double mean = 0;
  for (int64_t i = 0; i < 4; ++i) mean += task.loss(task.batch(i)).mean.item() / 4;
  EXPECT_NEAR(recorder_.steps[0].loss.item(), mean, 0.2 * mean);
  EXPECT_EQ(state_of(o, 1).cursor, 4);
}

TEST_F(Trainer, NonFiniteLossErrorNamesTheStep) {
  Regression task;
  task.bad_batch = 7;
  TrainerOptions o = options("nan");
  o.checkpoints.every = 5;
  Recorder recorder;
  std::string message =
      message_of(Code::numeric, [&] { run_training(task, o, optimizer_table(), {}, recorder); });
  EXPECT_TRUE(contains(message, "loss is NaN at step 8")) << message;
  EXPECT_EQ(state_of(o, 5).step, 5) << "earlier checkpoints are kept";
}

TEST_F(Trainer, ASinkThatThrowsEndsTheRun) {
  struct Breaks : TrainSink {
    void stepped(const StepProgress& p) override {
      if (p.step == 3) throw Error(Code::io, "sink", "closed");
    }
  } sink;
  Regression task;
  Generator before = default_generator();
  EXPECT_THROW(run_training(task, options("sink"), optimizer_table(), {}, sink), Error);
  EXPECT_EQ(default_generator().seed, before.seed) << "the thread's generator is restored";
  EXPECT_EQ(default_generator().offset, before.offset);
}

TEST_F(Trainer, TenThousandStepsAllocateAndKeepNothing) {
  constexpr int64_t kSteps = fewer(10000);
  struct Watch : TrainSink {
    void stepped(const StepProgress& p) override {
      if (p.step == 100) {
        requests = allocator::stats().from_system;
        tensors = live_tensors();
        bytes = allocator::stats().in_use;
        resident = resident_bytes();
      }
      if (p.step == kSteps) {
        EXPECT_EQ(allocator::stats().from_system, requests);
        EXPECT_EQ(live_tensors(), tensors);
        EXPECT_EQ(allocator::stats().in_use, bytes);
        if (!kSanitized) {  // where freed memory stays resident for a while
          EXPECT_LT(resident_bytes(), resident + (1 << 20));
        }
        seen = true;
      }
    }
    uint64_t requests = 0;
    int64_t tensors = 0;
    size_t bytes = 0, resident = 0;
    bool seen = false;
  } sink;
  int64_t before = live_tensors();
  {
    Regression task;
    TrainerOptions o = options("warm");
    o.schedule.steps = kSteps;
    o.log.every = 1000;
    run_training(task, o, optimizer_table(), {}, sink);
  }
  EXPECT_TRUE(sink.seen);
  EXPECT_EQ(live_tensors(), before);
}

TEST_F(Trainer, TenThousandDroppedLossesLeaveNothing) {
  Regression task;
  task.loss(task.batch(0));
  int64_t before = live_tensors();
  size_t bytes = allocator::stats().in_use;
  for (int64_t i = 0; i < 10000; ++i) task.loss(task.batch(i));
  EXPECT_EQ(live_tensors(), before);
  EXPECT_EQ(allocator::stats().in_use, bytes);
}

TEST_F(Trainer, FailedAllocationsEndTheRunCleanly) {
  int64_t before = live_tensors();
  int failures = 0;
  bool failed = true;
  for (uint64_t n = 1; failed; ++n) {
    failed = false;
    try {
      Regression task;
      TrainerOptions o = options("memory" + std::to_string(n));
      o.schedule.steps = 2;
      o.schedule.warmup = 0;
      allocator::fail_request(n);
      Recorder recorder;
      run_training(task, o, optimizer_table(), {}, recorder);
    } catch (const Error& e) {
      EXPECT_EQ(e.code, Code::resource) << e.what();
      ++failures;
      failed = true;
    }
    allocator::fail_request(0);
    ASSERT_EQ(live_tensors(), before) << "after failure " << n;
  }
  EXPECT_GT(failures, 40);
}

TEST(TrainerOptionsCheck, NamesTheOption) {
  auto message = [](auto change) {
    TrainerOptions o;
    change(o);
    try {
      check_trainer_options(o);
    } catch (const Error& e) {
      EXPECT_TRUE(e.code == Code::value || e.code == Code::unsupported);
      return std::string(e.what());
    }
    return std::string("accepted");
  };
  EXPECT_EQ(message([](TrainerOptions&) {}), "accepted");
  EXPECT_NE(message([](TrainerOptions& o) { o.batch.size = 0; }).find("batch"), std::string::npos);
  EXPECT_NE(message([](TrainerOptions& o) { o.schedule.steps = -1; }).find("steps"),
            std::string::npos);
  EXPECT_NE(message([](TrainerOptions& o) { o.schedule.lr = 0; }).find("lr"), std::string::npos);
  EXPECT_NE(message([](TrainerOptions& o) { o.schedule.lr = INFINITY; }).find("lr"),
            std::string::npos);
  EXPECT_NE(message([](TrainerOptions& o) { o.optimizer.beta2 = 1; }).find("beta2"),
            std::string::npos);
  EXPECT_NE(message([](TrainerOptions& o) { o.schedule.warmup = 9999; }).find("warmup"),
            std::string::npos);
  EXPECT_NE(message([](TrainerOptions& o) { o.schedule.min_lr = 1; }).find("min_lr"),
            std::string::npos);
  EXPECT_NE(message([](TrainerOptions& o) { o.checkpoints.stop_at = 9999; }).find("stop_at"),
            std::string::npos);
  for (double gamma : {0.0, 1.5}) {
    EXPECT_TRUE(
        contains(message([&](TrainerOptions& o) { o.schedule.gamma = gamma; }), "`lr_gamma`"));
  }
  for (double decay : {-0.5, 2.0}) {
    EXPECT_TRUE(
        contains(message([&](TrainerOptions& o) { o.schedule.decay = decay; }), "`lr_decay`"));
  }
  EXPECT_TRUE(contains(message([](TrainerOptions& o) { o.schedule.every = 0; }), "`lr_every`"));
}

}  // namespace
}  // namespace gyre
