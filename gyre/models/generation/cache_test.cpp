#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "gyre/base/philox.h"
#include "gyre/base/thread_pool.h"
#include "gyre/models/decoder/decoder.h"
#include "gyre/models/generation/beam_search.h"
#include "gyre/models/generation/generate.h"
#include "gyre/op/node.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/shape/shape.h"
#include "tests/largest_difference.h"
#include "tests/thrown.h"

// What holds for every dtype of the cache, of models with and without sliding windows.

namespace gyre {
namespace {

using Ids = std::vector<int32_t>;

constexpr int32_t kWords = 29;

struct Kind {
  CacheDType dtype;
  bool windows;
  friend std::ostream& operator<<(std::ostream& to, const Kind& kind) {
    return to << kCacheDTypeNames[static_cast<size_t>(kind.dtype)]
              << (kind.windows ? "_windows" : "");
  }
};

DecoderOptions options_of(bool windows) {
  DecoderOptions o{.vocab = kWords,
                   .block_size = 3000,
                   .layers = 3,
                   .heads = 4,
                   .width = 32,
                   .positions = Positions::rotary,
                   .kv_heads = 2,
                   .head_size = 12};
  if (windows) {
    o.window = 100;
    o.details.layer_types = {"window", "full", "window"};
  }
  return o;
}

Ids ids_of(size_t n, size_t step) {
  Ids ids;
  for (size_t i = 0; i < n; ++i)
    ids.push_back(static_cast<int32_t>((step * i * i + i / 3 + step) % kWords));
  return ids;
}

double largest(const std::vector<float>& x) {
  double most = 0;
  for (const float v : x) most = std::max<double>(most, std::abs(v));
  return most;
}

class Cache : public testing::TestWithParam<Kind> {
 protected:
  Cache() {
    // logits as large as those of a trained model
    for (const Tensor& p : model_.parameters()) {
      if (p.rank() < 2) continue;
      float* x = Tensor(p).data<float>();
      for (int64_t i = 0; i < p.numel(); ++i) x[i] *= 6;
    }
    model_.eval();
  }

  [[nodiscard]] CachedRows rows(int64_t n) const {
    return {model_, n, Overflow::rotate, GetParam().dtype};
  }
  // Of the largest logit: four times what rounding changes of a key or value, 2^-11, 2^-8, or 1/254
  // of the largest of a head. Errors of layers add up, but those of tokens average out.
  static double bound() {
    constexpr double kBounds[] = {1e-5, 1e-5, 0x1p-9, 0x1p-6, 4.0 / 254};
    return kBounds[static_cast<size_t>(GetParam().dtype)];
  }
  static void expect_near(std::span<const float> found, const std::vector<float>& wanted,
                          double share) {
    ASSERT_EQ(found.size(), wanted.size());
    const double most = share * largest(wanted);
    for (size_t i = 0; i < found.size(); ++i) ASSERT_NEAR(found[i], wanted[i], most) << i;
  }
  [[nodiscard]] std::vector<float> recomputed(const Ids& ids, int64_t count = 1) const {
    const auto n = static_cast<int64_t>(ids.size());
    NoGrad scope;
    return to_vector<float>(
        slice(model_(tensor(std::span<const int32_t>(ids), {1, n})), {1, n - count, n, 1}));
  }
  [[nodiscard]] Ids made(GenerateOptions options, const Ids& prompt) const {
    for (const int32_t id : prompt) options.ids.push_back(std::to_string(id));
    options.cache_dtype = GetParam().dtype;
    return generate(model_, nullptr, options, [](std::string_view) {}).ids;
  }

