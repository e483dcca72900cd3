#include "gyre/ops/linalg/product_operand.h"

#include <gtest/gtest.h>

namespace gyre {
namespace {

View layout(const Shape& shape, const Shape& strides) {
  return {nullptr, shape, strides, DType::f32};
}

// A copy that gemm does not need gives the same product, later.
TEST(ProductOperand, IsCopiedOnlyIfItMust) {
  const auto copied = [](const Shape& shape, const Shape& strides, bool as_column = false) {
    return ProductOperand(layout(shape, strides), as_column, DType::f32).copied;
  };
  for (const Shape& strides : {Shape{5, 1}, Shape{1, 4}, Shape{7, 1}}) {
    EXPECT_FALSE(copied({4, 5}, strides)) << to_string(strides);
    EXPECT_TRUE(ProductOperand(layout({4, 5}, strides), false, DType::f64).copied);
  }
  EXPECT_FALSE(copied({3, 4, 5}, {0, 5, 1}));
  EXPECT_TRUE(copied({4, 5}, {10, 2}));
  EXPECT_TRUE(copied({4, 2}, {6, 3}));
  EXPECT_TRUE(copied({2, 5}, {15, 3}));
  for (const Shape& strides : {Shape{9, 3}, Shape{0, 3}}) {
    EXPECT_FALSE(copied({1, 5}, strides));
    EXPECT_FALSE(copied({5, 1}, {strides[1], strides[0]}));
  }
  // elements that share memory
  for (const Shape& shape : {Shape{4, 5}, Shape{2, 2}}) {
    EXPECT_TRUE(copied(shape, {0, 1}));
    EXPECT_TRUE(copied(shape, {1, 0}));
  }
  for (bool as_column : {false, true}) {
    EXPECT_FALSE(copied({5}, {3}, as_column));
    EXPECT_TRUE(copied({5}, {0}, as_column));
  }
}

TEST(ProductOperand, AVectorIsARowOrAColumn) {
  const View vector = layout({5}, {3});
  EXPECT_EQ(ProductOperand(vector, false, DType::f32).view.shape, (Shape{1, 5}));
  EXPECT_EQ(ProductOperand(vector, false, DType::f32).view.strides, (Shape{1, 3}));
  EXPECT_EQ(ProductOperand(vector, true, DType::f32).view.shape, (Shape{5, 1}));
  EXPECT_EQ(ProductOperand(vector, true, DType::f32).view.strides, (Shape{3, 1}));
}

TEST(ProductOperand, RowsAreContiguousOrCopied) {
  const auto bytes = [](const Shape& shape, const Shape& strides, DType dtype = DType::f32) {
    return ProductOperand::by_rows(layout(shape, strides), dtype).copy_bytes(dtype);
  };
  EXPECT_EQ(bytes({4, 4}, {4, 1}), 0u);
  EXPECT_EQ(bytes({4, 1}, {4, 3}), 0u);
  EXPECT_EQ(bytes({4, 4}, {1, 4}), 64u);
  EXPECT_EQ(bytes({4, 2}, {1, 4}), 64u);
  EXPECT_EQ(bytes({1, 17}, {17, 2}), 128u);
  EXPECT_EQ(bytes({4, 5}, {5, 1}, DType::f64), 192u);
}

}  // namespace
}  // namespace gyre
