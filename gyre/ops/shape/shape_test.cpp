#include "gyre/ops/shape/shape.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "gyre/base/thread_pool.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/shape/in_place.h"
#include "gyre/tensor/allocator.h"
#include "tests/elements.h"
#include "tests/sample_calls.h"
#include "tests/thrown.h"

namespace gyre {

#define OP(name) extern const OpDef name##_def;
#include "gyre/ops/shape/shape.def"
#undef OP

namespace {

// ---- views against the definition, index by index ----

TEST(Views, ReshapeKeepsRowMajorOrder) {
  Tensor x = counting({4, 6});
  Tensor y = reshape(x, {2, -1, 3});
  EXPECT_EQ(y.shape(), (Shape{2, 4, 3}));
  EXPECT_EQ(y.bytes(), x.bytes());
  EXPECT_EQ(elements(y), elements(x));
}

TEST(Views, ReshapeOfStridedViewsSharesWhereItCan) {
  Tensor x = counting({4, 6});
  Tensor columns = slice(x, {1, 0, 4, 1});  // rows are 6 apart
  EXPECT_EQ(reshape(columns, {2, 2, 2, 2}).bytes(), x.bytes());
  Tensor merged = reshape(columns, {16});
  EXPECT_NE(merged.bytes(), x.bytes());
  EXPECT_EQ(elements(merged), elements(columns));
  Tensor turned = transpose(x, 0, 1);
  EXPECT_EQ(reshape(turned, {2, 3, 4}).bytes(), x.bytes());
  EXPECT_EQ(elements(reshape(turned, {2, 3, 4})), elements(turned));
  EXPECT_NE(reshape(turned, {24}).bytes(), x.bytes());
  EXPECT_EQ(elements(reshape(turned, {24})), elements(turned));
  Tensor wide = expand(counting({3, 1}), {3, 4});
  EXPECT_EQ(elements(reshape(wide, {12})), elements(wide));
  EXPECT_EQ(reshape(slice(counting({5, 2}), {0, 0, 5, 2}), {3, 2, 1, 1}).strides()[0], 4);
}

TEST(Views, EveryReshapeOfEveryPermutationAgrees) {
  Tensor x = counting({2, 3, 4});
  std::vector<Shape> orders = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  std::vector<Shape> shapes = {{24},   {4, 6}, {2, 12},    {12, 2},      {2, 2, 6},    {3, 8},
                               {8, 3}, {6, 4}, {1, 24, 1}, {2, 3, 2, 2}, {4, 1, 3, 2}, {3, 4, 2}};
  for (const Shape& order : orders) {
    Tensor p = permute(x, order);
    for (const Shape& shape : shapes) EXPECT_EQ(elements(reshape(p, shape)), elements(p));
  }
}

TEST(Views, PermuteMovesAxes) {
  Tensor x = counting({2, 3, 4});
  Tensor y = permute(x, {2, 0, -2});
  ASSERT_EQ(y.shape(), (Shape{4, 2, 3}));
  std::vector<double> e = elements(y);
  for (int64_t i = 0; i < 4; ++i) {
    for (int64_t j = 0; j < 2; ++j) {
      for (int64_t k = 0; k < 3; ++k) {
        EXPECT_EQ(e[static_cast<size_t>((i * 2 + j) * 3 + k)], (j * 3 + k) * 4 + i);
      }
    }
  }
  EXPECT_EQ(elements(transpose(x, 0, -1)), elements(permute(x, {2, 1, 0})));
}

TEST(Views, ExpandRepeats) {
  Tensor x = counting({3, 1});
  EXPECT_EQ(elements(expand(x, {2, -1, 2})),
            (std::vector<double>{0, 0, 1, 1, 2, 2, 0, 0, 1, 1, 2, 2}));
  EXPECT_EQ(expand(x, {2, 3, 0}).numel(), 0);
  Tensor one = counting({1});
  EXPECT_EQ(expand(one, {1 << 30, 1 << 29}).numel(), int64_t{1} << 59);
  EXPECT_EQ(code_of([&] { expand(one, {1 << 30, 1 << 30, 2}); }), Code::resource);
  EXPECT_EQ(code_of([&] { expand(one, {int64_t{1} << 61}); }), Code::resource);
  EXPECT_EQ(broadcast_with(x, counting({2})).shape(), (Shape{3, 2}));
}

TEST(Views, SqueezeAndUnsqueeze) {
  Tensor x = counting({2, 1, 3, 1});
  EXPECT_EQ(squeeze(x).shape(), (Shape{2, 3}));
  EXPECT_EQ(squeeze(x, {-1}).shape(), (Shape{2, 1, 3}));
  EXPECT_EQ(unsqueeze(squeeze(x), 2).shape(), (Shape{2, 3, 1}));
  EXPECT_EQ(unsqueeze(squeeze(x), -3).shape(), (Shape{1, 2, 3}));
  EXPECT_EQ(squeeze(counting({})).shape(), Shape{});
  EXPECT_EQ(flatten(x, 0, 2).shape(), (Shape{6, 1}));
  EXPECT_EQ(flatten(counting({})).shape(), (Shape{1}));
  EXPECT_EQ(flatten(zeros({int64_t{1} << 40, int64_t{1} << 40, 0})).shape(), (Shape{0}));
  EXPECT_EQ(reshape(zeros({0}), {int64_t{1} << 40, int64_t{1} << 40, 0}).size(2), 0);
  EXPECT_EQ(code_of([&] { flatten(x, 2, 1); }), Code::value);
}

TEST(Views, SliceFollowsPython) {
  Tensor x = counting({7});
  for (int64_t start = -9; start <= 9; ++start) {
    for (int64_t stop = -9; stop <= 9; ++stop) {
      for (int64_t step = 1; step <= 4; ++step) {
        std::vector<double> expected;
        int64_t from = start < 0 ? std::max<int64_t>(start + 7, 0) : std::min<int64_t>(start, 7);
        int64_t to = stop < 0 ? std::max<int64_t>(stop + 7, 0) : std::min<int64_t>(stop, 7);
        for (int64_t i = from; i < to; i += step) expected.push_back(static_cast<double>(i));
        EXPECT_EQ(elements(slice(x, {0, start, stop, step})), expected);
      }
    }
  }
  EXPECT_EQ(elements(slice(x, {.start = 5, .step = INT64_MAX})), std::vector<double>{5});
}

TEST(Views, SelectAndEmbed) {
  Tensor x = counting({2, 3});
  EXPECT_EQ(elements(select(x, {1, -1})), (std::vector<double>{2, 5}));
  EXPECT_EQ(elements(slice_embed(x, {0, 1, 1, 4})),
            (std::vector<double>{0, 0, 0, 0, 1, 2, 3, 4, 5, 0, 0, 0}));
  EXPECT_EQ(elements(slice_embed(counting({1, 2}), {1, 1, 2, 5})),
            (std::vector<double>{0, 0, 0, 1, 0}));
  for (int64_t step = 1; step < 4; ++step) {
    Tensor e = slice_embed(x, {1, 2, step, 12});
    EXPECT_EQ(elements(slice(e, {1, 2, 2 * step + 3, step})), elements(x));
  }
}

// ---- copies ----

TEST(Copies, ContiguousIsTheTensorItself) {
  Tensor x = counting({3, 4});
  EXPECT_EQ(contiguous(x).impl(), x.impl());
  EXPECT_NE(clone(x).bytes(), x.bytes());
  EXPECT_EQ(to(x, DType::f64).impl(), x.impl());
}

// All orders of the axes of shapes that lead to each way of copying, in every dtype.
TEST(Copies, EveryDTypeAndOrder) {
  std::vector<Shape> shapes = {{},         {0, 3},    {1},         {3, 5},
                               {2, 1, 7},  {4, 4, 4}, {37, 33, 3}, {3, 70, 65},
                               {130, 129}, {1000, 2}, {2, 40000}};
  for (int d = 0; d < kDTypes; ++d) {
    for (const Shape& shape : shapes) {
      Tensor x = to(counting(shape), static_cast<DType>(d));
      EXPECT_EQ(elements(clone(x)), elements(x));
      for (int i = 0; i < shape.rank; ++i) {
        for (int j = 0; j < i; ++j) {
          Tensor t = transpose(x, i, j);
          EXPECT_EQ(elements(clone(t)), elements(t)) << to_string(shape) << name_of(x.dtype());
        }
        Tensor stepped = slice(x, {i, 1, INT64_MAX, 2});
        EXPECT_EQ(elements(clone(stepped)), elements(stepped));
      }
    }
  }
}

TEST(Copies, Expanded) {
  for (int d = 0; d < kDTypes; ++d) {
    for (const Shape& shape : {Shape{5, 300}, Shape{5, 7, 300}, Shape{2, 5, 1}}) {
      for (const Shape& from : {Shape{1}, Shape{5, 1}, Shape{300}}) {
        if (from.back() > 1 && shape.back() != from.back()) continue;
        if (from.rank == 2 && shape.rank == 3 && shape[1] != 5) continue;
        Tensor x = expand(to(counting(from), static_cast<DType>(d)), shape);
        EXPECT_EQ(elements(clone(x)), elements(x));
      }
    }
  }
}

TEST(Copies, SameBytesOnEveryNumberOfThreads) {
  Tensor x = counting({31, 67, 40});
  std::vector<Tensor> forms = {transpose(x, 0, 2), transpose(x, 1, 2), slice(x, {2, 1, 39, 3}),
                               permute(x, {1, 0, 2}), expand(x, {2, 31, 67, 40})};
  for (const Tensor& form : forms) {
    std::vector<double> expected = elements(form);
    for (int threads : {1, 2, 3, 7}) {
      set_num_threads(threads);
      EXPECT_EQ(elements(clone(form)), expected);
      EXPECT_EQ(elements(to(form, DType::f32)), expected);
    }
  }
  set_num_threads(0);
}

TEST(Copies, LargeOnesPastTheCaches) {
  int64_t n = (int64_t{9} << 20) / 8 + 5;
  Tensor x = counting({n});
  Tensor y = clone(x);
  EXPECT_EQ(std::memcmp(x.bytes(), y.bytes(), static_cast<size_t>(n) * 8), 0);
  Tensor odd = slice(x, {.start = 1});
  Tensor z = clone(odd);
  EXPECT_EQ(std::memcmp(odd.bytes(), z.bytes(), static_cast<size_t>(n - 1) * 8), 0);
}

// Rows of the target lie on boundaries of 64 bytes in the first case, of 16 (for i32 and i64) in
// the second and of neither in the third.
TEST(Copies, LargeTranspositions) {
  for (DType dtype : {DType::i16, DType::i32, DType::i64}) {
    for (int64_t columns : {2048, 2052, 2051}) {
      Tensor count = arange(0, static_cast<double>(2200 * columns), 1, {DType::i64});
      Tensor x = reshape(to(remainder(count, Tensor(int64_t{30011})), dtype), {columns, 2200});
      Tensor y = clone(transpose(x, 0, 1));
      bool equal = true;
      visit_dtype(dtype, [&]<class T>(T) {
        const T *from = x.data<T>(), *to = y.data<T>();
        for (int64_t r = 0; r < 2200; ++r) {
          for (int64_t c = 0; c < columns; ++c) {
            equal &= value_of(*to++) == value_of(from[c * 2200 + r]);
          }
        }
      });
      EXPECT_TRUE(equal) << name_of(dtype) << columns;
    }
  }
}

// Every pair of dtypes against C's conversion, where that is defined, on numbers both can hold.
TEST(Casts, EveryPairOfDTypes) {
  std::vector<double> numbers = {0, 1, 2, 3, 17, 100, 127};
  for (int from = 0; from < kDTypes; ++from) {
    for (int into = 0; into < kDTypes; ++into) {
      auto a = static_cast<DType>(from), b = static_cast<DType>(into);
      bool truth = a == DType::boolean || b == DType::boolean;
      for (const Tensor& x : {tensor_of(numbers), expand(tensor_of({17}), {900}),
                              slice(expand(tensor_of(numbers), {40, 7}), {0, 0, 40, 3})}) {
        std::vector<double> expected = elements(x);
        if (truth) {
          for (double& v : expected) v = v != 0;
        }
        EXPECT_EQ(elements(to(to(x, a), b)), expected) << name_of(a) << " " << name_of(b);
        EXPECT_EQ(elements(to(transpose(unsqueeze(to(x, a), 0), 0, -1), b)).size(),
                  expected.size());
      }
    }
  }
}

TEST(Casts, EdgesOfTheDomain) {
  double inf = INFINITY, nan = NAN;
  Tensor x = tensor_of({-inf, -1e30, -1.9, 1.9, 300, 1e30, inf, nan});
  EXPECT_EQ(elements(to(x, DType::i8)), (std::vector<double>{-128, -128, -1, 1, 127, 127, 127, 0}));
  EXPECT_EQ(elements(to(x, DType::u8)), (std::vector<double>{0, 0, 0, 1, 255, 255, 255, 0}));
  EXPECT_EQ(elements(to(x, DType::boolean)), (std::vector<double>{1, 1, 1, 1, 1, 1, 1, 1}));
  EXPECT_EQ(elements(to(to(tensor_of({300, -1}), DType::i32), DType::u8)),
            (std::vector<double>{44, 255}));
  EXPECT_EQ(elements(to(tensor_of({65520, 1e-8, 2049}), DType::f16)),
            (std::vector<double>{inf, 0, 2048}));
  EXPECT_EQ(elements(to(tensor_of({257, 259}), DType::bf16)), (std::vector<double>{256, 260}));
}

// ---- joining and cutting ----

TEST(Joining, CatFollowsTheDefinition) {
  Tensor a = counting({2, 3}), b = counting({2, 1}), c = transpose(counting({3, 2}), 0, 1);
  EXPECT_EQ(elements(cat({a, b, c}, 1)),
            (std::vector<double>{0, 1, 2, 0, 0, 2, 4, 3, 4, 5, 1, 1, 3, 5}));
  EXPECT_EQ(elements(cat({a, c}, -2)), (std::vector<double>{0, 1, 2, 3, 4, 5, 0, 2, 4, 1, 3, 5}));
  EXPECT_EQ(cat({to(a, DType::f16), to(a, DType::i32)}, 0).dtype(), DType::f16);
  EXPECT_EQ(elements(cat({to(a, DType::u8), to(a, DType::i8)}, 0)), elements(cat({a, a}, 0)));
  EXPECT_EQ(elements(stack({a, c}, 2)), (std::vector<double>{0, 0, 1, 2, 2, 4, 3, 1, 4, 3, 5, 5}));
  EXPECT_EQ(stack({counting({}), counting({})}, 0).shape(), (Shape{2}));
}

TEST(Joining, SplitUndoesCat) {
  Tensor x = counting({3, 7, 2});
  Tensors parts = split(x, {2, 0, 4, 1}, 1);
  ASSERT_EQ(parts.size(), 4u);
  EXPECT_EQ(parts[2].shape(), (Shape{3, 4, 2}));
  EXPECT_EQ(parts[2].impl()->storage, x.impl()->storage);
  EXPECT_EQ(elements(cat(parts, 1)), elements(x));
  EXPECT_EQ(chunk(x, 3, 1).size(), 3u);
  EXPECT_EQ(chunk(x, 3, 1)[2].shape(), (Shape{3, 1, 2}));
  EXPECT_EQ(chunk(x, 5, 1).size(), 4u);
  EXPECT_EQ(chunk(counting({0}), 2, 0).size(), 1u);
  EXPECT_EQ(code_of([&] { split(x, {2, 4}, 1); }), Code::shape);
  EXPECT_EQ(code_of([&] { split(x, {8, -1}, 1); }), Code::shape);
  EXPECT_EQ(code_of([&] { split(x, {7}, 3); }), Code::index);
  EXPECT_EQ(code_of([&] { split(counting({}), {1}, 0); }), Code::shape);
  EXPECT_EQ(code_of([&] { chunk(x, 0, 1); }), Code::value);
}

// ---- in place ----

TEST(InPlace, WritesThroughViewsAndCounts) {
  Tensor x = counting({3, 4});
  uint32_t before = x.impl()->storage->version.load();
  copy_(select(x, {1, 2}), tensor_of({7, 8, 9}));
  EXPECT_EQ(elements(x), (std::vector<double>{0, 1, 7, 3, 4, 5, 8, 7, 8, 9, 9, 11}));
  fill_(slice(x, {1, 0, 4, 3}), -1);
  EXPECT_EQ(elements(x), (std::vector<double>{-1, 1, 7, -1, -1, 5, 8, -1, -1, 9, 9, -1}));
  EXPECT_EQ(x.impl()->storage->version.load(), before + 2);
}

TEST(InPlace, CastsBroadcastsAndStandsOverlap) {
  Tensor x = to(counting({2, 3}), DType::i32);
  copy_(x, tensor_of({1.5, -2.5, 1e20}));
  EXPECT_EQ(elements(x), (std::vector<double>{1, -2, 2147483647, 1, -2, 2147483647}));
  Tensor line = counting({6});
  copy_(slice(line, {.start = 1}), slice(line, {.stop = 5}));
  EXPECT_EQ(elements(line), (std::vector<double>{0, 0, 1, 2, 3, 4}));
  Tensor square = counting({2, 2});
  copy_(square, transpose(square, 0, 1));
  EXPECT_EQ(elements(square), (std::vector<double>{0, 2, 1, 3}));
}

TEST(InPlace, RefusesWhatGradientsForbid) {
  Tensor leaf = counting({2, 2});
  Tensor untracked_view = slice(leaf, {.stop = 1});
  leaf.set_requires_grad();
  Tensor result = clone(leaf), view;
  {
    NoGrad off;
    view = slice(result, {.stop = 1});
  }
  EXPECT_EQ(code_of([&] { fill_(leaf, 0); }), Code::value);
  EXPECT_EQ(code_of([&] { copy_(leaf, counting({2, 2})); }), Code::value);
  EXPECT_EQ(code_of([&] { fill_(slice(leaf, {.stop = 1}), 0); }), Code::value);
  EXPECT_EQ(code_of([&] { copy_(view, slice(leaf, {.start = 1})); }), Code::value);
  EXPECT_EQ(code_of([&] { copy_(untracked_view, slice(leaf, {.start = 1})); }), Code::value);
  EXPECT_EQ(code_of([&] { fill_(expand(counting({1}), {3}), 0); }), Code::value);
  EXPECT_EQ(code_of([&] { copy_(counting({2}), counting({3})); }), Code::shape);
  {
    NoGrad quiet;
    fill_(leaf, 3);
  }
  EXPECT_EQ(elements(leaf), (std::vector<double>{3, 3, 3, 3}));
  EXPECT_TRUE(leaf.requires_grad());
}

TEST(InPlace, AResultTakesTheHistoryOfItsValues) {
  Tensor a = counting({2}).set_requires_grad(), b = counting({2}).set_requires_grad();
  Tensor x = clone(a);
  copy_(x, b);
  ASSERT_TRUE(x.tracked());
  EXPECT_EQ(edge_to(x).node->inputs[0].leaf, b.ref());
  fill_(x, 1);
  EXPECT_FALSE(x.tracked());
  Tensor plain = counting({2});
  copy_(plain, b);
  EXPECT_TRUE(plain.tracked());
}

TEST(InPlace, AFailedAllocationChangesNothing) {
  Tensor overlapping = counting({64}), source = counting({64}).set_requires_grad();
  Tensor result = to(clone(source), DType::f32),
         values = cat(Tensors{slice(source, {.start = 32}), slice(source, {.stop = 32})}, 0);
  auto leaves_as_it_was = [](const Tensor& x, auto write) {
    const std::vector<double> before = elements(x);
    const uint32_t version = x.impl()->storage->version.load();
    const RefCounted* node = x.impl()->node.get();
    int failures = 0;
    for (uint64_t n = 1; n < 10; ++n, ++failures) {
      allocator::fail_request(n);
      try {
        write();
        allocator::fail_request(0);
        break;
      } catch (const Error& e) {
        EXPECT_EQ(e.code, Code::resource);
      }
      allocator::fail_request(0);
      EXPECT_EQ(elements(x), before) << n;
      EXPECT_EQ(x.impl()->storage->version.load(), version) << n;
      EXPECT_EQ(x.impl()->node.get(), node) << n;
    }
    EXPECT_NE(elements(x), before);
    EXPECT_GT(x.impl()->storage->version.load(), version);
    return failures;
  };
  Tensor tail = slice(overlapping, {.start = 1}), head = slice(overlapping, {.stop = 63});
  EXPECT_GT(leaves_as_it_was(tail, [&] { copy_(tail, head); }), 0);
  EXPECT_GT(leaves_as_it_was(result, [&] { copy_(result, values); }), 0) << "cast with history";
  EXPECT_GT(leaves_as_it_was(result, [&] { fill_(result, 5); }), 0);
}

// ---- every sample of the table ----

TEST(ShapeSamples, ValidCallsRunAndInvalidOnesAreRefused) {
#define OP(name) EXPECT_EQ(sample_problems(name##_def), "");
#include "gyre/ops/shape/shape.def"
#undef OP
}

}  // namespace
}  // namespace gyre
