#include <memory>

#include "bench/work.h"
#include "gyre/models/decoder/decoder.h"
#include "gyre/ops/random/random.h"
#include "gyre/optim/rules/adam.h"

namespace gyre::bench {
namespace {

constexpr int64_t kRows = 4, kTokens = 64, kLayers = 12, kWidth = 768, kGpt2Vocabulary = 50257;
constexpr double kBlocks = 12.0 * kLayers * kWidth * kWidth, kHead = kWidth * kGpt2Vocabulary;

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
  Decoder model_{{.vocab = kGpt2Vocabulary}};
  Tensor tokens_ = randint(0, kGpt2Vocabulary, {kRows, kTokens});
  Tensor targets_ = randint(0, kGpt2Vocabulary, {kRows, kTokens});
  std::unique_ptr<AdamW> adamw_;
};

// sizes: whether to include the optimiser step
Ready gpt2_prepare(const Work& w, const Settings&) {
  auto model = std::make_shared<Gpt2>();
  if (w.sizes[0]) return {[model] { model->step(); }};
  return {[model] { model->gradients(); }};
}

constexpr Work work(const char* name, const char* definition, bool steps) {
  Work w{name, "ms", definition, gpt2_prepare, {steps}};
  w.limit = Limit::fma;
  w.amount = 6.0 * kRows * kTokens * (kBlocks + kHead);
  w.repeats = 7;
  w.warm = 1;
  return w;
}

constexpr Work kGpt2Works[] = {
    work("gpt2_train_4x64_gradients", "forward and backward of GPT-2 124M on 4 rows of 64 tokens",
         false),
    work("gpt2_train_4x64_step", "the same and AdamW", true)};

}  // namespace

std::span<const Work> gpt2_works() { return kGpt2Works; }

}  // namespace gyre::bench
