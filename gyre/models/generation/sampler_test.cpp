#include "gyre/models/generation/sampler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "gyre/base/error.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

// Number of draws of each token.
std::vector<int> counts_of(const SamplingOptions& options, const std::vector<float>& logits,
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
  EXPECT_EQ(Sampler(SamplingOptions{.greedy = true}).choose(kLogits), 1);
  EXPECT_EQ(Sampler(SamplingOptions{.greedy = true}).choose(std::vector<float>{1, 2, 2}), 1);
  float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(Sampler(SamplingOptions{.greedy = true}).choose(std::vector<float>{nan, -2, -3}), 1);
  EXPECT_EQ(error_of([&] {
              Sampler(SamplingOptions{}).choose(std::vector<float>{nan, nan});
            }).code,
            Code::numeric);
}

TEST(Sampler, ErrorsNameTheOption) {
  auto refused = [](const SamplingOptions& o, const char* name) {
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

std::vector<float> random_logits(size_t n, uint32_t seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal(0, 3);
  std::vector<float> logits(n);
  for (float& x : logits) x = std::round(normal(random) * 8) / 8;  // with ties
  return logits;
}

TEST(LogitBlocks, FindTheLargestWithoutSorting) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const size_t n : {1, 63, 64, 65, 1000, 5003}) {
    std::vector<float> logits = random_logits(n, static_cast<uint32_t>(n));
    std::vector<float> sorted = logits;
    std::ranges::sort(sorted, std::greater<>());
    LogitBlocks blocks;
    blocks.reset(logits);
    EXPECT_EQ(blocks.top(), sorted[0]);
    EXPECT_EQ(blocks.best(), std::ranges::max_element(logits) - logits.begin());
    for (const size_t k : {1, 2, 40, 100, 9000}) {
      EXPECT_EQ(blocks.kth(k), sorted[std::min(k, n) - 1]) << n << " " << k;
      std::vector<int32_t> ids;
      blocks.at_least(blocks.kth(k), [&](int32_t id, float) { ids.push_back(id); });
      EXPECT_TRUE(std::ranges::is_sorted(ids));
      EXPECT_EQ(static_cast<ptrdiff_t>(ids.size()), std::ranges::count_if(logits, [&](float x) {
                  return x >= sorted[std::min(k, n) - 1];
                }));
    }
    const auto best = static_cast<size_t>(blocks.best());
    logits[best] = nan;
    blocks.reset(logits);
    EXPECT_EQ(blocks.top(), n > 1 ? sorted[1] : -HUGE_VALF);
  }
}

TEST(LogitBlocks, BoundsTheTokensOfAShare) {
  for (const double temperature : {0.01, 0.7, 5.0}) {
    const std::vector<float> logits = random_logits(5003, 2);
    LogitBlocks blocks;
    blocks.reset(logits);
    std::vector<double> weights;
    for (const float x : logits)
      weights.push_back(std::exp((double{x} - blocks.top()) / temperature));
    const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
    for (const double share : {0.1, 0.9, 0.999}) {
      const LogitBlocks::Share found = blocks.share(share, temperature);
      EXPECT_NEAR(found.total, total, 1e-5 * total);
      double above = 0;
      for (size_t i = 0; i < logits.size(); ++i) above += logits[i] >= found.bound ? weights[i] : 0;
      EXPECT_GE(above, share * total);
    }
    std::vector<int> counts(logits.size());
    for (int i = 0; i < 4000; ++i)
      ++counts[static_cast<size_t>(blocks.at_share(i / 4000.0, temperature))];
    for (size_t i = 0; i < logits.size(); ++i)
      EXPECT_NEAR(counts[i], 4000 * weights[i] / total, 1.001) << i;
    EXPECT_GE(blocks.at_share(1 - 1e-16, temperature), 0);
  }
}

TEST(Sampler, TopPOfManyTokensIsTheirPrefix) {
  const std::vector<float> logits = random_logits(5003, 4);
  std::vector<Candidate> wanted;
  for (const float x : logits)
    wanted.push_back({static_cast<int32_t>(wanted.size()), std::exp(double{x})});
  keep_weight(wanted, 0.5 * total_weight(wanted));
  std::vector<bool> kept(logits.size());
  for (const Candidate& c : wanted) kept[static_cast<size_t>(c.id)] = true;
  const std::vector<int> counts = counts_of({.top_p = 0.5}, logits);
  for (size_t i = 0; i < logits.size(); ++i) EXPECT_TRUE(counts[i] == 0 || kept[i]) << i;
  EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), 0), 4000);
}