  Generator generator_{.seed = 3};
  Decoder model_{options_of(GetParam().windows), &generator_};
};

TEST_P(Cache, GivesRecomputedLogits) {
  Ids text = ids_of(1400, 5);
  CachedRows one = rows(1);
  const auto check = [&](int64_t count) {
    expect_near(one.next(text, count), recomputed(text, count), bound());
  };
  check(1);  // in chunks, past windows and rings
  for (int i = 0; i < 3; ++i) {
    text.push_back(static_cast<int32_t>(i));
    check(1);
  }
  check(17);          // the last tokens again
  text.resize(1390);  // taken back, and others
  text.push_back(7);
  check(1);
  text.resize(1000);
  check(3);
  text.resize(100);  // further than rings go back
  text.push_back(5);
  check(1);
  text = ids_of(70, 2);
  check(1);  // another text
}

TEST_P(Cache, TakesBackAsManyTokensAsAChunk) {
  Ids text = ids_of(1300, 5);
  CachedRows one = rows(1);
  (void)one.next(text);
  for (int i = 0; i < 3; ++i) {  // what was taken back is not forgotten
    text.resize(text.size() - 300);
    text.push_back(i);
    expect_near(one.next(text), recomputed(text), bound());
  }
}

TEST_P(Cache, RowsGiveWhatSinglesGive) {
  std::vector<Ids> texts{ids_of(900, 3), ids_of(2, 5), ids_of(620, 7), ids_of(40, 4)};
  CachedRows all = rows(4);
  std::vector<CachedRows> alone;
  for (size_t i = 0; i < texts.size(); ++i) alone.push_back(rows(1));
  const auto check = [&] {
    const std::vector<CachedRows::Ids> ids(texts.begin(), texts.end());
    const std::span<const float> found = all.next(ids);
    for (size_t i = 0; i < texts.size(); ++i) {
      const std::span<const float> one = alone[i].next(texts[i]);
      expect_near(found.subspan(i * kWords, kWords), {one.begin(), one.end()},
                  GetParam().dtype <= CacheDType::f32 ? 1e-5 : bound());
    }
  };
  check();
  for (int i = 0; i < 4; ++i) {
    for (Ids& text : texts) text.push_back(i);
    check();
  }
  const std::vector<int64_t> kept{2, 0, 2};
  all.keep(kept);
  texts = {texts[2], texts[0], texts[2]};
  alone.clear();
  for (size_t i = 0; i < texts.size(); ++i) alone.push_back(rows(1));
  texts[2].push_back(11);
  check();
}

TEST_P(Cache, ChunksGiveWhatOneCallGives) {
  const Ids text = ids_of(1500, 7);
  CachedRows whole = rows(1), parts = rows(1);
  const std::span<const float> once = whole.next(text);
  const std::vector<float> wanted(once.begin(), once.end());
  Ids part;
  for (const size_t n : {1, 30, 700, 701, 1100, 1499, 1500}) {
    part.assign(text.begin(), text.begin() + static_cast<ptrdiff_t>(n));
    (void)parts.next(part);
  }
  expect_near(parts.next(text), wanted, GetParam().dtype <= CacheDType::f32 ? 1e-5 : bound());
}

TEST_P(Cache, SpeculationIsGreedy) {
  Ids prompt = ids_of(900, 1);  // longer than rings
  prompt.insert(prompt.end(), prompt.begin(), prompt.begin() + 60);
  GenerateOptions options{.max_tokens = 40, .sampling = {.greedy = true}};
  const Ids plain = made(options, prompt);
  options.draft = "ngram";
  EXPECT_EQ(made(options, prompt), plain);
}

TEST_P(Cache, HasTheSameBitsForAnyNumberOfThreads) {
  const Ids text = ids_of(1100, 5);
  std::vector<std::vector<float>> found;
  for (const int threads : {1, 2, 3}) {
    set_num_threads(threads);
    CachedRows one = rows(1);
    (void)one.next(text);
    Ids longer = text;
    longer.push_back(3);
    const std::span<const float> logits = one.next(longer);
    found.emplace_back(logits.begin(), logits.end());
  }
  set_num_threads(0);
  EXPECT_EQ(found[0], found[1]);
  EXPECT_EQ(found[0], found[2]);
}

TEST_P(Cache, OneBeamIsGreedy) {
  GenerateOptions options{.max_tokens = 12, .sampling = {.greedy = true}};
  const Ids prompt = ids_of(30, 5), greedy = made(options, prompt);
  EXPECT_EQ(
      beam_search(model_, prompt, {.beams = 1, .max_tokens = 12, .cache_dtype = GetParam().dtype}),
      greedy);
  options.beams = 2;
  EXPECT_EQ(made(options, prompt).size(), prompt.size() + 12);
}

TEST_P(Cache, TakesTheMemoryOfItsDType) {
  NoGrad scope;
  TokenCache cache = model_.cache(2, GetParam().dtype);
  cache.reserve(3000, 3000);
  constexpr size_t kBytes[] = {12 * 4, 12 * 4, 12 * 2, 12 * 2, 12 + 4};
  const size_t token = 2 * 2 * 2 * kBytes[static_cast<size_t>(GetParam().dtype)];
  const size_t tokens = GetParam().windows ? 3000 + 2 * (100 + TokenCache::kChunk) : 3 * 3000;
  EXPECT_EQ(cache.bytes(), token * tokens);
}

TEST_P(Cache, IsEmptyOrUnchangedAfterAnError) {
  const Ids good = ids_of(800, 3);
  const auto tensor_of = [](const Ids& ids) {
    return tensor(std::span<const int32_t>(ids), {1, static_cast<int64_t>(ids.size())});
  };
  for (const size_t bad_at : {5, 700}) {  // in the first chunk, and after one was written
    TokenCache cache = model_.cache(1, GetParam().dtype);
    (void)model_.next(tensor_of(good), cache);
    Ids bad = good;
    bad[bad_at] = kWords;
    EXPECT_EQ(code_of([&] { (void)model_.next(tensor_of(bad), cache); }), Code::index);
    const bool emptied = GetParam().windows && bad_at == 700;
    EXPECT_EQ(cache.longest, emptied ? 0 : 800);
    EXPECT_EQ(to_vector<int64_t>(cache.lengths)[0], cache.longest);
    Ids text = emptied ? Ids() : good;
    text.push_back(4);
    expect_near(to_vector<float>(model_.next(tensor_of({4}), cache)), recomputed(text), bound());
  }
}

TEST_P(Cache, RowsAreComputedAgainAfterAnError) {
  const std::vector<Ids> good{ids_of(800, 3), ids_of(700, 5)};
  for (const auto& [row, at] : {std::pair<size_t, size_t>{0, 1350}, {1, 1350}, {1, 1399}, {0, 5}}) {
    CachedRows all = rows(2);
    std::vector<CachedRows::Ids> texts(good.begin(), good.end());
    (void)all.next(texts);
    Ids bad = ids_of(at == 1399 ? 1400 : 1450, row == 0 ? 3 : 5);
    bad[at] = kWords;
    texts[row] = bad;
    EXPECT_EQ(code_of([&] { (void)all.next(texts); }), Code::index);
    std::vector<Ids> longer = good;
    for (Ids& text : longer) text.push_back(4);
    const std::vector<CachedRows::Ids> again(longer.begin(), longer.end());
    const std::span<const float> found = all.next(again);
    for (size_t r = 0; r < 2; ++r)
      expect_near(found.subspan(r * kWords, kWords), recomputed(longer[r]), bound());
  }
}

TEST_P(Cache, TextsOutsideTheContextChangeNothing) {
  Ids good = ids_of(40, 3);
  const Ids other = ids_of(50, 7), outside = ids_of(3001, 5);
  CachedRows all(model_, 2, Overflow::error, GetParam().dtype);
  const CachedRows::Ids both[] = {good, good}, bad[] = {other, outside};
  (void)all.next(both);
  EXPECT_EQ(code_of([&] { (void)all.next(bad); }), Code::value);
  good.push_back(4);
  const CachedRows::Ids again[] = {good, good};
  expect_near(all.next(again).first(kWords), recomputed(good), bound());
}

INSTANTIATE_TEST_SUITE_P(Kinds, Cache,
                         testing::Values(Kind{CacheDType::model, false},
                                         Kind{CacheDType::f32, true}, Kind{CacheDType::f16, false},
                                         Kind{CacheDType::f16, true}, Kind{CacheDType::bf16, true},
                                         Kind{CacheDType::int8, false},
                                         Kind{CacheDType::int8, true}),
                         testing::PrintToStringParamName());

TEST(CacheOfModel, HasTheDTypeOfTheModelUnlessTold) {
  Decoder model({.vocab = 5, .block_size = 4, .layers = 1, .heads = 1, .width = 4});
  const auto stored = [&](CacheDType dtype) {
    return model.cache(1, dtype).layers[0].keys.values.dtype();
  };
  EXPECT_EQ(stored(CacheDType::model), DType::f32);
  EXPECT_EQ(stored(CacheDType::int8), DType::i8);
  model.to(DType::bf16);
  EXPECT_EQ(stored(CacheDType::model), DType::bf16);
  EXPECT_EQ(stored(CacheDType::f16), DType::f16);
  const Tensor token = zeros({1, 1}, {.dtype = DType::i32});
  for (const CacheDType dtype : {CacheDType::model, CacheDType::f32, CacheDType::int8}) {
    TokenCache cache = model.cache(1, dtype);
    EXPECT_EQ(model.next(token, cache).dtype(), DType::bf16);
  }
}

TEST(CacheOfModel, RingsGrowBeforeTheyWrap) {
  NoGrad scope;
  Generator generator{.seed = 3};
  DecoderOptions o = options_of(false);
  o.window = 700;
  Decoder model(o, &generator);
  const Ids ids = ids_of(2100, 3);
  const Tensor text = tensor(std::span<const int32_t>(ids), {1, 2100});
  const Tensor whole = model(text);
  TokenCache cache = model.cache(1);
  EXPECT_LT(cache.layers[0].capacity(), 700 + TokenCache::kChunk);
  for (int64_t n = 0; n < 2100;) {
    const int64_t end = n < 1000 ? n + 300 : n + 50;
    const Tensor logits = model.next(slice(text, {1, n, end, 1}), cache);
    n = end;
    EXPECT_LE(largest_difference(logits, reshape(slice(whole, {1, n - 1, n, 1}), {1, kWords})),
              1e-5)
        << n;
  }
  EXPECT_EQ(cache.layers[0].capacity(), 700 + TokenCache::kChunk);
}

}  // namespace
}  // namespace gyre
