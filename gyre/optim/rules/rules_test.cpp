#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "gyre/base/cpu.h"
#include "gyre/base/thread_pool.h"
#include "gyre/optim/rules/adam.h"
#include "gyre/optim/rules/lion.h"
#include "gyre/optim/rules/sgd.h"
#include "gyre/optim/test_parameters.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

// The update rules in double, one element at a time.
struct Reference {
  std::vector<double> value, first, second, largest;
  int64_t step = 0;

  explicit Reference(const Tensor& p)
      : value(to_vector<double>(p)),
        first(value.size()),
        second(value.size()),
        largest(value.size()) {}

  void adam(const std::vector<double>& g, const AdamOptions& o, bool decoupled) {
    auto t = static_cast<double>(++step);
    for (size_t i = 0; i < value.size(); ++i) {
      double d = g[i] + (decoupled ? 0 : o.weight_decay * value[i]);
      first[i] = o.beta1 * first[i] + (1 - o.beta1) * d;
      second[i] = o.beta2 * second[i] + (1 - o.beta2) * d * d;
      largest[i] = std::max(largest[i], second[i]);
      double m = first[i] / (1 - std::pow(o.beta1, t));
      double v = (o.amsgrad ? largest[i] : second[i]) / (1 - std::pow(o.beta2, t));
      double decay = decoupled ? o.weight_decay * value[i] : 0;
      value[i] -= o.lr * (m / (std::sqrt(v) + o.eps) + decay);
    }
  }

  void sgd(const std::vector<double>& g, const SgdOptions& o) {
    ++step;
    for (size_t i = 0; i < value.size(); ++i) {
      double d = g[i] + o.weight_decay * value[i];
      if (o.momentum > 0) {
        first[i] = step == 1 ? d : o.momentum * first[i] + (1 - o.dampening) * d;
        d = o.nesterov ? d + o.momentum * first[i] : first[i];
      }
      value[i] -= o.lr * d;
    }
  }

  void lion(const std::vector<double>& g, const LionOptions& o) {
    for (size_t i = 0; i < value.size(); ++i) {
      double c = o.beta1 * first[i] + (1 - o.beta1) * g[i];
      double direction = c > 0 ? 1 : c < 0 ? -1 : 0;
      value[i] -= o.lr * (direction + o.weight_decay * value[i]);
      first[i] = o.beta2 * first[i] + (1 - o.beta2) * g[i];
    }
  }
};

// A rule and its reference.
struct Case {
  const char* name;
  std::function<std::unique_ptr<Optimizer>(std::span<const Tensor>)> make;
  std::function<void(Reference&, const std::vector<double>& gradient)> step;
};

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const SgdOptions& o : {SgdOptions{0.1}, SgdOptions{0.1, 0, 0, 0.3}, SgdOptions{0.1, 0.9},
                              SgdOptions{0.1, 0.9, 0.4}, SgdOptions{0.1, 0.9, 0, 0.2, true}}) {
    all.push_back({"sgd", [o](auto p) { return std::make_unique<Sgd>(p, o); },
                   [o](Reference& r, const auto& g) { r.sgd(g, o); }});
  }
  for (bool amsgrad : {false, true}) {
    // With a small eps, steps along tiny gradients would be dominated by rounding errors.
    AdamOptions o{1e-2, 0.8, 0.95, 1e-3, 0.1, amsgrad};
    AdamWOptions w{o.lr, o.beta1, o.beta2, o.eps, o.weight_decay, amsgrad};
    all.push_back({"adam", [o](auto p) { return std::make_unique<Adam>(p, o); },
                   [o](Reference& r, const auto& g) { r.adam(g, o, false); }});
    all.push_back({"adamw", [w](auto p) { return std::make_unique<AdamW>(p, w); },
                   [o](Reference& r, const auto& g) { r.adam(g, o, true); }});
  }
  LionOptions o{1e-2, 0.7, 0.9, 0.1};
  all.push_back({"lion", [o](auto p) { return std::make_unique<Lion>(p, o); },
                 [o](Reference& r, const auto& g) { r.lion(g, o); }});
  return all;
}

// Sizes around the vector widths and larger than a chunk.
const Shape kShapes[] = {{0}, {1}, {3}, {17}, {64}, {5, 13}, {40000}};

