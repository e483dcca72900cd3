#include "gyre/nn/sequence/transformer.h"

#include <gtest/gtest.h>

#include <cmath>

#include "gyre/autograd/backward.h"
#include "gyre/nn/linear.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/linalg/matmul.h"
#include "gyre/ops/norm/norm.h"
#include "gyre/ops/random/random.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/tensor/allocator.h"
#include "tests/largest_difference.h"
#include "tests/thrown.h"

namespace gyre::nn {
namespace {

Tensor drawn(const Shape& shape, uint64_t seed) {
  Generator generator{seed, 0};
  return randn(shape, {.dtype = DType::f64, .generator = &generator});
}

Tensor part(const Tensor& t, int64_t axis, int64_t i, int64_t n) {
  return slice(t, {axis, i * n, (i + 1) * n, 1});
}

// Multi-head attention computed one head at a time.
Tensor attention(const MultiHeadAttention& m, int64_t heads, const Tensor& query, const Tensor& key,
                 const Tensor& value, const Tensor& added) {
  int64_t width = query.size(2), each = width / heads;
  auto project = [&](const Tensor& x, int64_t i) {
    return matmul(x, transpose(part(m.in_proj_weight, 0, i, width), 0, 1)) +
           part(m.in_proj_bias, 0, i, width);
  };
  Tensor q = project(query, 0), k = project(key, 1), v = project(value, 2);
  Tensors out;
  for (int64_t h = 0; h < heads; ++h) {
    Tensor scores = matmul(part(q, 2, h, each), transpose(part(k, 2, h, each), 1, 2)) /
                    std::sqrt(static_cast<double>(each));
    if (added.defined()) scores = scores + added;
    out.push_back(matmul(softmax(scores, 2), part(v, 2, h, each)));
  }
  return matmul(cat(out, 2), transpose(m.out_proj.weight, 0, 1)) + m.out_proj.bias;
}

TEST(MultiHeadAttention, MatchesTheFormula) {
  MultiHeadAttention layer({.width = 6, .heads = 3});
  layer.to(DType::f64);
  Tensor x = drawn({2, 4, 6}, 1), memory = drawn({2, 5, 6}, 2), values = drawn({2, 5, 6}, 3);
  EXPECT_LE(largest_difference(layer(x), attention(layer, 3, x, x, x, {})), 1e-13);
  EXPECT_LE(largest_difference(layer(x, memory), attention(layer, 3, x, memory, memory, {})),
            1e-13);
  Tensor mask = drawn({4, 5}, 4);
  EXPECT_LE(largest_difference(layer(x, memory, values, mask),
                               attention(layer, 3, x, memory, values, mask)),
            1e-13);
}

TEST(MultiHeadAttention, CausalEqualsALowerTriangularMask) {
  Generator one{1, 0}, two{1, 0};
  MultiHeadAttention causal({.width = 4, .heads = 2, .causal = true}, &one);
  MultiHeadAttention plain({.width = 4, .heads = 2}, &two);
  causal.to(DType::f64);
  plain.to(DType::f64);
  Tensor x = drawn({1, 5, 4}, 1), seen = tril(gyre::ones({5, 5}, {.dtype = DType::boolean}));
  EXPECT_LE(largest_difference(causal(x), plain(x, {}, {}, seen)), 1e-14);
  EXPECT_EQ(code_of([&] { plain(drawn({5, 4}, 1)); }), Code::shape);
}

TEST(Transformer, LayersMatchTheFormula) {
  for (bool first : {false, true}) {
    TransformerEncoderLayer layer({.width = 4, .heads = 2, .norm_first = first});
    layer.to(DType::f64);
    layer.eval();
    Tensor x = drawn({2, 3, 4}, 1);
    auto feed = [&](const Tensor& y) { return layer.linear2(relu(layer.linear1(y))); };
    Tensor wanted;
    if (first) {
      Tensor y = x + layer.self_attn(layer.norm1(x));
      wanted = y + feed(layer.norm2(y));
    } else {
      Tensor y = layer.norm1(x + layer.self_attn(x));
      wanted = layer.norm2(y + feed(y));
    }
    EXPECT_LE(largest_difference(layer(x), wanted), 1e-14);
  }
}

TEST(Transformer, DecodersAttendToTheMemory) {
  TransformerDecoder decoder(
      {.layers = 2, .layer = {.width = 4, .heads = 2, .causal = true}, .norm = true});
  decoder.to(DType::f64);
  decoder.eval();
  Tensor x = drawn({2, 3, 4}, 1), memory = drawn({2, 5, 4}, 2), y = x;
  for (auto& l : decoder.layers) {
    y = l.norm1(y + l.self_attn(y));
    y = l.norm2(y + l.multihead_attn(y, memory));
    y = l.norm3(y + l.linear2(relu(l.linear1(y))));
  }
  EXPECT_LE(largest_difference(decoder(x, memory), decoder.norm[0](y)), 1e-14);
  // causal: a token does not attend to later tokens
  Tensor changed = cat({part(x, 1, 0, 2), drawn({2, 1, 4}, 9)}, 1);
  EXPECT_EQ(largest_difference(part(decoder(changed, memory), 1, 0, 2),
                               part(decoder(x, memory), 1, 0, 2)),
            0);
}

TEST(Transformer, CheckpointsEverySoManyLayersWithTheSameGradients) {
  struct Net final : Module {
    TransformerEncoder encoder{
        {.layers = 5, .layer = {.width = 8, .heads = 2, .inner = 8, .dropout = 0.2}}};
    TransformerDecoder decoder{{.layers = 3, .layer = {.width = 8, .heads = 2, .inner = 8}}};
    void visit(Visitor& v) override {
      v.module("encoder", encoder);
      v.module("decoder", decoder);
    }
  } net;
  net.to(DType::f64);
  const Tensor x = drawn({2, 64, 8}, 1), y = drawn({2, 3, 8}, 2);
  const auto run = [&](int64_t every) {
    net.set_gradient_checkpointing(every);
    net.zero_grad();
    GeneratorScope same{Generator{7}};
    const size_t before = allocator::stats().in_use;
    const Tensor memory = net.encoder(x), loss = sum(square(net.decoder(y, memory)));
    const size_t held = allocator::stats().in_use - before;
    loss.backward();
    std::vector<std::vector<double>> gradients;
    for (const Tensor& t : net.parameters()) gradients.push_back(to_vector<double>(t.grad()));
    return std::pair(gradients, held);
  };
  const auto [gradients, held] = run(0);
  for (int64_t every : {1, 2, 3, 9}) {
    const auto [again, less] = run(every);
    EXPECT_EQ(again, gradients) << every;
    EXPECT_LT(less, held / 2) << every;
  }
  EXPECT_EQ(code_of([&] { net.set_gradient_checkpointing(-1); }), Code::value);
  Linear without(2, 2);
  EXPECT_EQ(code_of([&] { without.set_gradient_checkpointing(1); }), Code::unsupported);
}

TEST(Transformer, AppliesDropoutInTrainingOnly) {
  TransformerEncoder encoder({.layer = {.width = 4, .dropout = 0.5}});
  Tensor x = ones({1, 3, 4});
  EXPECT_GT(largest_difference(encoder(x), encoder(x)), 0);
  encoder.eval();
  EXPECT_EQ(largest_difference(encoder(x), encoder(x)), 0);
}

}  // namespace
}  // namespace gyre::nn
