#include "gyre/optim/gradient_norm.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "gyre/io/record_json.h"
#include "gyre/optim/rules/adam.h"
#include "gyre/optim/rules/sgd.h"
#include "gyre/optim/test_parameters.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr DType kNormed[] = {DType::f16, DType::bf16, DType::f32, DType::f64};

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
  EXPECT_NEAR(result.gradient_norm.item(), norm / 2, 1e-9 * norm);
  EXPECT_NEAR(to_vector<double>(a)[1], before[1] - g[1] * 2 / norm, 1e-6);

  EXPECT_NEAR(clip_grad_norm(std::vector<Tensor>{a, b}, 3), norm, 1e-9 * norm);
  EXPECT_NEAR(clip_grad_norm(std::vector<Tensor>{a, b}, 1e9), 3, 1e-5) << "clipped to 3";
  EXPECT_EQ(code_of([&] { clip_grad_norm(std::vector<Tensor>{a}, 0); }), Code::value);
}

TEST(Optimizer, ClipsASharedGradientOncePerParameter) {
  Tensor a = leaf({2}, 1), b = leaf({2}, 2), c = leaf({2}, 3), shared = full({2}, 3);
  alignas(8) float lent[2] = {3, 3};
  a.set_grad(shared);
  b.set_grad(shared);
  c.set_grad(borrow(lent, shared.meta(), Shape{1}, nullptr, nullptr));
  clip_grad_norm(std::vector<Tensor>{a, b, c}, 1e9);
  EXPECT_EQ(a.grad().impl(), shared.impl()) << "nothing to write: nothing is replaced";
  double norm = clip_grad_norm(std::vector<Tensor>{a, b, c}, 1);
  EXPECT_NEAR(norm, std::sqrt(54), 1e-6);
  for (const Tensor& p : {a, b, c}) {
    for (double g : to_vector<double>(p.grad())) EXPECT_NEAR(g, 3 / norm, 1e-6);
  }
  EXPECT_EQ(to_vector<double>(shared), (std::vector<double>{3, 3}));
  EXPECT_EQ(lent[0], 3);
}

TEST(Optimizer, SkipsTheStepForNonFiniteGradients) {
  Tensor a = leaf({3}, 1), b = leaf({5}, 2);
  set_gradient(a, 3);
  set_gradient(b, 4);
  a.grad().data<float>()[2] = std::numeric_limits<float>::infinity();
  std::vector<float> before = to_vector<float>(b);
  AdamW optimizer(std::vector<Tensor>{a, b});
  StepResult result = optimizer.step({.clip = 1});
  EXPECT_FALSE(result.applied);
  EXPECT_TRUE(std::isinf(result.gradient_norm.item()));
  EXPECT_EQ(to_vector<float>(b), before);
  EXPECT_EQ(to_vector<int64_t>(optimizer.state_dict()[0].tensor), (std::vector<int64_t>{0, 0}));
}

// Gradients of which the second has a few non-finite elements, in the middle of a vector and at the
// end.
std::vector<Tensor> parameters_with_bad_gradients(DType dtype, double bad = kInf) {
  std::vector<Tensor> parameters{leaf({5}, 1, dtype), leaf({70}, 2, dtype)};
  for (const Tensor& p : parameters) set_gradient(p, 3);
  std::vector<double> g = to_vector<double>(parameters[1].grad());
  g[3] = bad;
  g[40] = std::nan("");
  g[69] = -bad;
  parameters[1].set_grad(to(tensor(g, {70}), dtype));
  return parameters;
}

// The same gradients with 0 in place of non-finite elements.
void mend(std::span<const Tensor> parameters) {
  for (const Tensor& p : parameters) {
    std::vector<double> g = to_vector<double>(p.grad());
    for (double& x : g) x = std::isfinite(x) ? x : 0;
    p.impl()->grad = to(tensor(g, p.shape()), p.dtype()).ref();
  }
}

TEST(NonFinite, SkipAndRaiseChangeNothing) {
  for (DType dtype : kNormed) {
    std::vector<Tensor> p = parameters_with_bad_gradients(dtype);
    AdamW optimizer(p);
    std::vector<std::string> before = bits_of(copy_of(optimizer.state_dict()), p);
    EXPECT_FALSE(optimizer.step().applied);
    EXPECT_FALSE(optimizer.step({.clip = 1, .norm = true}).applied);
    EXPECT_EQ(message_of(Code::numeric, [&] { optimizer.step({.non_finite = NonFinite::raise}); }),
              "adamw: expected finite gradients, got norm nan for parameter 1");
    EXPECT_EQ(bits_of(optimizer.state_dict(), p), before);
  }
}

TEST(NonFinite, RaiseReturnsTheNormOfFiniteGradients) {
  Tensor p = zeros({4}).set_requires_grad();
  p.set_grad(full({4}, 3));
  StepResult result = Sgd(std::vector<Tensor>{p}, {.lr = 1}).step({.non_finite = NonFinite::raise});
  EXPECT_EQ(result.gradient_norm.item(), 6);
  EXPECT_TRUE(result.applied);
}

TEST(NonFinite, RaiseNamesNoParameterWhenTheNormOverflows) {
  std::vector<Tensor> p{leaf({1}, 1, DType::f64), leaf({1}, 2, DType::f64)};
  for (Tensor& t : p) t.set_grad(full({1}, 1.2e154, {.dtype = DType::f64}));
  EXPECT_EQ(message_of(Code::numeric, [&] { Sgd(p).step({.non_finite = NonFinite::raise}); }),
            "sgd: expected a finite total gradient norm, got overflow");
}

