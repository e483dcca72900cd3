#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "gyre/base/cpu.h"
#include "gyre/base/thread_pool.h"
#include "gyre/ops/linalg/matmul.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/optim/rules/adadelta.h"
#include "gyre/optim/rules/adafactor.h"
#include "gyre/optim/rules/adagrad.h"
#include "gyre/optim/rules/adam.h"
#include "gyre/optim/rules/adamax.h"
#include "gyre/optim/rules/asgd.h"
#include "gyre/optim/rules/lion.h"
#include "gyre/optim/rules/nadam.h"
#include "gyre/optim/rules/radam.h"
#include "gyre/optim/rules/rmsprop.h"
#include "gyre/optim/rules/rprop.h"
#include "gyre/optim/rules/sgd.h"
#include "gyre/optim/test_parameters.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

// Rules of one element: its value x, gradient g, up to three state numbers s, at step t.
struct Element {
  double &x, g, &s0, &s1, &s2, t;
};

void rmsprop(const Element& e, const RmspropOptions& o) {
  const double g = e.g + o.weight_decay * e.x;
  e.s0 = o.alpha * e.s0 + (1 - o.alpha) * g * g;
  e.s1 = o.alpha * e.s1 + (1 - o.alpha) * g;
  const double spread = o.centered ? e.s0 - e.s1 * e.s1 : e.s0;
  e.s2 = o.momentum * e.s2 + g / (std::sqrt(std::max(0.0, spread)) + o.eps);
  e.x -= o.lr * e.s2;
}

void adagrad(const Element& e, const AdagradOptions& o) {
  const double g = e.g + o.weight_decay * e.x;
  if (e.t == 1) e.s0 = o.initial_accumulator_value;
  e.s0 += g * g;
  e.x -= o.lr / (1 + (e.t - 1) * o.lr_decay) * g / (std::sqrt(e.s0) + o.eps);
}

void adadelta(const Element& e, const AdadeltaOptions& o) {
  const double g = e.g + o.weight_decay * e.x;
  e.s0 = o.rho * e.s0 + (1 - o.rho) * g * g;
  const double d = std::sqrt(e.s1 + o.eps) / std::sqrt(e.s0 + o.eps) * g;
  e.s1 = o.rho * e.s1 + (1 - o.rho) * d * d;
  e.x -= o.lr * d;
}

void adamax(const Element& e, const AdamaxOptions& o) {
  const double g = e.g + o.weight_decay * e.x;
  e.s0 = o.beta1 * e.s0 + (1 - o.beta1) * g;
  e.s1 = std::max(o.beta2 * e.s1, std::abs(g) + o.eps);
  e.x -= o.lr / (1 - std::pow(o.beta1, e.t)) * e.s0 / e.s1;
}

void nadam(const Element& e, const NadamOptions& o) {
  const double g = e.g + (o.decoupled_weight_decay ? 0 : o.weight_decay * e.x);
  if (o.decoupled_weight_decay) e.x *= 1 - o.lr * o.weight_decay;
  const auto momentum = [&](double t) {
    return o.beta1 * (1 - 0.5 * std::pow(0.96, t * o.momentum_decay));
  };
  if (e.t == 1) e.s2 = 1;
  e.s2 *= momentum(e.t);
  e.s0 = o.beta1 * e.s0 + (1 - o.beta1) * g;
  e.s1 = o.beta2 * e.s1 + (1 - o.beta2) * g * g;
  const double root = std::sqrt(e.s1 / (1 - std::pow(o.beta2, e.t))) + o.eps;
  e.x -= o.lr * (1 - momentum(e.t)) / (1 - e.s2) * g / root;
  e.x -= o.lr * momentum(e.t + 1) / (1 - e.s2 * momentum(e.t + 1)) * e.s0 / root;
}

void radam(const Element& e, const RadamOptions& o) {
  const double g = e.g + (o.decoupled_weight_decay ? 0 : o.weight_decay * e.x);
  if (o.decoupled_weight_decay) e.x *= 1 - o.lr * o.weight_decay;
  e.s0 = o.beta1 * e.s0 + (1 - o.beta1) * g;
  e.s1 = o.beta2 * e.s1 + (1 - o.beta2) * g * g;
  const double power = std::pow(o.beta2, e.t), m = e.s0 / (1 - std::pow(o.beta1, e.t));
  const double most = 2 / (1 - o.beta2) - 1, length = most - 2 * e.t * power / (1 - power);
  double factor = 1;
  if (length > 5) {
    factor = std::sqrt((length - 4) * (length - 2) * most / ((most - 4) * (most - 2) * length)) *
             std::sqrt(1 - power) / (std::sqrt(e.s1) + o.eps);
  }
  e.x -= o.lr * m * factor;
}

void asgd(const Element& e, const AsgdOptions& o) {
  const double g = e.g + o.weight_decay * e.x;
  const double rate = o.lr / std::pow(1 + o.lambd * o.lr * (e.t - 1), o.alpha);
  e.x = (1 - o.lambd * rate) * e.x - rate * g;
}

