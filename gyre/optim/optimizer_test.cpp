#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "gyre/autograd/backward.h"
#include "gyre/base/error.h"
#include "gyre/nn/linear.h"
#include "gyre/op/apply.h"
#include "gyre/op/call_observer.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/linalg/matmul.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/optim/rules/adam.h"
#include "gyre/optim/rules/optim_ops.h"
#include "gyre/optim/rules/sgd.h"
#include "gyre/optim/step_in_backward.h"
#include "gyre/optim/test_parameters.h"
#include "gyre/tensor/allocator.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

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

TEST(Optimizer, AcceptsGradientsOfAnyLayout) {
  Tensor a = leaf({40, 30}, 1), b = clone(a.detach()).set_requires_grad();
  Generator g{9, 0};
  Tensor gradient = randn({30, 40}, {.generator = &g});
  a.impl()->grad = transpose(gradient, 0, 1).ref();
  b.impl()->grad = contiguous(transpose(gradient, 0, 1)).ref();
  AdamW(std::vector<Tensor>{a}).step();
  AdamW(std::vector<Tensor>{b}).step();
  EXPECT_EQ(to_vector<float>(a), to_vector<float>(b));
}

void step_once(Optimizer& optimizer, const nn::Linear& net) {
  optimizer.zero_grad();
  sum(square(net(ones({2, 3}, {.dtype = net.weight.dtype()})))).backward();
  optimizer.step();
}

TEST(Optimizer, GoesOnWithTheTensorsOfACastModule) {
  for (DType dtype : {DType::f16, DType::bf16, DType::f64}) {
    nn::Linear net(3, 4);
    AdamW optimizer(net.parameters(), {.lr = 0.1});
    step_once(optimizer, net);
    const auto moments = [&] { return to_vector<double>(optimizer.state_dict()[1].tensor); };
    for (DType now : {dtype, DType::f32}) {
      net.to(now);
      const std::vector<double> weights = to_vector<double>(net.weight), before = moments();
      step_once(optimizer, net);
      EXPECT_NE(to_vector<double>(net.weight), weights);
      EXPECT_EQ(optimizer.parameters()[0].impl(), net.weight.impl());
      const std::vector<double> after = moments(), g = to_vector<double>(net.weight.grad());
      for (size_t i = 0; i < g.size(); ++i)
        EXPECT_NEAR(after[i], 0.9 * before[i] + 0.1 * g[i], 1e-6);
      for (const NamedTensor& t : optimizer.state_dict()) {
        const DType wide = now == DType::f64 ? now : DType::f32;
        EXPECT_EQ(t.tensor.dtype(), t.name == "steps" ? DType::i64 : wide) << t.name;
        EXPECT_FALSE(now == DType::f32 && t.name.starts_with("master"));
      }
    }
    EXPECT_EQ(to_vector<int64_t>(optimizer.state_dict()[0].tensor), (std::vector<int64_t>{3, 3}));
  }
}

TEST(Optimizer, ZeroGradReachesTheTensorsOfACastModule) {
  nn::Linear net(3, 4);
  Sgd optimizer(net.parameters(), {.lr = 0.1});
  net.to(DType::f64);
  sum(net(ones({2, 3}, {.dtype = DType::f64}))).backward();
  optimizer.zero_grad();
  EXPECT_FALSE(net.weight.grad().defined());
}

TEST(Optimizer, StaysWithAModuleOfWhichACopyIsCast) {
  nn::Linear net(3, 4), copy = net;
  Sgd optimizer(net.parameters(), {.lr = 0.1});
  copy.to(DType::f64);
  sum(copy(ones({2, 3}, {.dtype = DType::f64}))).backward();
  const std::vector<double> kept = to_vector<double>(copy.weight);
  sum(net(ones({2, 3}))).backward();
  const std::vector<float> before = to_vector<float>(net.weight);
  optimizer.step();
  EXPECT_NE(to_vector<float>(net.weight), before);
  EXPECT_EQ(to_vector<double>(copy.weight), kept);
}

