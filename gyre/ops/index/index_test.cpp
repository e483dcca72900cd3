#include "gyre/ops/index/index.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "gyre/autograd/backward.h"
#include "gyre/autograd/gradcheck.h"
#include "gyre/base/thread_pool.h"
#include "gyre/op/node.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/shape.h"
#include "tests/elements.h"
#include "tests/sample_calls.h"
#include "tests/thrown.h"

namespace gyre {

#define OP(name) extern const OpDef name##_def;
#include "gyre/ops/index/index.def"
#undef OP

namespace {

using Numbers = std::vector<double>;

Tensor drawn(const Shape& shape, int64_t bound) { return Samples(7).integers(shape, 0, bound); }

// Where `flat` of `shape` lies with coordinate `axis` replaced; -1 keeps it.
struct Coordinates {
  int64_t at[kMaxRank];
  Coordinates(int64_t flat, const Shape& shape) {
    for (int k = shape.rank; k-- > 0;) {
      at[k] = flat % shape[k];
      flat /= shape[k];
    }
  }
  size_t in(const Shape& shape) const {
    int64_t flat = 0;
    for (int k = 0; k < shape.rank; ++k) flat = flat * shape[k] + at[k];
    return static_cast<size_t>(flat);
  }
};

Numbers gather_by_definition(const Tensor& x, int axis, const Tensor& index) {
  Numbers from = elements(x), places = elements(index), r;
  for (int64_t p = 0; p < index.numel(); ++p) {
    Coordinates c(p, index.shape());
    c.at[axis] = static_cast<int64_t>(places[static_cast<size_t>(p)]);
    r.push_back(from[c.in(x.shape())]);
  }
  return r;
}

Numbers scatter_by_definition(const Tensor& x, int axis, const Tensor& index, const Tensor& src) {
  Numbers r = elements(x), places = elements(index), from = elements(src);
  for (int64_t p = 0; p < index.numel(); ++p) {
    Coordinates c(p, index.shape());
    double value = from[c.in(src.shape())];
    c.at[axis] = static_cast<int64_t>(places[static_cast<size_t>(p)]);
    r[c.in(x.shape())] += value;
  }
  return r;
}

TEST(Gather, FollowsTheDefinition) {
  for (int d = 0; d < kDTypes; ++d) {
    Tensor x = to(counting({5, 4, 6}), static_cast<DType>(d));
    for (int axis = 0; axis < 3; ++axis) {
      for (const Shape& shape : {Shape{5, 4, 6}, Shape{3, 1, 2}, Shape{2, 4, 1}}) {
        Tensor index = drawn(shape, x.shape()[axis]);
        Numbers expected = gather_by_definition(x, axis, index);
        EXPECT_EQ(elements(gather(x, axis, index)), expected);
        EXPECT_EQ(elements(gather(x, axis - 3, to(index, DType::i32))), expected);
        Tensor turned = clone(transpose(x, 0, 2)), other = clone(transpose(index, 0, 1));
        EXPECT_EQ(elements(gather(transpose(turned, 0, 2), axis, transpose(other, 0, 1))),
                  expected);
      }
    }
  }
}

TEST(Gather, LongerAlongTheAxisAndExpanded) {
  Tensor x = counting({3, 2});
  Tensor index = expand(drawn({9, 1}, 3), {9, 2});
  EXPECT_EQ(elements(gather(x, 0, index)), gather_by_definition(x, 0, index));
}

TEST(IndexSelect, IsGatherWithOneIndexASlice) {
  for (int d = 0; d < kDTypes; ++d) {
    Tensor x = to(counting({5, 4, 6}), static_cast<DType>(d));
    for (const Tensor& form : {x, transpose(x, 0, 2), slice(x, {2, 1, 6, 2})}) {
      for (int axis = 0; axis < 3; ++axis) {
        Tensor index = slice(drawn({14}, form.shape()[axis]), {.step = 2});
        Shape line = {1, 1, 1}, all = form.shape();
        line[axis] = all[axis] = 7;
        Tensor wide = expand(reshape(index, line), all);
        EXPECT_EQ(elements(index_select(form, axis, index)),
                  gather_by_definition(form, axis, wide));
      }
    }
  }
}

TEST(Embedding, TakesRows) {
  Tensor weight = counting({7, 3});
  Tensor index = drawn({2, 5}, 7);
  Numbers expected;
  for (double row : elements(index)) {
    for (int k = 0; k < 3; ++k) expected.push_back(row * 3 + k);
  }
  EXPECT_EQ(embedding(weight, index).shape(), (Shape{2, 5, 3}));
  EXPECT_EQ(elements(embedding(weight, index)), expected);
  Tensor turned = transpose(clone(transpose(weight, 0, 1)), 0, 1);
  EXPECT_EQ(elements(embedding(turned, transpose(clone(transpose(index, 0, 1)), 0, 1))), expected);
  EXPECT_EQ(embedding(counting({4}), drawn({3}, 4)).shape(), (Shape{3}));
}

TEST(ScatterAdd, FollowsTheDefinition) {
  for (int d = 0; d + 1 < kDTypes; ++d) {
    auto dtype = static_cast<DType>(d);
    Tensor x = to(counting({3, 4, 2}), dtype);
    for (int axis = 0; axis < 3; ++axis) {
      Shape shape = {3, 4, 2};
      shape[axis] = 9;
      Tensor src = to(drawn(shape, 5), dtype), index = drawn(shape, x.shape()[axis]);
      Numbers expected = scatter_by_definition(x, axis, index, src);
      Tensor turned = transpose(clone(transpose(src, 0, 2)), 0, 2);
      EXPECT_EQ(elements(scatter_add(x, axis, index, turned)), expected) << name_of(dtype);
      EXPECT_EQ(elements(scatter_add(x, axis, index, src)), expected) << name_of(dtype);
      EXPECT_EQ(elements(scatter_add(x, axis, to(index, DType::i32), src)), expected);
      Tensor part = slice(slice(index, {0, 0, 2, 1}), {1, 1, INT64_MAX, 1});
      EXPECT_EQ(elements(scatter_add(x, axis, part, src)),
                scatter_by_definition(x, axis, part, src));
    }
  }
}

TEST(IndexAdd, FollowsTheDefinition) {
  for (int d = 0; d + 1 < kDTypes; ++d) {
    auto dtype = static_cast<DType>(d);
    for (const Shape& base : {Shape{5, 4, 3}, Shape{3, 2, 700}}) {
      Tensor x = full(base, 2, {dtype});
      for (int axis = 0; axis < 3; ++axis) {
        Shape shape = base;
        shape[axis] = 9;
        Tensor src = to(drawn(shape, 4), dtype);
        Tensor index = drawn({9}, base[axis]);
        Shape line = {1, 1, 1};
        line[axis] = 9;
        Tensor wide = expand(reshape(index, line), shape);
        Numbers expected = scatter_by_definition(x, axis, wide, src);
        EXPECT_EQ(elements(index_add(x, axis, index, src)), expected) << name_of(dtype);
        Tensor turned = transpose(clone(transpose(src, 0, 2)), 0, 2);
        EXPECT_EQ(elements(index_add(x, axis, to(index, DType::i32), turned)), expected);
      }
    }
  }
}

// 4096 additions of 1 to 2048 stay at 2048 when each is rounded to f16 (spacing 2), so only a wider
// sum gets there.
TEST(Sums, OfHalvesAreWide) {
  for (DType dtype : {DType::f16, DType::bf16}) {
    Tensor x = full({1, 2}, 2048, {dtype}), src = ones({4096, 2}, {dtype});
    Tensor index = zeros({4096}, {DType::i64});
    EXPECT_EQ(elements(index_add(x, 0, index, src)), (Numbers{6144, 6144}));
    EXPECT_EQ(elements(scatter_add(x, 0, expand(unsqueeze(index, 1), {4096, 2}), src)),
              (Numbers{6144, 6144}));
  }
}

TEST(Sums, SameBitsOnEveryNumberOfThreads) {
  Samples s(3);
  Tensor x = to(s.uniform({50, 300}), DType::f32), src = to(s.uniform({1000, 300}), DType::f32);
  Tensor index = s.integers({1000}, 0, 50), wide = s.integers({1000, 300}, 0, 50);
  set_num_threads(1);
  Tensor a = index_add(x, 0, index, src), b = scatter_add(x, 0, wide, src);
  Tensor places = slice(reshape(wide, {100, 3000}), {.axis = 1, .stop = 10});
  Tensor c = embedding(src, places);
  for (int threads : {2, 3, 7}) {
    set_num_threads(threads);
    EXPECT_EQ(elements(index_add(x, 0, index, src)), elements(a));
    EXPECT_EQ(elements(scatter_add(x, 0, wide, src)), elements(b));
    Tensor other = embedding(src, places);
    EXPECT_EQ(std::memcmp(other.bytes(), c.bytes(), static_cast<size_t>(c.numel()) * 4), 0);
  }
  set_num_threads(0);
}

TEST(Indices, TheFirstBadOneIsNamed) {
  Tensor x = counting({4});
  Tensor index = zeros({100000}, {DType::i64});
  index.data<int64_t>()[70001] = -3;
  index.data<int64_t>()[90000] = 99;
  for (int threads : {1, 3}) {
    set_num_threads(threads);
    Error e = error_of([&] { gather(x, 0, index); });
    EXPECT_EQ(e.code, Code::index);
    EXPECT_STREQ(e.what(), "gather: index -3 at position 70001 is out of range [0, 4)");
    EXPECT_EQ(e.expected, "[0, 4)");
    EXPECT_EQ(e.actual, "-3");
  }
  set_num_threads(0);
}

// Under AddressSanitizer nothing past the end is read to name it.
TEST(Indices, ABadOneAtTheEndIsNamed) {
  for (DType dtype : {DType::i64, DType::i32}) {
    std::string message = message_of(Code::index, [&] {
      embedding(counting({4, 2}), to(tensor_of({0, 1, 9}), dtype));
    });
    EXPECT_TRUE(contains(message, "9 at position 2")) << message;
  }
}

// Row indices.
Tensor at(std::initializer_list<double> rows) { return to(tensor_of(rows), DType::i64); }

TEST(IndexCopy, OverwritesRowsAndNoOthers) {
  for (DType dtype : {DType::f64, DType::bf16}) {
    Tensor x = to(counting({4, 2}), dtype),
           values = tensor({{-1, -2}, {-3, -4}, {-5, -6}}, {dtype});
    const uint32_t version = x.impl()->storage->version;
    index_copy_(x, at({3, 0, 3}), transpose(clone(transpose(values, 0, 1)), 0, 1));
    EXPECT_EQ(elements(x), (Numbers{-3, -4, 2, 3, 4, 5, -5, -6}));
    EXPECT_EQ(x.impl()->storage->version, version + 1);
  }
  Tensor x = counting({3, 2, 2});
  index_copy_(x, to(at({1}), DType::i32), zeros({1, 2, 2}, {x.dtype()}));
  EXPECT_EQ(elements(x), (Numbers{0, 1, 2, 3, 0, 0, 0, 0, 8, 9, 10, 11}));
  index_copy_(x, zeros({0}, {DType::i64}), zeros({0, 2, 2}, {x.dtype()}));
}

TEST(IndexCopy, SharesMemoryWithItsOperands) {
  Tensor x = counting({2, 2});
  index_copy_(x, at({1, 0}), x);
  EXPECT_EQ(elements(x), (Numbers{2, 3, 0, 1}));
  Tensor index = at({1, 0});
  index_copy_(index, index, index);
  EXPECT_EQ(elements(index), (Numbers{0, 1}));
}

TEST(IndexCopy, RefusesTrackedTensorsUnlessUnderNoGrad) {
  Tensor w = counting({2, 2}).set_requires_grad(), x = w + w, row = counting({1, 2});
  EXPECT_EQ(code_of([&] { index_copy_(x, at({0}), row); }), Code::value);
  Tensor tracked = counting({1, 2}).set_requires_grad();
  EXPECT_EQ(code_of([&] { index_copy_(row, at({0}), tracked); }), Code::value);
  NoGrad off;
  index_copy_(w, at({1}), row);
  EXPECT_EQ(elements(w), (Numbers{0, 1, 0, 1}));
}

TEST(IndexCopy, RefusesWhatDoesNotFitAndChangesNothing) {
  Tensor x = counting({4, 2}), one = zeros({1, 2}, {x.dtype()});
  auto code = [&](const Tensor& to, const Tensor& index, const Tensor& values) {
    return code_of([&] { index_copy_(to, index, values); });
  };
  EXPECT_EQ(code(x, at({0, 4}), zeros({2, 2}, {x.dtype()})), Code::index);
  EXPECT_EQ(code(x, at({-1}), one), Code::index);
  EXPECT_EQ(code(x, at({0, 1}), one), Code::shape);
  EXPECT_EQ(code(x, zeros({1, 1}, {DType::i64}), one), Code::shape);
  EXPECT_EQ(code(full({}, 1, {x.dtype()}), at({0}), one), Code::shape);
  EXPECT_EQ(code(x, zeros({1}), one), Code::dtype);
  EXPECT_EQ(code(x, at({0}), to(one, DType::f16)), Code::dtype);
  EXPECT_EQ(code(transpose(x, 0, 1), at({0}), zeros({1, 4}, {x.dtype()})), Code::value);
  EXPECT_EQ(code(expand(one, {4, 2}), at({0}), one), Code::value);
  EXPECT_EQ(elements(x), elements(counting({4, 2})));
}

TEST(Masks, FillKeepsTheDType) {
  Tensor x = to(counting({2, 3}), DType::i32);
  Tensor mask = to(tensor_of({1, 0, 1}), DType::boolean);
  Tensor y = masked_fill(x, mask, -7.9);
  EXPECT_EQ(y.dtype(), DType::i32);
  EXPECT_EQ(elements(y), (Numbers{-7, 1, -7, -7, 4, -7}));
  EXPECT_EQ(elements(masked_fill(counting({3}), mask, -INFINITY)),
            (Numbers{-INFINITY, 1, -INFINITY}));
}

TEST(OneHot, OneAtTheIndex) {
  Tensor y = one_hot(tensor({{2, 0}, {1, 1}}, {DType::i64}), {3, DType::u8});
  EXPECT_EQ(y.shape(), (Shape{2, 2, 3}));
  EXPECT_EQ(elements(y), (Numbers{0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 1, 0}));
}

TEST(IndexSamples, ValidCallsRunAndInvalidOnesAreRefused) {
#define OP(name) EXPECT_EQ(sample_problems(name##_def), "");
#include "gyre/ops/index/index.def"
#undef OP
}

// Second derivatives live where one element of a product is zero, third ones where two are.
TEST(ScatterReduce, ProductsHaveDerivativesOfAnyOrderAtZeros) {
  Samples s;
  Tensor index = s.indices({1, 0, 1, 0, 1, 2});
  Tensors in{s.values({0, 2, 3}).set_requires_grad(),
             s.values({0, 0, 4, 2, 0, 5}).set_requires_grad()};
  for (bool self : {true, false}) {
    auto f = [&](Inputs x) -> Tensors {
      return {scatter_reduce(x[0], index, x[1], {0, ScatterFold::prod, self})};
    };
    for (const GradcheckReport& r : {gradcheck(f, in), gradgradcheck(f, in)}) {
      EXPECT_TRUE(r) << r.what();
    }
  }
}

TEST(ScatterReduce, ThirdDerivativeOfAProductWithThreeZeros) {
  Tensor x = tensor({5.0}).set_requires_grad(), src = tensor({0.0, 3, 0, 0}).set_requires_grad();
  Tensor y = scatter_reduce(x, tensor({0, 0, 0, 0}, {DType::i64}), src, {0, ScatterFold::prod});
  for (int64_t by : {0, 2}) {
    y = select(grad(sum(y), src, {.create_graph = true}), {0, by});
  }
  EXPECT_EQ(elements(grad(y, src)), (Numbers{0, 0, 0, 15}));
}

}  // namespace
}  // namespace gyre
