#include "gyre/simd/vec.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>

#include "gyre/simd/double_word.h"

namespace gyre {
namespace {

template <class V>
class VecTest : public testing::Test {};
using Types = testing::Types<Vec<float>, Vec<double>, Vec<float, 1>, Vec<double, 1>, Vec<int32_t>,
                             Vec<int64_t>, Vec<int32_t, 1>, Vec<float, 2>>;
TYPED_TEST_SUITE(VecTest, Types);

/// 3, -1, -5, ... in the lanes.
template <class V>
V ramp() {
  V r(0.0);
  for (int i = 0; i < V::width; ++i) r.set(i, typename V::T(3 - 4 * i));
  return r;
}

TYPED_TEST(VecTest, OperatorsWorkLaneByLane) {
  using V = TypeParam;
  using T = typename V::T;
  V x = ramp<V>(), y = 2.0 * x + 1.0 - x * x;
  V m = max(x, 0.0), l = min(x, 0.0), a = abs(x), n = -x, f = fma(x, x, 1.0), s = sign(x);
  V picked = select(((x > 0.0) & (x != 3.0)) | !(x > -5.0), 7.0, x);
  for (int i = 0; i < V::width; ++i) {
    const T v = T(3 - 4 * i);
    EXPECT_EQ(x[i], v);
    EXPECT_EQ(y[i], 2 * v + 1 - v * v);
    EXPECT_EQ(m[i], v > 0 ? v : T(0));
    EXPECT_EQ(l[i], v < 0 ? v : T(0));
    EXPECT_EQ(a[i], v < 0 ? -v : v);
    EXPECT_EQ(n[i], -v);
    EXPECT_EQ(f[i], v * v + 1);
    EXPECT_EQ(s[i], v > 0 ? 1 : -1);
    EXPECT_EQ(picked[i], v <= -5 ? T(7) : v);
  }
}

TYPED_TEST(VecTest, LoadsAndStoresAtAnyAlignment) {
  using V = TypeParam;
  using T = typename V::T;
  alignas(64) unsigned char raw[2 * sizeof(V) + 1];
  T* p = reinterpret_cast<T*>(raw) + 1;  // aligned for T, not for V
  ramp<V>().store(p);
  V back = V::load(p);
  for (int i = 0; i < V::width; ++i) EXPECT_EQ(back[i], T(3 - 4 * i));
}

TYPED_TEST(VecTest, AnyAndAllSeeEveryLane) {
  using V = TypeParam;
  EXPECT_FALSE(any(V(1.0) < V(1.0)));
  EXPECT_TRUE(all(V(1.0) == V(1.0)));
  for (int i = 0; i < V::width; ++i) {
    V x(0.0);
    x.set(i, 1);
    EXPECT_TRUE(any(x == V(1.0))) << i;
    EXPECT_FALSE(all(x == V(0.0))) << i;
    EXPECT_TRUE((x == V(1.0))[i]);
  }
}

TEST(Vec, IntegersShiftMaskAndWrap) {
  using V = Vec<int32_t>;
  V x = V::of(-5);
  EXPECT_EQ((x >> 1)[0], -3);
  EXPECT_EQ((x << 4)[0], -80);
  EXPECT_EQ((x & V::of(0xff))[0], 251);
  EXPECT_EQ((x | V::of(4))[0], -1);
  EXPECT_EQ((x ^ ~x)[0], -1);
  EXPECT_EQ(Vec<int64_t>::of(int64_t(1) << 62)[0], int64_t(1) << 62);
}

TEST(Vec, LiteralsKeepTheSignOfZero) {
  EXPECT_TRUE(std::signbit(Vec<float>(-0.0)[0]));
  EXPECT_FALSE(std::signbit(Vec<double>(0.0)[0]));
}

TEST(Vec, MaximumAndMinimumPropagateNaNFromEitherSide) {
  using V = Vec<float>;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (V r : {max(V(nan), 1.0), max(V(1.0), nan), min(V(nan), 1.0), min(V(1.0), nan)})
    EXPECT_TRUE(std::isnan(r[0]));
}

TEST(Vec, ConvertsBetweenElementTypes) {
  auto i = convert<int32_t>(Vec<float>(-2.7));
  EXPECT_EQ(i[0], -2);
  EXPECT_EQ(convert<float>(Vec<int32_t>(3.0))[0], 3.0f);
  auto root = in_double<4>([](auto a) { return sqrt(a) * sqrt(a); }, Vec<float, 4>(2.0));
  for (int k = 0; k < 4; ++k) EXPECT_EQ(root[k], 2.0f);
}

template <int N>
void expect_poly_is_horner() {
  double c[N], want = 0;
  for (int i = 0; i < N; ++i) {
    c[i] = i % 2 ? -i - 1 : i + 1;
    want = want * 0.5 + c[i];  // exact
  }
  EXPECT_EQ(poly(Vec<double>(0.5), c)[0], want) << N;
}
TEST(Vec, PolynomialsOfEveryLengthAgreeWithHorner) {
  expect_poly_is_horner<1>();
  expect_poly_is_horner<4>();
  expect_poly_is_horner<5>();
  expect_poly_is_horner<6>();
  expect_poly_is_horner<11>();
  expect_poly_is_horner<12>();
  expect_poly_is_horner<13>();
  expect_poly_is_horner<14>();
  expect_poly_is_horner<15>();
  expect_poly_is_horner<23>();
}

TEST(DoubleWord, TransformationsAreFreeOfError) {
  using V = Vec<double>;
  V a(1.0 + 0x1p-30), b(1.0 - 0x1p-29);
  Two<V> p = two_prod(a, b);
  EXPECT_EQ((long double)p.hi[0] + p.lo[0], (1.0L + 0x1p-30L) * (1.0L - 0x1p-29L));
  Two<V> s = two_sum(V(1.0), V(0x1p-70));
  EXPECT_EQ(s.hi[0], 1.0);
  EXPECT_EQ(s.lo[0], 0x1p-70);
}

}  // namespace
}  // namespace gyre
