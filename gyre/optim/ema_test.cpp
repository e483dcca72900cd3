#include "gyre/optim/ema.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "gyre/base/cpu.h"
#include "gyre/base/thread_pool.h"
#include "gyre/hyperbolic/manifold/models.h"
#include "gyre/hyperbolic/manifold/parameter.h"
#include "gyre/hyperbolic/manifold/sphere.h"
#include "gyre/nn/linear.h"
#include "gyre/ops/shape/in_place.h"
#include "gyre/optim/rules/adam.h"
#include "gyre/optim/test_parameters.h"
#include "tests/largest_difference.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

constexpr DType kAveraged[] = {DType::f16, DType::bf16, DType::f32, DType::f64};

std::vector<NamedTensor> model_of(DType dtype) {
  return {{"a", leaf({3}, 1, dtype)},
          {"empty", leaf({0}, 1, dtype)},
          {"b", leaf({40001}, 2, dtype)},
          {"count", full({2}, 5, {.dtype = DType::i64})}};
}

void change(std::span<const NamedTensor> model, uint64_t seed) {
  NoGrad scope;
  for (const NamedTensor& t : model) {
    Tensor fresh = is_floating(t.tensor.dtype()) ? leaf(t.tensor.shape(), seed)
                                                 : full(t.tensor.shape(), double(seed));
    copy_(t.tensor, fresh);
  }
}

TEST(Ema, FollowsTheFormulaOnEveryInstructionSet) {
  Isa best = cpu_features().best, before = isa();
  for (int level = v2; level <= best; ++level) {
    set_isa(static_cast<Isa>(level));
    for (DType dtype : kAveraged) {
      for (bool warmup : {false, true}) {
        std::vector<NamedTensor> model = model_of(dtype);
        Ema ema(model, {.decay = 0.25, .warmup = warmup});
        std::vector<double> wanted = to_vector<double>(model[2].tensor);
        for (uint64_t n = 0; n < 6; ++n) {
          change(model, 10 + n);
          ema.update();
          double decay = warmup ? std::min(0.25, (1.0 + double(n)) / (10.0 + double(n))) : 0.25;
          std::vector<double> x = to_vector<double>(model[2].tensor);
          for (size_t i = 0; i < x.size(); ++i) {
            wanted[i] = decay * wanted[i] + (1 - decay) * x[i];
          }
        }
        std::vector<NamedTensor> state = ema.state_dict();
        std::vector<double> average = to_vector<double>(state[3].tensor);
        for (size_t i = 0; i < wanted.size(); ++i) {
          ASSERT_NEAR(average[i], wanted[i], dtype == DType::f64 ? 1e-14 : 2e-6) << i;
        }
        EXPECT_EQ(state[3].tensor.dtype(), dtype == DType::f64 ? DType::f64 : DType::f32);
        EXPECT_EQ(to_vector<int64_t>(state[4].tensor), (std::vector<int64_t>{15, 15}));
        EXPECT_EQ(ema.updates(), 6);
      }
    }
  }
  set_isa(before);
}

TEST(Ema, ConstantsStayAsTheyAre) {
  float infinity = std::numeric_limits<float>::infinity();
  std::vector<float> values{0.1f, -infinity, infinity, 3};
  std::vector<NamedTensor> model{{"mask", tensor(values, {4})}};
  Ema ema(model);
  for (int i = 0; i < 5; ++i) ema.update();
  EXPECT_EQ(to_vector<float>(ema.state_dict()[1].tensor), values);
}

TEST(Ema, KeepsPointsOnTheirManifold) {
  const hyperbolic::Sphere sphere;
  hyperbolic::ManifoldParameter p(tensor({{1, 0}, {0.6, 0.8}}, {.dtype = DType::f64}), sphere);
  Ema ema(std::vector<NamedTensor>{{"p", p}}, {.decay = 0.5});
  {
    NoGrad scope;
    copy_(p, tensor({{0, 1}, {0.6, 0.8}}));
  }
  ema.update();
  EmaScope scope(ema);
  sphere.require_points(p.detach(), "swap");
  Tensor middle = full({2}, std::sqrt(0.5), {.dtype = DType::f64});
  EXPECT_LE(largest_difference(select(p.detach(), {0, 0}), middle), 1e-15);
}

