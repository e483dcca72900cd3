#include "gyre/ops/linalg/gemm.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "gyre/base/cpu.h"
#include "gyre/base/thread_pool.h"
#include "gyre/ops/elements.h"
#include "tests/fewer.h"

namespace gyre {
namespace {

/// Unit roundoff of the sums and of the result.
template <class T>
struct Rounding {
  static constexpr double sum = 0x1p-24, result = 0;
};
template <>
struct Rounding<double> {
  static constexpr double sum = 0x1p-53, result = 0;
};
template <>
struct Rounding<f16> {
  static constexpr double sum = 0x1p-24, result = 0x1p-11;
};
template <>
struct Rounding<bf16> {
  static constexpr double sum = 0x1p-24, result = 0x1p-8;
};

struct Case {
  int64_t m = 1, n = 1, k = 1;
  bool a_transposed = false, b_transposed = false, accumulate = false, bias = false;
  int64_t padding = 0;  // elements beyond the width of every row

  std::string name() const {
    return std::to_string(m) + "x" + std::to_string(n) + "x" + std::to_string(k) +
           (a_transposed ? " A^T" : "") + (b_transposed ? " B^T" : "") +
           (accumulate ? " accumulate" : "") + (bias ? " bias" : "") + " padding " +
           std::to_string(padding);
  }
};

constexpr int64_t kGuard = 128;

/// Operands of a case with guard zones round C, and the product itself.
template <class T>
struct Operands {
  Case one;
  std::vector<T> a, b, c, bias;
  Gemm<T> product;

  explicit Operands(const Case& wanted, unsigned seed = 0) : one(wanted) {
    uint32_t state = seed;  // numbers in [-1, 1), quickly
    const auto draw = [&] {
      state = state * 1664525u + 1013904223u;
      return static_cast<double>(state >> 8) * 0x1p-23 - 1;
    };
    const auto fill = [&](int64_t rows, int64_t cols) {
      // Exactly as long as needed: reading past the end is reading past the allocation.
      std::vector<T> x(
          rows * cols == 0 ? 0 : static_cast<size_t>((rows - 1) * (cols + one.padding) + cols));
      T* to = x.data();
      for (size_t i = 0; i < x.size(); ++i) to[i] = stored<T>(draw());
      return x;
    };
    a = one.a_transposed ? fill(one.k, one.m) : fill(one.m, one.k);
    b = one.b_transposed ? fill(one.n, one.k) : fill(one.k, one.n);
    bias = fill(1, one.n);
    const int64_t c_row = std::max<int64_t>(1, one.n + one.padding);
    c.resize(static_cast<size_t>(2 * kGuard + one.m * c_row));
    for (T& v : c) v = stored<T>(draw());
    product = {.m = one.m,
               .n = one.n,
               .k = one.k,
               .a = a.data(),
               .b = b.data(),
               .c = c.data() + kGuard,
               .c_row = c_row,
               .accumulate = one.accumulate,
               .bias = one.bias ? bias.data() : nullptr};
    product.a_row = one.a_transposed ? 1 : one.k + one.padding;
    product.a_col = one.a_transposed ? one.m + one.padding : 1;
    product.b_row = one.b_transposed ? 1 : one.n + one.padding;
    product.b_col = one.b_transposed ? one.k + one.padding : 1;
  }
};

/// Runs the product and holds every element of C, and what lies round it, against an f64 sum.
template <class T>
void check_product(const Case& one, unsigned seed = 0) {
  Operands<T> p(one, seed);
  const Gemm<T>& g = p.product;
  const std::vector<T> before = p.c;
  // Both operands in f64, contiguous along the depth.
  std::vector<double> a(static_cast<size_t>(one.m * one.k + 1)),
      b(static_cast<size_t>(one.n * one.k + 1));
  for (int64_t k = 0; k < one.k; ++k) {
    for (int64_t i = 0; i < one.m; ++i) {
      a[static_cast<size_t>(i * one.k + k)] = value_of(g.a[i * g.a_row + k * g.a_col]);
    }
    for (int64_t j = 0; j < one.n; ++j) {
      b[static_cast<size_t>(j * one.k + k)] = value_of(g.b[k * g.b_row + j * g.b_col]);
    }
  }
  gemm(g);
  for (int64_t at = 0; at < static_cast<int64_t>(p.c.size()); ++at) {
    const int64_t i = (at - kGuard) / g.c_row, j = (at - kGuard) % g.c_row;
    const T old = before[static_cast<size_t>(at)], got = p.c[static_cast<size_t>(at)];
    if (at < kGuard || i >= one.m || j >= one.n) {
      ASSERT_EQ(std::memcmp(&old, &got, sizeof(T)), 0)
          << one.name() << ": wrote outside C at " << at;
      continue;
    }
    double sum = one.accumulate ? value_of(old) : 0, size = std::fabs(sum);
    if (one.bias) {
      sum += value_of(p.bias[static_cast<size_t>(j)]);
      size += std::fabs(value_of(p.bias[static_cast<size_t>(j)]));
    }
    const double *row = a.data() + i * one.k, *column = b.data() + j * one.k;
    for (int64_t k = 0; k < one.k; ++k) {
      const double term = row[k] * column[k];
      sum += term;
      size += std::fabs(term);
    }
    const double terms = static_cast<double>(one.k) + 2;
    // The reference is summed in f64 too, hence twice for double; f16 may be subnormal.
    const double bound = (std::is_same_v<T, double> ? 2 : 1) * terms * Rounding<T>::sum * size +
                         Rounding<T>::result * (std::fabs(sum) + terms * Rounding<T>::sum * size) +
                         (std::is_same_v<T, f16> ? 0x1p-25 : 0);
    ASSERT_LE(std::fabs(value_of(got) - sum), bound) << one.name() << " at " << i << ", " << j;
  }
}

std::vector<Isa> levels() {
  std::vector<Isa> all;
  for (Isa level : {v2, v3, v4}) {
    if (level <= cpu_features().best) all.push_back(level);
  }
  return all;
}

template <class T>
class GemmOf : public ::testing::Test {
 protected:
  void TearDown() override {
    set_isa(before_);
    set_num_threads(0);
  }
  /// Calls `body` once for every instruction set of this CPU.
  template <class Body>
  void on_every_isa(Body body) {
    for (Isa level : levels()) {
      SCOPED_TRACE(isa_name(level));
      set_isa(level);
      body();
      if (this->HasFatalFailure()) return;
    }
  }
  /// Calls `body` with every combination of transposes, accumulate, bias and padding.
  template <class Body>
  void every_form(int64_t m, int64_t n, int64_t k, Body body) {
    for (int form = 0; form < 32; ++form) {
      body(Case{m, n, k, (form & 1) != 0, (form & 2) != 0, (form & 4) != 0, (form & 8) != 0,
                (form & 16) ? 5 : 0});
      if (this->HasFatalFailure()) return;
    }
  }

