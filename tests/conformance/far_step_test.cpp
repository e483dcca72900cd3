#include <gtest/gtest.h>

#include "gyre/nn/linear.h"
#include "gyre/nn/replace_tensors.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/loss/loss.h"
#include "gyre/ops/random/random.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/optim/optimizer_def.h"
#include "gyre/registry/optimizer_table.h"
#include "gyre/train/step.h"
#include "tests/conformance/far.h"
#include "tests/conformance/op_test.h"

// Training steps on the test device: the bits of the CPU, and nothing read back but what is shown.

namespace gyre::conformance {
namespace {

class Perceptron final : public Objective {
 public:
  explicit Perceptron(bool far, DType dtype) : far_(far), dtype_(dtype) {
    net_.to(dtype);
    std::vector<NamedTensor> moved;
    for (const NamedTensor& t : net_.state_dict())
      moved.push_back({t.name, there(t.tensor.detach()).set_requires_grad(true)});
    nn::replace_tensors(net_, moved);
  }
  nn::Module& model() override { return net_; }
  Batch batch(int64_t number) override {
    Generator g{3, static_cast<uint64_t>(100 * number)};
    Tensor x = randn({5, 6}, {.generator = &g});
    return Batch({{"x", there(to(x, dtype_))}, {"y", there(slice(x, {1, 0, 2, 1}))}});
  }
  BatchLoss loss(const Batch& batch) override {
    Tensor y = net_.second(tanh(net_.first(batch["x"])));
    return {mse(to(y, DType::f32), batch["y"]), 0.75};
  }

 private:
  struct Net : nn::Module {
    explicit Net(Generator* g) : first(6, 16, g), second(16, 2, g) {}
    void visit(nn::Visitor& v) override {
      v.module("first", first);
      v.module("second", second);
    }
    nn::Linear first, second;
  };
  [[nodiscard]] Tensor there(const Tensor& t) const { return far_ ? to_far(t) : t; }

  bool far_;
  DType dtype_;
  Generator generator_{5, 0};
  Net net_{&generator_};
};

constexpr auto kNever = [] { return false; };

// Losses, norms and parameters after two steps of two batches. `reads` gets what a step reads back.
Tensors stepped(bool far, const char* optimizer, const UpdateOptions& update,
                const PrecisionOptions& precision, int64_t* reads) {
  Perceptron task(far, precision.dtype == TrainedDType::f16 ? DType::f16 : DType::f32);
  Step step(task,
            make_optimizer(optimizer_table(), optimizer, Json::object(), task.model().parameters()),
            update, precision);
  Tensors found;
  for (int64_t i = 0; i < 2; ++i) {
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
  for (const char* optimizer : {"sgd", "adamw"}) {
    for (const Case& c : {Case{free, {}, 0},
                          {zeroed, {}, 0},
                          {clipped, {}, 1},
                          {skips, {}, 1},
                          {raises, {}, 2},
                          {free, f16, 1}}) {
      int64_t reads = 0;
      const Tensors near = stepped(false, optimizer, c.update, c.precision, &reads);
      const Tensors far = stepped(true, optimizer, c.update, c.precision, &reads);
      EXPECT_EQ(reads, c.reads) << optimizer << " " << static_cast<int>(c.update.non_finite);
      ASSERT_EQ(near.size(), far.size());
      for (size_t i = 0; i < near.size(); ++i)
        EXPECT_TRUE(same_bits(to_near(far[i]), near[i])) << optimizer << " " << i;
    }
  }
}

}  // namespace
}  // namespace gyre::conformance
