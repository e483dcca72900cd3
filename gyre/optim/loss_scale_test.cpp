#include "gyre/optim/loss_scale.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "gyre/ops/reduce/reduce.h"
#include "gyre/optim/rules/adam.h"
#include "gyre/optim/test_parameters.h"
#include "gyre/registry/optimizer_table.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(LossScale, BacksOffAtOnceAndGrowsAfterTheInterval) {
  LossScale scale({.initial = 16, .growth = 4, .backoff = 0.25, .growth_interval = 3});
  EXPECT_EQ(scale.scale(), 16);
  for (double wanted : {16, 16, 64, 64, 64, 256}) {
    scale.update(true);
    EXPECT_EQ(scale.scale(), wanted);
  }
  scale.update(true);
  scale.update(true);
  scale.update(false);
  EXPECT_EQ(scale.scale(), 64);
  for (double wanted : {64, 64, 256}) {
    scale.update(true);
    EXPECT_EQ(scale.scale(), wanted) << "counted from the last backoff";
  }
}

TEST(LossScale, IsNeverBelowTheLeast) {
  LossScale scale({.initial = 8, .least = 2});
  scale.update(false);
  scale.update(false);
  EXPECT_EQ(scale.scale(), 2);
  Error error = error_of([&] { scale.update(false); });
  EXPECT_EQ(error.code, Code::numeric);
  EXPECT_TRUE(contains(error.what(), "with loss scale 2"));
  EXPECT_EQ(scale.scale(), 2);
  LossScale odd({.initial = 3, .least = 2});
  EXPECT_EQ(code_of([&] { odd.update(false); }), Code::numeric);
  EXPECT_EQ(odd.scale(), 3);
}

TEST(LossScale, GrowsWhileF32CanHoldIt) {
  LossScale scale({.initial = 0x1p126, .growth_interval = 1});
  scale.update(true);
  EXPECT_EQ(scale.scale(), 0x1p127);
  scale.update(true);
  EXPECT_EQ(scale.scale(), 0x1p127);
}

TEST(LossScale, ResumesFromItsState) {
  LossScaleOptions o{.initial = 16, .growth_interval = 3};
  LossScale whole(o), before(o), after(o);
  for (bool finite : {true, false, true, true}) {
    whole.update(finite);
    before.update(finite);
  }
  after.load_state(Json::parse(before.state().dump()));
  for (bool finite : {true, true, false, true}) {
    whole.update(finite);
    after.update(finite);
    EXPECT_EQ(after.state(), whole.state());
  }
  auto load = [&](const char* text) {
    return code_of([&] { after.load_state(Json::parse(text)); });
  };
  EXPECT_EQ(load(R"({"scale": 0.5})"), Code::value);
  EXPECT_EQ(load(R"({"good_steps": -1})"), Code::value);
  EXPECT_EQ(load(R"({"scales": 1})"), Code::value);
  EXPECT_EQ(load(R"({"scale": "1"})"), Code::parse);
  EXPECT_EQ(after.state(), whole.state());
}

TEST(LossScale, RejectsInvalidOptions) {
  auto code = [](const LossScaleOptions& o) { return code_of([&] { LossScale scale(o); }); };
  EXPECT_EQ(code({.initial = 0.5}), Code::value);
  EXPECT_EQ(code({.initial = kInfinity}), Code::value);
  EXPECT_EQ(code({.growth = 0.5}), Code::value);
  EXPECT_EQ(code({.backoff = 1}), Code::value);
  EXPECT_EQ(code({.backoff = 0}), Code::value);
  EXPECT_EQ(code({.least = 0}), Code::value);
  EXPECT_EQ(code({.growth_interval = 0}), Code::value);
}

// Training in f16 with loss sum(w x): the gradient of w is x times the scale.
TEST(LossScale, SkipsStepsThatOverflow) {
  for (double bad : {kInfinity, std::nan("")}) {
    Tensor w = leaf({40}, 1, DType::f16), same = leaf({40}, 1, DType::f16);
    AdamW optimizer(std::vector<Tensor>{w}), wanted(std::vector<Tensor>{same});
    LossScale scale({.initial = 1024, .growth_interval = 2});
    auto step = [&](double x) {
      w.zero_grad();
      (sum(w * full({40}, x, {.dtype = DType::f16})) * scale.scale()).backward();
      StepResult done = optimizer.step({.scale = 1 / scale.scale(), .norm = true});
      scale.update(done.applied);
      return done.applied;
    };
    EXPECT_TRUE(step(0.5));
    std::vector<std::string> before = bits_of(copy_of(optimizer.state_dict()), std::vector{w});
    EXPECT_FALSE(step(bad));
    EXPECT_FALSE(step(250)) << "250 * 512 is too large for f16";
    EXPECT_EQ(bits_of(optimizer.state_dict(), std::vector{w}), before);
    EXPECT_EQ(scale.scale(), 256);
    EXPECT_TRUE(step(250));
    EXPECT_TRUE(step(1));
    EXPECT_EQ(scale.scale(), 512);
    for (double x : {0.5, 250.0, 1.0}) {
      same.set_grad(full({40}, x, {.dtype = DType::f16}));
      wanted.step();
    }
    EXPECT_EQ(bits_of(optimizer.state_dict(), std::vector{w}),
              bits_of(wanted.state_dict(), std::vector{same}))
        << "scaling by powers of two is exact";
  }
}

TEST(LossScale, EveryOptimizerSkipsTheStepUnchanged) {
  for (const OptimizerDef* def : optimizer_table().optimizers) {
    for (DType dtype : {DType::f16, DType::bf16, DType::f32, DType::f64}) {
      std::vector<Tensor> p{leaf({3}, 1, dtype), leaf({70}, 2, dtype)};
      std::unique_ptr<Optimizer> optimizer =
          make_optimizer(optimizer_table(), def->name, Json::object(), p);
      for (const Tensor& t : p) set_gradient(t, 3);
      optimizer->step({.norm = true});
      std::vector<std::string> before = bits_of(copy_of(optimizer->state_dict()), p);
      p[0].set_grad(full({3}, kInfinity, {.dtype = dtype}));
      EXPECT_FALSE(optimizer->step({.scale = 0x1p-16, .norm = true}).applied);
      EXPECT_EQ(bits_of(optimizer->state_dict(), p), before) << def->name << name_of(dtype);
    }
  }
}

}  // namespace
}  // namespace gyre