TEST(Ema, ProjectsPointsWithTheAverageCurvature) {
  Tensor c = full({}, 1, {.dtype = DType::f64});
  c.set_requires_grad();
  const hyperbolic::PoincareBall ball(c);
  hyperbolic::ManifoldParameter p(tensor({{0.9, 0}, {1 - 1e-9, 0}}, {.dtype = DType::f64}), ball);
  Ema ema(std::vector<NamedTensor>{{"p", p}, {"c", c}}, {.decay = 0.5});
  auto set = [&](double curvature, double x) {
    NoGrad scope;
    copy_(c, full({}, curvature, {.dtype = DType::f64}));
    copy_(p, tensor({{x, 0}, {1 - 1e-9, 0}}, {.dtype = DType::f64}));
  };
  set(0.25, 1.9);
  ema.update();
  const std::string values = bits_of(p.detach());
  ema.swap();
  EXPECT_EQ(c.item(), 0.625);
  const std::vector<double> points = to_vector<double>(p.detach());
  EXPECT_NEAR(points[0], 1 / std::sqrt(0.625), 1e-6) << "0.5 (0.9 + 1.9) is outside the ball";
  EXPECT_EQ(points[2], 1 - 1e-9) << "it has not moved";
  ball.require_points(p.detach(), "swap");
  ema.swap();
  EXPECT_EQ(bits_of(p.detach()), values);
  EXPECT_EQ(c.item(), 0.25);
}

TEST(Ema, DoesNotDependOnThreads) {
  std::vector<std::string> first;
  for (int threads : {1, 2, 7}) {
    set_num_threads(threads);
    std::vector<NamedTensor> model = model_of(DType::bf16);
    Ema ema(model);
    change(model, 3);
    ema.update();
    if (first.empty()) first = bits_of(ema.state_dict());
    EXPECT_EQ(bits_of(ema.state_dict()), first);
  }
  set_num_threads(0);
}

TEST(Ema, SwapsAveragesAndValues) {
  for (DType dtype : kAveraged) {
    std::vector<NamedTensor> model = model_of(dtype);
    Ema ema(model, {.decay = 0.5});
    change(model, 3);
    ema.update();
    std::vector<std::string> before = bits_of(model);
    std::vector<NamedTensor> averages = copy_of(ema.state_dict());
    {
      EmaScope scope(ema);
      EXPECT_TRUE(ema.swapped());
      for (size_t i = 0; i < model.size(); ++i) {
        EXPECT_EQ(bits_of(model[i].tensor),
                  bits_of(to(averages[i + 1].tensor, model[i].tensor.dtype())))
            << model[i].name;
      }
      EXPECT_NE(bits_of(model), before);
      EXPECT_EQ(code_of([&] { ema.update(); }), Code::value);
      EXPECT_EQ(code_of([&] { ema.load_state_dict(averages); }), Code::value);
      EXPECT_EQ(code_of([&] { EmaScope again(ema); }), Code::value);
    }
    EXPECT_FALSE(ema.swapped());
    EXPECT_EQ(bits_of(model), before);
    EXPECT_EQ(bits_of(ema.state_dict()), bits_of(averages));
  }
}

TEST(Ema, DoesNotDisturbMasterWeights) {
  Tensor a = leaf({70}, 1, DType::bf16), b = leaf({70}, 1, DType::bf16);
  AdamW with(std::vector{a}, {.lr = 1e-4}), without(std::vector{b}, {.lr = 1e-4});
  Ema ema(std::vector<NamedTensor>{{"a", a}}, {.decay = 0.5});
  for (uint64_t step = 0; step < 5; ++step) {
    set_gradient(a, step);
    set_gradient(b, step);
    with.step();
    without.step();
    ema.update();
    EmaScope scope(ema);
  }
  EXPECT_EQ(bits_of(with.state_dict(), std::vector{a}),
            bits_of(without.state_dict(), std::vector{b}));
}