TEST(Optimizer, ListsTheParametersOfAGroup) {
  const Tensor a = leaf({2}, 1), b = leaf({3}, 2);
  AdamW optimizer(std::vector<Tensor>{a});
  optimizer.add_group(Json::object(), std::vector<Tensor>{b});
  ASSERT_EQ(optimizer.parameters(1).size(), 1u);
  EXPECT_EQ(optimizer.parameters(1)[0].impl(), b.impl());
  EXPECT_EQ(code_of([&] { (void)optimizer.parameters(2); }), Code::index);
  EXPECT_FALSE(optimizer.follow());
  set_gradient(b, 1);
  EXPECT_TRUE(optimizer.follow());
}

TEST(Optimizer, GivesStridedBorrowedParametersContiguousMemory) {
  std::vector<float> lent{1, 2, 3, 4, 5, 6}, before = lent;
  Meta meta;
  meta.shape = {2, 3};
  Tensor a = borrow(lent.data(), meta, {1, 2}, nullptr, [](void*) noexcept {}).set_requires_grad();
  Tensor b = clone(a.detach()).set_requires_grad();
  set_gradient(a, 2);
  set_gradient(b, 2);
  AdamW first(std::vector<Tensor>{a}), second(std::vector<Tensor>{b});
  EXPECT_TRUE(a.is_contiguous());
  EXPECT_EQ(to_vector<float>(a), (std::vector<float>{1, 3, 5, 2, 4, 6}));
  first.step();
  second.step();
  EXPECT_EQ(to_vector<float>(a), to_vector<float>(b));
  EXPECT_EQ(lent, before);
}

TEST(Optimizer, AddsStridedBorrowedParametersToAGroup) {
  std::vector<float> lent{1, 2, 3, 4, 5, 6};
  Meta meta;
  meta.shape = {2, 3};
  Tensor a = leaf({3}, 1);
  Tensor b = borrow(lent.data(), meta, {1, 2}, nullptr, [](void*) noexcept {}).set_requires_grad();
  Tensor c = clone(b.detach()).set_requires_grad();
  AdamW optimizer(std::vector<Tensor>{a}), other(std::vector<Tensor>{c}, {.lr = 0.5});
  EXPECT_EQ(code_of([&] { optimizer.add_group(std::vector<Tensor>{b, a}, {}); }), Code::value);
  EXPECT_FALSE(b.is_contiguous()) << "changed by a call that failed";
  EXPECT_EQ(optimizer.groups(), 1u);
  optimizer.add_group(std::vector<Tensor>{b}, {.lr = 0.5});
  EXPECT_TRUE(b.is_contiguous());
  set_gradient(b, 2);
  set_gradient(c, 2);
  optimizer.step();
  other.step();
  EXPECT_EQ(to_vector<float>(b), to_vector<float>(c));
  EXPECT_EQ(lent, (std::vector<float>{1, 2, 3, 4, 5, 6}));
}

TEST(Optimizer, BackwardSeesThatAStepOverwroteValuesMomentsAndMasters) {
  for (DType dtype : {DType::f32, DType::bf16}) {
    for (size_t kind = 0; kind < (dtype == DType::f32 ? 3 : 4); ++kind) {
      Tensor a = leaf({3}, 1, dtype), x = leaf({3}, 3);
      AdamW optimizer(std::vector<Tensor>{a}, {.lr = 0.1});
      set_gradient(a, 2);
      optimizer.step();
      std::vector<NamedTensor> state = optimizer.state_dict();  // steps, m, v, master
      Tensor used = kind == 0 ? a.detach() : state[kind].tensor;
      Tensor y = sum(x * used);
      optimizer.step();
      EXPECT_EQ(code_of([&] { y.backward(); }), Code::value) << name_of(dtype) << kind;
    }
  }
}

// Names and results of the calls it saw.
struct Writes final : CallObserver {
  void call(const ObservedCall& c) override {
    if (c.kind == ObservedCall::written)
      text += c.op.name + (" " + std::to_string(c.out.size())) + " ";
  }
  std::string text;
};

TEST(Optimizer, AStepIsOneWriteOfAllParameters) {
  std::vector<Tensor> parameters{leaf({3}, 1), leaf({2, 2}, 2), leaf({70000}, 3), leaf({4}, 4)};
  for (uint64_t i = 0; i < 3; ++i) set_gradient(parameters[i], i);
  AdamW optimizer(parameters, {.lr = 0.1});
  Writes seen;
  ThreadObserver scope(seen);
  optimizer.step();
  EXPECT_EQ(seen.text, "adam_step 15 ");
}

