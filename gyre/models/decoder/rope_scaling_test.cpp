#include "gyre/models/decoder/rope_scaling.h"

#include <gtest/gtest.h>

#include <cmath>

#include "gyre/models/decoder/decoder.h"
#include "gyre/models/generation/cached_rows.h"
#include "gyre/models/generation/generate.h"
#include "gyre/op/node.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/shape/shape.h"
#include "tests/largest_difference.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

DecoderOptions rope_options(RopeScaling scaling) {
  DecoderOptions o{.vocab = 11,
                   .block_size = 16,
                   .layers = 3,
                   .heads = 2,
                   .width = 16,
                   .positions = Positions::rotary,
                   .norm = NormKind::rms};
  o.details.rope_scaling = scaling;
  o.details.rope_original = 6;
  o.details.rope_attention = scaling == RopeScaling::longrope ? 1.25 : 1;
  o.details.rope_factor = 3;
  o.details.rope_short = {"1", "1.5", "0.5", "2"};
  o.details.rope_long = {"4", "8", "16", "32"};
  return o;
}

constexpr RopeScaling kRopeByLength[] = {RopeScaling::longrope, RopeScaling::dynamic};
const std::vector<int32_t> kRopeText{1, 5, 2, 10, 3, 3, 7, 0, 4, 9, 8, 2, 6, 1, 1, 5};

Decoder rope_model(RopeScaling scaling) {
  Generator generator{3};
  Decoder model(rope_options(scaling), &generator);
  for (Tensor& x : model.parameters()) x = (x.detach() * 8.0).set_requires_grad(true);
  model.eval();
  return model;
}

// The logits after the last token, by the whole text.
Tensor rope_recomputed(const Decoder& model, std::span<const int32_t> text) {
  const Tensor all = model(tensor(text, {1, std::ssize(text)}));
  return reshape(slice(all, {1, std::ssize(text) - 1, INT64_MAX, 1}), {1, 11});
}

TEST(RopeScaling, FrequenciesDependOnTheLength) {
  const DecoderOptions o = rope_options(RopeScaling::longrope);
  const auto at = [](const DecoderOptions& of, int64_t length) {
    return to_vector<double>(rope_frequencies(of, length));
  };
  for (size_t i = 0; i < 4; ++i) {
    const double f = std::pow(10000, -static_cast<double>(i) / 4);
    EXPECT_DOUBLE_EQ(at(o, 6)[i], f / std::stod(o.details.rope_short[i]));
    EXPECT_DOUBLE_EQ(at(o, 7)[i], f / std::stod(o.details.rope_long[i]));
  }
  const DecoderOptions ntk = rope_options(RopeScaling::dynamic);
  EXPECT_FALSE(rope_frequencies(ntk, 6).defined());
  for (const int64_t length : {7, 12}) {
    const double base = 10000 * std::pow(3 * static_cast<double>(length) / 6 - 2, 8.0 / 6);
    for (size_t i = 0; i < 4; ++i)
      EXPECT_NEAR(at(ntk, length)[i] * std::pow(base, static_cast<double>(i) / 4), 1, 1e-12);
  }
  EXPECT_EQ(rope_reach(o, 6), 6);
  EXPECT_EQ(rope_reach(o, 7), 16);
  EXPECT_EQ(rope_reach(ntk, 9), 9);
  EXPECT_EQ(rope_reach(rope_options(RopeScaling::yarn), 9), 16);
}

TEST(RopeScaling, RefusesFactorsThatAreNoFrequencies) {
  DecoderOptions o = rope_options(RopeScaling::longrope);
  for (const char* bad : {"", "x", "0", "-1", "inf", "1,5", "nan"}) {
    o.details.rope_long[2] = bad;
    EXPECT_EQ(code_of([&] { check_rope("op", o); }), Code::value) << bad;
  }
  o.details.rope_long.pop_back();
  EXPECT_EQ(code_of([&] { (void)Decoder(o); }), Code::value);
  o = rope_options(RopeScaling::dynamic);
  o.details.rotary_size = 2;
  EXPECT_EQ(code_of([&] { (void)Decoder(o); }), Code::value);
}

// The step from 6 to 7 tokens changes the frequencies, with dynamic scaling each one after it.
TEST(RopeScaling, CachedLogitsAreThoseOfTheWholeText) {
  NoGrad off;
  for (const RopeScaling scaling : kRopeByLength) {
    const Decoder model = rope_model(scaling);
    for (const int64_t first : {1, 4, 9}) {
      TokenCache cache = model.cache(1);
      for (int64_t end = first; end <= 16; ++end) {
        const int64_t begin = end == first ? 0 : end - 1;
        const std::span<const int32_t> text = std::span(kRopeText).first(static_cast<size_t>(end));
        const Tensor added = tensor(text.subspan(static_cast<size_t>(begin)), {1, end - begin});
        EXPECT_LE(largest_difference(model.next(added, cache), rope_recomputed(model, text)), 1e-5)
            << end;
      }
      cache.cut(0, 3);  // back to less than the original context
      cache.longest = 3;
      const std::vector<int32_t> other{1, 5, 2, 4};
      EXPECT_LE(largest_difference(model.next(tensor<int32_t>({4}, {1, 1}), cache),
                                   rope_recomputed(model, other)),
                1e-5);
    }
  }
}

