#include "gyre/ops/in_place.h"

#include <gtest/gtest.h>

#include "gyre/autograd/backward.h"
#include "gyre/op/call_observer.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/in_place.h"
#include "gyre/ops/shape/shape.h"
#include "tests/thrown.h"

namespace gyre {

extern const OpDef bitwise_not_def;

namespace {

using Numbers = std::vector<double>;

Tensor of(const Numbers& values) { return tensor(values, {static_cast<int64_t>(values.size())}); }
Numbers elements(const Tensor& x) { return to_vector<double>(x); }

TEST(OpsInPlace, WriteTheMemoryOfTheFirstOperand) {
  Tensor x = of({1, 2, 3, 4, 5, 6}), odd = slice(x, {.start = 0, .step = 2});
  const void* place = x.bytes();
  mul_(odd, 10);
  x += 1;
  EXPECT_EQ(elements(x), (Numbers{11, 3, 31, 5, 51, 7}));
  EXPECT_EQ(x.bytes(), place);
  x -= 1;
  x *= 2;
  x /= 4;
  EXPECT_EQ(elements(x), (Numbers{5, 1, 15, 2, 25, 3}));
}

TEST(OpsInPlace, StandOperandsThatOverlap) {
  Tensor x = of({1, 2, 3, 4, 5});
  add_(slice(x, {.start = 1}), slice(x, {.stop = 4}));
  EXPECT_EQ(elements(x), (Numbers{1, 3, 5, 7, 9}));
  Tensor square = reshape(of({1, 2, 3, 4}), {2, 2});
  square += transpose(square, 0, 1);
  EXPECT_EQ(elements(square), (Numbers{2, 5, 5, 8}));
  square *= square;
  EXPECT_EQ(elements(square), (Numbers{4, 25, 25, 64}));
}

TEST(OpsInPlace, SeeThatOneArrayCameInTwice) {
  alignas(64) double memory[5] = {1, 2, 3, 4, 5};
  Meta meta;
  meta.shape = {4};
  meta.dtype = DType::f64;
  const auto from = [&](double* first) { return borrow(first, meta, {1}, nullptr, nullptr); };
  Tensor late = from(memory + 1), early = from(memory);
  late += early;
  EXPECT_EQ(elements(late), (Numbers{3, 5, 7, 9}));
  copy_(late, early);
  EXPECT_EQ(elements(late), (Numbers{1, 3, 5, 7}));
}

TEST(OpsInPlace, ForeignArraysShareMemoryWhereTheirBytesMeet) {
  alignas(64) float memory[32] = {};
  const auto at = [&](int64_t first, const Shape& shape, const Shape& strides) {
    return borrow(memory + first, {shape, DType::f32, {}, false}, strides, nullptr, nullptr);
  };
  const Tensor x = at(8, {2, 3}, {5, 2});  // elements 8 to 17
  for (int64_t first = 0; first < 24; ++first) {
    for (const Tensor& y : {at(first, {4}, {1}), at(first, {2}, {3}), at(first, {2, 2}, {1, 2})}) {
      EXPECT_EQ(may_share_memory(x, y), first > 4 && first < 18) << first;
      EXPECT_EQ(may_share_memory(y, x), first > 4 && first < 18) << first;
    }
  }
  EXPECT_FALSE(may_share_memory(x, at(8, {0}, {1})) || may_share_memory(x, at(18, {0}, {1})));
  const Tensor own = of({1, 2, 3});
  EXPECT_TRUE(may_share_memory(own, slice(own, {.start = 2})));
  EXPECT_FALSE(may_share_memory(own, of({1})));
  EXPECT_FALSE(may_share_memory(x, own) || may_share_memory(own, x));
}

// One call that writes, without a copy of the result.
TEST(OpsInPlace, WriteWhereOperandsLieAlikeOrApart) {
  struct Calls final : CallObserver {
    void call(const ObservedCall& c) override {
      text += std::string(c.kind == ObservedCall::written ? "write " : "") + c.op.name + " ";
    }
    std::string text;
  } seen;
  Tensor x = of({1, 2, 3, 4}), y = of({5, 6, 7, 8}), head = slice(x, {.stop = 3});
  const auto calls = [&](auto change) {
    ThreadObserver scope(seen);
    seen.text.clear();
    change();
    return seen.text;
  };
  EXPECT_EQ(calls([&] { x *= x; }), "write mul ");
  EXPECT_EQ(calls([&] { x += y; }), "write add ");
  EXPECT_EQ(calls([&] { relu_(x); }), "write relu ");
  EXPECT_EQ(calls([&] { head += slice(x, {.start = 1}); }), "slice add write copy_ ");
  EXPECT_EQ(calls([&] { head += to(of({1, 2, 3}), DType::f32); }).substr(0, 3), "to ");
}

TEST(OpsInPlace, RefuseElementsThatShareMemory) {
  const Tensor memory = arange(0, 24);
  const auto writes = [&](const Shape& shape, const Shape& strides) {
    return [=] { add_(make_view(memory, shape, strides, 0), 1); };
  };
  for (const auto& [shape, strides] : {std::pair(Shape{2, 3}, Shape{3, 1}),
                                       {{3, 2}, {1, 3}},
                                       {{2, 3}, {9, 4}},
                                       {{4, 1}, {1, 0}},
                                       {{2, 3, 2}, {2, 4, 1}},
                                       {{0, 3}, {0, 0}},
                                       {{2, 2}, {1, 2}},
                                       {{}, {}}}) {
    EXPECT_NO_THROW(writes(shape, strides)()) << to_string(shape) << to_string(strides);
  }
  for (const auto& [shape, strides] : {std::pair(Shape{2}, Shape{0}),
                                       {{2, 3}, {2, 1}},
                                       {{3, 2}, {1, 2}},
                                       {{2, 2}, {1, 1}},
                                       {{3, 2}, {2, 4}},
                                       {{2, 3, 2}, {2, 3, 1}},
                                       {{2, 2, 2}, {4, 2, 2}}}) {
    EXPECT_EQ(code_of(writes(shape, strides)), Code::value)
        << to_string(shape) << to_string(strides);
  }
}

TEST(OpsInPlace, KeepTheDtype) {
  Tensor x = to(of({1, 2, 3}), DType::f32);
  x += of({0.5, 0.5, 0.5});
  EXPECT_EQ(x.dtype(), DType::f32);
  EXPECT_EQ(elements(x), (Numbers{1.5, 2.5, 3.5}));
  Tensor whole = to(x, DType::i32);
  whole *= to(of({2, 2, 2}), DType::i64);
  EXPECT_EQ(elements(whole), (Numbers{2, 4, 6}));
}

TEST(OpsInPlace, RefuseWhatDoesNotFit) {
  Tensor x = of({1, 2}), whole = to(x, DType::i32);
  EXPECT_EQ(code_of([&] { add_(x, reshape(of({1, 2, 3, 4}), {2, 2})); }), Code::shape);
  EXPECT_EQ(code_of([&] { add_(x, of({1, 2, 3})); }), Code::shape);
  EXPECT_EQ(code_of([&] { add_(whole, 0.5); }), Code::dtype);
  EXPECT_EQ(code_of([&] { exp_(whole); }), Code::dtype);
  EXPECT_EQ(code_of([&] { add_(expand(of({1}), {3}), 1); }), Code::value);
  EXPECT_EQ(code_of([&] { add_(Tensor(), 1); }), Code::value);
  EXPECT_EQ(code_of([&] { apply_in_place(add_def, {&x, 1}); }), Code::value);
  EXPECT_EQ(code_of([&] { apply_in_place(add_def, {}); }), Code::value);
  EXPECT_EQ(code_of([&] { apply_in_place(add_def, std::vector<Tensor>{x, {}}); }), Code::value);
  EXPECT_EQ(code_of([&] { bitwise_not(of({1})); }), Code::dtype);
  EXPECT_EQ(code_of([&] { floor_divide_(whole, to(of({1, 0}), DType::i32)); }), Code::value);
  EXPECT_EQ(code_of([&] { apply_in_place(bitwise_not_def, {&whole, 1}); }), Code::unsupported);
  Tensor tracked = to(x, DType::f32).set_requires_grad() * 1;
  EXPECT_EQ(code_of([&] { tracked += of({1, 2}); }), Code::dtype);
  EXPECT_EQ(elements(x), (Numbers{1, 2}));
  EXPECT_EQ(elements(whole), (Numbers{1, 2}));
}

TEST(OpsInPlace, AreDifferentiatedLikeOthers) {
  Tensor a = of({1, -2, 3}).set_requires_grad(), b = of({4, 5, 6}).set_requires_grad();
  Tensor x = a * 2;
  x += b;
  relu_(x);
  sum(x * 3 * b).backward();
  // 3 (2 a + b) b where 2 a + b > 0
  EXPECT_EQ(elements(a.grad()), (Numbers{24, 30, 36}));
  EXPECT_EQ(elements(b.grad()), (Numbers{3 * 10, 3 * 6, 3 * 18}));
}

TEST(OpsInPlace, AreDifferentiatedWhereOperandsOverlap) {
  Tensor a = reshape(of({1, 2, 3, 4}), {2, 2}).set_requires_grad(), x = a * 2;
  x += transpose(x, 0, 1);
  sum(x * reshape(of({1, 2, 3, 4}), {2, 2})).backward();
  EXPECT_EQ(elements(a.grad()), (Numbers{4, 10, 10, 16}));
}

TEST(OpsInPlace, AreDifferentiatedTwice) {
  const auto second = [](auto f) {
    Tensor a = of({-2, 1}).set_requires_grad(), one = of({1, 1}), x = f(a * 2), y = x * x;
    Tensor g = grad({&y, 1}, {&a, 1}, {&one, 1}, {.create_graph = true})[0];
    return elements(grad({&g, 1}, {&a, 1}, {&one, 1})[0]);
  };
  const auto write = [](const Tensor& x) { return relu_(x); };
  EXPECT_EQ(second(write), second([](const Tensor& x) { return relu(x); }));
}

TEST(OpsInPlace, BackwardRefusesValuesThatAreGone) {
  Tensor a = of({1, 2}).set_requires_grad();
  Tensor x = a * 2, y = x * x;
  x += 1;
  EXPECT_EQ(code_of([&] { sum(y).backward(); }), Code::value);
  Tensor z = a * 2;
  exp_(z);
  EXPECT_EQ(code_of([&] { sum(z).backward(); }), Code::value);
  EXPECT_EQ(code_of([&] { add_(a, 1); }), Code::value);
}

TEST(OpsInPlace, KeepNoCycleAlive) {
  int64_t before = live_tensors();
  for (int i = 0; i < 3; ++i) {
    Tensor a = of({1, 2}).set_requires_grad(), x = a * 2;
    mul_(x, a);
    relu_(x);
    sigmoid_(x);
  }
  EXPECT_EQ(live_tensors(), before);
}

}  // namespace
}  // namespace gyre
