// Kernels return early for results of no elements; a result of one is a result.
#include <gtest/gtest.h>

#include <cmath>

#include "gyre/ops/conv/conv.h"
#include "gyre/ops/conv/im2col.h"
#include "gyre/ops/conv/pool.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/index/index.h"
#include "gyre/ops/linalg/decompositions.h"
#include "gyre/ops/linalg/matmul.h"
#include "gyre/ops/linalg/solve.h"
#include "gyre/ops/order/order.h"
#include "gyre/ops/random/random.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/reduce/scan.h"
#include "gyre/ops/shape/shape.h"

namespace gyre {
namespace {

Tensor single(double value, int rank = 1) {
  Shape shape;
  while (shape.rank < rank) shape.push_back(1);
  return full(shape, value, {.dtype = DType::f64});
}

struct SingleCase {
  const char* op;
  double wanted;
  Tensor (*result)();
};

Tensor zeroth() { return full({1}, 0, {.dtype = DType::i64}); }

const SingleCase kSingleCases[] = {
    {"conv2d", 7, [] { return conv2d(single(3, 4), single(2, 4), single(1)); }},
    {"conv_transpose2d", 7, [] { return conv_transpose2d(single(3, 4), single(2, 4), single(1)); }},
    {"weight", 6, [] { return conv2d_weight_gradient(single(3, 4), single(2, 4), {}); }},
    {"max_pool2d", 3, [] { return max_pool2d(single(3, 4), {}); }},
    {"avg_pool2d", 3, [] { return avg_pool2d(single(3, 4), {}); }},
    {"avg_pool2d_gradient", 3, [] { return avg_pool2d_gradient(single(3, 4), {}); }},
    {"im2col", 3, [] { return im2col(single(3, 4), {}); }},
    {"col2im", 3, [] { return col2im(single(3, 3), {}); }},
    {"cholesky", 2, [] { return cholesky(single(4, 2)); }},
    {"det", 4, [] { return det(single(4, 2)); }},
    {"slogdet", -1, [] { return slogdet(single(-4, 2)).sign; }},
    {"eigh", 4, [] { return eigh(single(4, 2)).values; }},
    {"qr", 4, [] { return qr(single(4, 2)).r; }},
    {"svd", 4, [] { return svd(single(4, 2)).s; }},
    {"solve", 0.5, [] { return solve(single(4, 2), single(2)); }},
    {"triangular_solve", 0.5, [] { return triangular_solve(single(4, 2), single(2, 2)); }},
    {"matmul", 6, [] { return matmul(single(3, 2), single(2, 2)); }},
    {"sort", 3, [] { return sort(single(3)).values; }},
    {"argsort", 0, [] { return argsort(single(3)); }},
    {"topk", 3, [] { return topk(single(3), TopkAttrs{}).values; }},
    {"searchsorted", 1, [] { return searchsorted(single(3), single(4)); }},
    {"argmax", 1, [] { return argmax(arange(0, 2)); }},
    {"cumsum", 3, [] { return cumsum(single(3), 0); }},
    {"triu", 0, [] { return triu(single(3, 2), 1); }},
    {"flip", 3, [] { return flip(single(3)); }},
    {"overlap_add", 3, [] { return overlap_add(single(3, 2), {.length = 1}); }},
    {"gather", 3, [] { return gather(single(3), 0, zeroth()); }},
    {"scatter", 5, [] { return scatter(single(3), 0, zeroth(), single(5)); }},
    {"scatter_add", 8, [] { return scatter_add(single(3), 0, zeroth(), single(5)); }},
    {"scatter_reduce", 8, [] { return scatter_reduce(single(3), zeroth(), single(5), {}); }},
    {"index_add", 8, [] { return index_add(single(3), 0, zeroth(), single(5)); }},
    {"randint", 7, [] { return randint(7, 8, {1}); }},
    {"bernoulli", 1, [] { return bernoulli(1, {1}); }},
};

TEST(OneElement, IsComputed) {
  for (const SingleCase& c : kSingleCases) {
    {  // what the allocator gives out next
      Tensors spoilt;
      for (int i = 0; i < 40; ++i) spoilt.push_back(single(1e6));
    }
    const Tensor result = c.result();
    ASSERT_EQ(result.numel(), 1) << c.op;
    EXPECT_NEAR(result.item(), c.wanted, 1e-12) << c.op;
  }
  EXPECT_NEAR(slogdet(single(-4, 2)).logabsdet.item(), std::log(4), 1e-12);
}

}  // namespace
}  // namespace gyre
