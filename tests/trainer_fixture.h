#pragma once
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "gyre/base/system/file.h"
#include "gyre/base/thread_pool.h"
#include "gyre/data/draw.h"
#include "gyre/nn/linear.h"
#include "gyre/nn/norms.h"
#include "gyre/nn/op_layers.h"
#include "gyre/op/node.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/loss/loss.h"
#include "gyre/ops/random/random.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/registry/optimizer_table.h"
#include "gyre/train/trainer.h"

// A small training for the tests of gyre/train.

namespace gyre {

// Learns y = tanh of a fixed map of x by two layers and dropout.
class Regression final : public TrainTask {
 public:
  class Net : public nn::Module {
   public:
    explicit Net(Generator* g) : first(8, 16, g), norm(16), drop({0.1}), second(16, 4, g) {}
    Tensor operator()(const Tensor& x) const { return second(drop(tanh(norm(first(x))))); }
    void visit(nn::Visitor& v) override {
      v.module("first", first);
      v.module("norm", norm);
      v.module("drop", drop);
      v.module("second", second);
    }
    nn::Linear first;
    nn::BatchNorm norm;
    nn::Dropout drop;
    nn::Linear second;
  };

  nn::Module& model() override { return net_; }
  Batch batch(int64_t number) override {
    const double factor = number == bad_batch ? std::numeric_limits<double>::quiet_NaN() : 1;
    return Batch({{"x", input(number, 6)}, {"factor", Tensor(factor)}});
  }
  BatchLoss loss(const Batch& batch) override {
    Tensor x = to(batch["x"], net_.first.weight.dtype());
    Tensor y = tanh(slice(x, {1, 0, 4, 1}) * Tensor(2.0));
    return {mse(to(net_(x), DType::f32), to(y, DType::f32)) * Tensor(batch["factor"].item())};
  }
  int64_t tokens_per_batch() const override { return 6; }
  std::optional<Validation> validate(TrainSink& sink) override {
    EXPECT_FALSE(net_.training());
    EXPECT_FALSE(grad_enabled());
    if (sink.stop_wanted()) return {};
    Validation v;
    v.figures.loss = loss(batch(1000000)).mean.item();
    return v;
  }
  void save(const std::string& folder) override {
    write_safetensors(folder + "/model.safetensors", net_.state_dict());
  }
  void load(const std::string& folder) override {
    net_.load_state_dict(SafetensorsFile(folder + "/model.safetensors"));
  }

  int64_t bad_batch = -1;

 private:
  static Tensor input(int64_t number, int64_t rows) {
    Generator g{draw(9, static_cast<uint64_t>(number)), 0};
    return randn({rows, 8}, {.generator = &g});
  }
  Generator generator_{4, 0};
  Net net_{&generator_};
};

struct Recorder : TrainSink {
  void stepped(const StepProgress& p) override { steps.push_back(p); }
  void validated(const Validation& v) override { validations.push_back(v); }
  void saved(const std::string& path) override { saves.push_back(path); }
  bool stop_wanted() override {
    return stop_after > 0 && static_cast<int64_t>(steps.size()) >= stop_after;
  }
  std::vector<StepProgress> steps;
  std::vector<Validation> validations;
  std::vector<std::string> saves;
  int64_t stop_after = 0;
};

class Trainer : public ::testing::Test {
 protected:
  void SetUp() override {
    root_ = ::testing::TempDir() + "gyre_trainer";
    remove_tree(root_);
  }
  void TearDown() override {
    remove_tree(root_);
    set_num_threads(0);
  }
  TrainerOptions options(const std::string& name) const {
    TrainerOptions o;
    o.run.out = root_ + "/" + name;
    o.schedule.steps = 50;
    o.schedule.warmup = 5;
    o.schedule.lr = 0.01;
    o.evaluation.every = 0;
    o.checkpoints.every = 0;
    return o;
  }
  TrainReport run(const TrainerOptions& o, TrainState state = {}) {
    Regression task;
    if (state.step == 0) state.seed = 11;
    recorder_ = Recorder();
    recorder_.stop_after = stop_after_;
    return run_training(task, o, optimizer_table(), state, recorder_);
  }
  TrainState state_of(const TrainerOptions& o, int64_t step) {
    return CheckpointStore(o.run.out + "/checkpoints").read(step);
  }
  std::string model_of(const TrainerOptions& o) {
    return read_file(o.run.out + "/model.safetensors");
  }

  std::string root_;
  Recorder recorder_;
  int64_t stop_after_ = 0;
};

}  // namespace gyre