std::vector<Candidate> random_candidates(size_t n) {
  std::vector<Candidate> all;
  for (const float logit : random_logits(n, 7))
    all.push_back({static_cast<int32_t>(all.size()), std::exp(double{logit} / 4)});
  return all;
}

TEST(Candidates, ShareIsAPrefixOfTheSorted) {
  std::vector<Candidate> all = random_candidates(3000), sorted = all;
  std::ranges::stable_sort(sorted, [](auto& a, auto& b) { return a.weight > b.weight; });
  for (const double share : {1e-9, 0.3, 0.9, 0.9999, 1.0}) {
    std::vector<Candidate> kept = all;
    keep_weight(kept, share * total_weight(all));
    double sum = 0;
    for (size_t i = 0; i < kept.size(); ++i) {
      ASSERT_EQ(kept[i].id, sorted[i].id);
      EXPECT_TRUE(i == 0 || sum < share * total_weight(all)) << "no shorter prefix suffices";
      sum += kept[i].weight;
    }
    EXPECT_GE(sum, share * total_weight(all) * (1 - 1e-12));
  }
}

TEST(Candidates, TypicalOnesAreNearestToTheEntropy) {
  // probabilities 0.5, 0.25, 0.125, 0.125: the entropy is 1.75 bits, so 0.25 (2 bits) comes first
  std::vector<Candidate> c{{0, 4}, {1, 2}, {2, 1}, {3, 1}};
  keep_typical(c, 0.2);
  ASSERT_EQ(c.size(), 1u);
  EXPECT_EQ(c[0].id, 1);
  c = {{0, 4}, {1, 2}, {2, 1}, {3, 1}};
  keep_typical(c, 0.6);
  ASSERT_EQ(c.size(), 2u);
  EXPECT_EQ(c[1].id, 0) << "1 bit is nearer than 3";
  c = {{0, 1}, {1, 0}};
  keep_typical(c, 1);
  EXPECT_EQ(c[0].id, 0) << "a token of probability 0 comes last";
}

TEST(Sampler, XtcRemovesAllButTheLeastOfTheTopChoices) {
  const std::vector<float> logits{2, 1.9F, 1.8F, -1, -2};
  const std::vector<int> counts = counts_of({.xtc_probability = 1, .xtc_threshold = 0.1}, logits);
  EXPECT_EQ(counts[0] + counts[1], 0);
  EXPECT_GT(counts[2], 3000);
  EXPECT_GT(counts[3], 0);
  const std::vector<int> half = counts_of({.xtc_probability = 0.5, .xtc_threshold = 0.1}, logits);
  const std::vector<int> plain = counts_of({}, logits);
  EXPECT_NEAR(half[0], plain[0] / 2, 120);
  EXPECT_EQ(counts_of({.xtc_probability = 1, .xtc_threshold = 1}, logits)[0] > 0, true);
}

TEST(Sampler, LimitsApplyInTheirOrder) {
  // top-p counts the probabilities that top-k left: 0.53 / 0.92 is less than 0.6 of these
  const std::vector<int> counts = counts_of({.top_k = 3, .top_p = 0.6}, kLogits);
  EXPECT_GT(counts[3], 0);
  EXPECT_EQ(counts[2] + counts[0] + counts[4], 0);
}

std::vector<float> ruled(const SamplingOptions& options, std::vector<float> logits,
                         const std::vector<int32_t>& ids, size_t prompt = 0) {
  LogitRules rules(options);
  EXPECT_TRUE(rules.active());
  rules.apply(logits, ids, prompt);
  return logits;
}

