#include <gtest/gtest.h>

#include <cmath>

#include "gyre/models/decoder/decoder.h"
#include "gyre/nn/linear.h"
#include "gyre/nn/sequence/recurrent.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/loss/loss.h"
#include "gyre/ops/random/random.h"
#include "gyre/ops/reduce/scan.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/optim/optimizer_def.h"
#include "gyre/registry/optimizer_table.h"
#include "gyre/train/step.h"
#include "tests/conformance/far/far.h"
#include "tests/conformance/op_test.h"

// Training steps on the test device: the bits of the CPU, and nothing read back but what is shown.

namespace gyre::conformance {
namespace {

// A module whose forward pass ends in a loss.
class Task : public Objective {
 public:
  nn::Module& model() override { return *net_; }

 protected:
  Task(std::unique_ptr<nn::Module> net, bool far, DType dtype = DType::f32) : net_(std::move(net)) {
    net_->to(dtype);
    if (far) net_->to(FarDevice::kDevice);
  }
  std::unique_ptr<nn::Module> net_;
};

class Perceptron final : public Task {
 public:
  explicit Perceptron(bool far, DType dtype = DType::f32)
      : Task(std::make_unique<Net>(), far, dtype), dtype_(dtype) {}
  Batch batch(int64_t number) override {
    Generator g{3, static_cast<uint64_t>(100 * number)};
    Tensor x = randn({5, 6}, {.generator = &g});
    return Batch({{"x", to(x, dtype_)}, {"y", slice(x, {1, 0, 2, 1})}});
  }
  BatchLoss loss(const Batch& batch) override {
    auto& net = static_cast<Net&>(*net_);
    Tensor y = net.second(tanh(net.first(batch["x"])));
    return {mse(to(y, DType::f32), batch["y"]), 0.75};
  }

 private:
  struct Net : nn::Module {
    void visit(nn::Visitor& v) override {
      v.module("first", first);
      v.module("second", second);
    }
    Generator generator{5, 0};
    nn::Linear first{6, 16, &generator}, second{16, 2, &generator};
  };
  DType dtype_;
};

class Sequences final : public Task {
 public:
  explicit Sequences(bool far) : Task(make(), far) {}
  Batch batch(int64_t number) override {
    Generator g{4, static_cast<uint64_t>(100 * number)};
    Tensor x = randn({7, 3, 4}, {.generator = &g});
    return Batch({{"x", x}, {"y", cumsum(slice(x, {2, 0, 3, 1}), 0)}});
  }
  BatchLoss loss(const Batch& batch) override {
    return {mse(static_cast<nn::Lstm&>(*net_)(batch["x"]).out, batch["y"])};
  }

 private:
  static std::unique_ptr<nn::Module> make() {
    Generator g{6, 0};
    return std::make_unique<nn::Lstm>(
        RecurrentOptions{.in = 4, .hidden = 3, .layers = 2, .dropout = 0.2}, &g);
  }
};

class Text final : public Task {
 public:
  explicit Text(bool far) : Task(make(), far) {}
  Batch batch(int64_t number) override {
    Generator g{5, static_cast<uint64_t>(100 * number)};
    Tensor tokens = randint(0, 11, {3, 9}, {.dtype = DType::i64, .generator = &g});
    return Batch({{"x", slice(tokens, {1, 0, 8, 1})}, {"y", slice(tokens, {1, 1, 9, 1})}});
  }
  BatchLoss loss(const Batch& batch) override {
    return {static_cast<Decoder&>(*net_).loss(batch["x"], batch["y"])};
  }

 private:
  static std::unique_ptr<nn::Module> make() {
    Generator g{7, 0};
    return std::make_unique<Decoder>(
        DecoderOptions{
            .vocab = 11, .block_size = 8, .layers = 2, .heads = 2, .width = 8, .dropout = 0.1},
        &g);
  }
};

constexpr auto kNever = [] { return false; };

// Losses, norms and parameters after steps of two batches. `reads` gets what a step reads back.
Tensors stepped(Objective& task, const char* optimizer, const UpdateOptions& update,
                const PrecisionOptions& precision, int64_t* reads, int64_t steps = 2) {
  Step step(task,
            make_optimizer(optimizer_table(), optimizer, Json::object(), task.model().parameters()),
            update, precision);
  Tensors found;
  for (int64_t i = 0; i < steps; ++i) {
    const int64_t before = far_counts().downloads;
    const StepOutcome done =
        step.run({.number = i + 1, .batch = 2 * i, .accumulate = 2, .lr = 0.1}, kNever).value();
    *reads = far_counts().downloads - before;
    EXPECT_TRUE(done.applied);
    found.push_back(done.loss);
    found.push_back(done.gradient_norm);
  }
  for (const Tensor& p : task.model().parameters()) found.push_back(p);
  return found;
}

void expect_same_bits(const Tensors& far, const Tensors& near) {
  ASSERT_EQ(near.size(), far.size());
  for (size_t i = 0; i < near.size(); ++i) EXPECT_TRUE(same_bits(to_near(far[i]), near[i])) << i;
}

TEST(FarStep, ReadsNothingThatIsNotShown) {
  FarDevice device;
  const UpdateOptions free{.clip = 0, .non_finite = NonFinite::apply, .ema = 0.9};
  UpdateOptions clipped = free, zeroed = free, skips = free, raises = free;
  clipped.clip = 0.1;
  zeroed.non_finite = NonFinite::zero;
  skips.non_finite = NonFinite::skip;
  raises.non_finite = NonFinite::raise;
  const PrecisionOptions f16{.dtype = TrainedDType::f16};
  struct Case {
    UpdateOptions update;
    PrecisionOptions precision;
    int64_t reads;
  };
  for (const char* optimizer : {"sgd", "adamw", "muon"}) {
    for (const Case& c : {Case{free, {}, 0},
                          {zeroed, {}, 0},
                          {clipped, {}, 1},
                          {skips, {}, 1},
                          {raises, {}, 2},
                          {free, f16, 1}}) {
      int64_t reads = 0;
      const DType dtype = c.precision.dtype == TrainedDType::f16 ? DType::f16 : DType::f32;
      Perceptron near_task(false, dtype), far_task(true, dtype);
      const Tensors near = stepped(near_task, optimizer, c.update, c.precision, &reads);
      const Tensors far = stepped(far_task, optimizer, c.update, c.precision, &reads);
      EXPECT_EQ(reads, c.reads) << optimizer << " " << static_cast<int>(c.update.non_finite);
      expect_same_bits(far, near);
    }
  }
}

template <class T>
void expect_no_reads() {
  FarDevice device;
  const UpdateOptions update{.clip = 0, .non_finite = NonFinite::apply, .ema = 0.9};
  int64_t reads = 0;
  T near_task(false), far_task(true);
  const Tensors near = stepped(near_task, "adamw", update, {}, &reads, 20);
  const Tensors far = stepped(far_task, "adamw", update, {}, &reads, 20);
  EXPECT_EQ(reads, 0);
  expect_same_bits(far, near);
  const int64_t before = far_counts().downloads;
  EXPECT_TRUE(std::isfinite(far[0].item()));  // the loss, shown
  EXPECT_EQ(far_counts().downloads, before + 1);
}

TEST(FarStep, OfAnLstmReadsNothing) { expect_no_reads<Sequences>(); }
TEST(FarStep, OfAGptReadsNothing) { expect_no_reads<Text>(); }

}  // namespace
}  // namespace gyre::conformance
