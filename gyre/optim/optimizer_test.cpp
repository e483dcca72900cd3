#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "gyre/autograd/backward.h"
#include "gyre/base/cpu.h"
#include "gyre/base/error.h"
#include "gyre/base/thread_pool.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/linalg/matmul.h"
#include "gyre/ops/random/random.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/optim/adam.h"
#include "gyre/optim/schedule.h"
#include "gyre/optim/sgd.h"
#include "gyre/optim/step_in_backward.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

Tensor leaf(const Shape& shape, uint64_t seed, DType dtype = DType::f32) {
  Generator g{seed, 0};
  return randn(shape, {.dtype = dtype, .generator = &g}).set_requires_grad();
}

void set_gradient(const Tensor& p, uint64_t seed) {
  Generator g{seed, 0};
  p.impl()->grad = randn(p.shape(), {.dtype = p.dtype(), .generator = &g}).ref();
}

// The formulas in double, one element at a time.
struct Reference {
  std::vector<double> value, first, second;
  int64_t step = 0;
  explicit Reference(const Tensor& p)
      : value(to_vector<double>(p)), first(value.size()), second(value.size()) {}
  void adam(const Tensor& gradient, const AdamOptions& o, bool decoupled, double scale) {
    std::vector<double> g = to_vector<double>(gradient);
    auto t = static_cast<double>(++step);
    for (size_t i = 0; i < value.size(); ++i) {
      double d = g[i] * scale + (decoupled ? 0 : o.weight_decay * value[i]);
      first[i] = o.beta1 * first[i] + (1 - o.beta1) * d;
      second[i] = o.beta2 * second[i] + (1 - o.beta2) * d * d;
      double m = first[i] / (1 - std::pow(o.beta1, t)), v = second[i] / (1 - std::pow(o.beta2, t));
      double decay = decoupled ? o.weight_decay * value[i] : 0;
      value[i] -= o.lr * (m / (std::sqrt(v) + o.eps) + decay);
    }
  }
  void sgd(const Tensor& gradient, const SgdOptions& o) {
    std::vector<double> g = to_vector<double>(gradient);
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
  void expect_near(const Tensor& p, double tolerance) const {
    std::vector<double> v = to_vector<double>(p);
    for (size_t i = 0; i < v.size(); ++i) {
      ASSERT_NEAR(v[i], value[i], tolerance * (1 + std::abs(value[i]))) << i;
    }
  }
};

// Sizes around the vectors' widths and past a chunk.
const Shape kShapes[] = {{1}, {3}, {17}, {64}, {5, 13}, {40000}};

TEST(Adam, FollowsTheFormulas) {
  for (DType dtype : {DType::f32, DType::f64}) {
    for (bool decoupled : {false, true}) {
      std::vector<Tensor> parameters;
      std::vector<Reference> wanted;
      for (const Shape& shape : kShapes) parameters.push_back(leaf(shape, 1, dtype));
      for (const Tensor& p : parameters) wanted.emplace_back(p);
      AdamOptions o{1e-2, 0.8, 0.95, 1e-7, 0.1};
      std::unique_ptr<Optimizer> optimizer;
      if (decoupled) {
        optimizer = std::make_unique<AdamW>(
            parameters, AdamWOptions{o.lr, o.beta1, o.beta2, o.eps, o.weight_decay});
      } else {
        optimizer = std::make_unique<Adam>(parameters, o);
      }
      for (uint64_t step = 0; step < 5; ++step) {
        for (size_t i = 0; i < parameters.size(); ++i) {
          set_gradient(parameters[i], 10 * step + i);
          wanted[i].adam(parameters[i].grad(), o, decoupled, 0.5);
        }
        optimizer->step({.scale = 0.5});
      }
      for (size_t i = 0; i < parameters.size(); ++i) {
        wanted[i].expect_near(parameters[i], dtype == DType::f32 ? 2e-6 : 1e-13);
      }
    }
  }
}

TEST(Sgd, FollowsTheFormulas) {
  const SgdOptions kOptions[] = {
      {0.1}, {0.1, 0, 0, 0.3}, {0.1, 0.9}, {0.1, 0.9, 0.4}, {0.1, 0.9, 0, 0.2, true}};
  for (const SgdOptions& o : kOptions) {
    std::vector<Tensor> parameters;
    std::vector<Reference> wanted;
    for (const Shape& shape : kShapes) parameters.push_back(leaf(shape, 2));
    for (const Tensor& p : parameters) wanted.emplace_back(p);
    Sgd optimizer(parameters, o);
    for (uint64_t step = 0; step < 4; ++step) {
      for (size_t i = 0; i < parameters.size(); ++i) {
        set_gradient(parameters[i], 10 * step + i);
        wanted[i].sgd(parameters[i].grad(), o);
      }
      optimizer.step();
    }
    for (size_t i = 0; i < parameters.size(); ++i) wanted[i].expect_near(parameters[i], 2e-6);
  }
}

TEST(Optimizer, ClipsByTheNormOfAllGradients) {
  Tensor a = leaf({3}, 1), b = leaf({40000}, 2);
  set_gradient(a, 3);
  set_gradient(b, 4);
  double squares = 0;
  for (const Tensor& p : {a, b}) {
    for (double g : to_vector<double>(p.grad())) squares += g * g;
  }
  double norm = std::sqrt(squares);
  std::vector<double> before = to_vector<double>(a), g = to_vector<double>(a.grad());
  Sgd optimizer(std::vector<Tensor>{a, b}, {1.0});
  StepResult result = optimizer.step({.scale = 0.5, .clip = 2});
  EXPECT_NEAR(result.gradient_norm, norm / 2, 1e-9 * norm);
  EXPECT_NEAR(to_vector<double>(a)[1], before[1] - g[1] * 2 / norm, 1e-6);

  EXPECT_NEAR(clip_grad_norm(std::vector<Tensor>{a, b}, 3), norm, 1e-9 * norm);
  EXPECT_NEAR(clip_grad_norm(std::vector<Tensor>{a, b}, 1e9), 3, 1e-5) << "was scaled to 3";
  EXPECT_EQ(code_of([&] { clip_grad_norm(std::vector<Tensor>{a}, 0); }), Code::value);
}

TEST(Optimizer, ClipsAGradientThatParametersShareOnceForEach) {
  Tensor a = leaf({2}, 1), b = leaf({2}, 2), c = leaf({2}, 3), shared = full({2}, 3);
  alignas(8) float lent[2] = {3, 3};
  a.set_grad(shared);
  b.set_grad(shared);
  c.set_grad(borrow(lent, shared.meta(), Shape{1}, nullptr, nullptr));
  double norm = clip_grad_norm(std::vector<Tensor>{a, b, c}, 1);
  EXPECT_NEAR(norm, std::sqrt(54), 1e-6);
  for (const Tensor& p : {a, b, c}) {
    for (double g : to_vector<double>(p.grad())) EXPECT_NEAR(g, 3 / norm, 1e-6);
  }
  EXPECT_EQ(to_vector<double>(shared), (std::vector<double>{3, 3}));
  EXPECT_EQ(lent[0], 3);
}

TEST(Optimizer, LeavesAllAloneWhenTheGradientIsNotFinite) {
  Tensor a = leaf({3}, 1), b = leaf({5}, 2);
  set_gradient(a, 3);
  set_gradient(b, 4);
  a.grad().data<float>()[2] = std::numeric_limits<float>::infinity();
  std::vector<float> before = to_vector<float>(b);
  AdamW optimizer(std::vector<Tensor>{a, b});
  StepResult result = optimizer.step({.clip = 1});
  EXPECT_FALSE(result.applied);
  EXPECT_TRUE(std::isinf(result.gradient_norm));
  EXPECT_EQ(to_vector<float>(b), before);
  EXPECT_EQ(to_vector<int64_t>(optimizer.state_dict()[0].tensor), (std::vector<int64_t>{0, 0}));
}

TEST(Optimizer, SkipsParametersWithoutGradient) {
  Tensor a = leaf({3}, 1), b = leaf({5}, 2);
  std::vector<float> before = to_vector<float>(b);
  AdamW optimizer(std::vector<Tensor>{a, b});
  set_gradient(a, 3);
  optimizer.step();
  EXPECT_EQ(to_vector<float>(b), before);
  EXPECT_EQ(to_vector<int64_t>(optimizer.state_dict()[0].tensor), (std::vector<int64_t>{1, 0}));
  optimizer.zero_grad();
  EXPECT_FALSE(a.grad().defined());
}

TEST(Optimizer, TakesGradientsOfAnyLayout) {
  Tensor a = leaf({40, 30}, 1), b = clone(a.detach()).set_requires_grad();
  Generator g{9, 0};
  Tensor gradient = randn({30, 40}, {.generator = &g});
  a.impl()->grad = transpose(gradient, 0, 1).ref();
  b.impl()->grad = contiguous(transpose(gradient, 0, 1)).ref();
  AdamW(std::vector<Tensor>{a}).step();
  AdamW(std::vector<Tensor>{b}).step();
  EXPECT_EQ(to_vector<float>(a), to_vector<float>(b));
}

TEST(Optimizer, NotesThatParametersHaveChanged) {
  Tensor a = leaf({3}, 1);
  Tensor y = sum(a * a);
  set_gradient(a, 2);
  Sgd(std::vector<Tensor>{a}, {0.1}).step();
  EXPECT_EQ(code_of([&] { y.backward(); }), Code::value) << "a was overwritten";
}

TEST(Optimizer, GroupsHaveRatesOfTheirOwn) {
  Tensor a = leaf({2}, 1), b = leaf({2}, 2);
  std::vector<float> before_a = to_vector<float>(a), before_b = to_vector<float>(b);
  Sgd optimizer(std::vector<Tensor>{a}, {0.1});
  optimizer.add_group(std::vector<Tensor>{b}, {0.2});
  EXPECT_EQ(optimizer.groups(), 2u);
  EXPECT_EQ(optimizer.lr(1), 0.2);
  optimizer.set_lr(0.5, 1);
  EXPECT_EQ(optimizer.lr(0), 0.1);
  for (const Tensor& p : {a, b}) p.impl()->grad = ones(p.shape()).ref();
  optimizer.step();
  EXPECT_NEAR(to_vector<float>(a)[0], before_a[0] - 0.1f, 1e-6);
  EXPECT_NEAR(to_vector<float>(b)[0], before_b[0] - 0.5f, 1e-6);
  optimizer.set_lr(0);
  EXPECT_EQ(optimizer.lr(1), 0);
  EXPECT_EQ(code_of([&] { return optimizer.lr(2); }), Code::index);
  EXPECT_EQ(code_of([&] { optimizer.set_lr(1, 2); }), Code::index);
}

TEST(Optimizer, DoesNotDependOnThreads) {
  std::vector<std::vector<float>> results;
  for (int threads : {1, 2, 3, 7}) {
    set_num_threads(threads);
    std::vector<Tensor> parameters;
    for (const Shape& shape : kShapes) parameters.push_back(leaf(shape, 1));
    AdamW optimizer(parameters);
    for (uint64_t step = 0; step < 3; ++step) {
      for (const Tensor& p : parameters) set_gradient(p, step);
      optimizer.step({.clip = 0.5});
    }
    results.push_back(to_vector<float>(parameters.back()));
    EXPECT_EQ(results.back(), results.front()) << threads;
  }
  set_num_threads(0);
}

TEST(Optimizer, EveryInstructionSetIsWithinRounding) {
  Isa best = cpu_features().best, before = isa();
  Reference wanted(leaf({1000}, 1));
  for (uint64_t step = 0; step < 3; ++step) {
    Tensor g = leaf({1000}, 50 + step);
    wanted.adam(g, {1e-2, 0.9, 0.999, 1e-8, 0.01}, true, 1);
  }
  for (int level = v2; level <= best; ++level) {
    set_isa(static_cast<Isa>(level));
    Tensor p = leaf({1000}, 1);
    AdamW optimizer(std::vector<Tensor>{p}, {.lr = 1e-2});
    for (uint64_t step = 0; step < 3; ++step) {
      set_gradient(p, 50 + step);
      optimizer.step();
    }
    wanted.expect_near(p, 2e-6);
  }
  set_isa(before);
}

TEST(Optimizer, GoesOnFromItsState) {
  Tensor a = leaf({700}, 1), b = leaf({700}, 1);
  AdamW first(std::vector<Tensor>{a}), rest(std::vector<Tensor>{b}), never(std::vector<Tensor>{b});
  for (uint64_t step = 0; step < 4; ++step) {
    set_gradient(a, step);
    set_gradient(b, step);
    first.step();
    (step < 2 ? never : rest).step();
    if (step == 1) rest.load_state_dict(never.state_dict());
  }
  EXPECT_EQ(to_vector<float>(a), to_vector<float>(b));
}

TEST(Optimizer, RefusesAStateThatDoesNotFit) {
  Tensor a = leaf({7}, 1);
  AdamW optimizer(std::vector<Tensor>{a});
  std::vector<NamedTensor> state = optimizer.state_dict();
  state[1].name = "n.0";
  EXPECT_EQ(code_of([&] { optimizer.load_state_dict(state); }), Code::value);
  state = optimizer.state_dict();
  state.push_back({"more", a});
  EXPECT_EQ(code_of([&] { optimizer.load_state_dict(state); }), Code::value);
  state = optimizer.state_dict();
  state[2].tensor = zeros({8});
  EXPECT_EQ(code_of([&] { optimizer.load_state_dict(state); }), Code::shape);
}

TEST(Optimizer, RefusesParametersItCannotChange) {
  Tensor a = leaf({2, 3}, 1);
  EXPECT_EQ(code_of([] { AdamW(std::vector<Tensor>{}); }), Code::value);
  auto message = [&](const Tensor& second, Code code = Code::value) {
    return message_of(code, [&] { AdamW(std::vector<Tensor>{a, second}); });
  };
  EXPECT_EQ(message({}), "adamw: parameter 1 is empty");
  EXPECT_EQ(message(zeros({2})), "adamw: parameter 1 does not require a gradient");
  EXPECT_EQ(message(a * a), "adamw: parameter 1 is no leaf but the result of an op");
  EXPECT_EQ(message(transpose(a.detach(), 0, 1).set_requires_grad()),
            "adamw: parameter 1 is not contiguous");
  EXPECT_EQ(message(a), "adamw: parameter 1 is the same as parameter 0");
  EXPECT_EQ(message(leaf({3}, 1, DType::bf16), Code::dtype),
            "adamw: parameter 1 must be f32 or f64, is bf16");
  AdamW optimizer(std::vector<Tensor>{a});
  EXPECT_EQ(code_of([&] { optimizer.add_group(std::vector<Tensor>{a}, {}); }), Code::value);
  a.impl()->grad = zeros({2, 3}, {.dtype = DType::f64}).ref();
  EXPECT_EQ(code_of([&] { optimizer.step(); }), Code::dtype);
  Tensor half = leaf({3}, 1, DType::f16);
  half.impl()->grad = zeros({3}, {.dtype = DType::f16}).ref();
  EXPECT_EQ(code_of([&] { clip_grad_norm(std::vector<Tensor>{half}, 1); }), Code::dtype);
}

TEST(Optimizer, RefusesOptionsThatMakeNoSense) {
  Tensor a = leaf({2}, 1);
  std::vector<Tensor> p{a};
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
}

// A small network in which one weight is used twice.
struct Twice {
  Tensor w = leaf({20, 20}, 1), v = leaf({20, 20}, 2), b = leaf({20}, 3);
  std::vector<Tensor> parameters() const { return {w, v, b}; }
  Tensor loss() const {
    Generator g{7, 0};
    Tensor x = randn({5, 20}, {.generator = &g});
    Tensor y = tanh(matmul(tanh(matmul(x, w) + b), v));
    return mean(matmul(y, transpose(w, 0, 1)) * matmul(y, w));
  }
};

TEST(StepInBackward, GivesTheBitsOfAStepAfterwards) {
  Twice a, b;
  AdamW after(a.parameters()), within(b.parameters());
  {
    StepInBackward scope(within);
    for (int i = 0; i < 3; ++i) {
      after.zero_grad();
      a.loss().backward();
      after.step();
      b.loss().backward();
      EXPECT_FALSE(b.w.grad().defined());
      within.step();  // finds nothing to do
    }
  }
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(to_vector<float>(a.parameters()[i]), to_vector<float>(b.parameters()[i])) << i;
  }
  b.loss().backward();
  EXPECT_TRUE(b.w.grad().defined()) << "only while the scope lives";
}

