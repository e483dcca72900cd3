#include <memory>

#include "bench/packed/packed_weights.h"
#include "bench/work.h"
#include "gyre/models/decoder/decoder.h"
#include "gyre/op/node.h"
#include "gyre/ops/random/random.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/in_place.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/optim/rules/adam.h"
#include "gyre/packed/compress/compress.h"
#include "gyre/packed/int8/int8_activations.h"

namespace gyre::bench {
namespace {

constexpr int64_t kRows = 4, kTokens = 64, kLayers = 12, kWidth = 768, kVocabulary = 50257;
constexpr int64_t kPrompt = 512, kNew = 128;
constexpr double kBlocks = 12.0 * kLayers * kWidth * kWidth, kHead = kWidth * kVocabulary;

// GPT-2 with 124 M parameters, random weights, and a batch.
class Gpt2 {
 public:
  Gpt2() {
    std::vector<Tensor> tables, vectors;
    for (const Tensor& p : model_.parameters()) (p.rank() >= 2 ? tables : vectors).push_back(p);
    AdamWOptions options{.lr = 3e-4, .beta2 = 0.95, .weight_decay = 0.1};
    adamw_ = std::make_unique<AdamW>(tables, options);
    options.weight_decay = 0;
    adamw_->add_group(vectors, options);
  }

  void gradients() {
    adamw_->zero_grad();
    model_.loss(tokens_, targets_).backward();
  }
  void step() {
    gradients();
    adamw_->step({.non_finite = NonFinite::apply});
  }

 private:
  Decoder model_{{.vocab = kVocabulary}};
  Tensor tokens_ = randint(0, kVocabulary, {kRows, kTokens});
  Tensor targets_ = randint(0, kVocabulary, {kRows, kTokens});
  std::unique_ptr<AdamW> adamw_;
};

// The same model, whose matrices may have random words, continues a prompt greedily.
class Continued {
 public:
  Continued(int64_t place, bool int8) : int8_(int8) {
    if (place != kDense) pack(codec(static_cast<PackedFormat>(place)));
    first_ = prefill();
  }

  // The token after the prompt.
  Tensor prefill() {
    cache_.clear();
    return next(prompt_);
  }
  // The tokens after that one, over those of the last call.
  void decode() {
    fill_(cache_.lengths, static_cast<double>(kPrompt));
    cache_.longest = kPrompt;
    Tensor token = first_;
    for (int64_t i = 0; i < kNew; ++i) token = next(token);
  }

 private:
  void pack(const Codec& format) {
    CompressPolicy policy;
    policy.format = &format;
    compress_planned(
        model_, plan_formats(model_, policy), [](int64_t, int64_t) {},
        [](const PlannedTensor& t, FunctionRef<void(int64_t)>) {
          return packed_random(ring_format(*t.format), t.tensor.shape(), 0.02, default_generator());
        });
  }
  Tensor next(const Tensor& tokens) {
    NoGrad off;
    const Int8Activations activations(int8_);
    return argmax(model_.next(tokens, cache_), -1, true);
  }

  bool int8_;
  Decoder model_{{.vocab = kVocabulary}};
  Tensor prompt_ = randint(0, kVocabulary, {1, kPrompt});
  TokenCache cache_ = model_.cache(1);
  Tensor first_;
};

// sizes: format, whether activations have 8 bits
Ready continuation(const Work& w, void (*call)(Continued& model)) {
  auto model = std::make_shared<Continued>(w.sizes[0], w.sizes[1] != 0);
  return {.call = [model, call] { call(*model); }, .error = error_of(w.sizes[0])};
}

Ready prefill(const Work& w, const Settings&) {
  return continuation(w, [](Continued& model) { model.prefill(); });
}

Ready decode(const Work& w, const Settings&) {
  return continuation(w, [](Continued& model) { model.decode(); });
}

// sizes: whether to include the optimiser step
Ready prepare(const Work& w, const Settings&) {
  auto model = std::make_shared<Gpt2>();
  if (w.sizes[0]) return {[model] { model->step(); }};
  return {[model] { model->gradients(); }};
}

constexpr Work work(const char* name, const char* definition, bool steps) {
  Work w{name, "ms", definition, prepare, {steps}};
  w.limit = Limit::fma;
  w.amount = 6.0 * kRows * kTokens * (kBlocks + kHead);
  w.repeats = 7;
  w.warm = 1;
  return w;
}

constexpr Work prefilling(const char* name, int64_t place, bool int8 = false) {
  Work w{name,
         "ms",
         "512 tokens into the empty cache of GPT-2 124M; the next token",
         prefill,
         {place, int8}};
  w.limit = Limit::fma;
  w.amount = 2.0 * (kPrompt * kBlocks + kHead);
  w.repeats = 7;
  w.warm = 1;
  return w;
}

constexpr Work decoding(const char* name, int64_t place, bool int8 = false) {
  Work w{name,
         "ms",
         "a token of 128 after those 512, one at a time; limit: reading the weights",
         decode,
         {place, int8}};
  w.limit = Limit::read;
  w.amount = (kBlocks + kHead) * kStoredBits[place] / 8;
  w.floats = int64_t{1} << 25;
  w.operations = kNew;
  w.repeats = 5;
  w.warm = 1;
  w.weights = kBlocks + kHead;
  return w;
}

constexpr Work kWorks[] = {
    work("gpt2_train_4x64_gradients", "forward and backward of GPT-2 124M on 4 rows of 64 tokens",
         false),
    work("gpt2_train_4x64_step", "the same and AdamW", true),
    prefilling("gpt2_prefill_512", kDense),
    prefilling("gpt2_prefill_512_t4", kT4),
    prefilling("gpt2_prefill_512_d4", kD4),
    prefilling("gpt2_prefill_512_d4_int8", kD4, true),
    decoding("gpt2_decode_128", kDense),
    decoding("gpt2_decode_128_t4", kT4),
    decoding("gpt2_decode_128_d4", kD4),
    decoding("gpt2_decode_128_t4_int8", kT4, true),
    decoding("gpt2_decode_128_d4_int8", kD4, true),
};

}  // namespace

std::span<const Work> gpt2_works() { return kWorks; }

}  // namespace gyre::bench
