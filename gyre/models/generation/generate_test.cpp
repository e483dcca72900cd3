#include "gyre/models/generation/generate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "gyre/base/error.h"
#include "gyre/base/system/file.h"
#include "gyre/base/text/comma_items.h"
#include "gyre/models/decoder/gpt2_folder.h"
#include "gyre/models/generation/sampler.h"
#include "gyre/text/char_tokenizer.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

// Number of draws of each token.
std::vector<int> counts_of(const GenerateOptions& options, const std::vector<float>& logits,
                           int draws = 4000) {
  Sampler sampler(options);
  std::vector<int> counts(logits.size());
  for (int i = 0; i < draws; ++i) ++counts[static_cast<size_t>(sampler.choose(logits))];
  return counts;
}

const std::vector<float> kLogits{0, 3, 1, 2, 2};

TEST(Sampler, DrawsByProbability) {
  std::vector<int> counts = counts_of({}, kLogits);
  double total = 0;
  for (float l : kLogits) total += std::exp(l);
  for (size_t i = 0; i < kLogits.size(); ++i) {
    EXPECT_NEAR(counts[i], 4000 * std::exp(kLogits[i]) / total, 130) << i;
  }
}

TEST(Sampler, TemperatureSharpens) {
  EXPECT_GT(counts_of({.temperature = 0.1}, kLogits)[1], 3990);
  EXPECT_EQ(counts_of({.temperature = 0}, kLogits), counts_of({.greedy = true}, kLogits));
  std::vector<int> flat = counts_of({.temperature = 1000}, kLogits);
  for (int c : flat) EXPECT_NEAR(c, 800, 130);
}

TEST(Sampler, AppliesTopKTopPAndMinP) {
  std::vector<int> top2 = counts_of({.top_k = 2}, kLogits);
  EXPECT_EQ(top2[0] + top2[2], 0);
  EXPECT_GT(top2[3], 0) << "ties at the threshold";
  EXPECT_GT(top2[4], 0) << "both are kept";
  std::vector<int> nucleus = counts_of({.top_p = 0.6}, kLogits);  // 0.53, 0.20, 0.20, ...
  EXPECT_GT(nucleus[1], 0);
  EXPECT_GT(nucleus[3], 0);
  EXPECT_EQ(nucleus[4] + nucleus[2] + nucleus[0], 0);
  EXPECT_EQ(counts_of({.top_p = 1e-9}, kLogits)[1], 4000) << "the most likely token is always kept";
  std::vector<int> least = counts_of({.min_p = 0.3}, kLogits);  // e^-1 = 0.37, e^-2 = 0.14
  EXPECT_EQ(least[0] + least[2], 0);
  EXPECT_GT(least[3], 0);
}

TEST(Sampler, GreedyBreaksTiesByLowestId) {
  EXPECT_EQ(Sampler({.greedy = true}).choose(kLogits), 1);
  EXPECT_EQ(Sampler({.greedy = true}).choose(std::vector<float>{1, 2, 2}), 1);
  float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(Sampler({.greedy = true}).choose(std::vector<float>{nan, -2, -3}), 1);
  EXPECT_EQ(error_of([&] {
              Sampler({}).choose(std::vector<float>{nan, nan});
            }).code,
            Code::numeric);
}

TEST(Sampler, ErrorsNameTheOption) {
  auto refused = [](const GenerateOptions& o, const char* name) {
    Error f = error_of([&] { Sampler{o}; });
    return f.code == Code::value && contains(f.what(), name);
  };
  EXPECT_TRUE(refused({.temperature = -1}, "temperature"));
  EXPECT_TRUE(refused({.top_k = -1}, "top_k"));
  EXPECT_TRUE(refused({.top_p = 0}, "top_p"));
  EXPECT_TRUE(refused({.top_p = 1.1}, "top_p"));
  EXPECT_TRUE(refused({.min_p = -0.1}, "min_p"));
  EXPECT_TRUE(refused({.greedy = true, .temperature = 0.5}, "greedy"));
  EXPECT_TRUE(refused({.greedy = true, .top_k = 5}, "greedy"));
  EXPECT_TRUE(refused({.temperature = 0, .top_k = 5}, "`temperature` of 0"));
  EXPECT_NO_THROW(Sampler({.greedy = true, .temperature = 0}));
}

