#include "gyre/models/gpt2/gpt.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "gyre/autograd/backward.h"
#include "gyre/base/error.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/random/random.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/tensor/allocator.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

GptOptions small() {
  GptOptions o;
  o.vocab = 13;
  o.block_size = 6;
  o.layers = 2;
  o.heads = 2;
  o.width = 8;
  return o;
}

Tensor row(std::vector<int32_t> ids) {
  auto n = static_cast<int64_t>(ids.size());
  return tensor(ids, {1, n});
}

double deviation(const Tensor& t) {
  double squares = 0;
  for (double v : to_vector<double>(t)) squares += v * v;
  return std::sqrt(squares / static_cast<double>(t.numel()));
}

struct Pass {
  std::vector<std::vector<float>> gradients;
  size_t peak = 0;  // above the model's memory
};

Pass pass_over(Gpt& model, const Tensor& tokens) {
  size_t before = allocator::stats().in_use;
  allocator::reset_peak();
  model.loss(tokens, tokens).backward();
  Pass pass;
  pass.peak = allocator::stats().peak - before;
  for (const auto& p : model.named_parameters()) {
    pass.gradients.push_back(to_vector<float>(p.tensor.grad()));
    Tensor(p.tensor).zero_grad();
  }
  return pass;
}

TEST(Gpt, CheckpointingGivesTheSameGradients) {
  GptOptions o = small();
  o.layers = 48;
  o.width = 32;
  o.block_size = 64;
  o.dropout = 0.1;
  GeneratorScope seed{Generator{5}};
  Gpt model(o);
  Tensor tokens = randint(0, o.vocab, {2, o.block_size});
  const auto run = [&](Ref<CheckpointBudget> budget) {
    GeneratorScope again{Generator{6}};
    model.checkpoints = std::move(budget);
    return pass_over(model, tokens);
  };
  run({});
  Pass plain = run({});
  for (int64_t percent : {100, 40, 10, 0}) {
    auto budget = make_ref<CheckpointBudget>(static_cast<int64_t>(plain.peak) * percent / 100);
    Pass under = run(budget);
    EXPECT_EQ(under.gradients, plain.gradients);
    EXPECT_EQ(budget->kept(), 0) << "backward has consumed everything";
    EXPECT_EQ(budget->dropped() == 0, percent == 100);
    std::printf("| 48 layers, budget %lld %%: peak %zu of %zu bytes, %lld blocks run twice\n",
                static_cast<long long>(percent), under.peak, plain.peak,
                static_cast<long long>(budget->dropped()));
    EXPECT_LT(percent <= 40 ? under.peak : 0, plain.peak * 7 / 10);
  }
}

TEST(Gpt, CountsParametersFromOptions) {
  for (bool bias : {false, true}) {
    for (bool tied : {false, true}) {
      for (int64_t inner : {0, 12}) {
        GptOptions o = small();
        o.bias = bias;
        o.tie_embeddings = tied;
        o.inner = inner;
        EXPECT_EQ(parameter_count(o), static_cast<double>(Gpt(o).parameter_count()));
      }
    }
  }
}

TEST(Gpt, InitialisesLikeNanoGpt) {
  GptOptions o = small();
  o.width = 64;
  o.layers = 8;
  Generator g{1, 0};
  Gpt model(o, &g);
  EXPECT_NEAR(deviation(model.h[3].attn.c_attn.weight), 0.02, 5e-4);
  EXPECT_NEAR(deviation(model.h[3].mlp.c_fc.weight), 0.02, 5e-4);
  EXPECT_NEAR(deviation(model.h[3].attn.c_proj.weight), 0.005, 2e-4);
  EXPECT_NEAR(deviation(model.h[3].mlp.c_proj.weight), 0.005, 2e-4);
  EXPECT_EQ(deviation(model.h[3].mlp.c_proj.bias), 0);
  EXPECT_EQ(to_vector<float>(model.h[3].ln_1.weight)[5], 1);
  EXPECT_NEAR(model.loss(row({1, 2, 3}), row({2, 3, 4})).item(), std::log(13.0), 0.1);
}