TEST(NonFinite, ZeroIgnoresNonFiniteElements) {
  for (DType dtype : kNormed) {
    for (double clip : {0.0, 0.5}) {
      std::vector<Tensor> p = parameters_with_bad_gradients(dtype);
      std::vector<Tensor> mended = parameters_with_bad_gradients(dtype);
      mend(mended);
      AdamW optimizer(p), wanted(mended);
      StepResult result =
          optimizer.step({.scale = 0.5, .clip = clip, .non_finite = NonFinite::zero});
      StepResult expected =
          wanted.step({.scale = 0.5, .clip = clip, .norm = true, .non_finite = NonFinite::apply});
      EXPECT_TRUE(result.applied);
      EXPECT_EQ(result.gradient_norm.item(), expected.gradient_norm.item());
      EXPECT_EQ(bits_of(optimizer.state_dict(), p), bits_of(wanted.state_dict(), mended));
    }
  }
}

TEST(NonFinite, ApplyUsesGradientsUnchanged) {
  for (DType dtype : kNormed) {
    std::vector<Tensor> p = parameters_with_bad_gradients(dtype);
    std::vector<double> before = to_vector<double>(p[1]), g = to_vector<double>(p[1].grad());
    StepResult result = Sgd(p, {.lr = 1}).step({.clip = 1e-3, .non_finite = NonFinite::apply});
    EXPECT_TRUE(result.applied);
    EXPECT_TRUE(std::isnan(result.gradient_norm.item()));
    std::vector<double> v = to_vector<double>(p[1]);
    EXPECT_EQ(v[3], -kInf);
    EXPECT_TRUE(std::isnan(v[40]));
    EXPECT_EQ(v[69], kInf);
    EXPECT_NEAR(v[0], before[0] - g[0], 1e-2 * (1 + std::abs(v[0]))) << "not clipped";
  }
}

TEST(NonFinite, ApplyComputesTheNormOnlyForClippingOrOnRequest) {
  Tensor p = zeros({4}).set_requires_grad();
  p.set_grad(full({4}, 3));
  Sgd optimizer(std::vector<Tensor>{p});
  EXPECT_FALSE(optimizer.step({.non_finite = NonFinite::apply}).gradient_norm.defined());
  EXPECT_EQ(optimizer.step({.clip = 1, .non_finite = NonFinite::apply}).gradient_norm.item(), 6);
  EXPECT_EQ(optimizer.step({.norm = true, .non_finite = NonFinite::apply}).gradient_norm.item(), 6);
}

TEST(NonFinite, IsAnOptionByName) {
  StepOptions o;
  EXPECT_EQ(record_to_json(o).at("non_finite").as_string(), "skip");
  record_from_json(o, Json::parse(R"({"clip": 0.5, "non_finite": "zero"})"));
  EXPECT_EQ(o.clip, 0.5);
  EXPECT_EQ(o.non_finite, NonFinite::zero);
}

TEST(Optimizer, TheNormIsThatOfScaledGradients) {
  for (double scale : {0.25, 0.5, 1.0, 2.0}) {
    Tensor p = ones({3}).set_requires_grad();
    p.set_grad(full({3}, 2));
    Sgd optimizer(std::vector<Tensor>{p});
    const StepResult r = optimizer.step({.scale = scale, .norm = true});
    EXPECT_NEAR(r.gradient_norm.item(), std::sqrt(12) * std::abs(scale), 1e-12);
  }
}

TEST(ClipGradNorm, WithoutGradientsIsZero) {
  Tensor frozen = ones({3});
  for (NonFinite policy : {NonFinite::skip, NonFinite::raise, NonFinite::zero, NonFinite::apply}) {
    EXPECT_EQ(clip_grad_norm({&frozen, 1}, 1e-7, policy), 0);
  }
}

TEST(ClipGradNorm, BelowTheMaximumNothingIsWritten) {
  Tensor p = ones({3}).set_requires_grad();
  p.set_grad(full({3}, 2));
  EXPECT_NEAR(clip_grad_norm({&p, 1}, 4), std::sqrt(12), 1e-12);
  EXPECT_EQ(p.grad().impl()->storage->version, 0u);
  EXPECT_NEAR(clip_grad_norm({&p, 1}, 3), std::sqrt(12), 1e-12);
  EXPECT_EQ(p.grad().impl()->storage->version, 1u);
}

TEST(NonFinite, ClipGradNormHasTheSamePolicies) {
  for (DType dtype : kNormed) {
    for (NonFinite policy : {NonFinite::skip, NonFinite::apply}) {
      std::vector<Tensor> p = parameters_with_bad_gradients(dtype);
      std::string before = bits_of(p[1].grad());
      EXPECT_TRUE(std::isnan(clip_grad_norm(p, 1, policy)));
      EXPECT_EQ(bits_of(p[1].grad()), before);
    }
    std::vector<Tensor> p = parameters_with_bad_gradients(dtype);
    EXPECT_EQ(message_of(Code::numeric, [&] { clip_grad_norm(p, 1, NonFinite::raise); }),
              "clip_grad_norm: expected finite gradients, got norm nan for parameter 1");
    for (double most : {0.5, 1e9}) {
      std::vector<Tensor> a = parameters_with_bad_gradients(dtype);
      std::vector<Tensor> b = parameters_with_bad_gradients(dtype);
      mend(b);
      EXPECT_EQ(clip_grad_norm(a, most, NonFinite::zero), clip_grad_norm(b, most));
      for (size_t i = 0; i < 2; ++i) EXPECT_EQ(bits_of(a[i].grad()), bits_of(b[i].grad()));
    }
  }
}

}  // namespace
}  // namespace gyre