std::vector<Tensor> parameters_of(DType dtype) {
  std::vector<Tensor> parameters;
  for (const Shape& shape : kShapes) parameters.push_back(leaf(shape, 1, dtype));
  return parameters;
}

// The largest difference relative to 1 + |wanted|.
double error(const Tensor& p, const Reference& wanted) {
  std::vector<double> v = to_vector<double>(p);
  double worst = 0;
  for (size_t i = 0; i < v.size(); ++i) {
    worst = std::max(worst, std::abs(v[i] - wanted.value[i]) / (1 + std::abs(wanted.value[i])));
  }
  return worst;
}

constexpr DType kStepped[] = {DType::f16, DType::bf16, DType::f32, DType::f64};

constexpr double kScale = 0.5;
constexpr uint64_t kSteps = 5;

void set_gradients(std::span<const Tensor> parameters, uint64_t step) {
  // Large, then smaller: the maximum second moment is not the last.
  double size = step == 1 ? 4 : 1;
  for (size_t i = 0; i < parameters.size(); ++i) {
    set_gradient(parameters[i], 10 * step + i, size);
  }
}

// The values that are updated: the master of a parameter if it has one.
Tensor stepped(Optimizer& optimizer, size_t i) {
  for (const NamedTensor& t : optimizer.state_dict()) {
    if (t.name == "master." + std::to_string(i)) return t.tensor;
  }
  return optimizer.parameters()[i];
}

void expect_formula(const Case& rule, DType dtype, double tolerance) {
  std::vector<Tensor> parameters = parameters_of(dtype);
  std::vector<Reference> wanted(parameters.begin(), parameters.end());
  std::unique_ptr<Optimizer> optimizer = rule.make(parameters);
  for (uint64_t step = 0; step < kSteps; ++step) {
    set_gradients(parameters, step);
    for (size_t i = 0; i < parameters.size(); ++i) {
      std::vector<double> g = to_vector<double>(parameters[i].grad());
      for (double& x : g) x *= kScale;
      rule.step(wanted[i], g);
    }
    optimizer->step({.scale = kScale});
  }
  for (size_t i = 0; i < parameters.size(); ++i) {
    Tensor exact = stepped(*optimizer, i);
    EXPECT_LT(error(exact, wanted[i]), tolerance) << rule.name << " " << i;
    EXPECT_EQ(bits_of(parameters[i]), bits_of(to(exact.detach(), dtype))) << "rounded once";
  }
}

TEST(Rules, FollowTheFormulasOnEveryInstructionSet) {
  Isa best = cpu_features().best, before = isa();
  for (int level = v2; level <= best; ++level) {
    set_isa(static_cast<Isa>(level));
    for (const Case& rule : cases()) {
      for (DType dtype : kStepped) expect_formula(rule, dtype, dtype == DType::f64 ? 1e-13 : 2e-6);
    }
  }
  set_isa(before);
}

TEST(Rules, DoNotDependOnThreads) {
  for (const Case& rule : cases()) {
    std::vector<std::string> first;
    for (int threads : {1, 2, 3, 7}) {
      set_num_threads(threads);
      std::vector<Tensor> parameters = parameters_of(DType::f32), more = parameters_of(DType::bf16);
      parameters.insert(parameters.end(), more.begin(), more.end());
      std::unique_ptr<Optimizer> optimizer = rule.make(parameters);
      for (uint64_t step = 0; step < kSteps; ++step) {
        set_gradients(parameters, step);
        optimizer->step({.clip = 0.5});
      }
      std::vector<std::string> bits = bits_of(optimizer->state_dict(), parameters);
      if (first.empty()) first = bits;
      EXPECT_EQ(bits, first) << rule.name << " " << threads;
    }
  }
  set_num_threads(0);
}

TEST(Rules, StepsInTwoHalvesGiveTheSameBits) {
  auto step = [](Optimizer& optimizer, uint64_t number) {
    set_gradients(optimizer.parameters(), number);
    optimizer.step({.clip = 0.5});
  };
  for (const Case& rule : cases()) {
    for (DType dtype : kStepped) {
      std::vector<Tensor> whole = parameters_of(dtype), halves = parameters_of(dtype);
      std::unique_ptr<Optimizer> through = rule.make(whole), before = rule.make(halves);
      for (uint64_t i = 0; i < kSteps; ++i) step(*through, i);
      for (uint64_t i = 0; i < 2; ++i) step(*before, i);
      std::unique_ptr<Optimizer> after = rule.make(halves);
      after->load_state_dict(copy_of(before->state_dict()));
      for (uint64_t i = 2; i < kSteps; ++i) step(*after, i);
      EXPECT_EQ(bits_of(after->state_dict(), halves), bits_of(through->state_dict(), whole))
          << rule.name << " " << name_of(dtype);
    }
  }
}

