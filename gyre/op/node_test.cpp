#include "gyre/op/node.h"

#include <gtest/gtest.h>

#include <thread>

#include "gyre/autograd/backward.h"
#include "gyre/op/apply.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/in_place.h"
#include "gyre/ops/shape/shape.h"
#include "tests/fewer.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

Tensor leaf(double value = 2) {
  Tensor t = empty(Shape{3}, DType::f64);
  for (int i = 0; i < 3; ++i) t.data<double>()[i] = value;
  t.set_requires_grad();
  return t;
}

TEST(Record, TrackedOperandsMakeANode) {
  Tensor x = leaf(), y = exp(x), z = y * y;
  Node* node = node_of(z);
  ASSERT_TRUE(node);
  EXPECT_STREQ(node->op->name, "mul");
  ASSERT_EQ(node->inputs.size(), 2u);
  EXPECT_EQ(node->inputs[0].node.get(), node_of(y));
  EXPECT_EQ(node_of(y)->inputs[0].leaf.get(), x.impl());
  EXPECT_GT(node->sequence, node_of(y)->sequence);
  EXPECT_FALSE(node_of(exp(x.detach())));
  EXPECT_FALSE(node_of(x < y));  // discrete
}

TEST(Record, LastBitStandsForAllThatFollow) {
  EXPECT_TRUE(is_saved(2, 1));
  EXPECT_FALSE(is_saved(2, 0));
  const uint64_t last = uint64_t{1} << 63;
  for (size_t i : {63, 64, 65, 127, 1000}) {
    EXPECT_TRUE(is_saved(last, i));
    EXPECT_FALSE(is_saved(~last, i));
  }
}

TEST(Record, EdgesLeadToHistory) {
  Tensor x = leaf();
  EXPECT_FALSE(edge_to(Tensor()));
  EXPECT_FALSE(edge_to(x.detach()));
  EXPECT_EQ(edge_to(x).leaf.get(), x.impl());
  Tensor y = exp(x);
  EXPECT_EQ(edge_to(y).node.get(), node_of(y));
}

TEST(GradMode, ScopesNestAndBelongToAThread) {
  Tensor x = leaf();
  {
    NoGrad off;
    EXPECT_FALSE(grad_enabled());
    EXPECT_FALSE(exp(x).tracked());
    {
      GradMode on(true);
      EXPECT_TRUE(exp(x).tracked());
      GradMode not_really(false);
      EXPECT_FALSE(exp(x).tracked());
    }
    EXPECT_FALSE(grad_enabled());
    std::thread([&] { EXPECT_TRUE(exp(x).tracked()); }).join();
  }
  EXPECT_TRUE(grad_enabled());
}

TEST(GradMode, ComesBackAfterAnError) {
  try {
    NoGrad off;
    throw Error(Code::value, "test", "out of the scope");
  } catch (const Error&) {
  }
  EXPECT_TRUE(grad_enabled());
}

TEST(SavedTensor, NoticesThatItsStorageChanged) {
  Tensor x = leaf();
  SavedTensor saved = save(x);
  EXPECT_EQ(saved.value("exp").impl(), x.impl());
  x.impl()->storage->version.fetch_add(1);
  Error e = error_of([&] { saved.value("exp"); });
  EXPECT_EQ(e.code, Code::value);
  EXPECT_EQ(e.op, "exp");
}

TEST(SavedTensor, UnpacksResultsWithTheirHistory) {
  constexpr const char* kTwo[] = {"exp", "log"};
  OpDef op{.name = "both", .outputs = kTwo, .visible = 2};
  op.compose = [](const OpDef&, const void*, Inputs in) -> Tensors {
    return {exp(in[0]), log(in[0])};
  };
  op.vjp = [](const VjpArgs& a) -> Tensors { return {a.grad[0]}; };
  op.saves_out = 3;
  Tensor x = leaf(), out[2];
  {
    Tensors made = apply(op, {&x, 1});
    add_(out[0] = made[0] * Tensor(1.0), 1);  // a write to another storage
    out[1] = made[1];
  }
  const Ref<Node> node(node_of(out[1]));
  ASSERT_EQ(node->saved.size(), 2u);
  for (uint32_t i : {0, 1}) {
    const Tensor t = node->saved[i].unpack(node);
    EXPECT_EQ(node_of(t), node.get());
    EXPECT_EQ(t.impl()->output, i);
    EXPECT_FALSE(t.impl()->is_view);
    EXPECT_FALSE(node->saved[i].value("both").tracked()) << "no cycle";
  }
  EXPECT_EQ(node->saved[1].value("both").bytes(), out[1].bytes());
}

TEST(Record, AWriteInPlaceKeepsWhichResultItIsOf) {
  constexpr const char* kTwo[] = {"exp", "log"};
  OpDef op{.name = "both", .outputs = kTwo, .visible = 2};
  op.compose = [](const OpDef&, const void*, Inputs in) -> Tensors {
    return {exp(in[0]), log(in[0])};
  };
  op.vjp = [](const VjpArgs& a) -> Tensors {
    EXPECT_FALSE(a.grad[0].defined());
    return {a.grad[1]};
  };
  Tensor x = leaf(), y = apply(op, {&x, 1})[1];
  add_(y, 2);
  add_(y, 3);
  Tensor seed = leaf(1).detach();
  backward({&y, 1}, {&seed, 1});
  EXPECT_EQ(x.grad().data<double>()[2], 1);
}

TEST(SavedTensor, ASourceRestoresIt) {
  struct Source final : SavedSource {
    Tensor kept;
    Tensor restore(uint32_t number) override {
      EXPECT_EQ(number, 5u);
      return kept;
    }
  };
  auto source = make_ref<Source>();
  source->kept = leaf().detach();
  SavedTensor saved;
  saved.source = source;
  saved.number = 5;
  EXPECT_EQ(saved.value("op").impl(), source->kept.impl());
}

TEST(SavingObserver, SeesSavedTensors) {
  struct Count final : SavingObserver {
    int saved = 0;
    void saving(SavedTensor&) override { ++saved; }
  } count;
  Tensor x = leaf(), y = leaf();
  EXPECT_EQ(saving_observer(), nullptr);
  saving_observer() = &count;
  Tensor z = x * y, w = x + y;  // a product saves both operands, a sum none
  saving_observer() = nullptr;
  EXPECT_EQ(count.saved, 2);
}

TEST(Node, ALongChainDiesWithoutRecursion) {
  int64_t before = live_objects();
  for (auto op : {neg, sin}) {  // the second saves its operand
    {
      Tensor x = leaf();
      for (int i = 0; i < fewer(200000); ++i) x = op(x);
      EXPECT_GT(live_objects(), before + fewer(200000));
    }
    EXPECT_EQ(live_objects(), before);
  }
}

TEST(Node, OwnOutputsAreNoCycle) {
  int64_t before = live_objects();
  { Tensor y = exp(leaf()); }
  EXPECT_EQ(live_objects(), before);
}

}  // namespace
}  // namespace gyre
