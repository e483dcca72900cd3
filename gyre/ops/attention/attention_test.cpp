// Attention across its blocks, with every layout, and what memory it takes.
#include "gyre/ops/attention/attention.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "gyre/autograd/backward.h"
#include "gyre/base/philox.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/random/random.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/in_place.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/tensor/allocator.h"
#include "tests/largest_difference.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

// softmax(scale q k^T) v in the order of the formula.
std::vector<double> by_formula(const Tensor& q, const Tensor& k, const Tensor& v, int64_t offset,
                               bool causal) {
  int64_t queries = q.size(0), keys = k.size(0), width = q.size(1), out = v.size(1);
  const double *query = q.data<double>(), *key = k.data<double>(), *values = v.data<double>();
  std::vector<double> result;
  for (int64_t i = 0; i < queries; ++i) {
    std::vector<double> weight(static_cast<size_t>(keys), 0.0);
    double sum = 0;
    for (int64_t j = 0; j < keys; ++j) {
      if (causal && j > i + offset) continue;
      double score = 0;
      for (int64_t c = 0; c < width; ++c) {
        score += query[i * width + c] * key[j * width + c];
      }
      sum += weight[static_cast<size_t>(j)] =
          std::exp(score / std::sqrt(static_cast<double>(width)));
    }
    for (int64_t c = 0; c < out; ++c) {
      double value = 0;
      for (int64_t j = 0; j < keys; ++j) {
        value += weight[static_cast<size_t>(j)] * values[j * out + c];
      }
      result.push_back(value / sum);
    }
  }
  return result;
}

TEST(Attention, FollowsTheFormulaAtTheEdgesOfBlocks) {
  GeneratorScope seed{Generator{3}};
  for (int64_t queries : {1, 63, 64, 65, 130}) {
    for (int64_t keys : {1, 127, 128, 129, 260}) {
      for (int64_t out : {3, 129}) {
        for (int causal : {0, 1}) {
          int64_t offset = std::max<int64_t>(keys - queries, 0);
          TensorOptions f64{.dtype = DType::f64};
          Tensor q = randn({queries, 5}, f64), k = randn({keys, 5}, f64),
                 v = randn({keys, out}, f64);
          Tensor lengths = keys < queries ? Tensor() : tensor(std::vector<int64_t>{keys}, {});
          Tensor got =
              scaled_dot_product_attention(q, k, v, Tensor(), lengths, {.causal = causal == 1});
          std::vector<double> want = by_formula(q, k, v, offset, causal == 1);
          EXPECT_LT(largest_difference(to_vector<double>(got), want), 1e-12)
              << queries << " x " << keys << " x " << out << " " << causal;
        }
      }
    }
  }
}

TEST(Attention, ValuesWithoutWidthGiveNoGradient) {
  Tensor q = ones({3, 4}, {.requires_grad = true}), k = ones({5, 4}, {.requires_grad = true}),
         v = zeros({5, 0}, {.requires_grad = true});
  Tensor y = scaled_dot_product_attention(q, k, v);
  EXPECT_EQ(y.shape(), (Shape{3, 0}));
  backward(Tensors{y}, Tensors{ones_like(y)});
  EXPECT_EQ(to_vector<float>(q.grad()), std::vector<float>(12, 0));
  EXPECT_EQ(to_vector<float>(k.grad()), std::vector<float>(20, 0));
}

TEST(Attention, AWindowIsAMaskOfDistancesWhereverItsQueriesLie) {
  GeneratorScope seed{Generator{3}};
  Tensor q = randn({3, 4}), k = randn({8, 4}), v = randn({8, 2});
  for (int64_t length : {0, 1, 3, 5, 8}) {
    for (int64_t window : {int64_t{3}, int64_t{16}, INT64_MAX - 2, INT64_MAX}) {
      Tensor near = empty({3, 8}, DType::boolean);
      for (int64_t i = 0; i < 3; ++i) {
        for (int64_t j = 0; j < 8; ++j) {
          near.data<bool>()[i * 8 + j] = j < length && std::abs(length - 3 + i - j) < window;
        }
      }
      Tensor lengths = tensor(std::vector<int64_t>{length}, {});
      EXPECT_EQ(to_vector<float>(
                    scaled_dot_product_attention(q, k, v, Tensor(), lengths, {.window = window})),
                to_vector<float>(scaled_dot_product_attention(q, k, v, near, Tensor())))
          << length << " " << window;
    }
  }
}

// As in decoding with a cache: rows of several lengths at once, whose unset keys may hold anything.
TEST(Attention, EachSequenceSeesItsOwnLengthOnly) {
  GeneratorScope seed{Generator{3}};
  const std::vector<int32_t> lengths{130, 1, 300};
  Tensor q = randn({3, 4, 2, 8}), k = randn({3, 2, 300, 8}), v = randn({3, 2, 300, 8});
  for (int64_t r = 0; r < 3; ++r) {
    const int64_t n = lengths[static_cast<size_t>(r)];
    for (const Tensor& t : {k, v}) fill_(slice(select(t, {0, r}), {1, n, 300, 1}), NAN);
  }
  const AttentionAttrs attrs{.causal = true, .softcap = 2};
  Tensor all = scaled_dot_product_attention(q, k, v, Tensor(), tensor(lengths, {3}), attrs);
  for (int64_t r = 0; r < 3; ++r) {
    const int64_t n = lengths[static_cast<size_t>(r)];
    const auto keys = [&](const Tensor& t) { return slice(select(t, {0, r}), {1, 0, n, 1}); };
    Tensor alone = scaled_dot_product_attention(select(q, {0, r}), keys(k), keys(v), Tensor(),
                                                tensor(std::vector<int64_t>{n}, {}), attrs);
    EXPECT_EQ(to_vector<float>(select(all, {0, r})), to_vector<float>(alone)) << r;
  }
}