// The step has been taken when the observer of its end throws.
TEST(Optimizer, CountsAStepWhoseObserverThrows) {
  struct Throws final : CallObserver {
    explicit Throws(bool at_end) : at_end(at_end) {}
    void begin(const ObservedCall&) override { throw_if(!at_end); }
    void call(const ObservedCall& c) override {
      throw_if(at_end && c.kind == ObservedCall::written);
    }
    static void throw_if(bool now) {
      if (now) throw Error(Code::internal, "observer", "stop");
    }
    bool at_end;
  };
  for (bool at_end : {false, true}) {
    Tensor a = leaf({3}, 1);
    AdamW optimizer(std::vector<Tensor>{a}, {.lr = 0.1});
    set_gradient(a, 2);
    optimizer.step();
    Throws observer(at_end);
    {
      ThreadObserver scope(observer);
      EXPECT_EQ(code_of([&] { optimizer.step({.non_finite = NonFinite::zero}); }), Code::internal);
    }
    EXPECT_EQ(to_vector<int64_t>(optimizer.state_dict()[0].tensor)[0], at_end ? 2 : 1);
  }
}

TEST(Optimizer, AWrongNumberOfConstantsIsRefusedBeforeAnythingIsWritten) {
  Tensor a = leaf({3}, 1), g = ones({3}), numbers = zeros({1, 2}, {DType::f64});
  std::vector<float> before = to_vector<float>(a);
  Tensor in[] = {numbers, g}, out[] = {a, Tensor(), Tensor()};
  EXPECT_EQ(code_of([&] { write(sgd_step_def, in, out); }), Code::value);
  EXPECT_EQ(to_vector<float>(a), before);
}

TEST(Optimizer, GroupsHaveTheirOwnLearningRates) {
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
  EXPECT_EQ(code_of([&] { optimizer.set_lr(-1); }), Code::value);
}