TEST(LogitRules, ChangeLogitsAsTheirFormulasSay) {
  const std::vector<float> logits{2, -1, 0.5F, 1};
  const std::vector<int32_t> ids{0, 1, 0, 3};
  EXPECT_EQ(ruled({.logit_bias = {"1=2.5", "3=-1"}}, logits, ids),
            (std::vector<float>{2, 1.5F, 0.5F, 0}));
  EXPECT_EQ(ruled({.repetition_penalty = 2}, logits, ids), (std::vector<float>{1, -2, 0.5F, 0.5F}));
  EXPECT_EQ(ruled({.presence_penalty = 0.5}, logits, ids, 2),
            (std::vector<float>{1.5F, -1, 0.5F, 0.5F}))
      << "of generated tokens only";
  EXPECT_EQ(ruled({.frequency_penalty = 0.25}, logits, ids),
            (std::vector<float>{1.5F, -1.25F, 0.5F, 0.75F}));
  const std::vector<int32_t> repeats{0, 1, 2, 0, 1};
  const float never = -std::numeric_limits<float>::infinity();
  EXPECT_EQ(ruled({.no_repeat_ngram_size = 3}, logits, repeats)[2], never);
  EXPECT_EQ(ruled({.no_repeat_ngram_size = 3}, logits, repeats)[0], 2);
  EXPECT_EQ(ruled({.no_repeat_ngram_size = 1}, logits, {3}),
            (std::vector<float>{2, -1, 0.5F, never}));
  EXPECT_EQ(ruled({.no_repeat_ngram_size = 9}, logits, repeats), logits);
  EXPECT_FALSE(LogitRules({}).active());
}

TEST(LogitRules, DryPenalisesWhatExtendsRepetitions) {
  std::mt19937 random(5);
  for (int round = 0; round < 50; ++round) {
    std::vector<int32_t> ids(60);
    for (int32_t& id : ids) id = static_cast<int32_t>(random() % 3);
    std::vector<float> wanted(3, 0);
    std::vector<size_t> longest(3, 0);
    for (size_t i = 1; i < ids.size(); ++i) {
      size_t n = 0;
      while (n < i && ids[i - 1 - n] == ids[ids.size() - 1 - n]) ++n;
      auto& most = longest[static_cast<size_t>(ids[i])];
      most = std::max(most, n);
    }
    for (size_t t = 0; t < 3; ++t) {
      if (longest[t] >= 3) {
        wanted[t] =
            static_cast<float>(-(0.8 * std::pow(1.75, static_cast<double>(longest[t]) - 3)));
      }
    }
    EXPECT_EQ(ruled({.dry_multiplier = 0.8, .dry_allowed_length = 3}, {0, 0, 0}, ids), wanted);
  }
}

TEST(LogitRules, RefuseMalformedBiasesAndLeaveAToken) {
  for (const char* bias : {"", "1", "x=1", "1=", "-1=2", "1=nan", "1=2x"}) {
    EXPECT_EQ(error_of([&] { LogitRules{SamplingOptions{.logit_bias = {bias}}}; }).code,
              Code::value)
        << bias;
  }
  const std::vector<float> logits{1, 2};
  Sampler outside(SamplingOptions{.logit_bias = {"2=1"}});
  const Error beyond = error_of([&] { (void)outside.choose(logits); });
  EXPECT_EQ(beyond.code, Code::value);
  EXPECT_TRUE(contains(beyond.what(), "`logit_bias`: token 2 is outside"));
  Sampler none(SamplingOptions{.logit_bias = {"0=-inf", "1=-inf"}});
  const Error left = error_of([&] { (void)none.choose(logits); });
  EXPECT_EQ(left.code, Code::value);
  EXPECT_TRUE(contains(left.what(), "leave no token"));
}

TEST(Logprobs, AreThoseOfTheModel) {
  const TokenLogprobs found = logprobs_of(kLogits, 2, 3);
  double total = 0;
  for (const float l : kLogits) total += std::exp(double{l});
  EXPECT_NEAR(found.chosen.logprob, 1 - std::log(total), 1e-12);
  ASSERT_EQ(found.top.size(), 3u);
  EXPECT_EQ(found.top[0].id, 1);
  EXPECT_EQ(found.top[1].id, 3);
  EXPECT_EQ(found.top[2].id, 4);
  EXPECT_EQ(logprobs_of(kLogits, 2, 99).top.size(), kLogits.size());
  EXPECT_TRUE(logprobs_of(kLogits, 2, 0).top.empty());
}

}  // namespace
}  // namespace gyre
