#include "gyre/ops/sparse/csr.h"

#include <gtest/gtest.h>

#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/index/index.h"
#include "gyre/ops/linalg/matmul.h"
#include "gyre/ops/random/random.h"
#include "gyre/ops/shape/shape.h"
#include "tests/largest_difference.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

// A random sparse matrix [rows, columns] with some empty rows, and the same as a dense one.
struct Sparse {
  Tensor crow, col, values, dense;

  Sparse(int64_t rows, int64_t columns, int64_t most, DType dtype) {
    const std::vector<int64_t> counts = to_vector<int64_t>(randint(0, most + 1, {rows}));
    std::vector<int64_t> offsets{0}, row_of;
    for (int64_t r = 0; r < rows; ++r) {
      const int64_t count = r % 3 ? counts[static_cast<size_t>(r)] : 0;
      offsets.push_back(offsets.back() + count);
      row_of.insert(row_of.end(), static_cast<size_t>(count), r);
    }
    const int64_t count = offsets.back();
    crow = tensor(offsets, {rows + 1});
    col = randint(0, columns, {count});
    values = randn({count}, {.dtype = dtype});
    const Tensor places = tensor(row_of, {count}) * Tensor(columns) + col;
    dense = reshape(scatter_add(zeros({rows * columns}, {.dtype = dtype}), 0, places, values),
                    {rows, columns});
  }
};

TEST(CsrMatmul, IsTheDenseProduct) {
  for (const DType dtype : {DType::f32, DType::f64}) {
    const double bound = dtype == DType::f32 ? 1e-4 : 1e-12;
    for (const int64_t k : {1, 3, 64, 200}) {
      const Sparse a(100, 80, 40, dtype);
      const Tensor b = randn({80, k}, {.dtype = dtype}),
                   wide = randn({80, 2 * k}, {.dtype = dtype});
      EXPECT_LT(largest_difference(csr_matmul(a.crow, a.col, a.values, b), matmul(a.dense, b)),
                bound);
      const Tensor part = slice(wide, {1, 0, k, 1});
      EXPECT_LT(
          largest_difference(csr_matmul(a.crow, a.col, a.values, part), matmul(a.dense, part)),
          bound);
    }
  }
}

TEST(CsrMatmul, TakesIndicesOf32Bits) {
  const Sparse a(20, 30, 9, DType::f64);
  const Tensor b = randn({30, 5}, {.dtype = DType::f64});
  const Tensor wide = csr_matmul(a.crow, a.col, a.values, b);
  EXPECT_EQ(largest_difference(
                csr_matmul(to(a.crow, DType::i32), to(a.col, DType::i32), a.values, b), wide),
            0);
}

TEST(CsrTranspose, TransposesTheMatrix) {
  const Sparse a(60, 45, 20, DType::f64);
  const CsrTransposed t = csr_transpose(a.crow, a.col, 45);
  const Tensor b = randn({60, 7}, {.dtype = DType::f64});
  const Tensor got =
      csr_matmul(t.crow_indices, t.col_indices, index_select(a.values, 0, t.order), b);
  EXPECT_LT(largest_difference(got, matmul(transpose(a.dense, 0, 1), b)), 1e-12);
}

TEST(CsrMatmul, SaysWhatIsWrong) {
  const Tensor crow = tensor(std::vector<int64_t>{0, 2, 1}, {3}),
               col = tensor(std::vector<int64_t>{0, 5}, {2}), values = ones({2});
  EXPECT_EQ(message_of(Code::value,
                       [&] {
                         csr_matmul(crow, col, values, ones({3, 2}));
                       }),
            "csr_matmul: crow_indices must rise from 0 to the number of elements, but do not at "
            "position 2");
  const Tensor rises = tensor(std::vector<int64_t>{0, 1, 2}, {3});
  EXPECT_EQ(message_of(Code::index,
                       [&] {
                         csr_matmul(rises, col, values, ones({3, 2}));
                       }),
            "csr_matmul: index 5 at position 1 is out of range [0, 3)");
  EXPECT_EQ(code_of([&] { csr_transpose(rises, col, -1); }), Code::value);
}

}  // namespace
}  // namespace gyre
