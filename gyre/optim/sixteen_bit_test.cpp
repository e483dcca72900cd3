#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "gyre/ops/shape/in_place.h"
#include "gyre/optim/rules/adam.h"
#include "gyre/optim/rules/sgd.h"
#include "gyre/optim/test_parameters.h"

// Parameters of f16 and bf16.

namespace gyre {
namespace {

constexpr DType kHalves[] = {DType::f16, DType::bf16};

Tensor master_of(Optimizer& optimizer, size_t i = 0) {
  for (const NamedTensor& t : optimizer.state_dict()) {
    if (t.name == "master." + std::to_string(i)) return t.tensor;
  }
  return {};
}

TEST(SixteenBit, MasterAccumulatesSmallSteps) {
  for (DType dtype : kHalves) {
    Tensor p = full({37}, 1, {.dtype = dtype}).set_requires_grad();
    Sgd optimizer(std::vector<Tensor>{p}, {.lr = 0x1p-14});
    for (int step = 0; step < 1024; ++step) {
      p.set_grad(ones(p.shape(), {.dtype = dtype}));
      optimizer.step();
    }
    for (double v : to_vector<double>(p)) EXPECT_EQ(v, 1 - 1024 * 0x1p-14) << name_of(dtype);
  }
}

TEST(SixteenBit, GradientsMayBeF32) {
  for (DType dtype : kHalves) {
    Tensor a = leaf({1000}, 1, dtype), b = leaf({1000}, 1, dtype);
    AdamW of_own(std::vector<Tensor>{a}), of_f32(std::vector<Tensor>{b});
    for (uint64_t step = 0; step < 3; ++step) {
      set_gradient(a, step);
      b.impl()->grad = to(a.grad(), DType::f32).ref();
      // Norms are summed in another order, so this test does not clip.
      of_own.step();
      of_f32.step();
    }
    EXPECT_EQ(bits_of(of_own.state_dict(), std::vector<Tensor>{a}),
              bits_of(of_f32.state_dict(), std::vector<Tensor>{b}));
  }
}

TEST(SixteenBit, StateIsF32AndTheMasterIsTheValue) {
  Tensor p = leaf({5}, 1, DType::bf16);
  AdamW optimizer(std::vector<Tensor>{p}, {.lr = 0});
  p.set_grad(ones(p.shape(), {.dtype = DType::bf16}));
  optimizer.step();
  std::vector<NamedTensor> state = optimizer.state_dict();
  ASSERT_EQ(state.size(), 4u);
  for (size_t i = 1; i < 4; ++i) EXPECT_EQ(state[i].tensor.dtype(), DType::f32) << state[i].name;
  EXPECT_EQ(state[3].name, "master.0");
  EXPECT_EQ(to_vector<float>(state[3].tensor), to_vector<float>(p));
}

TEST(SixteenBit, AnOverwrittenValueUpdatesItsMaster) {
  for (DType dtype : kHalves) {
    Tensor p = leaf({70}, 1, dtype);
    Sgd optimizer(std::vector<Tensor>{p}, {.lr = 0x1p-20});
    auto step = [&] {
      p.set_grad(ones(p.shape(), {.dtype = dtype}));
      optimizer.step();
    };
    for (int i = 0; i < 3; ++i) step();
    std::vector<float> kept = to_vector<float>(master_of(optimizer));
    std::vector<float> loaded = to_vector<float>(p);
    std::fill(loaded.begin() + 3, loaded.begin() + 20, 8.0f);
    copy_(p.detach(), tensor(loaded, {70}));
    optimizer.set_lr(0x1p-10);
    step();
    std::vector<float> master = to_vector<float>(master_of(optimizer));
    for (size_t i = 0; i < master.size(); ++i) {
      float from = i >= 3 && i < 20 ? 8 : kept[i];
      EXPECT_EQ(master[i], from - 0x1p-10f) << i << " elements not overwritten keep their master";
    }
    EXPECT_EQ(bits_of(p), bits_of(to(master_of(optimizer), dtype)));
  }
}

TEST(SixteenBit, AMasterThatIsNotLoadedIsTheValue) {
  Tensor p = full({3}, 1, {.dtype = DType::bf16}).set_requires_grad();
  Sgd optimizer(std::vector<Tensor>{p}, {.lr = 0x1p-14});
  p.set_grad(ones(p.shape(), {.dtype = DType::bf16}));
  optimizer.step();
  std::vector<NamedTensor> state = optimizer.state_dict();
  std::erase_if(state, [](const NamedTensor& t) { return t.name == "master.0"; });
  EXPECT_NE(to_vector<float>(master_of(optimizer)), to_vector<float>(p));
  optimizer.load_state_dict(state);
  EXPECT_EQ(to_vector<float>(master_of(optimizer)), to_vector<float>(p));
}

TEST(SixteenBit, NaNAndInfinityAreKept) {
  for (DType dtype : kHalves) {
    Tensor p = full({3}, 1, {.dtype = dtype}).set_requires_grad();
    p.set_grad(to(tensor<float>(std::vector<float>{INFINITY, NAN, 1}, {3}), dtype));
    Sgd optimizer(std::vector<Tensor>{p}, {.lr = 0.5});
    optimizer.step({.non_finite = NonFinite::apply});
    std::vector<double> v = to_vector<double>(p);
    EXPECT_EQ(v[0], -INFINITY);
    EXPECT_TRUE(std::isnan(v[1]));
    EXPECT_EQ(v[2], 0.5);
  }
}

TEST(SixteenBit, NormsAndClippingMatchTheValues) {
  for (DType dtype : kHalves) {
    Tensor a = leaf({3}, 1, dtype), b = leaf({40001}, 2, dtype), c = leaf({5}, 3);
    std::vector<Tensor> all{a, b, c};
    double squares = 0;
    for (size_t i = 0; i < all.size(); ++i) {
      set_gradient(all[i], 10 + i);
      for (double g : to_vector<double>(all[i].grad())) squares += g * g;
    }
    double norm = std::sqrt(squares);
    std::vector<double> before = to_vector<double>(b.grad());
    EXPECT_NEAR(clip_grad_norm(all, 2), norm, 1e-12 * norm);
    std::vector<double> after = to_vector<double>(b.grad());
    double spacing = dtype == DType::f16 ? 0x1p-11 : 0x1p-8,
           least = dtype == DType::f16 ? 0x1p-25 : 0;
    for (size_t i = 0; i < after.size(); ++i) {
      double wanted = before[i] * 2 / norm;
      ASSERT_NEAR(after[i], wanted, 1.01 * spacing * std::abs(wanted) + least) << i;
    }
  }
}

}  // namespace
}  // namespace gyre