TEST(RopeScaling, RowsOfABatchAreThoseOfSingles) {
  NoGrad off;
  for (const RopeScaling scaling : kRopeByLength) {
    const Decoder model = rope_model(scaling);
    CachedRows rows(model, 3);
    for (size_t n = 0; n < 6; ++n) {
      const std::span<const int32_t> text(kRopeText);
      const CachedRows::Ids texts[] = {text.first(2 + n), text.subspan(3, 5 + n),
                                       text.first(9 + n)};
      const std::span<const float> logits = rows.next(texts);
      for (size_t r = 0; r < 3; ++r) {
        const Tensor one = tensor(logits.subspan(11 * r, 11), {1, 11});
        EXPECT_LE(largest_difference(one, rope_recomputed(model, texts[r])), 1e-5) << n << ' ' << r;
      }
    }
  }
}

TEST(RopeScaling, ErrorsLeaveTheCacheAsItWas) {
  NoGrad off;
  const Decoder model = rope_model(RopeScaling::longrope);
  TokenCache cache = model.cache(2);
  const std::vector<int32_t> text{1, 5, 2, 10, 3, 3, 7, 1, 5, 2, 10, 3, 3, 7};
  (void)model.next(slice(tensor(std::span(text), {2, 7}), {1, 0, 5, 1}), cache);
  cache.cut(0, 3);
  EXPECT_EQ(code_of([&] {
              (void)model.next(tensor<int32_t>({1, 1, 1, 99}, {2, 2}), cache);
            }),
            Code::index);
  EXPECT_EQ(to_vector<int64_t>(cache.lengths), (std::vector<int64_t>{3, 5}));
  EXPECT_EQ(cache.longest, 5);
  const Tensor both = model.next(tensor<int32_t>({4, 4, 3, 7}, {2, 2}), cache);
  EXPECT_LE(largest_difference(slice(both, {0, 1, 2, 1}),
                               rope_recomputed(model, std::span(text).first(7))),
            1e-5);
  const std::vector<int32_t> other{1, 5, 2, 4, 4};
  EXPECT_LE(largest_difference(slice(both, {0, 0, 1, 1}), rope_recomputed(model, other)), 1e-5);
}

TEST(RopeScaling, TokensTakeTheMemoryThatIsUsed) {
  NoGrad off;
  DecoderOptions o = rope_options(RopeScaling::longrope);
  o.block_size = 100000;
  Generator generator{3};
  Decoder model(o, &generator);
  model.eval();
  TokenCache cache = model.cache(2);
  EXPECT_EQ(cache.tokens.shape(), (Shape{2, TokenCache::kFirst}));
  std::vector<int32_t> text;
  for (int32_t i = 0; i < 2200; ++i) text.push_back(i * i % 11);
  const Tensor both = tensor(std::span<const int32_t>(text), {2, 1100});
  (void)model.next(slice(both, {1, 0, 5, 1}), cache);  // of the short frequencies
  const Tensor logits = model.next(slice(both, {1, 5, 1100, 1}), cache);
  EXPECT_EQ(cache.tokens.shape(), (Shape{2, 2 * TokenCache::kFirst}));
  for (const size_t row : {0, 1}) {
    const Tensor wanted =
        rope_recomputed(model, std::span<const int32_t>(text).subspan(1100 * row, 1100));
    const auto r = static_cast<int64_t>(row);
    EXPECT_LE(largest_difference(slice(logits, {0, r, r + 1, 1}), wanted), 1e-5);
  }
}

TEST(RopeScaling, GuessesDoNotChangeTheText) {
  for (const RopeScaling scaling : kRopeByLength) {
    const Decoder model = rope_model(scaling);
    GenerateOptions o{.max_tokens = 13, .sampling = {.greedy = true}};
    o.ids = {"1", "5", "1"};
    const std::vector<int32_t> plain = generate(model, nullptr, o, [](std::string_view) {}).ids;
    o.draft = "ngram";
    EXPECT_EQ(generate(model, nullptr, o, [](std::string_view) {}).ids, plain);
    // each step as by the whole text
    for (size_t n = 3; n + 1 < plain.size(); ++n) {
      const auto logits = to_vector<float>(rope_recomputed(model, std::span(plain).first(n)));
      EXPECT_EQ(std::ranges::max_element(logits) - logits.begin(), plain[n]) << n;
    }
  }
}

}  // namespace
}  // namespace gyre
