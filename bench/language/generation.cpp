#include <memory>
#include <random>
#include <vector>

#include "bench/work.h"
#include "gyre/models/decoder/decoder.h"
#include "gyre/models/generation/generate.h"
#include "gyre/op/node.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/random/random.h"
#include "gyre/ops/shape/shape.h"

namespace gyre::bench {
namespace {

constexpr int64_t kVocabulary = 151936;  // Qwen2's
constexpr int64_t kTexts = 8, kNewTokens = 64, kCached = 512;

// sizes: top-k
Ready sample(const Work& w, const Settings&) {
  std::mt19937 random(1);
  std::normal_distribution<float> normal(0, 3);
  auto logits = std::make_shared<std::vector<float>>(kVocabulary);
  for (float& x : *logits) x = normal(random);
  auto sampler = std::make_shared<Sampler>(
      SamplingOptions{.temperature = 0.8, .top_k = w.sizes[0], .top_p = 0.95});
  return {[logits, sampler] { (void)sampler->choose(*logits); }};
}

// A Llama of 24 M parameters, whose texts of random weights soon repeat themselves.
DecoderOptions small_options() {
  DecoderOptions o{.vocab = 16384, .block_size = 1024, .layers = 8, .heads = 6, .width = 384};
  o.positions = Positions::rotary;
  o.norm = NormKind::rms;
  o.gated = true;
  o.inner = 1024;
  o.bias = false;
  return o;
}

struct SmallModel {
  SmallModel() { model.eval(); }
  void generate_texts(size_t count, const GenerateOptions& options) const {
    std::vector<std::vector<int32_t>> prompts;
    for (size_t i = 0; i < count; ++i)
      prompts.push_back({static_cast<int32_t>(7 * i + 1), 3, static_cast<int32_t>(i), 11});
    (void)generate_batch(model, nullptr, prompts, options, [](size_t, std::string_view) {});
  }
  Generator generator{.seed = 1};
  Decoder model{small_options(), &generator};
};

Ready batch(const Work&, const Settings&) {
  auto model = std::make_shared<const SmallModel>();
  const GenerateOptions options{.max_tokens = kNewTokens, .sampling = {.greedy = true}};
  return {.call = [=] { model->generate_texts(kTexts, options); },
          .least =
              [=] {
                for (int64_t i = 0; i < kTexts; ++i) model->generate_texts(1, options);
              }};
}

// sizes: whether greedily, so that the text repeats itself
Ready speculate(const Work& w, const Settings&) {
  auto model = std::make_shared<const SmallModel>();
  GenerateOptions plain{.max_tokens = 4 * kNewTokens, .sampling = {.greedy = w.sizes[0] != 0}};
  GenerateOptions drafted = plain;
  drafted.draft = "ngram";
  return {.call = [=] { model->generate_texts(1, drafted); },
          .least = [=] { model->generate_texts(1, plain); }};
}

// Tokens after one, with a cache and without.
Ready cached(const Work&, const Settings&) {
  auto model = std::make_shared<const SmallModel>();
  const GenerateOptions options{.max_tokens = kCached, .sampling = {.greedy = true}};
  return {.call = [=] { model->generate_texts(1, options); },
          .least =
              [=] {
                NoGrad scope;
                const Tensor all = randint(0, 16384, {1, kCached});
                for (int64_t n = 1; n <= kCached; ++n) (void)model->model(slice(all, {1, 0, n, 1}));
              }};
}

constexpr Work sampling(const char* name, const char* definition, int64_t top_k) {
  Work w{name, "us", definition, sample, {top_k}};
  w.limit = Limit::read;
  w.amount = 4.0 * kVocabulary;
  w.floats = int64_t{1} << 18;
  return w;
}

constexpr Work generating(const char* name, const char* definition,
                          Ready (*prepare)(const Work&, const Settings&), int64_t size = 0) {
  Work w{name, "ms", definition, prepare, {size}};
  w.repeats = 5;
  w.warm = 1;
  return w;
}

constexpr Work kGenerationWorks[] = {
    sampling("sample_152k",
             "a token by temperature, top-k 40 and top-p 0.95 from 151,936 logits; limit: reading "
             "them once",
             40),
    sampling("sample_152k_top_p", "the same without top-k", 0),
    generating("generate_cache",
               "512 tokens of a Llama with 24 M parameters; limit: the same without a cache",
               cached),
    generating("generate_8",
               "64 tokens of that model for 8 prompts at once; limit: one after the other", batch),
    generating("generate_ngram",
               "256 tokens of that model, drawn, with speculation by n-grams; limit: without",
               speculate),
    generating("generate_ngram_greedy", "the same greedily: the text repeats itself", speculate,
               1)};

}  // namespace

std::span<const Work> generation_works() { return kGenerationWorks; }

}  // namespace gyre::bench