 private:
  Isa before_ = isa();
};

using Types = ::testing::Types<float, double, f16, bf16>;
TYPED_TEST_SUITE(GemmOf, Types);

using GemmOfFloat = GemmOf<float>;

TYPED_TEST(GemmOf, EverySizeUpTo70) {
  this->on_every_isa([&] {
    std::mt19937 random(1);
    std::uniform_int_distribution<int64_t> size(1, 70);
    for (int64_t extent = 1; extent <= 70; ++extent) {
      for (int which = 0; which < 3; ++which) {
        int64_t s[3] = {size(random), size(random), size(random)};
        s[which] = extent;
        const unsigned form = static_cast<unsigned>(random());
        check_product<TypeParam>({s[0], s[1], s[2], (form & 1) != 0, (form & 2) != 0,
                                  (form & 4) != 0, (form & 8) != 0, (form & 16) ? 3 : 0});
        if (this->HasFatalFailure()) return;
      }
    }
  });
}

TYPED_TEST(GemmOf, EveryFormOfSmallAndVectorShapes) {
  this->on_every_isa([&] {
    const int64_t shapes[][3] = {{1, 1, 1},    {1, 1, 77},   {1, 53, 1},  {61, 1, 1},
                                 {1, 100, 37}, {100, 1, 37}, {3, 5, 200}, {8, 48, 64},
                                 {9, 49, 65},  {17, 33, 300}};
    for (const int64_t* s : fewer_of(shapes)) {
      this->every_form(s[0], s[1], s[2], [](const Case& one) { check_product<TypeParam>(one); });
    }
  });
}

TYPED_TEST(GemmOf, EveryFormOfLargeShapesOnTwoThreads) {
  set_num_threads(2);
  this->on_every_isa([&] {
    const int64_t shapes[][3] = {
        {67, 200, 270}, {300, 17, 70}, {30, 50, 600}, {1, 1500, 300}, {1500, 1, 300}};
    for (const auto& s : shapes) {
      this->every_form(s[0], s[1], s[2], [](const Case& one) { check_product<TypeParam>(one); });
    }
  });
}

TYPED_TEST(GemmOf, NothingToSum) {
  this->every_form(5, 70, 0, [](const Case& one) { check_product<TypeParam>(one); });
  this->every_form(1, 70, 0, [](const Case& one) { check_product<TypeParam>(one); });
  this->every_form(70, 1, 0, [](const Case& one) { check_product<TypeParam>(one); });
}

TYPED_TEST(GemmOf, NothingToWrite) {
  this->every_form(0, 7, 3, [](const Case& one) { check_product<TypeParam>(one); });
  this->every_form(7, 0, 3, [](const Case& one) { check_product<TypeParam>(one); });
  this->every_form(0, 0, 0, [](const Case& one) { check_product<TypeParam>(one); });
}

TYPED_TEST(GemmOf, NanAndInfinityReachExactlyTheirRowsAndColumns) {
  const double inf = std::numeric_limits<double>::infinity();
  this->on_every_isa([&] {
    for (int64_t m : {1, 5, 40}) {
      for (bool b_transposed : {false, true}) {
        Operands<TypeParam> p({m, 51, 90, false, b_transposed});
        const int64_t row = m / 2, col = 50, depth = 70;
        p.a[static_cast<size_t>(row * p.product.a_row + depth)] = stored<TypeParam>(inf);
        p.b[static_cast<size_t>(depth * p.product.b_row + col * p.product.b_col)] =
            stored<TypeParam>(std::nan(""));
        gemm(p.product);
        for (int64_t i = 0; i < m; ++i) {
          for (int64_t j = 0; j < 51; ++j) {
            const double got = value_of(p.product.c[i * p.product.c_row + j]);
            if (j == col) {
              EXPECT_TRUE(std::isnan(got)) << i << ", " << j;
            } else if (i == row) {
              EXPECT_TRUE(std::isinf(got)) << i << ", " << j;
            } else {
              EXPECT_TRUE(std::isfinite(got)) << i << ", " << j;
            }
          }
        }
      }
    }
  });
}

TYPED_TEST(GemmOf, BitsDoNotDependOnTheNumberOfThreads) {
  this->on_every_isa([&] {
    const int64_t shapes[][3] = {{300, 210, 300}, {1, 2000, 300}, {4, 2000, 300}, {2000, 4, 300},
                                 {2000, 1, 300},  {530, 200, 64}, {40, 700, 300}};
    for (const auto& s : shapes) {
      for (int form = 0; form < 4; ++form) {
        const Case one{s[0], s[1], s[2], (form & 1) != 0, (form & 2) != 0, true, true, 0};
        Operands<TypeParam> p(one);
        const std::vector<TypeParam> before = p.c;
        set_num_threads(1);
        gemm(p.product);
        const std::vector<TypeParam> expected = p.c;
        for (int threads : {2, 3, 7}) {
          set_num_threads(threads);
          std::ranges::copy(before, p.c.begin());
          gemm(p.product);
          ASSERT_EQ(std::memcmp(p.c.data(), expected.data(), p.c.size() * sizeof(TypeParam)), 0)
              << one.name() << " on " << threads << " threads";
        }
      }
    }
  });
}

TYPED_TEST(GemmOf, ABatchIsItsProducts) {
  for (int64_t size : {3, 20, 130}) {
    for (int threads : {1, 3}) {
      set_num_threads(threads);
      constexpr int64_t kCount = 9;
      std::vector<Operands<TypeParam>> alone, together;
      for (unsigned i = 0; i < kCount; ++i) {
        const Case one{size, size + 1, size + 2, false, true, true, true, 1};
        alone.emplace_back(one, i);
        together.emplace_back(one, i);
      }
      for (auto& p : alone) {
        p.product.a = p.a.data();
        gemm(p.product);
      }
      Gemm<TypeParam> first = together[0].product;
      gemm_batched<TypeParam>(first, kCount, [&](int64_t i, Gemm<TypeParam>& g) {
        g.a = together[static_cast<size_t>(i)].a.data();
        g.b = together[static_cast<size_t>(i)].b.data();
        g.c = together[static_cast<size_t>(i)].c.data() + kGuard;
        g.bias = together[static_cast<size_t>(i)].bias.data();
      });
      for (size_t i = 0; i < kCount; ++i) {
        ASSERT_EQ(std::memcmp(alone[i].c.data(), together[i].c.data(),
                              alone[i].c.size() * sizeof(TypeParam)),
                  0)
            << size << ", product " << i;
      }
    }
  }
}

// Of A A^T half is computed: the bits are those of a product with a copy of A.
TYPED_TEST(GemmOf, AMatrixTimesItselfHasTheBitsOfAProductWithACopy) {
  const auto compare = [](const Case& one, int64_t fewer_rows = 0) {
    Operands<TypeParam> shared(one), copied(one);
    shared.product.m -= fewer_rows;
    copied.product.m -= fewer_rows;
    std::copy(shared.a.begin(), shared.a.end(), copied.b.begin());
    shared.product.b = shared.product.a;
    gemm(shared.product);
    gemm(copied.product);
    EXPECT_EQ(std::memcmp(shared.c.data(), copied.c.data(), shared.c.size() * sizeof(TypeParam)), 0)
        << one.name() << " on " << num_threads() << " threads";
  };
  this->on_every_isa([&] {
    const int64_t shapes[][2] = {{64, 64}, {65, 130}, {160, 640}, {211, 70}, {530, 600}};
    for (int threads : {1, 3}) {
      set_num_threads(threads);
      for (const auto& [size, depth] : shapes) {
        for (bool turned : {false, true}) compare({size, size, depth, turned, !turned});
      }
      compare({.m = 130, .n = 130, .k = 90, .b_transposed = true, .accumulate = true});
      compare({.m = 130, .n = 130, .k = 90, .b_transposed = true, .bias = true});
      compare({.m = 130, .n = 130, .k = 90, .b_transposed = true, .padding = 3});
      compare({.m = 130, .n = 130, .k = 90, .b_transposed = true}, 20);
      compare({.m = 130, .n = 130, .k = 130});
    }
  });
}

/// Puts B of a product in parts of up to 7 rows and 32 columns: from rows, from columns and element
/// by element by turns; counts how often each element is put.
struct PutsParts {
  const Gemm<float>& product;
  std::vector<std::atomic<int>>& puts;

