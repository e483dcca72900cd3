#include "gyre/ops/in_place.h"

#include <gtest/gtest.h>

#include "gyre/autograd/backward.h"
#include "gyre/kernel/overflow.h"
#include "gyre/op/call_observer.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/index/index.h"
#include "gyre/ops/linalg/matmul.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/in_place.h"
#include "gyre/ops/shape/shape.h"
#include "tests/thrown.h"

namespace gyre {

extern const OpDef bitwise_not_def;

namespace {

using Numbers = std::vector<double>;

Tensor numbers(const Numbers& values) {
  return tensor(values, {static_cast<int64_t>(values.size())});
}
Numbers doubles(const Tensor& x) { return to_vector<double>(x); }

TEST(OpsInPlace, WriteTheMemoryOfTheFirstOperand) {
  Tensor x = numbers({1, 2, 3, 4, 5, 6}), odd = slice(x, {.start = 0, .step = 2});
  const void* place = x.bytes();
  mul_(odd, 10);
  x += 1;
  EXPECT_EQ(doubles(x), (Numbers{11, 3, 31, 5, 51, 7}));
  EXPECT_EQ(x.bytes(), place);
  x -= 1;
  x *= 2;
  x /= 4;
  EXPECT_EQ(doubles(x), (Numbers{5, 1, 15, 2, 25, 3}));
}

TEST(OpsInPlace, StandOperandsThatOverlap) {
  Tensor x = numbers({1, 2, 3, 4, 5});
  add_(slice(x, {.start = 1}), slice(x, {.stop = 4}));
  EXPECT_EQ(doubles(x), (Numbers{1, 3, 5, 7, 9}));
  Tensor square = reshape(numbers({1, 2, 3, 4}), {2, 2});
  square += transpose(square, 0, 1);
  EXPECT_EQ(doubles(square), (Numbers{2, 5, 5, 8}));
  square *= square;
  EXPECT_EQ(doubles(square), (Numbers{4, 25, 25, 64}));
}

TEST(OpsInPlace, SeeThatOneArrayCameInTwice) {
  alignas(64) double memory[5] = {1, 2, 3, 4, 5};
  Meta meta;
  meta.shape = {4};
  meta.dtype = DType::f64;
  const auto from = [&](double* first) { return borrow(first, meta, {1}, nullptr, nullptr); };
  Tensor late = from(memory + 1), early = from(memory);
  late += early;
  EXPECT_EQ(doubles(late), (Numbers{3, 5, 7, 9}));
  copy_(late, early);
  EXPECT_EQ(doubles(late), (Numbers{1, 3, 5, 7}));
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
  const Tensor own = numbers({1, 2, 3});
  EXPECT_TRUE(may_share_memory(own, slice(own, {.start = 2})));
  EXPECT_FALSE(may_share_memory(own, numbers({1})));
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
  Tensor x = numbers({1, 2, 3, 4}), y = numbers({5, 6, 7, 8}), head = slice(x, {.stop = 3});
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
  EXPECT_EQ(calls([&] { head += to(numbers({1, 2, 3}), DType::f32); }).substr(0, 3), "to ");
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
  Tensor x = to(numbers({1, 2, 3}), DType::f32);
  x += numbers({0.5, 0.5, 0.5});
  EXPECT_EQ(x.dtype(), DType::f32);
  EXPECT_EQ(doubles(x), (Numbers{1.5, 2.5, 3.5}));
  Tensor whole = to(x, DType::i32);
  whole *= to(numbers({2, 2, 2}), DType::i64);
  EXPECT_EQ(doubles(whole), (Numbers{2, 4, 6}));
}

TEST(OpsInPlace, RefuseWhatDoesNotFit) {
  Tensor x = numbers({1, 2}), whole = to(x, DType::i32);
  EXPECT_EQ(code_of([&] { add_(x, reshape(numbers({1, 2, 3, 4}), {2, 2})); }), Code::shape);
  EXPECT_EQ(code_of([&] { add_(x, numbers({1, 2, 3})); }), Code::shape);
  EXPECT_EQ(code_of([&] { add_(whole, 0.5); }), Code::dtype);
  EXPECT_EQ(code_of([&] { exp_(whole); }), Code::dtype);
  EXPECT_EQ(code_of([&] { add_(expand(numbers({1}), {3}), 1); }), Code::value);
  EXPECT_EQ(code_of([&] { add_(Tensor(), 1); }), Code::value);
  EXPECT_EQ(code_of([&] { apply_in_place(add_def, {&x, 1}); }), Code::value);
  EXPECT_EQ(code_of([&] { apply_in_place(add_def, {}); }), Code::value);
  EXPECT_EQ(code_of([&] { apply_in_place(add_def, std::vector<Tensor>{x, {}}); }), Code::value);
  EXPECT_EQ(code_of([&] { bitwise_not(numbers({1})); }), Code::dtype);
  EXPECT_EQ(code_of([&] { floor_divide_(whole, to(numbers({1, 0}), DType::i32)); }), Code::value);
  EXPECT_EQ(code_of([&] { apply_in_place(bitwise_not_def, {&whole, 1}); }), Code::unsupported);
  Tensor tracked = to(x, DType::f32).set_requires_grad() * 1;
  EXPECT_EQ(code_of([&] { tracked += numbers({1, 2}); }), Code::dtype);
  EXPECT_EQ(doubles(x), (Numbers{1, 2}));
  EXPECT_EQ(doubles(whole), (Numbers{1, 2}));
}

TEST(OpsInPlace, AreDifferentiatedLikeOthers) {
  Tensor a = numbers({1, -2, 3}).set_requires_grad(), b = numbers({4, 5, 6}).set_requires_grad();
  Tensor x = a * 2;
  x += b;
  relu_(x);
  sum(x * 3 * b).backward();
  // 3 (2 a + b) b where 2 a + b > 0
  EXPECT_EQ(doubles(a.grad()), (Numbers{24, 30, 36}));
  EXPECT_EQ(doubles(b.grad()), (Numbers{3 * 10, 3 * 6, 3 * 18}));
}

TEST(OpsInPlace, AreDifferentiatedWhereOperandsOverlap) {
  Tensor a = reshape(numbers({1, 2, 3, 4}), {2, 2}).set_requires_grad(), x = a * 2;
  x += transpose(x, 0, 1);
  sum(x * reshape(numbers({1, 2, 3, 4}), {2, 2})).backward();
  EXPECT_EQ(doubles(a.grad()), (Numbers{4, 10, 10, 16}));
}

TEST(OpsInPlace, AreDifferentiatedTwice) {
  const auto second = [](auto f) {
    Tensor a = numbers({-2, 1}).set_requires_grad(), one = numbers({1, 1}), x = f(a * 2), y = x * x;
    Tensor g = grad({&y, 1}, {&a, 1}, {&one, 1}, {.create_graph = true})[0];
    return doubles(grad({&g, 1}, {&a, 1}, {&one, 1})[0]);
  };
  const auto write = [](const Tensor& x) { return relu_(x); };
  EXPECT_EQ(second(write), second([](const Tensor& x) { return relu(x); }));
}

TEST(OpsInPlace, MayFollowOpsWhoseGradientsDoNotNeedTheValue) {
  const Tensor two = numbers({2, 2}), matrix = reshape(numbers({1, 0, 0, 2}), {2, 2});
  const auto slope = [&](auto f) {
    const Tensor a = numbers({3, 5}).set_requires_grad(), x = a * 1, y = f(x);
    add_(x, 1);
    sum(y).backward();
    return doubles(a.grad());
  };
  EXPECT_EQ(slope([&](const Tensor& x) { return x * two; }), (Numbers{2, 2}));
  EXPECT_EQ(slope([&](const Tensor& x) { return two * x; }), (Numbers{2, 2}));
  EXPECT_EQ(slope([&](const Tensor& x) { return x / two; }), (Numbers{0.5, 0.5}));
  EXPECT_EQ(slope([&](const Tensor& x) { return matmul(x, matrix); }), (Numbers{1, 2}));
  EXPECT_EQ(slope([&](const Tensor& x) { return linear(x, matrix); }), (Numbers{1, 2}));
  EXPECT_EQ(slope([&](const Tensor& x) { return lerp(x, two, 0.25); }), (Numbers{0.75, 0.75}));
}

TEST(OpsInPlace, BackwardRefusesValuesThatAreGone) {
  Tensor a = numbers({1, 2}).set_requires_grad();
  Tensor x = a * 2, y = x * x;
  x += 1;
  EXPECT_EQ(code_of([&] { sum(y).backward(); }), Code::value);
  EXPECT_EQ(code_of([&] { add_(a, 1); }), Code::value);
  Tensor z = a * 2;
  add_(z.detach(), 1);  // not one of the views of z
  EXPECT_EQ(code_of([&] { (void)(z * 2); }), Code::value);
}

TEST(OpsInPlace, AreDifferentiatedWhateverTheyOverwrite) {
  const Tensor w = numbers({0.5, 2, 1.5});
  const auto slopes = [&](auto change, const Tensor& factor) {
    Tensor a = numbers({0.25, 0.5, 0.75}).set_requires_grad(), b = factor.detach();
    b.set_requires_grad();
    Tensor x = change(a * 1.5, b);
    Tensor wrt[] = {a, b}, one = ones({3}, {.dtype = DType::f64});
    Tensor y = x * x * w;
    Tensors first = grad({&y, 1}, wrt, {&one, 1}, {.create_graph = true, .allow_unused = true});
    Tensors second = grad({&first[0], 1}, wrt, {&one, 1}, {.allow_unused = true});
    Numbers all = doubles(first[0]);
    for (const Tensor& t : {first[1], second[0], second[1]}) {
      Numbers v = t.defined() ? doubles(t) : Numbers{};
      all.insert(all.end(), v.begin(), v.end());
    }
    return all;
  };
#define GYRE_SAME(written, made)                \
  EXPECT_EQ(slopes(                             \
                [](Tensor x, const Tensor& b) { \
                  (void)b;                      \
                  written;                      \
                  return x;                     \
                },                              \
                w),                             \
            slopes(                             \
                [](Tensor x, const Tensor& b) { \
                  (void)b;                      \
                  return made;                  \
                },                              \
                w))                             \
      << #made
  GYRE_SAME(x *= 2, x * 2);
  GYRE_SAME(x /= 4, x / 4);
  GYRE_SAME(x *= b, x * b);
  GYRE_SAME(x /= b, x / b);
  GYRE_SAME(x *= x, x * x);
  GYRE_SAME(exp_(x), exp(x));
  GYRE_SAME(tanh_(x), tanh(x));
  GYRE_SAME(sin_(sigmoid_(x)), sin(sigmoid(x)));
  GYRE_SAME(mul_(exp_(x), b), exp(x) * b);
#undef GYRE_SAME
}

// A function of leaves, once by writes and once without.
void expect_same_slopes(auto written, auto made) {
  const auto slopes = [](auto f) {
    Tensor a = reshape(numbers({1, 2, 3, 4, 5, 6}), {2, 3}).set_requires_grad();
    Tensor b = numbers({0.5, -1, 2}).set_requires_grad();
    Tensor y = f(a, b);
    const Tensor wrt[] = {a, b};
    Tensor loss = sum(y * y * y);
    Tensors g = grad({&loss, 1}, wrt, {}, {.create_graph = true});
    Tensor again = sum(g[0] * g[0]) + sum(g[1]);
    Tensors h = grad({&again, 1}, wrt, {});
    return std::vector<Numbers>{doubles(y), doubles(g[0]), doubles(g[1]), doubles(h[0]),
                                doubles(h[1])};
  };
  EXPECT_EQ(slopes(written), slopes(made));
}

Tensor row(const Tensor& x, int64_t i) { return select(x, {0, i}); }

TEST(OpsInPlace, AWriteToAViewIsAnOpOfItsBase) {
  expect_same_slopes(
      [](const Tensor& a, const Tensor& b) {
        Tensor y = a * 2;
        mul_(row(y, 0), b);
        return y;
      },
      [](const Tensor& a, const Tensor& b) {
        return stack({row(a, 0) * 2 * b, row(a, 1) * 2}, 0);
      });
  expect_same_slopes(  // the base gains a history
      [](const Tensor& a, const Tensor& b) {
        Tensor y = ones({3, 3}, {.dtype = DType::f64});
        copy_(row(y, 2), row(a, 1) * b);
        copy_(slice(row(y, 0), {.start = 1}), slice(b, {.start = 1}));
        return y;
      },
      [](const Tensor& a, const Tensor& b) {
        Tensor one = ones({3}, {.dtype = DType::f64});
        Tensor first = cat({slice(one, {.stop = 1}), slice(b, {.start = 1})}, 0);
        return stack({first, one, row(a, 1) * b}, 0);
      });
  expect_same_slopes(  // a view of a view, an axis apart, then a constant
      [](const Tensor& a, const Tensor& b) {
        Tensor y = a * b, turned = transpose(y, 0, 1);
        exp_(row(turned, 1));
        fill_(row(turned, 2), 3);
        return y + 0;
      },
      [](const Tensor& a, const Tensor& b) {
        Tensor y = a * b, middle = exp(slice(y, {.axis = 1, .start = 1, .stop = 2}));
        Tensor last = 3.0 + 0.0 * slice(y, {.axis = 1, .start = 2}).detach();
        return cat({slice(y, {.axis = 1, .stop = 1}), middle, last}, 1);
      });
}

TEST(OpsInPlace, ViewsFollowWritesToTheirMemory) {
  expect_same_slopes(
      [](const Tensor& a, const Tensor& b) {
        Tensor y = a * 2, first = row(y, 0), flat = reshape(y, {6}), spread = expand(first, {2, 3});
        y *= b;
        mul_(slice(flat, {.start = 1, .stop = 4}), 3);
        return first + row(y, 1) * spread;
      },
      [](const Tensor& a, const Tensor& b) {
        Tensor y = a * 2 * b * reshape(numbers({1, 3, 3, 3, 1, 1}), {2, 3}), first = row(y, 0);
        return first + row(y, 1) * expand(first, {2, 3});
      });
  // A view of a tensor that had no history follows, too.
  Tensor w = numbers({1, 2}).set_requires_grad(), y = zeros({4}, {.dtype = DType::f64});
  Tensor end = slice(y, {.start = 1});
  EXPECT_FALSE(end.tracked());
  copy_(slice(y, {.start = 2}), w * w);
  EXPECT_TRUE(end.tracked());
  EXPECT_TRUE(y.tracked());
  EXPECT_EQ(code_of([&] { end.set_requires_grad(); }), Code::value);
  sum(end * 3).backward();
  EXPECT_EQ(doubles(w.grad()), (Numbers{6, 12}));
  fill_(y, 1);
  EXPECT_FALSE(end.tracked());
}

TEST(OpsInPlace, NeverLoseAGradientThroughAView) {
  const auto is_refused = [](auto write) { return code_of(write) == Code::value; };
  Tensor w = numbers({1, 2}).set_requires_grad();
  {  // a view that is older than the wish for a gradient
    Tensor y = zeros({3}, {.dtype = DType::f64}), v = slice(y, {.stop = 1});
    y.set_requires_grad();
    EXPECT_TRUE(is_refused([&] { fill_(v, 1); }));
    EXPECT_EQ(node_of(y), nullptr);
  }
  {  // a base whose elements are not in row-major order
    Tensor d = transpose(reshape(numbers({1, 2, 3, 4}), {2, 2}), 0, 1).detach(), v = row(d, 0);
    mul_(d, w);
    EXPECT_TRUE(is_refused([&] { (void)(v * 2); }));
  }
  {  // a view of one that does not know its base
    Tensor y = ones({3}, {.dtype = DType::f64}), v;
    {
      NoGrad off;
      v = slice(y, {.stop = 2});
    }
    EXPECT_TRUE(is_refused([&] { copy_(slice(v, {.stop = 1}), slice(w, {.stop = 1})); }));
  }
  {  // a base that is outdated
    Tensor y = w * 2, v = slice(y, {.stop = 1});
    mul_(y.detach(), 3);
    EXPECT_TRUE(is_refused([&] { fill_(v, 0); }));
  }
  {  // a result without a gradient and of another dtype
    Tensor y = to(w, DType::f32) * 2, part = slice(y, {.stop = 1});
    floor_divide_(part, numbers({1.5}));
    sum(y).backward();
    EXPECT_EQ(doubles(w.grad()), (Numbers{0, 2}));
  }
  {  // a copy that an op without a gradient made
    Tensor y = as_strided(transpose(ones({3, 4}, {.dtype = DType::f64}), 0, 1), {{2}, {2}, 1});
    mul_(y, w);
    EXPECT_TRUE(y.tracked());
  }
}

TEST(OpsInPlace, RowsThatDependOnRowsAreNoCycle) {
  const int64_t before = live_tensors();
  {
    Tensor w = reshape(numbers({1, 2, 3, 4}), {2, 2}).set_requires_grad();
    Tensor y = ones({3, 2}, {.dtype = DType::f64});
    for (int64_t i = 1; i < 3; ++i) copy_(row(y, i), tanh(sum(row(y, i - 1) * w, -1)));
  }
  EXPECT_EQ(live_tensors(), before);
}

TEST(OpsInPlace, RefuseViewsWhoseBaseCannotFollow) {
  Tensor a = numbers({1, 2, 3}).set_requires_grad();
  EXPECT_EQ(code_of([&] { add_(slice(a, {.start = 1}), 1); }), Code::value);
  Tensor y = a * 2, blind;
  {
    NoGrad off;
    blind = slice(y, {.start = 1});
    add_(blind, 1);
  }
  EXPECT_EQ(code_of([&] { mul_(blind, slice(a, {.start = 1})); }), Code::value);
  alignas(64) double memory[6] = {1, 2, 3, 4, 5, 6};
  Tensor apart = borrow(memory, {{3}, DType::f64, {}, false}, {2}, nullptr, nullptr);
  Tensor part = slice(apart, {.start = 1});
  EXPECT_EQ(code_of([&] { mul_(part, slice(a, {.start = 1})); }), Code::value);
  EXPECT_EQ(doubles(apart), (Numbers{1, 3, 5}));
  mul_(part, 2);
  EXPECT_EQ(doubles(apart), (Numbers{1, 6, 10}));
}

TEST(OpsInPlace, KeepNoCycleAlive) {
  int64_t before = live_tensors();
  for (int i = 0; i < 3; ++i) {
    Tensor a = numbers({1, 2}).set_requires_grad(), x = a * 2;
    mul_(x, a);
    relu_(x);
    sigmoid_(x);
    Tensor h = zeros({2}, {.dtype = DType::f64});
    add_(h, tanh(h * a));  // saves h, whose history then leads back to the product
    add_(x, x * x);
  }
  EXPECT_EQ(live_tensors(), before);
}

TEST(OpsInPlace, KeepValuesAndHistoryTogetherWhenAnObserverThrows) {
  Tensor a = numbers({1, 1e300}).set_requires_grad(), x = a * 2;
  {
    const OverflowScope scope(OverflowMode::error);
    EXPECT_EQ(code_of([&] { mul_(x, 1e10); }), Code::numeric);
  }
  EXPECT_EQ(doubles(grad(sum(x), a)), (Numbers{2e10, 2e10}));
}

}  // namespace
}  // namespace gyre
