#include <gtest/gtest.h>

#include <cmath>

#include "gyre/base/error.h"
#include "gyre/base/system/file.h"
#include "gyre/models/language_model.h"
#include "gyre/models/measure/compress_folder.h"
#include "gyre/models/train.h"
#include "gyre/registry/layer_table.h"
#include "gyre/registry/optimizer_table.h"
#include "gyre/train/checkpoint.h"
#include "gyre/train/log/training_log.h"
#include "tests/recorded.h"
#include "tests/thrown.h"
#include "tests/trainer_fixture.h"

// Runs of `gyre train` that start from a model or pack their weights.

namespace gyre {
namespace {

class StartedRun : public ::testing::Test {
 protected:
  using Given = std::vector<std::string>;

  void SetUp() override {
    root_ = ::testing::TempDir() + "gyre_started_run";
    remove_tree(root_);
    create_directories(root_);
    std::string text;
    const char* words[] = {"the cat", "a dog", "the bird", "an old man", "a tree"};
    const char* ends[] = {" sat down.\n", " ran away.\n", " sings.\n"};
    for (int i = 0; i < 400; ++i) text += std::string(words[i * i % 5]) + ends[i * 7 % 11 % 3];
    write_file_atomic(root_ + "/text", text);
  }
  void TearDown() override { remove_tree(root_); }

  TrainOptions options(const std::string& name) const {
    TrainOptions o;
    o.data.sources = {root_ + "/text"};
    o.trainer.run.out = root_ + "/" + name;
    o.trainer.batch.size = 4;
    o.trainer.schedule.steps = 10;
    o.trainer.evaluation.every = 4;
    o.text.eval_batches = 2;
    return o;
  }
  // Trains with these options and those of options().
  TrainReport run(const TrainOptions& o, Given given = {}) {
    recorder_ = Recorder();
    for (const char* name : {"batch_size", "steps", "eval_every", "eval_batches"})
      given.emplace_back(name);
    return train(o, given, layer_table(), optimizer_table(), recorder_);
  }
  TrainReport resume(const std::string& name) {
    TrainOptions o;
    o.trainer.run.out = root_ + "/" + name;
    o.trainer.checkpoints.resume = true;
    recorder_ = Recorder();
    return train(o, {}, layer_table(), optimizer_table(), recorder_);
  }
  TrainReport start_from(const std::string& init, TrainOptions o, Given given = {}) {
    o.start.init = root_ + "/" + init;
    given.emplace_back("init");
    return run(o, given);
  }
  TrainReport train_dense(const std::string& name) {
    TrainOptions o = options(name);
    o.text.tokenizer = "char";
    o.decoder.layers = 1;
    o.decoder.heads = 2;
    o.decoder.width = 64;
    o.decoder.block_size = 16;
    return run(o, {"tokenizer", "layers", "heads", "width", "block_size"});
  }
  void pack(const std::string& name, const std::string& out) const {
    compress_folder(root_ + "/" + name, {.out = root_ + "/" + out});
  }
  std::string file(const std::string& path) const { return read_file(root_ + "/" + path); }
  // Of files of two runs.
  bool equal(const std::string& a, const std::string& b, const std::string& name) const {
    return file(a + "/" + name) == file(b + "/" + name);
  }

  std::string root_;
  Recorder recorder_;
};

TEST_F(StartedRun, IsEvaluatedBeforeTheFirstStep) {
  const TrainReport dense = train_dense("dense");
  EXPECT_TRUE(std::isnan(dense.initial_loss));
  EXPECT_EQ(recorder_.validations.front().step, 4) << "a run of a new model is not";
  pack("dense", "packed");
  for (const char* init : {"dense", "packed"}) {
    const std::string out = std::string(init) + "_further";
    const TrainReport report = start_from(init, options(out));
    ASSERT_EQ(recorder_.validations.size(), 4u);
    const Validation& first = recorder_.validations[0];
    EXPECT_EQ(first.step, 0);
    EXPECT_EQ(report.initial_loss, first.figures.loss);
    if (init == std::string("dense")) {
      EXPECT_EQ(report.initial_loss, dense.val.loss) << "the same validation part";
    }
    const Json entry = read_training_log(root_ + "/" + out + "/log.jsonl").front();
    EXPECT_EQ(entry.at("step").as_integer(), 0);
    EXPECT_EQ(entry.at("val_loss").as_real(), report.initial_loss);
    EXPECT_TRUE(contains(file(out + "/report.html"), "validation loss before the first step"));
  }
}

TEST_F(StartedRun, IsEvaluatedOnceAlsoIfItIsResumed) {
  train_dense("dense");
  TrainOptions o = options("whole");
  const TrainReport whole = start_from("dense", o);
  o = options("parts");
  o.trainer.checkpoints.stop_at = 3;
  start_from("dense", o);
  EXPECT_EQ(recorder_.validations.size(), 1u);
  const TrainReport rest = resume("parts");
  EXPECT_EQ(recorder_.validations.front().step, 4);
  EXPECT_EQ(rest.initial_loss, whole.initial_loss);
  for (const char* name : {"model.safetensors", "checkpoints/step-10/optimizer.safetensors",
                           "checkpoints/step-10/training.json"})
    EXPECT_TRUE(equal("parts", "whole", name)) << name;
}

TEST_F(StartedRun, AnInterruptedFirstEvaluationIsMadeOnResume) {
  train_dense("dense");
  start_from("dense", options("whole"));
  Recorded<TrainSink> sink;
  sink.asks_before_stop = 1;  // in the evaluation of two batches
  TrainOptions o = options("parts");
  o.start.init = root_ + "/dense";
  const TrainReport stopped =
      train(o, Given{"init", "batch_size", "steps", "eval_every", "eval_batches"}, layer_table(),
            optimizer_table(), sink);
  EXPECT_TRUE(stopped.interrupted);
  EXPECT_EQ(stopped.steps, 0);
  EXPECT_FALSE(resume("parts").interrupted);
  EXPECT_EQ(recorder_.validations.front().step, 0);
  EXPECT_TRUE(equal("parts", "whole", "model.safetensors"));
}

TEST_F(StartedRun, KeepsTheFirstWeightsIfNoneAreBetter) {
  train_dense("dense");
  TrainOptions o = options("worse");
  o.trainer.optimizer.name = "adamw";
  o.trainer.schedule.lr = 10;
  const TrainReport report = start_from("dense", o, {"optimizer", "lr"});
  EXPECT_GT(report.val.loss, report.initial_loss);
  EXPECT_EQ(report.best_step, 0);
  EXPECT_EQ(report.best_loss, report.initial_loss);
  EXPECT_TRUE(equal("worse", "dense", "model.safetensors"));
}

TEST_F(StartedRun, WithoutStepsOnlyEvaluates) {
  const TrainReport dense = train_dense("dense");
  TrainOptions o = options("none");
  o.trainer.schedule.steps = 0;
  const TrainReport report = start_from("dense", o);
  EXPECT_EQ(report.val.loss, dense.val.loss);
  EXPECT_TRUE(std::isnan(report.train_loss));
}

}  // namespace
}  // namespace gyre
