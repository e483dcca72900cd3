#include "gyre/kernel/pointwise.h"
#include "gyre/kernel/pointwise_plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "gyre/autograd/backward.h"
#include "gyre/kernel/convert.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/shape/shape.h"

namespace gyre {

extern const OpDef add_def;

namespace {

Tensor ramp(int64_t n, double step) {
  Tensor t = empty(Shape{n});
  for (int64_t i = 0; i < n; ++i) {
    t.data<float>()[i] = static_cast<float>(static_cast<double>(i % 8191 - 4000) * step);
  }
  return t;
}

Tensor part(const Tensor& t, int64_t begin, int64_t n) {
  Tensor r = empty(Shape{n});
  std::copy_n(t.data<float>() + begin, n, r.data<float>());
  return r;
}

// Large arrays use non-temporal stores; their last vector is partial.
TEST(Pointwise, ElementsOfLargeArraysAreThoseOfSmallOnes) {
  constexpr int64_t kSize = (int64_t{1} << 21) + 37, kPart = 600;
  Tensor x = ramp(kSize, 1e-3), y = ramp(kSize, 2e-3);
  auto all = [](Tensor a, Tensor b) {
    a.set_requires_grad();
    b.set_requires_grad();
    Tensor asked[] = {a, b}, product = a * b, seed = product.detach();
    Tensors r = grad({&product, 1}, asked, {&seed, 1});
    r.push_back(exp(a).detach());
    r.push_back((a + 1.0).detach());
    r.push_back(product.detach());
    return r;
  };
  Tensors many = all(x.detach(), y.detach());
  for (int64_t begin : {int64_t{0}, int64_t{32768 - 300}, kSize - kPart}) {
    Tensors few = all(part(x, begin, kPart), part(y, begin, kPart));
    for (size_t k = 0; k < few.size(); ++k) {
      EXPECT_EQ(to_vector<float>(part(many[k], begin, kPart)), to_vector<float>(few[k]))
          << "result " << k << " from " << begin;
    }
  }
}

constexpr int64_t kStreamed = kStreamBytes / 4;  // floats from which results go past the caches

Tensor counting(int64_t n) {
  Tensor t = empty(Shape{n});
  float* to = t.data<float>();
  for (int64_t i = 0; i < n; ++i) to[i] = static_cast<float>(i % 65'536);
  return t;
}

// Rows that are not a multiple of a tile, so that later ones are not aligned to cache lines.
TEST(Pointwise, ARowAddedToAMatrixThatIsStreamed) {
  for (int64_t columns : {1001, 1024, 4099}) {
    int64_t rows = kStreamed / columns + 3;
    Tensor x = reshape(counting(rows * columns), {{rows, columns}}), y = counting(columns);
    Tensor z = x + y;
    const float* at = z.data<float>();
    for (int64_t i = 0; i < rows; ++i) {
      for (int64_t j = 0; j < columns; ++j) {
        float want = static_cast<float>((i * columns + j) % 65'536 + j);
        ASSERT_EQ(at[i * columns + j], want) << i << " " << j << " of " << columns;
      }
    }
  }
}

TEST(Pointwise, AnyNumberOfStreamedElements) {
  for (int64_t more : {0, 1, 15, 16, 511, 513}) {
    int64_t n = kStreamed + more;
    Tensor x = counting(n), z = neg(x);
    const float *from = x.data<float>(), *to = z.data<float>();
    for (int64_t i = 0; i < n; ++i) {
      if (to[i] != -from[i]) FAIL() << i << ": " << to[i];
    }
  }
}

// The short way for few elements; the loop would give the same values.
TEST(Pointwise, FewElementsOfOneLayoutNeedNoLoop) {
  float memory[12] = {};
  auto* data = reinterpret_cast<std::byte*>(memory);
  const Shape shape{2, 3};
  const View x(data, shape, {3, 1}, DType::f32), turned(data, shape, {1, 2}, DType::f32),
      number(data, {}, {}, DType::f32), out(data + 24, shape, {3, 1}, DType::f32);
  const auto alike = [&](const View& a, const View& b) {
    const View in[] = {a, b}, to[] = {out};
    const KernelArgs args{in, to};
    return PointwisePlan(add_def, Pass::forward, Compute::f32, shape, args).alike;
  };
  EXPECT_EQ(alike(x, x), 6);
  EXPECT_EQ(alike(x, number), 6);
  EXPECT_EQ(alike(x, turned), -1);
  EXPECT_EQ(alike(turned, x), -1);
}

}  // namespace
}  // namespace gyre