TEST(Gpt, InitialisationIsSeeded) {
  Generator a{5, 0}, b{5, 0};
  Gpt first(small(), &a), second(small(), &b);
  EXPECT_EQ(to_vector<float>(first(row({1, 2}))), to_vector<float>(second(row({1, 2}))));
}

TEST(Gpt, DrawsAfterTheNumbersThatItsLayersWouldDraw) {
  Generator g{5, 2}, expected = g;
  Gpt model(small(), &g);
  for (const NamedTensor& p : model.named_parameters()) {
    if (p.name.find("ln_") == std::string::npos) (void)nn::normal(p.tensor.shape(), 1, &expected);
  }
  for (const NamedTensor& p : model.named_parameters()) {
    if (p.tensor.rank() < 2) continue;
    const double deviation = p.name.ends_with("c_proj.weight") ? 0.02 / std::sqrt(4.0) : 0.02;
    EXPECT_EQ(to_vector<float>(p.tensor),
              to_vector<float>(nn::normal(p.tensor.shape(), deviation, &expected)));
  }
  EXPECT_EQ(g.offset, expected.offset);
}

TEST(Gpt, CountsParameters) {
  GptOptions o = small();
  int64_t block = 2 * (8 + 8) + (24 * 8 + 24) + (8 * 8 + 8) + (32 * 8 + 32) + (8 * 32 + 8);
  EXPECT_EQ(Gpt(o).parameter_count(), 13 * 8 + 6 * 8 + 2 * block + 16);
  o.tie_embeddings = false;
  EXPECT_EQ(Gpt(o).parameter_count(), 2 * 13 * 8 + 6 * 8 + 2 * block + 16);
  o = small();
  o.bias = false;
  EXPECT_EQ(Gpt(o).parameter_count(), 13 * 8 + 6 * 8 + 2 * (2 * 8 + 12 * 64) + 8);
}

TEST(Gpt, IsCausal) {
  Gpt model(small());
  Tensor a = model(row({1, 2, 3, 4})), b = model(row({1, 2, 9, 9}));
  EXPECT_EQ(to_vector<float>(slice(a, {1, 0, 2, 1})), to_vector<float>(slice(b, {1, 0, 2, 1})));
  EXPECT_NE(to_vector<float>(slice(a, {1, 2, 3, 1})), to_vector<float>(slice(b, {1, 2, 3, 1})));
}

TEST(Gpt, EveryParameterGetsAGradient) {
  for (bool tied : {true, false}) {
    GptOptions o = small();
    o.tie_embeddings = tied;
    Gpt model(o);
    model.loss(row({1, 2, 3, 4, 5, 6}), row({2, 3, 4, 5, 6, 7})).backward();
    for (const NamedTensor& p : model.named_parameters()) {
      ASSERT_TRUE(p.tensor.grad().defined()) << p.name;
      EXPECT_TRUE(p.tensor.grad().is_contiguous()) << p.name;
      EXPECT_GT(deviation(p.tensor.grad()), 0) << p.name;
    }
  }
}

TEST(Gpt, CachedLogitsMatchTheFullForward) {
  Gpt model(small());
  std::vector<int32_t> ids{3, 1, 4, 1, 5, 9};
  std::vector<float> whole = to_vector<float>(model(row(ids)));
  TokenCache cache = model.cache(1);
  for (int round = 0; round < 2; ++round) {
    size_t seen = 0;
    for (size_t n : {2, 1, 3}) {  // in chunks
      std::vector<int32_t> piece(ids.begin() + static_cast<std::ptrdiff_t>(seen),
                                 ids.begin() + static_cast<std::ptrdiff_t>(seen + n));
      seen += n;
      std::vector<float> logits = to_vector<float>(model.next(row(piece), cache));
      for (size_t i = 0; i < 13; ++i) EXPECT_NEAR(logits[i], whole[(seen - 1) * 13 + i], 1e-5);
    }
    EXPECT_EQ(cache.longest, 6);
    EXPECT_EQ(to_vector<int64_t>(cache.lengths), (std::vector<int64_t>{6}));
    EXPECT_EQ(code_of([&] { model.next(row({1}), cache); }), Code::value);
    cache.clear();
  }
}

