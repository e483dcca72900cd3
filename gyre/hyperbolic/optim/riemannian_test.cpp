#include <gtest/gtest.h>

#include <cmath>

#include "gyre/autograd/backward.h"
#include "gyre/base/function_ref.h"
#include "gyre/base/thread_pool.h"
#include "gyre/hyperbolic/manifold/euclidean.h"
#include "gyre/hyperbolic/manifold/models.h"
#include "gyre/hyperbolic/manifold/parameter.h"
#include "gyre/hyperbolic/manifold/product.h"
#include "gyre/hyperbolic/manifold/sphere.h"
#include "gyre/hyperbolic/optim/riemannian.h"
#include "gyre/op/samples.h"
#include "gyre/ops/index/index.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/optim/rules/sgd.h"
#include "gyre/optim/test_parameters.h"
#include "gyre/registry/optimizer_table.h"
#include "tests/largest_difference.h"
#include "tests/thrown.h"

// The Riemannian optimisers.

namespace gyre::hyperbolic {
namespace {

std::vector<OptimizerDef const*> riemannian() {
  std::vector<OptimizerDef const*> defs;
  for (const OptimizerDef* def : optimizer_table().optimizers) {
    if (hyperbolic::on_manifolds(*def)) defs.push_back(def);
  }
  return defs;
}

std::unique_ptr<Optimizer> made(const OptimizerDef& def, const char* options, const Tensor& p) {
  return make_optimizer(optimizer_table(), def.name, Json::parse(options), std::vector<Tensor>{p});
}

// Options that enable all state of a rule.
const char* full_options(const OptimizerDef& def) {
  return &def == &riemanniansgd_optimizer ? R"({"lr": 0.05, "momentum": 0.9})"
                                          : R"({"lr": 0.05, "amsgrad": true})";
}

Manifold product() {
  const Part parts[] = {{PoincareBall(0.5), 2}, {Lorentz(1.0), 2}};
  return Product(parts);
}

std::vector<Manifold> manifolds() {
  return {PoincareBall(0.8), Lorentz(0.8), Klein(0.8), Sphere(), Euclidean(), product()};
}

Tensor points(const Manifold& m, const Shape& shape, uint64_t seed, DType dtype = DType::f64) {
  Samples random{seed};
  return to(m.project(random.uniform(shape, -0.2, 0.4)), dtype);
}

ManifoldParameter parameter(const Manifold& m, const Shape& shape, uint64_t seed,
                            DType dtype = DType::f64) {
  return {clone(points(m, shape, seed, dtype)), m};
}

TEST(RiemannianOptimizers, AreInTheRegistry) { EXPECT_EQ(riemannian().size(), 2u); }

TEST(RiemannianOptimizers, FindTheFrechetMean) {
  for (const Manifold& m : manifolds()) {
    Tensor given = points(m, {9, 4}, 3);
    for (const OptimizerDef* def : riemannian()) {
      ManifoldParameter p = parameter(m, {1, 4}, 11);
      auto optimizer = made(*def, R"({"lr": 0.1})", p);
      for (int step = 0; step < 300; ++step) {
        optimizer->zero_grad();
        mean(m.dist2(p, given)).backward();
        optimizer->set_lr(step < 200 ? 0.1 : 0.1 * std::pow(0.9, step - 200));
        optimizer->step();
      }
      NoGrad off;
      Tensor pull = sum(m.log(expand(p, given.shape()), given), 0);
      EXPECT_LE(norm(pull).item(), 2e-4) << def->name << " on " << m.text();
      m.require_points(p, "after the steps");
    }
  }
}

TEST(RiemannianSgd, StepsAlongGeodesicsAndTransportsItsVelocity) {
  for (const Manifold& m : manifolds()) {
    ManifoldParameter p = parameter(m, {6, 4}, 1);
    Tensor x = clone(p.detach()), v;
    RiemannianSgd optimizer(std::vector<Tensor>{p},
                            {{.lr = 0.1, .momentum = 0.9, .dampening = 0.2, .weight_decay = 0.01}});
    for (uint64_t step = 0; step < 3; ++step) {
      set_gradient(p, step);
      Tensor r = m.egrad2rgrad(x, p.grad() + 0.01 * x);
      v = step == 0 ? r : 0.9 * v + 0.8 * r;
      Tensor y = m.project(m.exp(x, -0.1 * v));
      v = m.transport(x, y, v);
      x = y;
      optimizer.step();
    }
    EXPECT_LE(largest_difference(p, x), 1e-14) << m.text();
    ManifoldParameter q = parameter(m, {6, 4}, 1);
    set_gradient(q, 0);
    RiemannianSgd plain(std::vector<Tensor>{q}, {{.lr = 0.1}});
    Tensor start = clone(q.detach()),
           wanted = m.project(m.exp(start, -0.1 * m.egrad2rgrad(start, q.grad())));
    plain.step();
    EXPECT_LE(largest_difference(q, wanted), 1e-14) << m.text();
  }
}

TEST(RiemannianSgd, AddsTheDecayOfAnySizeToTheGradient) {
  for (double decay : {0.0, 0.5, 1.0}) {
    PoincareBall m(0.8);
    ManifoldParameter p = parameter(m, {6, 4}, 1);
    const Tensor x = clone(p.detach());
    RiemannianSgd optimizer(std::vector<Tensor>{p}, {{.lr = 0.1, .weight_decay = decay}});
    set_gradient(p, 0);
    const Tensor r = m.egrad2rgrad(x, p.grad() + decay * x);
    optimizer.step();
    EXPECT_LE(largest_difference(p, m.project(m.exp(x, -0.1 * r))), 1e-14) << decay;
  }
}

TEST(RiemannianSgd, SupportsNesterovMomentum) {
  PoincareBall m(0.8);
  ManifoldParameter p = parameter(m, {6, 4}, 1);
  Tensor x = clone(p.detach());
  RiemannianSgd optimizer(std::vector<Tensor>{p}, {{.lr = 0.1, .momentum = 0.5, .nesterov = true}});
  set_gradient(p, 0);
  Tensor r = m.egrad2rgrad(x, p.grad());
  optimizer.step();
  EXPECT_LE(largest_difference(p, m.project(m.exp(x, -0.1 * 1.5 * r))), 1e-14);
}

TEST(RiemannianAdam, HasOneSecondMomentPerRow) {
  for (const Manifold& m : manifolds()) {
    for (bool amsgrad : {false, true}) {
      ManifoldParameter p = parameter(m, {6, 4}, 1);
      Tensor x = clone(p.detach()), first = zeros_like(x);
      Tensor second = zeros({6}, {.dtype = DType::f64}), most = second;
      RiemannianAdam optimizer(std::vector<Tensor>{p},
                               {{.lr = 0.1, .beta1 = 0.8, .beta2 = 0.9, .amsgrad = amsgrad}});
      for (int step = 1; step <= 4; ++step) {
        set_gradient(p, static_cast<uint64_t>(step), 5.0 / step);
        Tensor r = m.egrad2rgrad(x, p.grad());
        first = 0.8 * first + 0.2 * r;
        second = 0.9 * second + 0.1 * m.inner(x, r, r);
        most = maximum(most, second);
        Tensor hat = (amsgrad ? most : second) / (1 - std::pow(0.9, step));
        Tensor d = first / (1 - std::pow(0.8, step)) / unsqueeze(sqrt(hat) + 1e-8, -1);
        Tensor y = m.project(m.exp(x, -0.1 * d));
        first = m.transport(x, y, first);
        x = y;
        optimizer.step();
      }
      EXPECT_LE(largest_difference(p, x), 1e-12) << m.text();
      for (const NamedTensor& t : optimizer.state_dict()) {
        if (!t.name.starts_with("v")) continue;
        EXPECT_EQ(t.tensor.shape(), (Shape{6})) << t.name;
      }
    }
  }
}

TEST(RiemannianOptimizers, UpdateOtherParametersAsEuclideanOptimizers) {
  const std::pair<const char*, const char*> pairs[] = {{"riemanniansgd", "sgd"},
                                                       {"riemannianadam", "adam"}};
  for (auto [along, flat] : pairs) {
    for (DType dtype : {DType::f32, DType::f64, DType::bf16}) {
      Tensor a = leaf({40}, 1, dtype), b = leaf({40}, 1, dtype);
      Json options = Json::parse(R"({"lr": 0.1, "weight_decay": 0.01})");
      auto first = make_optimizer(optimizer_table(), along, options, std::vector<Tensor>{a});
      auto second = make_optimizer(optimizer_table(), flat, options, std::vector<Tensor>{b});
      for (uint64_t step = 0; step < 3; ++step) {
        set_gradient(a, step);
        set_gradient(b, step);
        first->step();
        second->step();
      }
      EXPECT_EQ(bits_of(a), bits_of(b)) << along;
      EXPECT_EQ(bits_of(first->state_dict()), bits_of(second->state_dict()));
    }
  }
}

TEST(RiemannianOptimizers, ResumeBitForBit) {
  for (const OptimizerDef* def : riemannian()) {
    for (const Manifold& m : manifolds()) {
      ManifoldParameter whole = parameter(m, {50, 4}, 1, DType::f32);
      ManifoldParameter cut = parameter(m, {50, 4}, 1, DType::f32);
      auto a = made(*def, full_options(*def), whole), b = made(*def, full_options(*def), cut);
      for (uint64_t step = 0; step < 6; ++step) {
        if (step == 3) {
          auto state = copy_of(b->state_dict());
          b = made(*def, full_options(*def), cut);
          b->load_state_dict(state);
        }
        set_gradient(whole, step);
        set_gradient(cut, step);
        set_num_threads(1);
        a->step();
        set_num_threads(3);
        b->step();
      }
      set_num_threads(0);
      EXPECT_EQ(bits_of(a->state_dict(), std::vector<Tensor>{whole}),
                bits_of(b->state_dict(), std::vector<Tensor>{cut}))
          << def->name << " on " << m.text();
    }
  }
}

// Gradients for rows 1 and 3 of 5.
Tensor few_rows(const Tensor& p, uint64_t seed) {
  set_gradient(p, seed);
  NoGrad off;
  Tensor marks = tensor({{0}, {1}, {0}, {1}, {0}}, {.dtype = p.dtype()});
  p.impl()->grad = (p.grad() * marks).ref();
  return p.grad();
}

TEST(RiemannianOptimizers, SparseUpdatesSkipRowsWithZeroGradient) {
  Samples random{4};
  const Manifold per_row = PoincareBall(random.uniform({5}, 0.2, 0.9));
  for (const OptimizerDef* def : riemannian()) {
    for (const Manifold& m : {Manifold(Lorentz(0.8)), per_row}) {
      ManifoldParameter dense = parameter(m, {5, 4}, 1), sparse = parameter(m, {5, 4}, 1),
                        named = parameter(m, {5, 4}, 1);
      auto all = made(*def, full_options(*def), dense),
           some = made(*def, full_options(*def), sparse),
           rows = made(*def, full_options(*def), named);
      some->set_options(Json::parse(R"({"sparse": true})"));
      Tensor start = clone(sparse.detach());
      const int64_t which[] = {3, 1};
      Tensor index = tensor(std::span<const int64_t>(which), {2});
      for (uint64_t step = 0; step < 3; ++step) {
        few_rows(dense, step);
        Tensor g = few_rows(sparse, step);
        all->step();
        some->step();
        rows->step_rows(0, index, index_select(g, 0, index));
      }
      EXPECT_EQ(bits_of(sparse), bits_of(named)) << def->name;
      EXPECT_EQ(bits_of(some->state_dict()), bits_of(rows->state_dict()));
      EXPECT_LE(largest_difference(sparse, dense), 1e-12) << "the others had nothing to go by";
      for (int64_t row : {0, 2, 4}) {
        EXPECT_EQ(bits_of(select(sparse, {0, row})), bits_of(select(start, {0, row})));
      }
      for (int64_t row : {1, 3}) {
        EXPECT_NE(bits_of(select(sparse, {0, row})), bits_of(select(start, {0, row})));
      }
      set_gradient(sparse, 9);
      some->step();  // all rows move
      EXPECT_NE(bits_of(select(sparse, {0, int64_t{0}})), bits_of(select(start, {0, int64_t{0}})));
      Tensor before = clone(sparse.detach());
      few_rows(sparse, 10);
      some->step();
      EXPECT_EQ(bits_of(select(sparse, {0, int64_t{0}})), bits_of(select(before, {0, int64_t{0}})))
          << "its moment waits";
    }
  }
}

TEST(RiemannianOptimizers, SparseRowsOfParametersOfAnyRank) {
  Samples random{4};
  const Tensor c = random.uniform({2, 3}, 0.2, 0.9);
  const Tensor start = points(PoincareBall(0.9), {2, 3, 4}, 1);
  for (const OptimizerDef* def : riemannian()) {
    ManifoldParameter deep(clone(start), PoincareBall(c));
    ManifoldParameter flat(clone(reshape(start, {6, 4})), PoincareBall(reshape(c, {6})));
    ManifoldParameter one(clone(select(flat.detach(), {0, 4})), Lorentz(0.8));
    auto a = made(*def, full_options(*def), deep), b = made(*def, full_options(*def), flat),
         alone = made(*def, full_options(*def), one);
    for (Optimizer* o : {a.get(), b.get(), alone.get()}) {
      o->set_options(Json::parse(R"({"sparse": true})"));
    }
    for (int64_t step = 0; step < 3; ++step) {
      const int64_t moving[] = {step, 4};
      Tensor rows = tensor(std::span<const int64_t>(moving), {2});
      Tensor g = random.uniform({2, 4}, -1, 1);
      flat.set_grad(index_add(zeros_like(flat), 0, rows, g));
      deep.set_grad(reshape(flat.grad(), deep.shape()));
      one.set_grad(step == 2 ? zeros_like(one) : select(g, {0, 1}));
      const std::string before = bits_of(one);
      a->step();
      b->step();
      alone->step();
      EXPECT_EQ(bits_of(one) == before, step == 2) << "its one row";
    }
    EXPECT_EQ(bits_of(reshape(deep.detach(), {6, 4})), bits_of(flat.detach())) << def->name;
    EXPECT_EQ(bits_of(select(flat.detach(), {0, 5})),
              bits_of(select(reshape(start, {6, 4}), {0, 5})))
        << "never moved";
  }
}

TEST(RiemannianOptimizers, SparseRowsTakeASharedCurvatureOfAnyRank) {
  const Tensor start = points(PoincareBall(0.9), {2, 3, 4}, 1), g = leaf({2, 3, 4}, 5, DType::f64);
  for (const OptimizerDef* def : riemannian()) {
    std::vector<std::string> moved;
    for (const Shape& shape : {Shape{}, Shape{1}, Shape{1, 1}}) {
      ManifoldParameter p(clone(start), PoincareBall(full(shape, 0.9, {.dtype = DType::f64})));
      auto optimizer = made(*def, full_options(*def), p);
      optimizer->set_options(Json::parse(R"({"sparse": true})"));
      p.set_grad(g.detach());
      optimizer->step();
      moved.push_back(bits_of(p.detach()));
    }
    EXPECT_EQ(moved[0], moved[1]) << def->name;
    EXPECT_EQ(moved[0], moved[2]) << def->name;
  }
}

TEST(RiemannianOptimizers, UpdateEmptyParameters) {
  for (const Manifold& m : manifolds()) {
    for (const OptimizerDef* def : riemannian()) {
      ManifoldParameter p(zeros({0, 4}), m);
      auto optimizer = made(*def, full_options(*def), p);
      p.set_grad(zeros_like(p));
      optimizer->step();
      optimizer->set_options(Json::parse(R"({"sparse": true})"));
      optimizer->step();
      optimizer->step_rows(0, zeros({0}, {.dtype = DType::i64}), zeros({0, 4}));
      EXPECT_EQ(to_vector<int64_t>(optimizer->state_dict()[0].tensor), (std::vector<int64_t>{3}));
    }
  }
}

TEST(RiemannianOptimizers, SumGradientsOfDuplicateRows) {
  PoincareBall m(0.5);
  ManifoldParameter a = parameter(m, {5, 4}, 1), b = parameter(m, {5, 4}, 1);
  RiemannianSgd first(std::vector<Tensor>{a}, {{.lr = 0.1}}),
      second(std::vector<Tensor>{b}, {{.lr = 0.1}});
  Samples random{2};
  Tensor g = random.uniform({3, 4}, -1, 1);
  const int64_t several[] = {2, 0, 2};
  first.step_rows(0, tensor(std::span<const int64_t>(several), {3}), g, 0.5);
  Tensor whole = zeros({5, 4}, {.dtype = DType::f64});
  whole = index_add(whole, 0, tensor(std::span<const int64_t>(several), {3}), g);
  b.set_grad(whole);
  second.step({.scale = 0.5});
  EXPECT_LE(largest_difference(a, b), 1e-15);
}

TEST(RiemannianOptimizers, RefuseInvalidRows) {
  ManifoldParameter p = parameter(PoincareBall(), {5, 4}, 1);
  Tensor flat = leaf({5, 4}, 1, DType::f64);
  RiemannianSgd optimizer(std::vector<Tensor>{p, flat});
  std::string before = bits_of(p);
  auto code = [&](size_t parameter, int64_t row, const Shape& gradient, DType dtype = DType::f64) {
    const int64_t rows[] = {row};
    return code_of([&] {
      optimizer.step_rows(parameter, tensor(std::span<const int64_t>(rows), {1}),
                          zeros(gradient, {.dtype = dtype}));
    });
  };
  EXPECT_EQ(code(2, 0, {1, 4}), Code::index);
  EXPECT_EQ(code(1, 0, {1, 4}), Code::unsupported);
  EXPECT_EQ(code(0, 5, {1, 4}), Code::index);
  EXPECT_EQ(code(0, 0, {2, 4}), Code::shape);
  EXPECT_EQ(code(0, 0, {1, 3}), Code::shape);
  EXPECT_EQ(code(0, 0, {1, 4}, DType::f32), Code::dtype);
  Error narrow = error_of([&] {
    optimizer.step_rows(0, zeros({1}, {.dtype = DType::i64}), zeros({1, 4}));
  });
  EXPECT_TRUE(contains(narrow.what(), "a parameter has dtype f64")) << narrow.what();
  EXPECT_EQ(bits_of(p), before);
  EXPECT_EQ(to_vector<int64_t>(optimizer.state_dict()[0].tensor), (std::vector<int64_t>{0, 0}));
}

TEST(Optimizers, EuclideanOnesRefuseManifoldParameters) {
  ManifoldParameter p = parameter(Klein(0.5), {5, 4}, 1);
  for (const OptimizerDef* def : optimizer_table().optimizers) {
    if (hyperbolic::on_manifolds(*def)) continue;
    std::string what = message_of(Code::value, [&] { made(*def, "{}", p); });
    EXPECT_EQ(what, std::string(def->name) +
                        ": parameter 0 is on the manifold Klein(c=0.5), which " + def->class_name +
                        " does not support; use a Riemannian optimiser");
  }
  struct Net final : nn::Module {
    Tensor p;
    void visit(nn::Visitor& v) override { v.parameter("p", p); }
  } net;
  net.p = p;
  RiemannianSgd optimizer(std::vector<Tensor>{leaf({2}, 1), p});
  net.to(DType::bf16);
  set_gradient(net.p, 1);
  EXPECT_EQ(
      message_of(Code::dtype, [&] { optimizer.step(); }).find("riemanniansgd: parameter 1 is"), 0u);
  EXPECT_EQ(code_of([&] { made(riemanniansgd_optimizer, "{}", net.p); }), Code::dtype);
}

TEST(RiemannianOptimizers, RefuseOptionsOutOfRange) {
  Tensor p = parameter(Lorentz(), {2, 3}, 1);
  auto code = [&](const OptimizerDef& def, const char* options) {
    return code_of([&] { made(def, options, p); });
  };
  for (const char* bad : {R"({"lr": -1})", R"({"momentum": -1})", R"({"weight_decay": -1})",
                          R"({"nesterov": true})"}) {
    EXPECT_EQ(code(riemanniansgd_optimizer, bad), Code::value) << bad;
  }
  for (const char* bad :
       {R"({"beta1": 1})", R"({"beta2": -0.1})", R"({"eps": -1})", R"({"weight_decay": -1})"}) {
    EXPECT_EQ(code(riemannianadam_optimizer, bad), Code::value) << bad;
  }
}

TEST(RiemannianOptimizers, ApplyStepOptions) {
  PoincareBall m(0.5);
  ManifoldParameter a = parameter(m, {5, 4}, 1), b = parameter(m, {5, 4}, 1);
  RiemannianSgd clipped(std::vector<Tensor>{a}, {{.lr = 0.1}}),
      plain(std::vector<Tensor>{b}, {{.lr = 0.1}});
  set_gradient(a, 3, 10);
  StepResult result = clipped.step({.clip = 1});
  set_gradient(b, 3, 10);
  b.set_grad(b.grad() * clip_factor(result.gradient_norm.item(), 1));
  plain.step();
  EXPECT_LE(largest_difference(a, b), 1e-14);
  ManifoldParameter c = parameter(m, {5, 4}, 1);
  RiemannianSgd zeroing(std::vector<Tensor>{c}, {{.lr = 0.1}});
  set_gradient(c, 3);
  c.set_grad(c.grad() * NAN);
  std::string before = bits_of(c);
  EXPECT_FALSE(zeroing.step().applied);
  EXPECT_EQ(bits_of(c), before);
  EXPECT_TRUE(zeroing.step({.non_finite = NonFinite::zero}).applied);
  EXPECT_LE(largest_difference(c, m.project(parameter(m, {5, 4}, 1))), 1e-15);
}

TEST(RiemannianOptimizers, StepDuringBackward) {
  PoincareBall m(0.5);
  ManifoldParameter a = parameter(m, {5, 4}, 1), b = parameter(m, {5, 4}, 1);
  RiemannianSgd first(std::vector<Tensor>{a}, {{.lr = 0.1}}),
      second(std::vector<Tensor>{b}, {{.lr = 0.1}});
  set_gradient(a, 3);
  set_gradient(b, 3);
  first.step_parameter(0, 0.5);
  second.step({.scale = 0.5});
  EXPECT_EQ(bits_of(a), bits_of(b));
}

TEST(RiemannianOptimizers, StayOnTheManifoldForAnyStep) {
  for (const Manifold& m : {Manifold(PoincareBall(0.8)), Manifold(Klein(0.8))}) {
    for (const OptimizerDef* def : riemannian()) {
      ManifoldParameter p = parameter(m, {20, 3}, 1, DType::f32);
      auto optimizer = made(*def, R"({"lr": 3})", p);
      for (uint64_t step = 0; step < 40; ++step) {
        set_gradient(p, step, 10);
        optimizer->step();
        m.require_points(p, def->name);
      }
    }
  }
}

// Distance of point_of(p) from the mean of `given` after 100 steps, for the best of several
// learning rates.
double left_after_steps(const OptimizerDef& def, const Tensor& given, FunctionRef<Tensor()> start,
                        FunctionRef<Tensor(const Tensor&)> point_of) {
  const PoincareBall ball;
  double least = INFINITY;
  for (double lr : {1e-4, 3e-4, 1e-3, 3e-3, 0.01, 0.03, 0.1, 0.3}) {
    Tensor p = start();
    const std::string options = R"({"lr": )" + std::to_string(lr) + "}";
    auto optimizer = made(def, options.c_str(), p);
    for (int step = 0; step < 100; ++step) {
      optimizer->zero_grad();
      mean(ball.dist2(point_of(p), given)).backward();
      optimizer->step();
    }
    NoGrad off;
    Tensor pull = mean(ball.log(expand(point_of(p), given.shape()), given), 0, true);
    least = std::fmin(least, ball.norm(point_of(p), pull).item());
  }
  return least;
}

// Far from the origin a step in the tangent space at the origin rotates a point sinh(r) / r times
// as far as it moves it radially, so no learning rate suits both.
TEST(RiemannianAdam, FindsAFarMeanFasterThanATangentParameter) {
  PoincareBall ball;
  Samples random{3};
  Tensor away = ball.exp0(tensor({{6, 0}}, {.dtype = DType::f64}));
  Tensor given = ball.add(away, ball.exp0(random.uniform({9, 2}, -1, 1)));
  Tensor start = ball.add(away, ball.exp0(tensor({{-0.7, 0.7}}, {.dtype = DType::f64})));
  double along = left_after_steps(
      riemannianadam_optimizer, given, [&] { return ManifoldParameter(clone(start), ball); },
      [](const Tensor& p) { return p; });
  double flat = left_after_steps(
      sgd_optimizer, given, [&] { return TangentParameter(start, ball).z; },
      [&](const Tensor& z) { return ball.exp0(z); });
  EXPECT_LT(along, 0.5 * flat) << "RiemannianAdam " << along << ", tangent SGD " << flat;
}

}  // namespace
}  // namespace gyre::hyperbolic
