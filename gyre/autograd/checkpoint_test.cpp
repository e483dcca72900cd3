#include "gyre/autograd/checkpoint.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "gyre/autograd/backward.h"
#include "gyre/autograd/gradcheck.h"
#include "gyre/autograd/hooks.h"
#include "gyre/autograd/test_ops.h"
#include "gyre/base/error.h"
#include "gyre/base/philox.h"
#include "gyre/op/node.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/tensor/allocator.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

using testing::leaf;
using testing::of;
using testing::values;
using Values = std::vector<double>;

Tensor random_like(const Tensor& x) {
  Generator& generator = default_generator();
  Tensor t = empty(x.shape(), DType::f64);
  for (int64_t i = 0; i < t.numel(); ++i) {
    t.data<double>()[i] = philox(generator.seed, generator.offset++)[0] * 0x1p-32;
  }
  return t;
}

// Leaves, their gradients and the loss of a small model whose middle part is `part`.
struct Run {
  Tensor x = leaf({0.3, -0.7, 1.2}), w = leaf({1.5, 0.2, -0.4}), tied = leaf({0.9, 1.1, 0.8});
  double loss = 0;
  Values gradients() {
    Values all;
    for (Tensor* t : {&x, &w, &tied}) {
      for (double v : values(t->grad())) all.push_back(v);
    }
    return all;
  }
};

template <class Call>
Run run(Call call) {
  Run r;
  manual_seed(7);
  Tensor below = sin(r.x * r.tied), captured = exp(r.x);
  auto part = [w = r.w, tied = r.tied, captured](Inputs in) -> Tensors {
    Tensor h = tanh(in[0] * w) + random_like(in[0]) * in[0];
    auto [s, c] = testing::sin_and_cos(h * captured);
    return {s * tied, c * in[0]};
  };
  Tensors y = call(part, Inputs(&below, 1));
  Tensor above = y[0] * y[1] * r.tied + random_like(y[0]) * y[1];
  backward(Tensors{above}, Tensors{of({1, 2, 3})});
  r.loss = above.data<double>()[1];
  return r;
}

auto plainly = [](auto part, Inputs in) { return part(in); };
auto checkpointed = [](auto part, Inputs in) { return checkpoint(part, in); };
auto nested = [](auto part, Inputs in) {
  return checkpoint(
      [part](Inputs in) {
        Tensor twice[] = {in[0] + in[0]};
        Tensor half[] = {checkpoint([](Inputs in) -> Tensors { return {in[0] * 0.5}; }, twice)[0]};
        return checkpoint(part, half);
      },
      in);
};

TEST(Checkpoint, GradientsAreBitwiseEqual) {
  Values want = run(plainly).gradients();
  EXPECT_EQ(run(checkpointed).gradients(), want);
  EXPECT_EQ(run(nested).gradients(), want);
  EXPECT_EQ(run(checkpointed).loss, run(plainly).loss);
}

// A saved literal remains a literal: 0.05 does not promote f32 to f64.
TEST(Checkpoint, LiteralsStayLiterals) {
  auto gradient = [](bool again) {
    Tensor w = tensor({0.1, 0.7, 1.3});
    w.set_requires_grad();
    auto body = [&](Inputs in) -> Tensors { return {tanh(in[0] * w) * 0.05}; };
    Tensor x = tensor({0.3, -0.7, 1.2});
    Tensor y = again ? checkpoint(body, {&x, 1})[0] : body({&x, 1})[0];
    Tensor g = tensor({1.1, 1.7, 0.3});
    backward({&y, 1}, {&g, 1});
    EXPECT_EQ(w.grad().dtype(), DType::f32);
    return to_vector<float>(w.grad());
  };
  EXPECT_EQ(gradient(false), gradient(true));
}

TEST(Checkpoint, ABudgetIsNotNegative) {
  EXPECT_EQ(code_of([] { CheckpointBudget budget(-5); }), Code::value);
}

TEST(Checkpoint, LeavesTheGeneratorWhereItWas) {
  run(plainly);
  uint64_t offset = default_generator().offset;
  run(checkpointed);
  EXPECT_EQ(default_generator().offset, offset);
}