TEST(Rules, StepParameterEqualsStep) {
  for (const Case& rule : cases()) {
    for (DType dtype : kStepped) {
      std::vector<Tensor> together = parameters_of(dtype), alone = parameters_of(dtype);
      std::unique_ptr<Optimizer> all = rule.make(together), each = rule.make(alone);
      for (uint64_t step = 0; step < 2; ++step) {
        set_gradients(together, step);
        set_gradients(alone, step);
        all->step({.scale = kScale});
        for (size_t i = alone.size(); i-- > 0;) each->step_parameter(i, kScale);
      }
      EXPECT_EQ(bits_of(each->state_dict(), alone), bits_of(all->state_dict(), together))
          << rule.name << " " << name_of(dtype);
    }
  }
}

TEST(Lion, SignOfNaNIsNaNAndOfZeroIsZero) {
  Tensor p = ones({3}).set_requires_grad();
  const float g[] = {0, std::numeric_limits<float>::quiet_NaN(), -5};
  p.set_grad(tensor(std::span<const float>(g), {3}));
  Lion(std::vector<Tensor>{p}, {.lr = 0.25}).step({.non_finite = NonFinite::apply});
  std::vector<float> v = to_vector<float>(p);
  EXPECT_EQ(v[0], 1);
  EXPECT_TRUE(std::isnan(v[1]));
  EXPECT_EQ(v[2], 1.25f);
}

TEST(Adam, AmsgradKeepsTheMaximumSecondMoment) {
  Tensor p = zeros({1}).set_requires_grad();
  Adam optimizer(std::vector<Tensor>{p}, {.amsgrad = true});
  double largest = 0;
  for (double g : {1.0, 8.0, 0.0, 0.0}) {
    p.set_grad(full({1}, g));
    optimizer.step();
    std::vector<NamedTensor> state = optimizer.state_dict();
    ASSERT_EQ(state[3].name, "vmax.0");
    largest = std::max(largest, state[2].tensor.item());
    EXPECT_EQ(state[3].tensor.item(), largest);
  }
  EXPECT_LT(optimizer.state_dict()[2].tensor.item(), largest);
}

TEST(Rules, RejectInvalidOptions) {
  std::vector<Tensor> p{leaf({2}, 1)};
  EXPECT_EQ(code_of([&] { AdamW(p, {.lr = -1}); }), Code::value);
  EXPECT_EQ(code_of([&] { AdamW(p, {.beta1 = 1}); }), Code::value);
  EXPECT_EQ(code_of([&] { AdamW(p, {.beta2 = -0.1}); }), Code::value);
  EXPECT_EQ(code_of([&] { Adam(p, {.eps = -1}); }), Code::value);
  EXPECT_EQ(code_of([&] { Adam(p, {.weight_decay = std::nan("")}); }), Code::value);
  EXPECT_EQ(code_of([&] { Sgd(p, {.lr = -1}); }), Code::value);
  EXPECT_EQ(code_of([&] { Sgd(p, {.momentum = -1}); }), Code::value);
  EXPECT_EQ(code_of([&] { Sgd(p, {.weight_decay = -1}); }), Code::value);
  EXPECT_EQ(code_of([&] { Sgd(p, {.nesterov = true}); }), Code::value);
  EXPECT_EQ(code_of([&] { Sgd(p, {.momentum = 0.9, .dampening = 0.1, .nesterov = true}); }),
            Code::value);
  EXPECT_EQ(code_of([&] { Lion(p, {.beta1 = 1}); }), Code::value);
  EXPECT_EQ(code_of([&] { Lion(p, {.beta2 = -1}); }), Code::value);
  EXPECT_EQ(code_of([&] { Lion(p, {.weight_decay = -1}); }), Code::value);
}

}  // namespace
}  // namespace gyre
