#include "gyre/kernel/pointwise.h"

#include <gtest/gtest.h>

#include "gyre/base/thread_pool.h"
#include "gyre/kernel/convert.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/shape/shape.h"

namespace gyre {
namespace {

constexpr int64_t kStreamed = kStreamBytes / 4;  // floats from which results go past the caches

Tensor counting(int64_t n) {
  Tensor t = empty(Shape{n});
  for (int64_t i = 0; i < n; ++i) t.data<float>()[i] = static_cast<float>(i % 65'536);
  return t;
}

// Rows that are no multiple of a tile, so that later ones do not begin on a cache line.
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
    for (int64_t i = 0; i < n; ++i) ASSERT_EQ(z.data<float>()[i], -x.data<float>()[i]) << i;
  }
}

}  // namespace
}  // namespace gyre