TEST(Checkpoint, RunsTheBodyTwiceAndOnceUnderNoGrad) {
  int runs = 0;
  auto body = [&runs](Inputs in) -> Tensors {
    ++runs;
    return {sin(sin(sin(in[0])))};
  };
  Tensor x = leaf({0.5});
  Tensor y = checkpoint(body, Inputs(&x, 1))[0];
  EXPECT_EQ(runs, 1);
  y.backward();
  EXPECT_EQ(runs, 2);
  NoGrad guard;
  EXPECT_FALSE(checkpoint(body, Inputs(&x, 1))[0].tracked());
  EXPECT_EQ(runs, 3);
}

TEST(Checkpoint, NestedInputsAreComputedOnceAPass) {
  int runs = 0;
  Tensor x = leaf({0.5});
  Tensor y = checkpoint(
      [&runs](Inputs in) -> Tensors {
        ++runs;
        Tensor below[] = {sin(in[0])};
        return checkpoint([](Inputs in) -> Tensors { return {in[0] * in[0] * in[0] * in[0]}; },
                          below);
      },
      Inputs(&x, 1))[0];
  y.backward();
  EXPECT_EQ(runs, 2);
}

TEST(Checkpoint, RetainedGraphRunsAgain) {
  Tensor x = leaf({0.5});
  Tensor y =
      checkpoint([](Inputs in) -> Tensors { return {exp(in[0] * in[0])}; }, Inputs(&x, 1))[0];
  y.backward(true);
  double once = x.grad().item();
  y.backward();
  EXPECT_EQ(x.grad().item(), 2 * once);
  EXPECT_THROW(y.backward(), Error);
}

auto outer_half = [](Inputs in) -> Tensors { return {tanh(in[0] * in[1])}; };
auto inner_half = [](Inputs in) -> Tensors { return {exp(in[0]) * in[0]}; };
auto halves = [](Inputs in) { return inner_half(outer_half(in)); };
auto checkpointed_halves = [](Inputs in) {
  return checkpoint([](Inputs in) { return checkpoint(inner_half, outer_half(in)); }, in);
};

TEST(Checkpoint, HigherDerivatives) {
  Tensors in{leaf({0.3, -0.4}), leaf({0.8})};
  GradcheckReport first = gradcheck(checkpointed_halves, in);
  GradcheckReport second = gradgradcheck(checkpointed_halves, in);
  EXPECT_TRUE(first) << first.what();
  EXPECT_TRUE(second) << second.what();
  Tensor x = leaf({0.3}), w = leaf({0.8});
  auto fourth = [&](auto f) {
    Tensor y = f(Tensors{x, w})[0];
    for (int i = 0; i < 3; ++i) y = grad(y, x, {.create_graph = true});
    return grad(y, w).item();
  };
  EXPECT_EQ(fourth(checkpointed_halves), fourth(halves));
}

TEST(Checkpoint, KeepsOnlyItsInputs) {
  Tensor x = empty({1 << 14}, DType::f64);
  for (int64_t i = 0; i < x.numel(); ++i) x.data<double>()[i] = 0.5;
  x.set_requires_grad();
  auto body = [](Inputs in) -> Tensors {
    Tensor y = in[0];
    for (int i = 0; i < 10; ++i) y = sin(y);
    return {y};
  };
  size_t one = static_cast<size_t>(x.numel()) * sizeof(double);
  size_t base = allocator::stats().in_use;
  Tensor y = x;
  for (int i = 0; i < 5; ++i) y = checkpoint(body, Inputs(&y, 1))[0];
  EXPECT_LE(allocator::stats().in_use, base + 6 * one);
  allocator::reset_peak();
  backward(Tensors{y}, Tensors{x.detach()});
  EXPECT_LE(allocator::stats().peak, base + (6 + 10 + 5) * one);  // one body at a time
  y = {};
  EXPECT_LE(allocator::stats().in_use, base + 2 * one);
}

TEST(Checkpoint, ReleasesEverything) {
  int64_t tensors = live_tensors(), objects = live_objects();
  run(nested);
  {
    Tensor x = leaf({1});
    checkpoint([](Inputs in) -> Tensors { return {exp(in[0])}; }, Inputs(&x, 1));  // dropped
  }
  EXPECT_EQ(live_tensors(), tensors);
  EXPECT_EQ(live_objects(), objects);
}

