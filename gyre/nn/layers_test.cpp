#include <gtest/gtest.h>

#include <cmath>
#include <thread>

#include "gyre/autograd/backward.h"
#include "gyre/base/error.h"
#include "gyre/models/decoder/transformer_block.h"
#include "gyre/nn/embedding.h"
#include "gyre/nn/init.h"
#include "gyre/op/node.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/linalg/matmul.h"
#include "gyre/ops/random/random.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/in_place.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/tensor/allocator.h"
#include "tests/largest_difference.h"
#include "tests/thrown.h"

namespace gyre::nn {
namespace {

struct Moments {
  double mean, deviation;
};
Moments moments_of(const Tensor& t) {
  std::vector<double> v = to_vector<double>(t);
  double sum = 0, squares = 0;
  for (double x : v) sum += x, squares += x * x;
  double mean = sum / static_cast<double>(v.size());
  return {mean, std::sqrt(squares / static_cast<double>(v.size()) - mean * mean)};
}

TEST(Init, HasTheRequestedDeviation) {
  Generator g{1, 0};
  EXPECT_NEAR(moments_of(normal({200, 300}, 0.02, &g)).deviation, 0.02, 2e-4);
  EXPECT_NEAR(moments_of(uniform({200, 300}, 0.3, &g)).deviation, 0.3 / std::sqrt(3), 2e-3);
  EXPECT_NEAR(moments_of(xavier({200, 300}, 2, &g)).deviation, 2 * std::sqrt(2.0 / 500), 2e-3);
  EXPECT_NEAR(moments_of(he({200, 300}, 1.5, &g)).deviation, 1.5 / std::sqrt(300.0), 1e-3);
  EXPECT_NEAR(moments_of(he({200, 300}, 1.5, &g)).mean, 0, 1e-3);
  EXPECT_TRUE(normal({2}, 1, &g).requires_grad());
}

TEST(Init, IsReproducibleWithAGenerator) {
  Generator a{5, 0}, b{5, 0};
  Tensor first = normal({7}, 1, &a), second = normal({7}, 1, &a), again = normal({7}, 1, &b);
  EXPECT_EQ(to_vector<float>(first), to_vector<float>(again));
  EXPECT_NE(to_vector<float>(first), to_vector<float>(second));
}

TEST(Init, KeepsWithinTheBound) {
  Generator g{1, 0};
  Tensor t = trunc_normal({200, 300}, 0.5, 1, &g);
  EXPECT_LE(largest_difference(t, gyre::zeros({200, 300})), 0.5);
  EXPECT_NEAR(moments_of(t).deviation, 0.5 * 0.53956,
              1e-3);  // of a normal truncated at one deviation
  EXPECT_TRUE(t.requires_grad());
  EXPECT_EQ(code_of([] { trunc_normal({2}, 1, 0); }), Code::value);
  EXPECT_EQ(to_vector<float>(constant({2}, 3)), (std::vector<float>{3, 3}));
}

TEST(Init, UnfilledTensorsAreNeitherDrawnNorAllocated) {
  const Shape shape{1000, 2000};
  Generator g{5, 0};
  const Generator before = default_generator();
  std::vector<Tensor> made;
  {
    Unfilled scope;
    allocator::reset_peak();
    const size_t in_use = allocator::stats().in_use;
    made = {nn::zeros(shape),
            nn::ones(shape),
            nn::constant(shape, 3),
            normal(shape, 1, &g),
            uniform(shape, 1),
            trunc_normal(shape, 1, 2, &g),
            xavier(shape, 1, &g),
            he(shape, 1, &g),
            orthogonal(shape, 1),
            buffer(shape, 1),
            buffer(shape, 1, DType::i64)};
    EXPECT_LT(allocator::stats().peak, in_use + 4096);
    EXPECT_EQ(code_of([] { trunc_normal({2}, 1, 0); }), Code::value);
  }
  EXPECT_EQ(g.offset, 0u);
  EXPECT_EQ(default_generator().offset, before.offset);
  for (size_t i = 0; i < made.size(); ++i) {
    EXPECT_TRUE(is_unfilled(made[i]));
    EXPECT_EQ(made[i].shape(), shape);
    EXPECT_EQ(made[i].requires_grad(), i < 9);
    EXPECT_EQ(made[i].dtype(), i < 10 ? DType::f32 : DType::i64);
  }
  EXPECT_EQ(code_of([&] { assign(made[0], nn::ones(shape), "weight"); }), Code::value);
}

TEST(Init, UnfilledScopesNest) {
  auto unfilled = [] { return is_unfilled(zeros({2})); };
  EXPECT_FALSE(unfilled());
  {
    Unfilled outer;
    {
      Unfilled inner, without(false);
      EXPECT_TRUE(unfilled());
      bool elsewhere = true;
      std::thread([&] { elsewhere = unfilled(); }).join();
      EXPECT_FALSE(elsewhere);
    }
    EXPECT_TRUE(unfilled());
  }
  Unfilled without(false);
  EXPECT_FALSE(unfilled());
}

TEST(Init, OrthogonalRowsOrColumns) {
  Generator g{1, 0};
  Tensor wide = orthogonal({3, 2, 4}, 2, &g), tall = orthogonal({5, 3}, 1, &g);
  Tensor rows = reshape(wide.detach(), {3, 8});
  EXPECT_LE(largest_difference(matmul(rows, transpose(rows, 0, 1)), 4.0 * eye(3)), 1e-5);
  EXPECT_LE(largest_difference(matmul(transpose(tall, 0, 1), tall), eye(3)), 1e-6);
  // signs are symmetric
  double mean = 0;
  for (int i = 0; i < 400; ++i) mean += orthogonal({2, 2}, 1, &g).detach().data<float>()[0] / 400;
  EXPECT_NEAR(mean, 0, 0.15);
  EXPECT_EQ(code_of([] { orthogonal({4}); }), Code::shape);
  EXPECT_NEAR(moments_of(he({200, 300}, 1, &g, FanMode::out)).deviation, 1 / std::sqrt(200.0),
              1e-3);
}

TEST(Init, FansIncludeTheKernel) {
  Fan fan = fan_of({4, 3, 5, 5});
  EXPECT_EQ(fan.in, 75);
  EXPECT_EQ(fan.out, 100);
  EXPECT_EQ(code_of([] { fan_of({4}); }), Code::shape);
  EXPECT_EQ(code_of([] {
              xavier({int64_t{3} << 40, int64_t{1} << 40}, 1, nullptr);
            }),
            Code::resource);
}

TEST(Linear, EmptyBatchGivesGradientsToAllParameters) {
  Linear layer({.in = 4, .out = 3});
  sum(layer(zeros({0, 4}))).backward();
  for (const NamedTensor& p : layer.named_parameters()) {
    ASSERT_TRUE(p.tensor.grad().defined()) << p.name;
    EXPECT_EQ(largest_difference(p.tensor.grad(), zeros_like(p.tensor)), 0) << p.name;
  }
}

TEST(Linear, IsAnAffineMapOfTheLastAxis) {
  Linear layer(2, 3);
  assign(layer.weight, tensor({{1, 2}, {3, 4}, {5, 6}}), "weight");
  assign(layer.bias, tensor({10, 20, 30}), "bias");
  EXPECT_EQ(to_vector<float>(layer(tensor({{1, 1}, {0, 2}}))),
            (std::vector<float>{13, 27, 41, 14, 28, 42}));
  EXPECT_EQ(code_of([] { Linear(0, 3); }), Code::value);
  EXPECT_EQ(code_of([] { Linear(3, -1); }), Code::value);
}

TEST(Embedding, LooksUpRows) {
  Embedding table({3, 2});
  assign(table.weight, tensor({{1, 2}, {3, 4}, {5, 6}}), "weight");
  EXPECT_EQ(to_vector<float>(table(tensor(std::vector<int32_t>{2, 0}, {2}))),
            (std::vector<float>{5, 6, 1, 2}));
  EXPECT_EQ(code_of([&] { table(tensor(std::vector<int32_t>{3}, {1})); }), Code::index);
  EXPECT_EQ(code_of([] { Embedding({0, 2}); }), Code::value);
}

TEST(LayerNorm, NormalisesRowsWithAndWithoutBias) {
  LayerNorm norm({4, 0.0, false});
  Tensor x = tensor({{1, 2, 3, 4}, {-8, 0, 0, 8}});
  std::vector<float> y = to_vector<float>(norm(x));
  EXPECT_NEAR(y[0], -1.5 / std::sqrt(1.25), 1e-6);
  EXPECT_NEAR(y[7], 8 / std::sqrt(32.0), 1e-6);
  EXPECT_EQ(norm.parameter_count(), 4);
  LayerNorm full({4});
  assign(full.bias, tensor({1, 1, 1, 1}), "bias");
  EXPECT_NEAR(to_vector<float>(full(x))[0], 1 - 1.5 / std::sqrt(1.25), 1e-4);
  EXPECT_EQ(norm(to(x, DType::bf16)).dtype(), DType::f32) << "f32 weights";
  norm.to(DType::bf16);
  EXPECT_EQ(norm(to(x, DType::bf16)).dtype(), DType::bf16);
  EXPECT_EQ(code_of([] { LayerNorm({0}); }), Code::value);
}

TEST(Dropout, ActsInTrainingOnly) {
  Dropout drop({0.25});
  Tensor x = gyre::ones({10000});
  double kept = sum(ne(drop(x), Tensor(0.0))).item();
  EXPECT_NEAR(kept, 7500, 200);
  drop.eval();
  EXPECT_EQ(sum(drop(x)).item(), 10000);
  EXPECT_EQ(code_of([] { Dropout({1.5}); }), Code::value);
}

TEST(Mlp, ActivationsAreTheOps) {
  Tensor x = tensor({-1.5, 0, 0.5, 3});
  EXPECT_EQ(largest_difference(activate(x, Activation::gelu), gelu(x)), 0);
  EXPECT_EQ(largest_difference(activate(x, Activation::gelu_tanh), gelu_tanh(x)), 0);
  EXPECT_EQ(largest_difference(activate(x, Activation::relu), relu(x)), 0);
  EXPECT_EQ(largest_difference(activate(x, Activation::silu), silu(x)), 0);
  Mlp mlp({.width = 4, .activation = Activation::relu});
  EXPECT_EQ(mlp.c_fc.weight.shape(), (Shape{16, 4}));
}

class Attention : public ::testing::Test {
 protected:
  Generator generator_{3, 0};
  CausalSelfAttention layer_{{.heads = 3, .width = 12}, &generator_};
  Tensor x_ = randn({2, 5, 12}, {.generator = &generator_});