TEST(StepInBackward, RefusesWhatItCannotStep) {
  Twice a;
  AdamW optimizer(a.parameters());
  EXPECT_EQ(code_of([&] { optimizer.step_parameter(3); }), Code::index);
  optimizer.step_parameter(0);  // no gradient: nothing to do
  EXPECT_EQ(to_vector<int64_t>(optimizer.state_dict()[0].tensor)[0], 0);
  a.w.set_requires_grad(false);
  EXPECT_EQ(code_of([&] { StepInBackward stepping(optimizer); }), Code::value);
}

TEST(Schedule, RisesThenFalls) {
  ScheduleOptions o{Schedule::cosine, 1.0, 0.1, 4, 20};
  EXPECT_DOUBLE_EQ(learning_rate(o, 0), 0.2);
  EXPECT_DOUBLE_EQ(learning_rate(o, 3), 0.8);
  EXPECT_DOUBLE_EQ(learning_rate(o, 4), 1.0);
  EXPECT_DOUBLE_EQ(learning_rate(o, 12), 0.55);
  EXPECT_DOUBLE_EQ(learning_rate(o, 20), 0.1);
  EXPECT_DOUBLE_EQ(learning_rate(o, 99), 0.1);
  o.kind = Schedule::linear;
  EXPECT_DOUBLE_EQ(learning_rate(o, 8), 0.1 + 0.9 * 0.75);
  o.kind = Schedule::constant;
  EXPECT_DOUBLE_EQ(learning_rate(o, 1), 0.4);
  EXPECT_DOUBLE_EQ(learning_rate(o, 19), 1.0);
  o.warmup = 0;
  EXPECT_DOUBLE_EQ(learning_rate(o, 0), 1.0);
}

TEST(Schedule, RefusesNumbersThatMakeNoSense) {
  EXPECT_EQ(code_of([] { learning_rate({Schedule::cosine, -1}, 0); }), Code::value);
  EXPECT_EQ(code_of([] { learning_rate({Schedule::cosine, 1, 0, 30, 20}, 0); }), Code::value);
  EXPECT_EQ(code_of([] { learning_rate({Schedule::cosine, 1, 0, 3, 20}, -1); }), Code::value);
}

}  // namespace
}  // namespace gyre