TEST(Checkpoint, AFailedAllocationAnywhereLeaksNothing) {
  run(nested);
  int64_t tensors = live_tensors(), objects = live_objects();
  int failures = 0;
  for (uint64_t n = 1; n < 200; ++n) {
    allocator::fail_request(n);
    try {
      run(nested);
    } catch (const Error& e) {
      EXPECT_EQ(e.code, Code::resource);
      ++failures;
    }
    allocator::fail_request(0);
    EXPECT_TRUE(grad_enabled());
    EXPECT_EQ(saving_observer(), nullptr);
    ASSERT_EQ(live_tensors(), tensors) << n;
    ASSERT_EQ(live_objects(), objects) << n;
  }
  EXPECT_GT(failures, 60);
  EXPECT_LT(failures, 199);  // the last iterations allocate less than the limit
  EXPECT_EQ(run(nested).gradients(), run(plainly).gradients());
}

TEST(Checkpoint, ANondeterministicBodyIsAnError) {
  Tensor x = leaf({0.5, 1});
  auto code_of_backward = [&](auto body) {
    Tensor y = checkpoint(body, Inputs(&x, 1))[0];
    Error e = error_of([&] { backward(Tensors{y}, Tensors{of({1, 1})}); });
    EXPECT_EQ(saving_observer(), nullptr);
    EXPECT_EQ(e.op, "checkpoint");
    return e.code;
  };
  int runs = 0;
  EXPECT_EQ(code_of_backward([&](Inputs in) -> Tensors {
              return {runs++ ? in[0] * 2.0 : exp(in[0] * 2.0)};  // saves less
            }),
            Code::value);
  runs = 0;
  EXPECT_EQ(code_of_backward([&](Inputs in) -> Tensors {
              return {runs++ ? exp(exp(in[0] * 2.0)) : exp(in[0] * 2.0)};  // saves more
            }),
            Code::value);
  runs = 0;
  EXPECT_EQ(code_of_backward([&](Inputs in) -> Tensors {
              Tensor other = runs++ ? of({1, 2, 3}, {3, 1}) : of({1, 2});
              return {exp(in[0] * other)};
            }),
            Code::value);
}

TEST(Checkpoint, RunsAgainInItsSurroundings) {
  struct Scaled final : CheckpointSurroundings {
    Scaled(double* s, double f) : scale(s), factor(f) {}
    void within(FunctionRef<void()> call) const override {
      CheckpointSurroundingsScope scope{Ref<const CheckpointSurroundings>(this)};
      *scale *= factor;
      call();
      *scale /= factor;
    }
    double* scale;
    double factor;
  };
  double scale = 1;
  Ref<const Scaled> outer(new Scaled(&scale, 3)), inner(new Scaled(&scale, 5));
  auto innermost = [&](Inputs in) -> Tensors { return {exp(in[0] * scale)}; };
  auto body = [&](Inputs in) { return checkpoint(innermost, in); };
  Tensor x = leaf({0.5}), y;
  outer->within([&] { inner->within([&] { y = checkpoint(body, Inputs(&x, 1))[0]; }); });
  ASSERT_EQ(scale, 1);
  EXPECT_EQ(grad(y, x, {.retain_graph = true}).item(), 15 * std::exp(7.5));
  inner->within(
      [&] { EXPECT_EQ(code_of([&] { grad(y, x, {.retain_graph = true}); }), Code::value); });
  outer->within([&] { EXPECT_EQ(grad(y, x).item(), 15 * std::exp(7.5)); });
}

TEST(Checkpoint, AFailedPassLeavesItUsable) {
  int64_t tensors = live_tensors(), objects = live_objects();
  {
    int runs = 0;
    auto body = [&runs](Inputs in) -> Tensors {
      ++runs;
      return {sin(exp(in[0] * in[0]))};
    };
    Tensor x = leaf({0.5, -1}), plain = leaf({0.5, -1});
    Tensor y = checkpoint(body, Inputs(&x, 1))[0];
    EXPECT_EQ(code_of([&] { backward(Tensors{y}, Tensors{of({1, 2, 3})}); }), Code::shape);
    EXPECT_EQ(code_of([&] { grad(y, of({1}), {}); }), Code::value);
    EXPECT_EQ(runs, 1);
    EXPECT_FALSE(x.grad().defined());
    backward(Tensors{y}, Tensors{of({1, 2})});
    EXPECT_EQ(runs, 2);
    backward(body(Inputs(&plain, 1)), Tensors{of({1, 2})});
    EXPECT_EQ(values(x.grad()), values(plain.grad()));
    EXPECT_EQ(code_of([&] { backward(Tensors{y}, Tensors{of({1, 2})}); }), Code::value);
    EXPECT_EQ(values(x.grad()), values(plain.grad()));
  }
  EXPECT_EQ(live_tensors(), tensors);
  EXPECT_EQ(live_objects(), objects);
}

