#include "gyre/ops/attention/cached_attention.h"

#include <gtest/gtest.h>

#include "gyre/ops/create/create.h"
#include "gyre/ops/random/random.h"
#include "gyre/ops/shape/in_place.h"
#include "gyre/ops/shape/shape.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

Tensor lengths_of(const std::vector<int32_t>& lengths) {
  return tensor(lengths, {static_cast<int64_t>(lengths.size())});
}

TEST(WriteTokens, GoToTheEndOfEachRow) {
  GeneratorScope seed{Generator{3}};
  Tensor keys = randn({3, 2, 9, 4}), values = randn({3, 2, 9, 5});
  // as views of one projection: heads after tokens
  Tensor k = transpose(randn({3, 2, 2, 4}), 1, 2), v = transpose(randn({3, 2, 5, 2}), 2, 3);
  Tensor wanted[] = {clone(keys), clone(values)};
  const std::vector<int32_t> lengths{2, 9, 5};
  for (int64_t r = 0; r < 3; ++r) {
    const int64_t end = lengths[static_cast<size_t>(r)];
    copy_(slice(select(wanted[0], {0, r}), {1, end - 2, end, 1}), select(k, {0, r}));
    copy_(slice(select(wanted[1], {0, r}), {1, end - 2, end, 1}), select(v, {0, r}));
  }
  write_tokens({keys}, lengths_of(lengths), k);
  write_tokens({values}, lengths_of(lengths), v);
  EXPECT_EQ(to_vector<float>(keys), to_vector<float>(wanted[0]));
  EXPECT_EQ(to_vector<float>(values), to_vector<float>(wanted[1]));
}

TEST(WriteTokens, RefusesWhatDoesNotFitAndWritesNothing) {
  Tensor cache = zeros({2, 1, 4, 3}), x = ones({2, 1, 2, 3}), lengths = lengths_of({2, 4});
  const auto code = [&](const Tensor& to, const Tensor& n, const Tensor& from) {
    return code_of([&] { write_tokens({to}, n, from); });
  };
  EXPECT_EQ(code(cache, lengths_of({2, 5}), x), Code::index);
  EXPECT_EQ(code(cache, lengths_of({2, 1}), x), Code::index);
  EXPECT_EQ(code(cache, lengths_of({2}), x), Code::shape);
  EXPECT_EQ(code(cache, to(lengths, DType::f32), x), Code::dtype);
  EXPECT_EQ(code(cache, lengths, to(x, DType::i32)), Code::dtype);
  EXPECT_EQ(code(cache, lengths, ones({2, 1, 2, 4})), Code::shape);
  EXPECT_EQ(code(cache, lengths, ones({1, 1, 2, 3})), Code::shape);
  EXPECT_EQ(code(cache, lengths, ones({2, 2, 3})), Code::shape);
  EXPECT_EQ(code(transpose(zeros({2, 1, 3, 4}), 2, 3), lengths, x), Code::shape);
  EXPECT_EQ(code(expand(zeros({1, 1, 4, 3}), {2, 1, 4, 3}), lengths, x), Code::value);
  EXPECT_EQ(code(cache, lengths, ones({2, 1, 2, 3}).set_requires_grad()), Code::value);
  EXPECT_EQ(to_vector<float>(cache), std::vector<float>(24, 0));
}

TEST(WriteTokens, TokensMayBeOfTheCacheItself) {
  Tensor cache = reshape(arange(0, 4, 1, {.dtype = DType::i64}), {1, 1, 4, 1});
  write_tokens({cache}, lengths_of({4}), slice(cache, {2, 0, 3, 1}));
  EXPECT_EQ(to_vector<int64_t>(cache), (std::vector<int64_t>{0, 0, 1, 2}));
}

}  // namespace
}  // namespace gyre