  void operator()(const Panels<float>& to) const {
    const MatrixPart& b = to.block();
    ASSERT_TRUE(b.row >= 0 && b.row + b.rows <= product.k && b.col >= 0 &&
                b.col + b.cols <= product.n && b.col % Panels<float>::kColumns == 0);
    int way = 0;
    MatrixPart part{};
    for (part.row = b.row; part.row < b.row + b.rows; part.row += part.rows) {
      part.rows = std::min<int64_t>(7, b.row + b.rows - part.row);
      for (part.col = b.col; part.col < b.col + b.cols; part.col += part.cols) {
        part.cols = std::min(32 - part.col % Panels<float>::kColumns, b.col + b.cols - part.col);
        put(to, part, way++ % 3);
      }
    }
  }

 private:
  void put(const Panels<float>& to, const MatrixPart& part, int way) const {
    const int64_t row = way == 0 ? part.cols : 1, col = way == 0 ? 1 : part.rows;
    std::vector<float> x(static_cast<size_t>(part.rows * part.cols));
    for (int64_t i = 0; i < part.rows; ++i) {
      for (int64_t j = 0; j < part.cols; ++j) {
        const int64_t k = part.row + i, n = part.col + j;
        const float element = product.b[k * product.b_row + n];
        x[static_cast<size_t>(i * row + j * col)] = element;
        const int64_t beside = j % Panels<float>::kBeside;
        if (way == 2) to.at(part.row, n - beside)[i * to.stride() + beside] = element;
        ++puts[static_cast<size_t>(k * product.n + n)];
      }
    }
    if (way < 2) to.put(part, x.data(), row, col);
  }
};

/// Holds a product whose B a function puts against one whose B lies in memory, `dense`.
void check_parts(const Case& one, const Operands<float>& dense, int most_puts) {
  Operands<float> p(one);
  std::vector<std::atomic<int>> puts(static_cast<size_t>(one.n * one.k));
  Gemm<float> product = p.product;
  product.b = nullptr;
  gemm<float>(product, PutsParts{p.product, puts});
  for (const auto& count : puts) ASSERT_TRUE(count >= 1 && count <= most_puts) << one.name();
  // Of two rows and columns or more the other one is multiplied by the same kernel.
  if (one.m > 1 && one.n > 1) {
    ASSERT_EQ(std::memcmp(p.c.data(), dense.c.data(), p.c.size() * sizeof(float)), 0)
        << one.name() << " on " << num_threads() << " threads";
  }
  for (size_t i = 0; i < p.c.size(); ++i)
    ASSERT_NEAR(p.c[i], dense.c[i], 1e-6 * static_cast<double>(one.k + 1)) << one.name();
}

TEST_F(GemmOfFloat, BMayComeFromAFunction) {
  on_every_isa([&] {
    const int64_t shapes[][3] = {{1, 1, 1},    {2, 3, 5},     {1, 70, 40},    {9, 1, 30},
                                 {40, 100, 0}, {7, 49, 530},  {33, 200, 300}, {130, 450, 1100},
                                 {64, 64, 64}, {70, 700, 17}, {1100, 50, 21}};
    for (const auto& s : shapes) {
      for (int form = 0; form < 8; ++form) {
        const Case one{
            s[0], s[1], s[2], (form & 1) != 0, false, (form & 2) != 0, (form & 4) != 0, form % 3};
        Operands<float> dense(one);
        gemm(dense.product);
        set_num_threads(1);
        check_parts(one, dense, one.m > 1024 ? 2 : 1);
        set_num_threads(3);
        check_parts(one, dense, 12);
        if (HasFatalFailure()) return;
      }
    }
  });
}

TEST(Gemm, HalfResultsAreRoundedOnce) {
  // 2048 + 1 + 1 is representable, 2048 + 1 is not: rounding on the way would lose both ones.
  std::vector<f16> a(3, to_f16(1.0f)), b = {to_f16(2048.0f), to_f16(1.0f), to_f16(1.0f)};
  f16 c{};
  gemm<f16>({.m = 1,
             .n = 1,
             .k = 3,
             .a = a.data(),
             .a_row = 3,
             .b = b.data(),
             .b_row = 1,
             .c = &c,
             .c_row = 1});
  EXPECT_EQ(to_float(c), 2050.0f);
}

// As gemm() promises: exact, except where the CPU multiplies pairs of bf16, which takes a subnormal
// element and makes a subnormal sum zero.
TEST(Gemm, SubnormalBf16) {
  const Isa before = isa();
  struct {
    float a, b, product;
  } cases[] = {{0x1p-130f, 0x1p100f, 0x1p-30f},     // a subnormal element of A
               {0x1p100f, 0x1p-130f, 0x1p-30f},     // and of B
               {0x1p-70f, 0x1p-60f, 0x1p-130f},     // a subnormal sum
               {-0x1p-66f, 0x1p-60f, -0x1p-126f}};  // the smallest normal one
  for (Isa level : levels()) {
    set_isa(level);
    const bool pairs = level == v4 && cpu_features().avx512_bf16;
    for (int64_t size : {1, 3, 40}) {
      for (const auto& one : cases) {
        // one term that counts, the others are zero
        const auto n = static_cast<size_t>(size * size);
        std::vector<bf16> a(n, to_bf16(0)), b(n, to_bf16(0)), c(n, to_bf16(7));
        for (int64_t i = 0; i < size; ++i) {
          a[static_cast<size_t>(i * size + size / 2)] = to_bf16(one.a);
          b[static_cast<size_t>(size / 2 * size + i)] = to_bf16(one.b);
        }
        gemm<bf16>({.m = size,
                    .n = size,
                    .k = size,
                    .a = a.data(),
                    .a_row = size,
                    .b = b.data(),
                    .b_row = size,
                    .c = c.data(),
                    .c_row = size});
        const bool subnormal = std::fabs(one.a) < 0x1p-126f || std::fabs(one.b) < 0x1p-126f ||
                               std::fabs(one.product) < 0x1p-126f;
        for (size_t i = 0; i < n; ++i) {
          ASSERT_EQ(to_float(c[i]), pairs && subnormal ? 0 : one.product)
              << isa_name(level) << ", size " << size << ", " << one.a << " " << one.b;
        }
      }
    }
  }
  set_isa(before);
}

TYPED_TEST(GemmOf, ABatchOfTinyProductsIsItsProducts) {
  // sizes about those that have a way of their own, with B by rows and by columns
  constexpr int64_t kCount = 7;
  for (int64_t m : {1, 2, 3, 7}) {
    for (int64_t n : {1, 3, 4, 9}) {
      for (int64_t k : {0, 1, 3, 4, 8}) {
        for (bool by_columns : {false, true}) {
          const Case one{m, n, k, false, by_columns, false, false, 1};
          Operands<TypeParam> all(one, 1);
          Gemm<TypeParam> first = all.product;
          std::vector<Operands<TypeParam>> alone, together;
          for (unsigned i = 0; i < kCount; ++i) {
            alone.emplace_back(one, i);
            together.emplace_back(one, i);
          }
          for (auto& p : alone) gemm(p.product);
          gemm_batched<TypeParam>(first, kCount, [&](int64_t i, Gemm<TypeParam>& g) {
            const Gemm<TypeParam>& own = together[static_cast<size_t>(i)].product;
            g.a = own.a;
            g.b = own.b;
            g.c = own.c;
          });
          for (size_t i = 0; i < kCount; ++i) {
            ASSERT_EQ(std::memcmp(alone[i].c.data(), together[i].c.data(),
                                  alone[i].c.size() * sizeof(TypeParam)),
                      0)
                << m << " x " << n << " x " << k << ", product " << i;
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace gyre