TEST(Optimizer, ResumesFromItsState) {
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

TEST(Optimizer, RejectsAMismatchedState) {
  Tensor a = leaf({7}, 1);
  AdamW optimizer(std::vector<Tensor>{a});
  EXPECT_EQ(optimizer.state_dict().size(), 1u) << "no state before the first step";
  set_gradient(a, 0);
  optimizer.step();
  std::vector<NamedTensor> state = optimizer.state_dict();
  state[1].name = "n.0";
  EXPECT_EQ(code_of([&] { optimizer.load_state_dict(state); }), Code::value);
  state = optimizer.state_dict();
  state.push_back({"more", a});
  EXPECT_EQ(code_of([&] { optimizer.load_state_dict(state); }), Code::value);
  state = optimizer.state_dict();
  state[2].tensor = zeros({8});
  EXPECT_EQ(code_of([&] { optimizer.load_state_dict(state); }), Code::shape);
  state[2].tensor = zeros({7}, {.dtype = DType::f64});
  EXPECT_EQ(code_of([&] { optimizer.load_state_dict(state); }), Code::dtype);
  state = optimizer.state_dict();
  state[0].tensor = full({1}, -1, {.dtype = DType::i64});
  EXPECT_EQ(code_of([&] { optimizer.load_state_dict(state); }), Code::value);
}

TEST(Optimizer, RejectsInvalidParameters) {
  Tensor a = leaf({2, 3}, 1);
  EXPECT_EQ(code_of([] { AdamW(std::vector<Tensor>{}); }), Code::value);
  auto message = [&](const Tensor& second) {
    return message_of(Code::value, [&] { AdamW(std::vector<Tensor>{a, second}); });
  };
  EXPECT_EQ(message({}), "adamw: parameter 1 is empty");
  EXPECT_EQ(message(zeros({2}, {.dtype = DType::i64})),
            "adamw: parameter 1 has dtype i64; expected a floating dtype");
  EXPECT_EQ(
      message(a * a),
      "adamw: parameter 1 is not a leaf but the result of an op; pass leaf tensors or x.detach()");
  EXPECT_EQ(message(transpose(a.detach(), 0, 1).set_requires_grad()),
            "adamw: parameter 1 is not contiguous; pass contiguous(x)");
  EXPECT_EQ(message(a), "adamw: parameter 1 is the same as parameter 0");
  AdamW optimizer(std::vector<Tensor>{a});
  EXPECT_EQ(code_of([&] { optimizer.add_group(std::vector<Tensor>{a}, {}); }), Code::value);
  a.impl()->grad = zeros({2, 3}, {.dtype = DType::f64}).ref();
  EXPECT_EQ(code_of([&] { optimizer.step(); }), Code::dtype);
  Tensor half = leaf({3}, 1, DType::f16);
  half.impl()->grad = zeros({3}, {.dtype = DType::bf16}).ref();
  EXPECT_EQ(code_of([&] { AdamW(std::vector<Tensor>{half}).step(); }), Code::dtype);
  half.impl()->grad = zeros({3}, {.dtype = DType::i32}).ref();
  EXPECT_EQ(code_of([&] { clip_grad_norm(std::vector<Tensor>{half}, 1); }), Code::dtype);
}

TEST(Optimizer, AllocatesNothingForAFrozenWeight) {
  Tensor frozen = leaf({1024, 1024}, 2).set_requires_grad(false), a = leaf({3}, 1);
  size_t before = allocator::stats().in_use;
  AdamW optimizer(std::vector<Tensor>{frozen, a});
  set_gradient(a, 0);
  optimizer.step();
  EXPECT_LT(allocator::stats().in_use, before + 4096);
  AdamW resumed(std::vector<Tensor>{frozen, a});
  resumed.load_state_dict(optimizer.state_dict());
  EXPECT_LT(allocator::stats().in_use, before + 8192);
  std::vector<std::string> names;
  for (const NamedTensor& t : resumed.state_dict()) names.push_back(t.name);
  EXPECT_EQ(names, (std::vector<std::string>{"steps", "m.1", "v.1"}));
}

TEST(Optimizer, LoadsAStateWithZerosForParametersThatWereNeverStepped) {
  Tensor a = leaf({3}, 1);
  AdamW optimizer(std::vector<Tensor>{a});
  std::vector<NamedTensor> older = {
      {"steps", zeros({1}, {.dtype = DType::i64})}, {"m.0", zeros({3})}, {"v.0", zeros({3})}};
  optimizer.load_state_dict(older);
  EXPECT_EQ(optimizer.state_dict().size(), 3u);
}

TEST(Optimizer, SkipsFrozenParameters) {
  Tensor a = leaf({2, 3}, 1), frozen = leaf({4}, 2).set_requires_grad(false);
  const std::vector<double> before = to_vector<double>(frozen);
  AdamW optimizer(std::vector<Tensor>{frozen, a});
  sum(a * a).backward();
  optimizer.step();
  EXPECT_EQ(to_vector<double>(frozen), before);
  EXPECT_EQ(to_vector<int64_t>(optimizer.state_dict()[0].tensor), (std::vector<int64_t>{0, 1}));
  frozen.set_requires_grad();
  sum(frozen * frozen).backward();
  optimizer.step();
  EXPECT_NE(to_vector<double>(frozen), before) << "after unfreezing";
}

// A small network that uses one weight twice.
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

TEST(StepInBackward, IsBitwiseEqualToStep) {
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
      within.step();  // has nothing to do
    }
  }
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(to_vector<float>(a.parameters()[i]), to_vector<float>(b.parameters()[i])) << i;
  }
  b.loss().backward();
  EXPECT_TRUE(b.w.grad().defined()) << "only while the scope is alive";
}

TEST(StepInBackward, SkipsParametersWithoutGradient) {
  Twice a;
  AdamW optimizer(a.parameters());
  EXPECT_EQ(code_of([&] { optimizer.step_parameter(3); }), Code::index);
  optimizer.step_parameter(0);  // no gradient: nothing to do
  EXPECT_EQ(to_vector<int64_t>(optimizer.state_dict()[0].tensor)[0], 0);
  a.w.set_requires_grad(false);
  StepInBackward stepping(optimizer);
  a.loss().backward();
  EXPECT_EQ(to_vector<int64_t>(optimizer.state_dict()[0].tensor), (std::vector<int64_t>{0, 1, 1}));
}

}  // namespace
}  // namespace gyre
