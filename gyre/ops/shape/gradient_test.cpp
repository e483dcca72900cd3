// Gradients of the ops that move elements (shape/, index/, random/), of both orders, at their
// samples.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "gyre/autograd/backward.h"
#include "gyre/autograd/gradcheck.h"
#include "gyre/op/apply.h"
#include "gyre/op/samples.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/random/random.h"
#include "gyre/ops/shape/in_place.h"
#include "gyre/ops/shape/shape.h"
#include "tests/elements.h"
#include "tests/thrown.h"

namespace gyre {

#define OP(name) extern const OpDef name##_def;
#include "gyre/ops/index/index.def"
#include "gyre/ops/random/random.def"
#include "gyre/ops/shape/shape.def"
#undef OP

namespace {

const OpDef* const kOps[] = {
#define OP(name) &name##_def,
#include "gyre/ops/index/index.def"
#include "gyre/ops/random/random.def"
#include "gyre/ops/shape/shape.def"
#undef OP
};

TEST(Gradients, OfEverySample) {
  int checked = 0;
  for (const OpDef* op : kOps) {
    if (!op->differentiable()) continue;
    const Samples samples(*op);
    for (const auto& call : samples.calls) {
      Tensors in = call.in;
      bool any = false;
      for (size_t i = 0; i < in.size(); ++i) {
        const Arg& arg = op->args[std::min(i, op->args.size() - 1)];
        if (!arg.differentiable || !is_floating(in[i].dtype())) continue;
        in[i] = in[i].detach().set_requires_grad();
        any = true;
      }
      if (!any) continue;
      auto f = [&](Inputs x) { return apply(*op, x, call.attrs); };
      GradcheckReport first = gradcheck(f, in), second = gradgradcheck(f, in);
      EXPECT_TRUE(first) << op->name << "\n" << first.what();
      EXPECT_TRUE(second) << op->name << "\n" << second.what();
      ++checked;
    }
  }
  EXPECT_GT(checked, 60);
}

TEST(Gradients, OfReshapedCopies) {
  Tensor x = Samples().uniform({3, 4}).set_requires_grad();
  auto f = [](Inputs in) -> Tensors {
    Tensor t = reshape(transpose(in[0], 0, 1), {2, 6});
    return {t * t, contiguous(transpose(t, 0, 1)) * Tensor(3.0)};
  };
  Tensors in{x};
  EXPECT_TRUE(gradcheck(f, in));
  EXPECT_TRUE(gradgradcheck(f, in));
}

TEST(Gradients, OfSplitAndChunk) {
  Tensors in{Samples().uniform({3, 5}).set_requires_grad()};
  for (bool all : {true, false}) {
    auto f = [all](Inputs x) -> Tensors {
      Tensors parts = split(x[0] * x[0], {2, 0, 1, 2}, 1);
      if (all) return {parts[0] * parts[3], parts[2], parts[1]};
      return {parts[3] * parts[3]};  // the others get no gradient
    };
    EXPECT_TRUE(gradcheck(f, in));
    EXPECT_TRUE(gradgradcheck(f, in));
  }
  auto many = [](Inputs x) -> Tensors {
    Tensors parts = chunk(reshape(expand(x[0], {2, 3, 5}), {30}), 20, 0);
    return {parts[3] * parts[14], parts[0]};
  };
  EXPECT_TRUE(gradcheck(many, in));
  EXPECT_TRUE(gradgradcheck(many, in));
}

TEST(Gradients, SplitIsOneNode) {
  Tensor x = counting({4}).set_requires_grad();
  Tensors parts = split(x * Tensor(2.0), {1, 3}, 0);
  EXPECT_EQ(node_of(parts[0]), node_of(parts[1]));
  Tensor loss = select(parts[1] * parts[1], {0, 2});
  loss.backward();
  EXPECT_EQ(elements(x.grad()), (std::vector<double>{0, 0, 0, 24}));
}

TEST(Gradients, ComeBackInTheSourceDType) {
  Tensor x = to(counting({3}), DType::bf16).set_requires_grad();
  Tensor y = to(x, DType::f64);
  select(y * y, {0, 2}).backward();
  EXPECT_EQ(x.grad().dtype(), DType::bf16);
  EXPECT_EQ(elements(x.grad()), (std::vector<double>{0, 0, 4}));
}

TEST(Gradients, FlowThroughCopiesInPlace) {
  Tensor a = counting({3}).set_requires_grad(), b = counting({}).set_requires_grad();
  Tensor x = a * Tensor(2.0);
  copy_(x, b * Tensor(5.0));
  select(x * x, {0, 1}).backward();
  EXPECT_FALSE(a.grad().defined());
  EXPECT_EQ(b.grad().item(), 0);
  fill_(b.detach(), 2);
  Tensor y = clone(a);
  copy_(y, b);
  select(y * y, {0, 1}).backward();
  EXPECT_EQ(b.grad().item(), 4);
}

TEST(Gradients, AnOverwrittenValueIsNoticed) {
  Tensor a = counting({3}).set_requires_grad();
  Tensor x = clone(a), y = x * x;
  fill_(x, 1);
  EXPECT_EQ(code_of([&] { select(y, {0, 1}).backward(); }), Code::value);
}

// In recorded ops and as roots of backward.
void expect_outdated(const Tensor& t) {
  EXPECT_EQ(code_of([&] { t* Tensor(2.0); }), Code::value);
  EXPECT_EQ(code_of([&] { slice(t, {.stop = 1}); }), Code::value);
  EXPECT_EQ(code_of([&] { backward(Tensors{t}, Tensors{ones(t.shape(), {t.dtype()})}); }),
            Code::value);
  NoGrad quiet;
  EXPECT_EQ((t * Tensor(2.0)).shape(), t.shape());
}

TEST(Gradients, AViewOfAChangedBaseFollows) {
  Tensor a = counting({3}).set_requires_grad(), b = counting({3}).set_requires_grad();
  Tensor x = clone(a), view = slice(x, {.start = 1}), of_view = slice(view, {.start = 1});
  copy_(x, b);
  Tensor anew = slice(x, {.start = 2});
  const Tensor one = ones({1}, {DType::f64});
  backward(Tensors{of_view, anew, view}, Tensors{one, one, ones({2}, {DType::f64})});
  EXPECT_FALSE(a.grad().defined());
  EXPECT_EQ(elements(b.grad()), (std::vector<double>{0, 1, 3}));
  fill_(x, 1);
  EXPECT_FALSE(anew.tracked());
}

TEST(Gradients, ABaseChangedThroughAnUntrackedViewIsOutdated) {
  Tensor a = counting({3}).set_requires_grad();
  Tensor x = clone(a), untracked = slice(x.detach(), {.start = 1});
  fill_(untracked, 7);
  expect_outdated(x);
  Tensor plain = counting({3}), view = slice(plain, {.start = 1});
  copy_(plain, a);
  EXPECT_TRUE(plain.tracked() && view.tracked());
}

TEST(Gradients, WritesUnderNoGradLeaveHistories) {
  Tensor a = counting({3}).set_requires_grad(), view = slice(a, {.start = 1});
  {
    NoGrad quiet;
    fill_(a, 3);
  }
  select(view * view, {0, 0}).backward();
  EXPECT_EQ(elements(a.grad()), (std::vector<double>{0, 6, 0}));
}

TEST(Gradients, DropoutRepeatsItsMask) {
  Tensor x = ones({1000}).set_requires_grad();
  Generator g{3, 0};
  Tensor y = dropout(x, 0.25, true, &g);
  backward(Tensors{y}, Tensors{ones({1000})});
  EXPECT_EQ(elements(x.grad()), elements(y));
}

}  // namespace
}  // namespace gyre
