#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "gyre/autograd/backward.h"
#include "gyre/op/apply.h"
#include "gyre/op/call_observer.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/in_place.h"
#include "gyre/ops/random/random.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/in_place.h"
#include "tests/thrown.h"

// write(), and what observers are told of calls and writes.

namespace gyre {

extern const OpDef add_def;

namespace {

constexpr Arg kValues[] = {{"values"}};
constexpr const char* kTwice[] = {"x", "y"};

// Adds values to x and, if given, to y; refuses a first value below 0 before it writes.
constexpr OpDef kAccumulate{.name = "accumulate",
                            .args = kValues,
                            .outputs = kTwice,
                            .kernels = {[](const OpDef&, const KernelArgs& a) noexcept -> Status {
                              auto value = *reinterpret_cast<const double*>(a.in[0].data);
                              if (value < 0)
                                return {.failed = true, .code = Code::value, .what = "negative"};
                              for (const View& v : a.out) {
                                if (v.data) *reinterpret_cast<double*>(v.data) += value;
                              }
                              return {};
                            }},
                            .writes = true};

uint32_t version_of(const Tensor& t) { return t.impl()->storage->version; }

TEST(Write, UpdatesTensorsAndRaisesTheirVersions) {
  Tensor value(2.0), x(1.0), y(5.0);
  Tensor out[] = {x, y};
  write(kAccumulate, {&value, 1}, out);
  EXPECT_EQ(x.item(), 3);
  EXPECT_EQ(y.item(), 7);
  EXPECT_EQ(version_of(x), 1u);
  EXPECT_EQ(version_of(y), 1u);
  EXPECT_EQ(version_of(value), 0u);
  Tensor one[] = {x, Tensor()};
  write(kAccumulate, {&value, 1}, one);
  EXPECT_EQ(x.item(), 5);
}

TEST(Write, TakesTheResultOfAnOrdinaryOp) {
  Tensor x = ones({3}), y = full({3}, 4);
  Tensor in[] = {x, y};
  write(add_def, in, {&x, 1});
  EXPECT_EQ(to_vector<float>(x), (std::vector<float>{5, 5, 5}));
  EXPECT_EQ(version_of(x), 1u);
}

TEST(Write, AFailedOneChangesNothing) {
  Tensor value(-1.0), x(1.0);
  EXPECT_EQ(message_of(Code::value,
                       [&] {
                         write(kAccumulate, {&value, 1}, {&x, 1});
                       }),
            "accumulate: negative");
  EXPECT_EQ(x.item(), 1);
  EXPECT_EQ(version_of(x), 0u);
}

TEST(Write, RefusesWhatCannotBeWritten) {
  Tensor value(1.0), x(1.0);
  Error called = error_of([&] { apply(kAccumulate, {&value, 1}); });
  EXPECT_EQ(called.code, Code::unsupported);
  EXPECT_TRUE(contains(called.what(), "call write() instead of apply()")) << called.what();
  EXPECT_EQ(code_of([&] { write(kAccumulate, {&value, 1}, {}); }), Code::value);
  OpDef none = kAccumulate;
  none.kernels = {};
  EXPECT_EQ(code_of([&] { write(none, {&value, 1}, {&x, 1}); }), Code::unavailable);
  Meta elsewhere{{}, DType::f64, {Device::cuda, 1}, false};
  double memory = 0;
  Tensor far = borrow(&memory, elsewhere, {}, nullptr, nullptr);
  std::string message = message_of(Code::device, [&] { write(kAccumulate, {&far, 1}, {&x, 1}); });
  EXPECT_TRUE(contains(message, "cpu") && contains(message, "cuda:1")) << message;
}

TEST(Write, BackwardSeesEveryOne) {
  Tensor x = ones({2}).set_requires_grad(), weight = full({2}, 3);
  Tensor y = sum(x * weight);
  copy_(weight, Tensor(1.0));
  EXPECT_EQ(code_of([&] { y.backward(); }), Code::value);
}

// The events of calls: "begin(" name, depth, number of results, ")" and the same with "end(".
struct Events final : CallObserver {
  void begin(const ObservedCall& c) override { note("begin", c); }
  void call(const ObservedCall& c) override { note("end", c); }
  void draw(const ObservedDraw& d) override {
    text += std::string("draw(") + d.op.name + " " + std::to_string(d.blocks) + ") ";
    EXPECT_EQ(d.generator.offset, offset + d.blocks);
  }
  void note(const char* event, const ObservedCall& c) {
    constexpr const char* kKinds[] = {"", "write ", "reverse "};
    text += std::string(event) + "(" + kKinds[c.kind] + c.op.name + " " + std::to_string(c.depth) +
            " " + std::to_string(c.out.size()) + ") ";
    if (c.attrs) attrs += std::string(c.attrs->type->name) + " ";
  }
  std::string text, attrs;
  uint64_t offset = 0;
};

TEST(Observers, SeeBeginningDepthAndAttributes) {
  OpDef op{.name = "both"};
  op.compose = [](const OpDef&, const void*, Inputs in) -> Tensors { return {exp(sum(in[0]))}; };
  Tensor x = ones({2});
  Events seen;
  ThreadObserver scope(seen);
  apply(op, {&x, 1});
  EXPECT_EQ(
      seen.text,
      "begin(both 0 0) begin(sum 1 0) end(sum 1 1) begin(exp 1 0) end(exp 1 1) end(both 0 1) ");
  EXPECT_EQ(seen.attrs, "ReduceAttrs ReduceAttrs ");
}

TEST(Observers, SeeWritesAndReverseRules) {
  Tensor x = ones({2}).set_requires_grad(), y = zeros({2});
  Tensor z = exp(x);
  Events seen;
  ThreadObserver scope(seen);
  fill_(y, 3);
  EXPECT_EQ(seen.text, "begin(write copy_ 0 1) end(write copy_ 0 1) ");
  seen.text.clear();
  backward({&z, 1}, {&y, 1});
  EXPECT_TRUE(contains(seen.text, "begin(reverse exp 0 0)")) << seen.text;
  EXPECT_TRUE(contains(seen.text, "end(reverse exp 0 1)")) << seen.text;
}

TEST(Observers, OfAThreadSeeItsCallsOnly) {
  Tensor x = ones({2});
  Events outer, inner;
  {
    ThreadObserver a(outer);
    {
      ThreadObserver b(inner);
      exp(x);
    }
    std::thread([&] { log(x); }).join();
    log(x);
  }
  sin(x);
  EXPECT_EQ(inner.text, "begin(exp 0 0) end(exp 0 1) ");
  EXPECT_EQ(outer.text, "begin(exp 0 0) end(exp 0 1) begin(log 0 0) end(log 0 1) ");
}

// The parts of a composition take their time out of its own.
TEST(Observers, TellTheTimeInThePoolFromThatOfParts) {
  struct Times final : CallObserver {
    void call(const ObservedCall& c) override {
      walls.push_back(c.pool.wall);
      EXPECT_EQ(c.own, c.nanoseconds - part);
      part = c.nanoseconds;
    }
    std::vector<int64_t> walls;
    int64_t part = 0;
  } seen;
  OpDef op{.name = "twice"};
  op.compose = [](const OpDef&, const void*, Inputs in) -> Tensors { return {exp(in[0])}; };
  OpDef outer{.name = "outer"};
  static const OpDef* inner;
  inner = &op;
  outer.compose = [](const OpDef&, const void*, Inputs in) { return apply(*inner, in); };
  Tensor x = ones({1 << 18});
  set_num_threads(2);
  {
    PoolClock clock;
    ThreadObserver scope(seen);
    apply(outer, {&x, 1});
  }
  set_num_threads(0);
  ASSERT_EQ(seen.walls.size(), 3u);
  EXPECT_GT(seen.walls[0], 0);
  EXPECT_EQ(seen.walls[1], 0);
  EXPECT_EQ(seen.walls[2], 0);
}

TEST(Observers, SeeRandomWords) {
  Generator g{7, 3};
  Events seen;
  seen.offset = 3;
  ThreadObserver scope(seen);
  rand({10}, {.generator = &g});
  EXPECT_EQ(seen.text, "begin(rand 0 0) end(rand 0 1) draw(rand 3) ");
  EXPECT_EQ(g.offset, 6u);
}

}  // namespace
}  // namespace gyre