void rprop(const Element& e, const RpropOptions& o) {
  if (e.t == 1) e.s1 = o.lr;
  const bool kept = e.g * e.s0 > 0, turned = e.g * e.s0 < 0;
  e.s1 = std::clamp(e.s1 * (kept ? o.eta_plus : turned ? o.eta_minus : 1), o.min_step, o.max_step);
  e.s0 = turned ? 0 : e.g;
  e.x -= e.s0 > 0 ? e.s1 : e.s0 < 0 ? -e.s1 : 0;
}

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

  template <class Rule, class Options>
  void by_elements(Rule rule, const std::vector<double>& g, const Options& o) {
    ++step;
    for (size_t i = 0; i < value.size(); ++i)
      rule({value[i], g[i], first[i], second[i], largest[i], static_cast<double>(step)}, o);
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

template <class Class, class Options>
Case case_of(const char* name, void (*rule)(const Element&, const Options&),
             const std::type_identity_t<Options>& o) {
  return {name, [o](auto p) { return std::make_unique<Class>(p, o); },
          [rule, o](Reference& r, const auto& g) { r.by_elements(rule, g, o); }};
}

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
  for (double momentum : {0.0, 0.9}) {
    for (bool centered : {false, true})
      all.push_back(
          case_of<Rmsprop>("rmsprop", rmsprop, {1e-2, 0.9, 1e-2, 0.1, momentum, centered}));
  }
  all.push_back(case_of<Adagrad>("adagrad", adagrad, {0.1, 0.2, 0.1, 0.3, 1e-3}));
  all.push_back(case_of<Adadelta>("adadelta", adadelta, {0.5, 0.8, 1e-3, 0.1}));
  all.push_back(case_of<Adamax>("adamax", adamax, {1e-2, 0.8, 0.95, 1e-3, 0.1}));
  for (bool decoupled : {false, true}) {
    all.push_back(case_of<Nadam>("nadam", nadam, {1e-2, 0.8, 0.95, 1e-3, 0.1, 4e-2, decoupled}));
    for (double beta2 : {0.95, 0.5})  // above and below the length that is rectified
      all.push_back(case_of<Radam>("radam", radam, {1e-2, 0.8, beta2, 1e-3, 0.1, decoupled}));
  }
  all.push_back(case_of<Asgd>("asgd", asgd, {0.1, 0.5, 0.75, 2, 0.1}));
  all.push_back(case_of<Rprop>("rprop", rprop, {1e-2, 0.5, 1.2, 5e-3, 0.0125}));
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

TEST(Asgd, AveragesTheValuesAfterStepT0) {
  Tensor p = zeros({1}, {DType::f64}).set_requires_grad();
  Asgd optimizer(std::vector<Tensor>{p}, {.lr = 0.5, .lambd = 0, .t0 = 2});
  const double wanted[] = {0.5, 1, 1.5, 2, 2.25, 2.5};  // until the third step the value
  for (double average : wanted) {
    p.set_grad(full({1}, -1.0, {DType::f64}));
    optimizer.step();
    EXPECT_DOUBLE_EQ(optimizer.state_dict()[1].tensor.item(), average);
  }
}

TEST(Adafactor, IsExactForSquaresThatAreProducts) {
  // If g = a b^T, g^2 is the product of its row and column means: a matrix steps as the vector of
  // its elements does.
  Tensor matrix = leaf({4, 5}, 3, DType::f64);
  Tensor vector = flatten(clone(matrix.detach())).set_requires_grad();
  const AdafactorOptions o{.lr = 0.05, .eps1 = 1e-6, .weight_decay = 0.1};
  Adafactor factored(std::vector<Tensor>{matrix}, o), plain(std::vector<Tensor>{vector}, o);
  const Tensor before = clone(matrix.detach()), b = leaf({1, 5}, 9, DType::f64).detach();
  for (uint64_t step = 1; step <= 4; ++step) {
    matrix.set_grad(matmul(leaf({4, 1}, step, DType::f64).detach(), b));
    vector.set_grad(flatten(matrix.grad()));
    factored.step();
    plain.step();
  }
  const Tensor after = matrix.detach();
  EXPECT_LT(max(abs(flatten(after) - vector.detach())).item(), 1e-13);
  EXPECT_GT(max(abs(after - before)).item(), 1e-2);
}

TEST(Rules, MaximizeNegatesGradients) {
  constexpr const OptimizerDef* kAll[] = {
#define OPTIMIZER(name) &name##_optimizer,
#include "gyre/optim/optimizers.def"
#undef OPTIMIZER
  };
  for (const OptimizerDef* def : kAll) {
    std::vector<Tensor> up{leaf({4, 3}, 5)}, down{leaf({4, 3}, 5)};
    const OptimizerTable table{kAll};
    auto ascent = make_optimizer(table, def->name, Json::parse(R"({"maximize": true})"), up);
    auto descent = make_optimizer(table, def->name, Json::object(), down);
    for (uint64_t step = 0; step < 3; ++step) {
      set_gradients(up, step);
      down[0].set_grad(-up[0].grad());
      ascent->step();
      descent->step();
    }
    EXPECT_EQ(bits_of(up[0]), bits_of(down[0])) << def->name;
    EXPECT_NE(bits_of(up[0]), bits_of(leaf({4, 3}, 5))) << def->name;
  }
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
  EXPECT_EQ(code_of([&] { Rmsprop(p, {.alpha = 1}); }), Code::value);
  EXPECT_EQ(code_of([&] { Adagrad(p, {.initial_accumulator_value = -1}); }), Code::value);
  EXPECT_EQ(code_of([&] { Adadelta(p, {.rho = 1}); }), Code::value);
  EXPECT_EQ(code_of([&] { Adafactor(p, {.beta2_decay = 0.5}); }), Code::value);
  EXPECT_EQ(code_of([&] { Rprop(p, {.eta_minus = 1}); }), Code::value);
  EXPECT_EQ(code_of([&] { Rprop(p, {.min_step = 2, .max_step = 1}); }), Code::value);
}

}  // namespace
}  // namespace gyre