TEST(Attention, LengthsAreChecked) {
  Tensor x = ones({2, 1, 3, 4});
  const auto with = [&](const std::vector<int64_t>& lengths) {
    return error_of([&] {
      scaled_dot_product_attention(x, x, x, Tensor(),
                                   tensor(lengths, {static_cast<int64_t>(lengths.size())}));
    });
  };
  Error e = with({3, 4});
  EXPECT_EQ(e.code, Code::index);
  EXPECT_EQ(e.expected, "[0, 4)");
  EXPECT_EQ(e.actual, "4");
  EXPECT_EQ(with({1, 1, 1}).code, Code::shape);
}

TEST(Attention, DropoutDrawsFromTheGeneratorAndBackwardRepeatsIt) {
  Generator g{3};
  Tensor q = ones({2, 3, 4}, {.requires_grad = true}), k = ones({2, 50, 4});
  Tensor v = ones({2, 50, 1}, {.requires_grad = true});
  Tensor one = scaled_dot_product_attention(q, k, v, Tensor(), Tensor(), {.dropout = 0.5}, &g);
  EXPECT_EQ(g.offset, 2 * 3 * 50 / 4 + 0u);
  Tensor other = scaled_dot_product_attention(q, k, v, Tensor(), Tensor(), {.dropout = 0.5}, &g);
  EXPECT_NE(to_vector<float>(one), to_vector<float>(other));
  // all weights are 1/50 before: each column of v gets what its result kept of it
  sum(one).backward();
  EXPECT_NEAR(sum(v.grad()).item(), sum(one).item(), 1e-5);
  for (float x : to_vector<float>(v.grad())) {
    float kept = x * 50 / 2;
    EXPECT_NEAR(kept, std::round(kept), 1e-5);
  }
}

TEST(Attention, SharedKeysAreThoseOfRepeatedOnes) {
  GeneratorScope seed{Generator{3}};
  Tensor q = randn({2, 6, 70, 8}), k = randn({2, 2, 130, 8}), v = randn({2, 2, 130, 5});
  const auto repeat = [](const Tensor& t) {
    Tensors heads;
    for (int64_t h = 0; h < 6; ++h) heads.push_back(select(t, {1, h / 3}));
    return stack(Inputs(heads), 1);
  };
  EXPECT_EQ(to_vector<float>(scaled_dot_product_attention(q, k, v)),
            to_vector<float>(scaled_dot_product_attention(q, repeat(k), repeat(v))));
}

struct Cost {
  size_t forward, gradients;
};

// Bytes in use at most, above those of the operands, by attention alone and with its gradients.
Cost cost(int64_t length, bool heads_outside) {
  GeneratorScope seed{Generator{3}};
  Tensor x[3];
  for (Tensor& t : x) {
    t = heads_outside ? randn({4, length, 32}) : transpose(randn({length, 4, 32}), 0, 1);
    t = t.detach().set_requires_grad();
  }
  size_t before = allocator::stats().in_use;
  allocator::reset_peak();
  Tensor y = scaled_dot_product_attention(x[0], x[1], x[2], {.causal = true});
  Cost c{allocator::stats().peak - before, 0};
  Tensor g = ones_like(y);
  allocator::reset_peak();
  backward(Tensors{y}, Tensors{g});
  c.gradients = allocator::stats().peak - before;
  return c;
}

TEST(Attention, ReadsHeadsInPlaceWhereverTheyLie) {
  cost(1024, true);  // warm
  Cost outside = cost(1024, true), inside = cost(1024, false);
  size_t one = 4 * 1024 * 32 * sizeof(float), slack = one / 4;
  EXPECT_LT(outside.forward, one + slack);
  EXPECT_LT(inside.forward, one + slack);
  EXPECT_LT(outside.gradients, 5 * one + slack);
  EXPECT_LT(inside.gradients, 5 * one + slack);
}

TEST(Attention, TakesMemoryLinearInTheLength) {
  Cost shorter = cost(512, true), longer = cost(2048, true);
  EXPECT_LT(longer.forward, 4 * shorter.forward + 65536);
  EXPECT_LT(longer.gradients, 4 * shorter.gradients + 65536);
}

TEST(Attention, RefusesTheOperandThatDiffers) {
  auto refused = [](const Tensor& q, const Tensor& k, const Tensor& v) {
    return error_of([&] { scaled_dot_product_attention(q, k, v); });
  };
  Tensor x = ones({2, 5, 8});
  Error e = refused(x, x, ones({2, 6, 8}));
  EXPECT_EQ(e.code, Code::shape);
  EXPECT_EQ(e.expected, "[2, 5, out]");
  EXPECT_EQ(e.actual, "[2, 6, 8]");
  e = refused(x, ones({2, 5, 7}), x);
  EXPECT_EQ(e.expected, "[2, keys, 8]");
  EXPECT_EQ(e.actual, "[2, 5, 7]");
  EXPECT_EQ(refused(x, ones({3, 5, 8}), x).actual, "[3, 5, 8]");
  EXPECT_EQ(refused(x, x, ones({5, 8})).actual, "[5, 8]");
  EXPECT_EQ(refused(ones({8}), x, x).actual, "[8]");
  e = refused(x, x, to(x, DType::f64));
  EXPECT_EQ(e.code, Code::dtype);
  EXPECT_EQ(e.expected, "f32");
  EXPECT_EQ(e.actual, "f64");
  EXPECT_EQ(refused(to(x, DType::i32), x, x).actual, "i32");
  e = error_of([&] { scaled_dot_product_attention(x, x, x, {.scale = -1}); });
  EXPECT_EQ(e.actual, "-1");
}

}  // namespace
}  // namespace gyre
