#include <gtest/gtest.h>
#include <unistd.h>

#include "gyre/base/system/file.h"
#include "gyre/io/npy.h"
#include "gyre/models/train.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/random/random.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/registry/layer_table.h"
#include "gyre/registry/optimizer_table.h"
#include "gyre/train/progress/sink.h"
#include "tests/conformance/far/far.h"

// Whole training runs on the test device: 20 steps with dropout, validation, samples, a checkpoint
// and a resume give the files that the CPU gives.

namespace gyre::conformance {
namespace {

class FarTraining : public testing::Test {
 protected:
  void SetUp() override {
    root_ = testing::TempDir() + "gyre_far_training_" +
            std::to_string(getpid());  // several processes run the tests
    remove_tree(root_);
    create_directories(root_);
  }
  void TearDown() override {
    set_default_device({});
    remove_tree(root_);
  }

  // The files of a run of 20 steps that stops after 10 and is resumed.
  std::vector<std::string> files_of(TrainOptions o, const char* name, Device device,
                                    std::initializer_list<const char*> files) {
    set_default_device(device);
    TrainSink quiet;
    o.trainer.run.out = root_ + "/" + name;
    o.trainer.schedule.steps = 20;
    o.trainer.schedule.warmup = 2;
    o.trainer.batch.size = 4;
    o.trainer.evaluation.every = 5;
    o.trainer.checkpoints.every = 5;
    o.trainer.checkpoints.stop_at = 10;
    train(o, layer_table(), optimizer_table(), quiet);
    o.trainer.checkpoints.stop_at = 0;
    o.trainer.checkpoints.resume = true;
    const std::string given[] = {"resume", "out"};
    train(o, given, layer_table(), optimizer_table(), quiet);
    std::vector<std::string> found;
    for (const char* file : files) found.push_back(read_file(o.trainer.run.out + "/" + file));
    return found;
  }

  void expect_same(const TrainOptions& o, std::initializer_list<const char*> files) {
    const std::vector<std::string> near = files_of(o, "near", {}, files);
    FarDevice device;
    const FarCounts before = far_counts();
    EXPECT_TRUE(files_of(o, "far", FarDevice::kDevice, files) == near);
    EXPECT_GT(far_counts().runs, before.runs + 20);
    EXPECT_EQ(far_counts().live, before.live);
  }

  // Arrays x [n, ...] and classes y of their means.
  TrainOptions classify(const Shape& shape, const std::string& model) {
    Generator g{7, 0};
    Tensor x = rand(shape, {.generator = &g});
    Tensor means = mean(reshape(x, {shape[0], -1}), ReduceAttrs{.axes = {1}});
    std::vector<NamedTensor> arrays{{"x", x}, {"y", to(means > Tensor(0.5), DType::i64)}};
    write_npz(root_ + "/data.npz", arrays);
    TrainOptions o;
    o.data.sources = {root_ + "/data.npz"};
    o.model = model;
    return o;
  }

  std::string root_;
};

constexpr std::initializer_list<const char*> kNetworkFiles = {
    "model.safetensors", "model.json", "checkpoints/step-20/optimizer.safetensors"};

TEST_F(FarTraining, Perceptron) { expect_same(classify({40, 6}, "mlp"), kNetworkFiles); }

TEST_F(FarTraining, ReadsALossOnlyToShowIt) {
  TrainOptions o = classify({40, 6}, "mlp");
  o.trainer.batch.size = 4;
  o.trainer.optimizer.clip = 0;
  o.trainer.optimizer.non_finite = NonFinite::apply;
  o.trainer.evaluation.every = o.trainer.checkpoints.every = 0;
  o.trainer.log.every = 1000;
  FarDevice device;
  set_default_device(FarDevice::kDevice);
  auto reads = [&](int64_t steps, TrainSink& sink) {
    const int64_t before = far_counts().downloads;
    o.trainer.run.out = root_ + "/" + std::to_string(before);
    o.trainer.schedule.steps = steps;
    o.trainer.schedule.warmup = 0;
    train(o, layer_table(), optimizer_table(), sink);
    return far_counts().downloads - before;
  };
  TrainSink quiet;
  EXPECT_EQ(reads(40, quiet), reads(20, quiet));
  struct Shown : TrainSink {
    void stepped(const StepProgress& p) override { EXPECT_GT(p.loss.item(), 0); }
  } shown;
  EXPECT_EQ(reads(40, shown), reads(40, quiet) + 40);
}

TEST_F(FarTraining, ConvolutionalNetwork) {
  expect_same(classify({40, 1, 8, 8}, "cnn"), kNetworkFiles);
}

TEST_F(FarTraining, Decoder) {
  std::string text;
  for (int i = 0; i < 200; ++i) text += i * i % 3 ? "the cat sat.\n" : "a dog ran.\n";
  write_file_atomic(root_ + "/text", text);
  TrainOptions o;
  o.data.sources = {root_ + "/text"};
  o.text.tokenizer = "char";
  o.text.eval_batches = 2;
  o.decoder.layers = 2;
  o.decoder.heads = 2;
  o.decoder.width = 16;
  o.decoder.block_size = 16;
  o.decoder.dropout = 0.1;
  o.trainer.sample.every = 10;
  o.trainer.sample.tokens = 8;
  o.trainer.optimizer.ema = 0.9;
  static constexpr std::initializer_list<const char*> kFiles = {
      "model.safetensors", "config.json", "tokenizer.json",
      "checkpoints/step-20/optimizer.safetensors"};
  expect_same(o, kFiles);
  remove_tree(root_ + "/near");
  remove_tree(root_ + "/far");
  o.decoder.positions = Positions::rotary;
  o.decoder.norm = NormKind::rms;
  o.decoder.head_norm = HeadNorm::plain;
  o.decoder.activation = Activation::relu_squared;
  o.decoder.bias = false;
  o.trainer.optimizer.name = "muon";
  o.trainer.schedule.lr = 0.02;
  expect_same(o, kFiles);
}

}  // namespace
}  // namespace gyre::conformance