  static KeyValueCache cache_of(int64_t rows, double length) {
    return {{empty({rows, 3, 5, 4})},
            {empty({rows, 3, 5, 4})},
            full({rows}, length, {.dtype = DType::i64})};
  }
  static Tensor positions_of(int64_t rows, int64_t begin, int64_t end) {
    const Tensor row =
        arange(static_cast<double>(begin), static_cast<double>(end), 1, {.dtype = DType::i64});
    return expand(row, {rows, end - begin});
  }
};

TEST_F(Attention, DoesNotSeeTheFuture) {
  Tensor changed = clone(x_);
  for (int64_t i = 3 * 12; i < 5 * 12; ++i) changed.data<float>()[i] += 1;  // row 0, tokens 3 and 4
  Tensor a = layer_(x_), b = layer_(changed);
  EXPECT_EQ(largest_difference(slice(a, {1, 0, 3, 1}), slice(b, {1, 0, 3, 1})), 0);
  EXPECT_GT(largest_difference(slice(a, {1, 3, 4, 1}), slice(b, {1, 3, 4, 1})), 1e-3);
}

TEST_F(Attention, EqualsItsDefinition) {
  Tensor qkv = layer_.c_attn[0](x_);
  std::vector<float> v = to_vector<float>(qkv);
  auto at = [&](int64_t b, int64_t t, int64_t part, int64_t head, int64_t i) {
    return static_cast<double>(v[static_cast<size_t>((b * 5 + t) * 36 + part * 12 + head * 4 + i)]);
  };
  Tensor mixed = empty({2, 5, 12});
  for (int64_t b = 0; b < 2; ++b) {
    for (int64_t head = 0; head < 3; ++head) {
      for (int64_t t = 0; t < 5; ++t) {
        double sum = 0, out[4] = {};
        for (int64_t s = 0; s <= t; ++s) {
          double dot = 0;
          for (int64_t i = 0; i < 4; ++i) dot += at(b, t, 0, head, i) * at(b, s, 1, head, i);
          double weight = std::exp(dot / 2);
          sum += weight;
          for (int64_t i = 0; i < 4; ++i) out[i] += weight * at(b, s, 2, head, i);
        }
        for (int64_t i = 0; i < 4; ++i) {
          mixed.data<float>()[(b * 5 + t) * 12 + head * 4 + i] = static_cast<float>(out[i] / sum);
        }
      }
    }
  }
  EXPECT_LE(largest_difference(layer_(x_), layer_.c_proj(mixed)), 1e-6);
}

TEST_F(Attention, WithACacheGivesTheSame) {
  Tensor one = slice(x_, {0, 0, 1, 1}), whole = layer_(one);
  KeyValueCache cache = cache_of(1, 0);
  const auto next = [&](int64_t begin, int64_t end) {
    fill_(cache.lengths, static_cast<double>(end));
    return layer_(slice(one, {1, begin, end, 1}), cache, positions_of(1, begin, end), end);
  };
  Tensor pieces[] = {next(0, 2), next(2, 3), next(3, 5)};
  EXPECT_LE(largest_difference(cat(Inputs(pieces), 1), whole), 1e-6);
  fill_(cache.lengths, 6);
  EXPECT_EQ(code_of([&] {
              layer_(slice(one, {1, 0, 1, 1}), cache, positions_of(1, 5, 6), 6);
            }),
            Code::index);
}

TEST_F(Attention, RefusesHeadsThatDoNotDivide) {
  EXPECT_EQ(code_of([] { CausalSelfAttention({.heads = 3, .width = 10}); }), Code::value);
  EXPECT_EQ(code_of([] { CausalSelfAttention({.heads = 0, .width = 10}); }), Code::value);
}

TEST_F(Attention, ABlockAddsBothBranches) {
  TransformerBlock block({.heads = 3, .width = 12}, &generator_);
  Tensor y = x_ + block.attn(block.ln_1(x_));
  EXPECT_EQ(largest_difference(block(x_), y + block.mlp(block.ln_2(y))), 0);
  KeyValueCache cache = cache_of(2, 5);
  EXPECT_LE(largest_difference(block(x_, cache, positions_of(2, 0, 5), 5), block(x_)), 1e-6);
}

}  // namespace
}  // namespace gyre::nn