TEST(Ema, ResumesFromItsState) {
  for (DType dtype : kAveraged) {
    std::vector<NamedTensor> model = model_of(dtype);
    Ema whole(model, {.warmup = true}), before(model, {.warmup = true});
    for (uint64_t n = 0; n < 3; ++n) {
      change(model, n);
      whole.update();
      before.update();
    }
    Ema after(model, {.warmup = true});
    after.load_state_dict(copy_of(before.state_dict()));
    for (uint64_t n = 3; n < 5; ++n) {
      change(model, n);
      whole.update();
      after.update();
    }
    EXPECT_EQ(bits_of(after.state_dict()), bits_of(whole.state_dict()));
  }
}

TEST(Ema, AcceptsAStateDictAndAnyLayout) {
  nn::Linear layer(3, 4);
  Ema ema(layer.state_dict());
  EXPECT_EQ(ema.state_dict().size(), 3u);
  EXPECT_EQ(ema.state_dict()[1].name, "weight");
  Tensor turned = transpose(leaf({3, 5}, 1).detach(), 0, 1);
  Ema of_view(std::vector<NamedTensor>{{"x", turned}}, {.decay = 0});
  change(std::vector<NamedTensor>{{"x", turned}}, 4);
  of_view.update();
  std::vector<double> average = to_vector<double>(of_view.state_dict()[1].tensor);
  std::vector<double> wanted = to_vector<double>(turned);
  for (size_t i = 0; i < wanted.size(); ++i) EXPECT_NEAR(average[i], wanted[i], 1e-6);
}

TEST(Ema, RejectsInvalidArguments) {
  Tensor t = ones({2});
  auto make = [](std::vector<NamedTensor> tensors, double decay = 0.5) {
    return code_of([&] { Ema ema(tensors, {.decay = decay}); });
  };
  EXPECT_EQ(make({{"a", t}}, -0.1), Code::value);
  EXPECT_EQ(make({{"a", t}}, 1.1), Code::value);
  EXPECT_EQ(make({{"a", t}}, std::nan("")), Code::value);
  EXPECT_EQ(make({{"a", Tensor()}}), Code::value);
  EXPECT_EQ(make({{"a", t}, {"b", t}, {"a", t}}), Code::value);
  EXPECT_EQ(make({{"updates", t}}), Code::value);
  Ema ema(std::vector<NamedTensor>{{"a", t}});
  auto load = [&](const Tensor& updates, const Tensor& a) {
    std::vector<NamedTensor> state{{"updates", updates}, {"a", a}};
    return code_of([&] { ema.load_state_dict(state); });
  };
  Tensor zero = full({}, 0, {.dtype = DType::i64});
  EXPECT_EQ(load(full({}, -1, {.dtype = DType::i64}), t), Code::value);
  EXPECT_EQ(load(zero, ones({3})), Code::shape);
  EXPECT_EQ(load(zero, ones({2}, {.dtype = DType::f64})), Code::dtype);
}

TEST(Ema, GoesOnWithTheTensorsOfACastModule) {
  nn::Linear net(3, 4);
  Ema ema(net.state_dict(), {.decay = 0.5, .warmup = false});
  const std::vector<double> first = to_vector<double>(net.weight);
  net.to(DType::f64);
  {
    NoGrad scope;
    copy_(net.weight, full({4, 3}, 2.0));
  }
  ema.update();
  EmaScope scope(ema);
  EXPECT_EQ(net.weight.dtype(), DType::f64);
  EXPECT_NEAR(to_vector<double>(net.weight)[0], (first[0] + 2) / 2, 1e-7);
}

TEST(Ema, StaysWithAModuleOfWhichACopyIsCast) {
  nn::Linear net(3, 4), copy = net;
  Ema ema(net.state_dict(), {.decay = 0.5, .warmup = false});
  copy.to(DType::f16);
  NoGrad scope;
  for (const nn::Linear* trained : {&copy, &net}) copy_(trained->weight, full({4, 3}, 2.0));
  ema.update();
  for (const NamedTensor& t : ema.state_dict()) {
    EXPECT_NE(t.tensor.dtype(), DType::f16) << t.name;
  }
  EmaScope swapped(ema);
  EXPECT_NE(to_vector<float>(net.weight)[0], 2);
}

}  // namespace
}  // namespace gyre
