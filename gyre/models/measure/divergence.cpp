#include "gyre/models/measure/divergence.h"

#include <algorithm>
#include <vector>

#include "gyre/autograd/backward.h"
#include "gyre/models/language_model.h"
#include "gyre/models/measure/windows.h"
#include "gyre/nn/tensor_walk.h"
#include "gyre/op/node.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/norm/norm.h"
#include "gyre/ops/random/random.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/packed/training/hybrid.h"

namespace gyre {
namespace {

// The sum over the tokens of rows of the KL divergence of q from p, given as logits.
Tensor summed_kl(const Tensor& p_logits, const Tensor& q_logits) {
  const Tensor p = log_softmax(to(p_logits, DType::f32), -1),
               q = log_softmax(to(q_logits, DType::f32), -1);
  return sum(to(sum(exp(p) * (p - q), {.axes = {-1}}), DType::f64));
}

}  // namespace

void polish(const LanguageModel& model, LanguageModel& packed, std::span<const int32_t> tokens,
            const PolishOptions& options, FunctionRef<void(int64_t, int64_t)> done) {
  require_window(tokens, options.window);
  if (options.steps == 0) return;
  std::vector<Tensor> words;
  nn::for_each_tensor(packed, [&](const std::string&, Tensor& t, bool) {
    const bool trained = is_packed(t) && packed_storage(t).layout.format->has_rings;
    if (!trained) t = t.detach();  // they may be those of `model`, or of a file
    t.set_requires_grad(trained);
    if (trained && std::ranges::find(words, t.impl(), &Tensor::impl) == words.end())
      words.push_back(t);
  });
  if (words.empty()) return;
  HybridOptimizer optimizer(words, {.lr = options.lr,
                                    .weight_decay = 0,
                                    .mode = HybridMode::shadow_free,
                                    .flips = options.flips});
  Generator generator{options.seed, 0};
  const int64_t rows = std::max<int64_t>(1, kTokensAPass / options.window);
  const int64_t starting = std::ssize(tokens) - options.window + 1;
  for (int64_t step = 0; step < options.steps; ++step) {
    const auto starts = to_vector<int64_t>(
        randint(0, starting, {rows}, {.dtype = DType::i64, .generator = &generator}));
    const Tensor some = window_rows(tokens, starts, options.window);
    Tensor wanted;
    {
      NoGrad off;
      wanted = model(some);
    }
    const Tensor loss = summed_kl(wanted, packed(some)) / Tensor(static_cast<double>(some.numel()));
    backward({&loss, 1});
    optimizer.set_lr(options.lr * static_cast<double>(options.steps - step) /
                     static_cast<double>(options.steps));
    optimizer.step();
    optimizer.zero_grad();
    done(step + 1, options.steps);
  }
}

double kl_divergence(const LanguageModel& model, const LanguageModel& other,
                     std::span<const int32_t> tokens, int64_t window, int64_t windows,
                     FunctionRef<void(int64_t, int64_t)> done) {
  NoGrad off;
  double total = 0;
  int64_t count = 0;
  const auto each = [&](const Tensor& rows) {
    total += summed_kl(model(rows), other(rows)).item();
    count += rows.numel();
  };
  for_windows(tokens, window, windows, each, done);
  return total / static_cast<double>(count);
}

}  // namespace gyre