// Rows of one cache, filled by themselves through views of it, then decoded together.
TEST(Gpt, RowsOfDifferentLengthsGiveTheLogitsOfEachAlone) {
  GptOptions o = small();
  o.block_size = 200;  // more than one block of keys
  Generator g{1, 0};
  Gpt model(o, &g);
  const std::vector<int64_t> lengths{150, 1, 4};
  TokenCache all = model.cache(3), alone[3];
  Generator draw{2, 0};
  for (int64_t r = 0; r < 3; ++r) {
    const auto row_of = [r](const Tensor& t) { return slice(t, {0, r, r + 1, 1}); };
    TokenCache part{{}, row_of(all.lengths), 0};
    for (const nn::KeyValueCache& c : all.layers) {
      part.layers.push_back({row_of(c.keys), row_of(c.values), part.lengths});
    }
    Tensor prompt = randint(0, 13, {1, lengths[static_cast<size_t>(r)]},
                            {.dtype = DType::i64, .generator = &draw});
    alone[r] = model.cache(1);
    Tensor one = model.next(prompt, alone[r]);
    EXPECT_EQ(to_vector<float>(model.next(prompt, part)), to_vector<float>(one));
    all.longest = std::max(all.longest, part.longest);
  }
  for (int step = 0; step < 3; ++step) {
    Tensor tokens = randint(0, 13, {3, 2}, {.dtype = DType::i64, .generator = &draw});
    std::vector<float> together = to_vector<float>(model.next(tokens, all));
    for (int64_t r = 0; r < 3; ++r) {
      std::vector<float> one =
          to_vector<float>(model.next(slice(tokens, {0, r, r + 1, 1}), alone[r]));
      for (size_t i = 0; i < 13; ++i) {
        EXPECT_NEAR(together[static_cast<size_t>(r) * 13 + i], one[i], 1e-5);
      }
    }
  }
  EXPECT_EQ(to_vector<int64_t>(all.lengths), (std::vector<int64_t>{156, 7, 10}));
}

TEST(Gpt, AFailedCallLeavesTheCacheUnchanged) {
  Gpt model(small());
  TokenCache cache = model.cache(1);
  ASSERT_GT(cache.layers.size(), 1u);
  model.next(row({3, 1}), cache);
  const Tensor kept = model.h.back().mlp.c_proj.weight;
  model.h.back().mlp.c_proj.weight = ones({1, 1});
  EXPECT_EQ(code_of([&] { model.next(row({4}), cache); }), Code::shape);
  EXPECT_EQ(cache.longest, 2);
  EXPECT_EQ(to_vector<int64_t>(cache.lengths), (std::vector<int64_t>{2}));
  model.h.back().mlp.c_proj.weight = kept;
  EXPECT_EQ(code_of([&] { model.next(zeros({2, 1}, {.dtype = DType::i64}), cache); }), Code::shape);
  EXPECT_EQ(to_vector<float>(model.next(row({4}), cache)).size(), 13u);
}

TEST(Gpt, RejectsInvalidShapes) {
  Gpt model(small());
  EXPECT_EQ(code_of([&] { model(row({1, 2, 3, 4, 5, 6, 7})); }), Code::value);
  EXPECT_EQ(code_of([&] { model(row({13})); }), Code::index);
  EXPECT_EQ(code_of([&] { model(row({-1})); }), Code::index);
  EXPECT_EQ(code_of([&] { model(tensor(std::vector<int32_t>{1}, {1})); }), Code::shape);
  EXPECT_EQ(code_of([&] { model(zeros({1, 2})); }), Code::dtype);
  GptOptions o = small();
  o.heads = 3;
  EXPECT_EQ(code_of([&] { Gpt{o}; }), Code::value);
  o = small();
  o.vocab = 0;
  EXPECT_EQ(code_of([&] { Gpt{o}; }), Code::value);
}

}  // namespace
}  // namespace gyre
