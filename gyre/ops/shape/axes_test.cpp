#include <gtest/gtest.h>

#include "gyre/ops/create/create.h"
#include "gyre/ops/shape/shape.h"
#include "tests/elements.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

using Numbers = std::vector<double>;

TEST(MoveDim, KeepsTheOrderOfTheOthers) {
  Tensor x = counting({2, 3, 4, 5});
  EXPECT_EQ(movedim(x, 0, -1).shape(), (Shape{3, 4, 5, 2}));
  EXPECT_EQ(movedim(x, {0, 1}, {2, 0}).shape(), (Shape{3, 4, 2, 5}));
  EXPECT_EQ(elements(movedim(x, 1, 0)), elements(permute(x, {1, 0, 2, 3})));
  EXPECT_EQ(movedim(counting({}), Shape{}, Shape{}).rank(), 0);
  EXPECT_EQ(code_of([&] { movedim(x, {0, 1}, {2}); }), Code::value);
  EXPECT_EQ(code_of([&] { movedim(x, {0, -4}, {2, 1}); }), Code::value);
  EXPECT_EQ(code_of([&] { movedim(x, 4, 0); }), Code::index);
}

TEST(Narrow, TakesWhatIsThereOrRefuses) {
  Tensor x = counting({5});
  EXPECT_EQ(elements(narrow(x, 0, 1, 3)), (Numbers{1, 2, 3}));
  EXPECT_EQ(elements(narrow(x, 0, -2, 2)), (Numbers{3, 4}));
  EXPECT_EQ(narrow(x, 0, 5, 0).numel(), 0);
  for (auto [start, length] : {std::pair{3, 3}, {-6, 1}, {6, 0}, {0, -1}}) {
    EXPECT_EQ(code_of([&] { narrow(x, 0, start, length); }), Code::index) << start;
  }
}

TEST(MeshGrid, VariesEachVectorAlongAnAxis) {
  Tensor x = counting({2}), y = counting({3});
  Tensors ij = meshgrid(Tensors{x, y}), xy = meshgrid(Tensors{x, y}, Indexing::xy);
  EXPECT_EQ(elements(ij[0]), (Numbers{0, 0, 0, 1, 1, 1}));
  EXPECT_EQ(elements(ij[1]), (Numbers{0, 1, 2, 0, 1, 2}));
  EXPECT_EQ(xy[0].shape(), (Shape{3, 2}));
  EXPECT_EQ(elements(xy[0]), (Numbers{0, 1, 0, 1, 0, 1}));
  EXPECT_EQ(elements(xy[1]), (Numbers{0, 0, 1, 1, 2, 2}));
  EXPECT_TRUE(meshgrid({}).empty());
  EXPECT_EQ(code_of([&] { meshgrid(Tensors{counting({2, 2})}); }), Code::shape);
}

TEST(Diag, IsAVectorsMatrixOrAMatrixesVector) {
  EXPECT_EQ(elements(diag(counting({2}), 1)), (Numbers{0, 0, 0, 0, 0, 1, 0, 0, 0}));
  EXPECT_EQ(elements(diag(counting({2, 3}))), (Numbers{0, 4}));
  EXPECT_EQ(code_of([&] { diag(counting({2, 2, 2})); }), Code::shape);
}

TEST(Diagonal, AndUnfoldShareMemory) {
  Tensor x = counting({3, 3});
  EXPECT_EQ(diagonal(x, {.offset = 1}).impl()->storage, x.impl()->storage);
  EXPECT_EQ(unfold(x, {1, 2, 1}).impl()->storage, x.impl()->storage);
}

TEST(OverlapAdd, OfLongLinesUndoesUnfoldButForTheirOverlap) {
  Tensor x = counting({3, 2000});
  Tensor apart = unfold(x, {1, 40, 40}), twice = unfold(x, {1, 40, 20});
  EXPECT_EQ(elements(overlap_add(apart, {1, 40, 2000})), elements(x));
  std::vector<double> y = elements(overlap_add(twice, {1, 20, 2000}));
  for (size_t i = 0; i < y.size(); ++i) {
    bool at_the_ends = i % 2000 < 20 || i % 2000 >= 1980;
    ASSERT_EQ(y[i], static_cast<double>(at_the_ends ? i : 2 * i)) << i;
  }
}

TEST(Tile, NeverGivesTheMemoryOfItsOperand) {
  for (const Tensor& x : {counting({3}), counting({1})}) {
    for (const Shape& repeats : {Shape{}, Shape{1}, Shape{4}}) {
      Tensor y = tile(x, repeats);
      EXPECT_NE(y.impl()->storage, x.impl()->storage);
      EXPECT_TRUE(y.is_contiguous());
    }
  }
  EXPECT_NE(repeat_interleave(counting({1}), 3, 0).strides()[0], 0);
}

}  // namespace
}  // namespace gyre