TEST(Checkpoint, APassThatEndedMidwayIsForgottenByTheNext) {
  int runs = 0;
  bool fails = true;
  HookHandle handle;
  auto body = [&](Inputs in) -> Tensors {
    Tensor inside = sin(in[0]);
    if (++runs == 1) {
      handle = on_gradient(inside, [&](const Tensor& g) {
        if (fails) throw Error(Code::numeric, "test", "midway");
        return g;
      });
    }
    return {exp(sin(inside))};
  };
  Tensor x = leaf({0.5}), plain = leaf({0.5});
  Tensor y = checkpoint(body, Inputs(&x, 1))[0];
  int64_t tensors = live_tensors();
  EXPECT_EQ(code_of([&] { y.backward(true); }), Code::numeric);
  EXPECT_EQ(runs, 2);
  EXPECT_FALSE(x.grad().defined());
  fails = false;
  y.backward(true);
  EXPECT_EQ(runs, 3);
  EXPECT_EQ(live_tensors(), tensors + 1) << "only the gradient stays";
  y.backward();
  EXPECT_EQ(runs, 4);
  exp(sin(sin(plain))).backward();
  EXPECT_EQ(x.grad().item(), 2 * plain.grad().item());
}

TEST(Checkpoint, AFailedRunLeaksNothingToAnotherPass) {
  int runs = 0;
  auto body = [&](Inputs in) -> Tensors {
    Tensor a = exp(sin(in[0])), b = exp(cos(in[0]));
    if (++runs > 1) b = sin(b);  // saves one more value
    return {a, b};
  };
  Tensor x = leaf({0.5});
  Tensors y = checkpoint(body, Inputs(&x, 1));
  for (size_t k : {1, 0, 1}) {
    EXPECT_EQ(code_of([&] { grad(y[k], x, {.retain_graph = true}); }), Code::value) << k;
  }
}

TEST(Checkpoint, APassOverAPartKeepsNothing) {
  auto body = [](Inputs in) -> Tensors { return {exp(sin(in[0])), exp(cos(in[0]))}; };
  Tensor x = zeros({1 << 14}, {DType::f64, {}, true});
  Tensor one = ones_like(x);
  Tensors y = checkpoint(body, Inputs(&x, 1));
  size_t before = allocator::stats().in_use;
  for (size_t k : {0, 1, 1, 0}) {
    grad(Inputs(&y[k], 1), Inputs(&x, 1), Inputs(&one, 1), {.retain_graph = true});
    EXPECT_EQ(allocator::stats().in_use, before) << k;
  }
}

TEST(Checkpoint, OverwrittenInputIsAnError) {
  Tensor x = leaf({0.5});
  Tensor y = checkpoint([](Inputs in) -> Tensors { return {exp(in[0])}; }, Inputs(&x, 1))[0];
  x.impl()->storage->version.fetch_add(1);
  EXPECT_EQ(code_of([&] { y.backward(); }), Code::value);
}

TEST(Checkpoint, OverwrittenCapturedTensorIsAnError) {
  for (bool tracked : {false, true}) {
    Tensor x = leaf({0.5}), source = leaf({2.0}), w = tracked ? exp(source) : of({2.0});
    auto body = [&](Inputs in) -> Tensors { return {in[0] * w}; };
    checkpoint(body, Inputs(&x, 1))[0].backward();
    EXPECT_EQ(values(x.grad()), values(w));
    Tensor y = checkpoint(body, Inputs(&x, 1))[0];
    w.impl()->storage->version.fetch_add(1);
    EXPECT_EQ(code_of([&] { y.backward(); }), Code::value) << tracked;
  }
}

TEST(Checkpoint, InputOverwrittenAfterAPassOverAPartIsAnError) {
  Tensor x = leaf({0.5});
  Tensors y = checkpoint(
      [](Inputs in) -> Tensors {
        return {exp(in[0]), in[0] * in[0]};
      },
      Inputs(&x, 1));
  Tensor g = grad(y[0], x, {.retain_graph = true});
  EXPECT_EQ(values(g), values(exp(x)));
  x.impl()->storage->version.fetch_add(1);
  EXPECT_EQ(code_of([&] { y[1].backward(); }), Code::value);
}

}  // namespace
}  // namespace gyre