class Generation : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = ::testing::TempDir() + "gyre_generate";
    remove_tree(folder_);
    DecoderOptions o;
    o.block_size = 8;
    o.layers = 1;
    o.heads = 1;
    o.width = 8;
    auto tokenizer = CharTokenizer::train("abcdefg\n\xC3\xA9");
    o.vocab = tokenizer->vocab_size();
    Generator g{3, 0};
    Decoder model(o, &g);
    model.save(folder_, tokenizer.get());
  }
  void TearDown() override { remove_tree(folder_); }
  Error failure(const GenerateOptions& o) {
    return error_of([&] { generate(folder_, o); });
  }
  std::string folder_;
};

TEST_F(Generation, ContinuesPastTheContextAndStreamsText) {
  std::string streamed;
  GenerateOptions o{.prompt = "abc", .max_tokens = 50, .seed = 4};
  Generated made = generate(folder_, o, [&](std::string_view piece) { streamed += piece; });
  EXPECT_EQ(made.new_tokens, 50);
  EXPECT_EQ(made.ids.size(), 53u);
  EXPECT_EQ(made.text, "abc" + streamed);
  EXPECT_EQ(generate(folder_, o).text, made.text) << "same seed, same text";
  o.seed = 5;
  EXPECT_NE(generate(folder_, o).text, made.text);
}

TEST_F(Generation, TakesIdsAndAnEmptyPrompt) {
  EXPECT_EQ(generate(folder_, {.ids = items_of("1,2,3"), .max_tokens = 0}).text, "abc");
  EXPECT_EQ(generate(folder_, {.max_tokens = 0}).text, "\n") << "starts with a newline";
}

TEST_F(Generation, EndsBeforeTheStopString) {
  GenerateOptions o{.prompt = "abc", .max_tokens = 60, .seed = 4};
  std::string whole = generate(folder_, o).text;
  o.stop = whole.substr(20, 2);
  size_t at = whole.find(o.stop, 3);
  std::string streamed;
  Generated made = generate(folder_, o, [&](std::string_view piece) { streamed += piece; });
  EXPECT_EQ(made.text, whole.substr(0, at));
  EXPECT_EQ("abc" + streamed, made.text);
  EXPECT_LT(made.new_tokens, 60);
}

TEST_F(Generation, ErrorsNameTheOption) {
  EXPECT_EQ(failure({.prompt = "a", .ids = items_of("1")}).code, Code::value);
  EXPECT_EQ(failure({.ids = items_of("1,,2")}).code, Code::value);
  EXPECT_EQ(failure({.ids = items_of("1 2")}).code, Code::value);
  EXPECT_EQ(failure({.ids = items_of("-1")}).code, Code::value);
  EXPECT_EQ(failure({.ids = items_of("99999999999")}).code, Code::value);
  EXPECT_EQ(failure({.ids = items_of("9")}).code, Code::value) << "the vocabulary has 9 tokens";
  EXPECT_EQ(failure({.prompt = "a", .max_tokens = -1}).code, Code::value);
  EXPECT_EQ(failure({.prompt = "xyz"}).code, Code::value) << "no such characters";
  EXPECT_EQ(error_of([&] { generate(folder_ + "/missing", {.ids = items_of("1")}); }).code,
            Code::io);
  remove_tree(folder_ + "/tokenizer.json");
  Error f = failure({.prompt = "a"});
  EXPECT_EQ(f.code, Code::value);
  EXPECT_TRUE(contains(f.what(), "tokenizer.json"));
  Generated made = generate(folder_, {.ids = items_of("1,2"), .max_tokens = 3});
  EXPECT_EQ(made.ids.size(), 5u);
  EXPECT_EQ(made.text, "");
}

}  // namespace
}  // namespace gyre
