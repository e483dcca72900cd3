#include "gyre/models/decoder/decoder.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "gyre/autograd/backward.h"
#include "gyre/base/error.h"
#include "gyre/base/system/file.h"
#include "gyre/io/record_json.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/random/random.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/tensor/allocator.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

DecoderOptions small() {
  DecoderOptions o;
  o.vocab = 13;
  o.block_size = 6;
  o.layers = 2;
  o.heads = 2;
  o.width = 8;
  return o;
}

// GPT-2, and decoders with other options: each option is in one of them.
std::vector<DecoderOptions> kinds() {
  std::vector<DecoderOptions> all(5, small());
  DecoderOptions &modern = all[1], &grouped = all[2], &both = all[3], &after = all[4];
  modern.bias = false;
  modern.activation = Activation::relu_squared;
  modern.positions = Positions::rotary;
  modern.norm = NormKind::rms;
  modern.norm_embeddings = true;
  modern.head_norm = HeadNorm::plain;
  grouped = modern;
  grouped.heads = 4;
  grouped.kv_heads = 2;
  grouped.head_size = 6;
  grouped.head_norm = HeadNorm::weighted;
  grouped.rope_base = 50;
  grouped.window = 3;
  grouped.gated = true;
  grouped.activation = Activation::silu;
  grouped.tie_embeddings = false;
  both.norm_place = NormPlace::both;
  both.gated = true;
  after.norm_place = NormPlace::after;
  after.positions = Positions::none;
  after.inner = 12;
  return all;
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

Pass pass_over(Decoder& model, const Tensor& tokens) {
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

TEST(Decoder, CheckpointingGivesTheSameGradients) {
  DecoderOptions o = small();
  o.layers = 48;
  o.width = 32;
  o.block_size = 64;
  o.dropout = 0.1;
  GeneratorScope seed{Generator{5}};
  Decoder model(o);
  Tensor tokens = randint(0, o.vocab, {2, o.block_size});
  const auto run = [&](Ref<CheckpointBudget> budget) {
    GeneratorScope again{Generator{6}};
    model.stack.budget = std::move(budget);
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

TEST(Decoder, CheckpointsEverySoManyBlocksWithTheSameGradients) {
  DecoderOptions o = small();
  o.layers = 13;
  o.block_size = 64;
  GeneratorScope seed{Generator{5}};
  Decoder model(o);
  const Tensor tokens = randint(0, o.vocab, {2, o.block_size});
  pass_over(model, tokens);
  const Pass plain = pass_over(model, tokens);
  for (int64_t every : {1, 4, 100}) {
    model.set_gradient_checkpointing(every);
    const Pass less = pass_over(model, tokens);
    EXPECT_EQ(less.gradients, plain.gradients) << every;
    EXPECT_LT(less.peak, every == 4 ? plain.peak * 6 / 10 : 2 * plain.peak);
  }
}

TEST(Decoder, CountsParametersFromOptions) {
  for (const DecoderOptions& kind : kinds()) {
    EXPECT_EQ(parameter_count(kind), static_cast<double>(Decoder(kind).parameter_count()));
  }
  for (bool bias : {false, true}) {
    for (bool tied : {false, true}) {
      for (int64_t inner : {0, 12}) {
        DecoderOptions o = small();
        o.bias = bias;
        o.tie_embeddings = tied;
        o.inner = inner;
        EXPECT_EQ(parameter_count(o), static_cast<double>(Decoder(o).parameter_count()));
      }
    }
  }
}

TEST(Decoder, InitialisesLikeNanoGpt) {
  DecoderOptions o = small();
  o.width = 64;
  o.layers = 8;
  Generator g{1, 0};
  Decoder model(o, &g);
  EXPECT_NEAR(deviation(model.h[3].attn.c_attn[0].weight), 0.02, 5e-4);
  EXPECT_NEAR(deviation(model.h[3].mlp.c_fc.weight), 0.02, 5e-4);
  EXPECT_NEAR(deviation(model.h[3].attn.c_proj.weight), 0.005, 2e-4);
  EXPECT_NEAR(deviation(model.h[3].mlp.c_proj.weight), 0.005, 2e-4);
  EXPECT_EQ(deviation(model.h[3].mlp.c_proj.bias), 0);
  EXPECT_EQ(to_vector<float>(model.h[3].ln_1.weight())[5], 1);
  EXPECT_NEAR(model.loss(row({1, 2, 3}), row({2, 3, 4})).item(), std::log(13.0), 0.1);
}

TEST(Decoder, InitialisationIsSeeded) {
  Generator a{5, 0}, b{5, 0};
  Decoder first(small(), &a), second(small(), &b);
  EXPECT_EQ(to_vector<float>(first(row({1, 2}))), to_vector<float>(second(row({1, 2}))));
}

TEST(Decoder, DrawsAfterTheNumbersThatItsLayersWouldDraw) {
  Generator g{5, 2}, expected = g;
  Decoder model(small(), &g);
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

TEST(Decoder, CountsParameters) {
  DecoderOptions o = small();
  int64_t block = 2 * (8 + 8) + (24 * 8 + 24) + (8 * 8 + 8) + (32 * 8 + 32) + (8 * 32 + 8);
  EXPECT_EQ(Decoder(o).parameter_count(), 13 * 8 + 6 * 8 + 2 * block + 16);
  o.tie_embeddings = false;
  EXPECT_EQ(Decoder(o).parameter_count(), 2 * 13 * 8 + 6 * 8 + 2 * block + 16);
  o = small();
  o.bias = false;
  EXPECT_EQ(Decoder(o).parameter_count(), 13 * 8 + 6 * 8 + 2 * (2 * 8 + 12 * 64) + 8);
}

TEST(Decoder, IsCausal) {
  for (const DecoderOptions& o : kinds()) {
    Decoder model(o);
    Tensor a = model(row({1, 2, 3, 4})), b = model(row({1, 2, 9, 9}));
    EXPECT_EQ(to_vector<float>(slice(a, {1, 0, 2, 1})), to_vector<float>(slice(b, {1, 0, 2, 1})));
    EXPECT_NE(to_vector<float>(slice(a, {1, 2, 3, 1})), to_vector<float>(slice(b, {1, 2, 3, 1})));
  }
}

TEST(Decoder, EveryParameterGetsAGradient) {
  std::vector<DecoderOptions> all = kinds();
  all.push_back(small());
  all.back().tie_embeddings = false;
  for (const DecoderOptions& o : all) {
    Decoder model(o);
    model.loss(row({1, 2, 3, 4, 5, 6}), row({2, 3, 4, 5, 6, 7})).backward();
    for (const NamedTensor& p : model.named_parameters()) {
      ASSERT_TRUE(p.tensor.grad().defined()) << p.name;
      EXPECT_TRUE(p.tensor.grad().is_contiguous()) << p.name;
      EXPECT_GT(deviation(p.tensor.grad()), 0) << p.name;
    }
  }
}

TEST(Decoder, CachedLogitsMatchTheFullForward) {
  for (const DecoderOptions& o : kinds()) {
    Decoder model(o);
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
}

// Rows of one cache, filled by themselves through views of it, then decoded together.
TEST(Decoder, RowsOfDifferentLengthsGiveTheLogitsOfEachAlone) {
  for (DecoderOptions o : kinds()) {
    o.block_size = 200;  // more than one block of keys
    Generator g{1, 0};
    Decoder model(o, &g);
    const std::vector<int64_t> lengths{150, 1, 4};
    TokenCache all = model.cache(3), alone[3];
    Generator draw{2, 0};
    for (int64_t r = 0; r < 3; ++r) {
      TokenCache part = all.row(r, 0);
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
}

TEST(Decoder, AFailedCallLeavesTheCacheUnchanged) {
  Decoder model(small());
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

class DecoderFolder : public ::testing::Test {
 protected:
  void SetUp() override { folder_ = ::testing::TempDir() + "gyre_decoder_folder"; }
  void TearDown() override { remove_tree(folder_); }
  std::string folder_;
};

TEST_F(DecoderFolder, HoldsEveryOption) {
  for (DType dtype : {DType::f32, DType::bf16}) {
    for (const DecoderOptions& o : kinds()) {
      Generator g{4, 0};
      Decoder model(o, &g);
      model.to(dtype);
      model.save(folder_, nullptr);
      const bool gpt2 = only_uses(record_of<GptOptions>, o);
      EXPECT_EQ(Json::read(folder_ + "/config.json").at("model_type").as_string(),
                gpt2 ? "gpt2" : "gyre");
      const auto again = load_language_model(folder_);
      const auto& loaded = dynamic_cast<const Decoder&>(*again);
      EXPECT_EQ(record_to_json(loaded.options()), record_to_json(o));
      const std::vector<float> wanted = to_vector<float>(to(model(row({1, 2, 3})), DType::f32)),
                               found = to_vector<float>(to(loaded(row({1, 2, 3})), DType::f32));
      const double bound = dtype == DType::f32 ? 1e-6 : 4e-3;  // weights with other strides
      for (size_t i = 0; i < wanted.size(); ++i) EXPECT_NEAR(found[i], wanted[i], bound);
      Decoder other(o);
      other.to(dtype);
      other.load(folder_);
      EXPECT_EQ(to_vector<float>(to(other(row({1, 2})), DType::f32)),
                to_vector<float>(to(model(row({1, 2})), DType::f32)));
    }
  }
}

TEST_F(DecoderFolder, RefusesOptionsThatItDoesNotKnow) {
  Decoder(kinds()[1]).save(folder_, nullptr);
  const std::string path = folder_ + "/config.json";
  Json config = Json::read(path);
  config["experts"] = 4;
  write_file_atomic(path, config.dump());
  const Error e = error_of([&] { load_language_model(folder_); });
  EXPECT_EQ(e.code, Code::value);
  EXPECT_TRUE(contains(e.what(), path) && contains(e.what(), "experts")) << e.what();
}

TEST_F(DecoderFolder, RefusesToGuessAnOption) {
  Decoder(kinds()[1]).save(folder_, nullptr);
  const std::string path = folder_ + "/config.json";
  const Json config = Json::read(path);
  for (const Field& field : record_of<DecoderOptions>.fields) {
    Json without = Json::object();
    for (const auto& [name, value] : config.as_object()) {
      if (name != field.name) without[name] = value;
    }
    if (field.tags & kUnlisted) continue;  // may be missing, see below
    write_file_atomic(path, without.dump());
    const Error e = error_of([&] { load_language_model(folder_); });
    EXPECT_TRUE(contains(e.what(), path) && contains(e.what(), field.name)) << e.what();
  }
}

// Options that were added after a folder was written.
TEST_F(DecoderFolder, NewerOptionsHaveTheirDefaults) {
  const Decoder model(kinds()[1]);
  Decoder(model).save(folder_, nullptr);
  const std::string path = folder_ + "/config.json";
  const Json config = Json::read(path);
  Json without = Json::object();
  for (const auto& [name, value] : config.as_object()) {
    const Field* field = find_field(record_of<DecoderOptions>, name);
    if (!field || !(field->tags & kUnlisted)) without[name] = value;
  }
  ASSERT_LT(without.as_object().size(), config.as_object().size());
  write_file_atomic(path, without.dump());
  const auto loaded = load_language_model(folder_);
  EXPECT_EQ(record_to_json(dynamic_cast<const Decoder&>(*loaded).options()),
            record_to_json(model.options()));
}

TEST_F(DecoderFolder, IsThatOfTheFirstArchitectureThatHoldsTheOptions) {
  DecoderOptions o{.vocab = 5, .block_size = 4, .layers = 1, .heads = 2, .width = 4};
  o.kv_heads = 2;
  o.head_size = 2;  // as with 0
  Decoder(o).save(folder_, nullptr);
  EXPECT_EQ(Json::read(folder_ + "/config.json").at("model_type").as_string(), "gpt2");
  o.kv_heads = 1;
  Decoder(o).save(folder_, nullptr);
  EXPECT_EQ(Json::read(folder_ + "/config.json").at("model_type").as_string(), "gyre");
}

TEST(Decoder, RotatedLogitsDependOnDistancesOnly) {
  DecoderOptions o = kinds()[1];
  o.layers = 1;
  o.window = 2;
  Decoder model(o);
  const Tensor early = model(row({7, 1, 2})), late = model(row({5, 7, 1, 2}));
  const std::vector<float> a = to_vector<float>(slice(early, {1, 2, 3, 1})),
                           b = to_vector<float>(slice(late, {1, 3, 4, 1}));
  for (size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-6);
}

TEST(Decoder, RejectsInvalidShapes) {
  Decoder model(small());
  EXPECT_EQ(code_of([&] { model(row({1, 2, 3, 4, 5, 6, 7})); }), Code::value);
  EXPECT_EQ(code_of([&] { model(row({13})); }), Code::index);
  EXPECT_EQ(code_of([&] { model(row({-1})); }), Code::index);
  EXPECT_EQ(code_of([&] { model(tensor(std::vector<int32_t>{1}, {1})); }), Code::shape);
  EXPECT_EQ(code_of([&] { model(zeros({1, 2})); }), Code::dtype);
  DecoderOptions o = small();
  o.heads = 3;
  EXPECT_EQ(code_of([&] { Decoder{o}; }), Code::value);
  o = small();
  o.kv_heads = 3;
  EXPECT_EQ(code_of([&] { Decoder{o}; }), Code::value);
  o = small();
  o.head_size = 3;
  EXPECT_NO_THROW(Decoder{o});
  o.positions = Positions::rotary;
  EXPECT_EQ(code_of([&] { Decoder{o}; }), Code::value);
  o = small();
  o.vocab = 0;
  EXPECT_EQ(code_of([&] { Decoder{o}; }), Code::value);
}

}  // namespace
}  // namespace gyre
