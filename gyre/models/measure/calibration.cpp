#include "gyre/models/measure/calibration.h"

#include <algorithm>
#include <deque>

#include "gyre/autograd/backward.h"
#include "gyre/base/error.h"
#include "gyre/base/system/file.h"
#include "gyre/data/text_source.h"
#include "gyre/models/language_model.h"
#include "gyre/nn/tensor_walk.h"
#include "gyre/op/node.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/loss/loss.h"
#include "gyre/ops/norm/norm.h"
#include "gyre/ops/random/random.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/packed/calibrate/statistics.h"
#include "gyre/packed/training/hybrid.h"
#include "gyre/text/tokenizer.h"

namespace gyre {
namespace {

constexpr const char* kCompress = "compress";
constexpr double kMeasured = 0.1;  // of the text
constexpr int64_t kTokensAPass = 2048;

// Where windows begin: at most `most` of them, evenly spread.
std::vector<int64_t> window_starts(size_t tokens, int64_t window, int64_t most) {
  const auto last = static_cast<int64_t>(tokens) - window;
  const int64_t count = std::min(most, last / window + 1);
  std::vector<int64_t> starts;
  for (int64_t i = 0; i < count; ++i) starts.push_back(count > 1 ? i * last / (count - 1) : 0);
  return starts;
}

// Some windows as rows.
Tensor window_rows(std::span<const int32_t> tokens, std::span<const int64_t> starts,
                   int64_t window) {
  std::vector<int32_t> rows;
  for (const int64_t start : starts) {
    const auto part = tokens.subspan(static_cast<size_t>(start), static_cast<size_t>(window));
    rows.insert(rows.end(), part.begin(), part.end());
  }
  return tensor<int32_t>(rows, {static_cast<int64_t>(starts.size()), window});
}

void require_window(std::span<const int32_t> tokens, int64_t window) {
  if (window >= 1 && std::ssize(tokens) >= window) return;
  throw mismatch(Code::value, kCompress,
                 {"expected a window of 1 to ", tokens.size(), " tokens, as the text has"},
                 {"1 to ", tokens.size()}, window);
}

// Calls each(tokens [rows, window]) for all windows, some at a time.
void for_windows(std::span<const int32_t> tokens, int64_t window, int64_t most,
                 FunctionRef<void(const Tensor&)> each, FunctionRef<void(int64_t, int64_t)> done) {
  require_window(tokens, window);
  const std::vector<int64_t> starts = window_starts(tokens.size(), window, most);
  const auto at_once = static_cast<size_t>(std::max<int64_t>(1, kTokensAPass / window));
  for (size_t i = 0; i < starts.size(); i += at_once) {
    const std::span some = std::span(starts).subspan(i, std::min(at_once, starts.size() - i));
    each(window_rows(tokens, some, window));
    done(static_cast<int64_t>(i + some.size()), static_cast<int64_t>(starts.size()));
  }
}

// A token for each position by the model's own distribution: the largest of logits with Gumbel
// noise.
Tensor sampled(const Tensor& logits, Generator& generator) {
  NoGrad off;
  const Tensor u = rand(logits.shape(), {.generator = &generator});
  return argmax(logits.detach() - log(-log(clamp(u, 1e-9, 1 - 1e-7))), {.axes = {-1}});
}

// A model whose weights tell their witnesses, which nothing else of `model` sees.
std::unique_ptr<LanguageModel> watched_model(const LanguageModel& model,
                                             std::span<const Tensor> weights, auto& witnesses) {
  auto copy = model.share();
  nn::for_each_tensor(*copy, [&](const std::string&, Tensor& t, bool) {
    const auto same = std::ranges::find(weights, t.impl(), &Tensor::impl);
    t = same == weights.end() ? t.detach()
                              : watched(t, witnesses[static_cast<size_t>(same - weights.begin())]);
  });
  return copy;
}

// The mean of E[G_ij^2] over a matrix, each row weighted by its squared size.
double sensitivity_of(const Tensor& weight, std::span<const double> row_squares, int64_t tokens) {
  NoGrad off;
  const Tensor w = reshape(weight.detach(), {weight.size(0), -1});
  const auto sizes = to_vector<double>(sum(w * w, {.axes = {1}}));
  double all = 0, curved = 0;
  for (size_t row = 0; row < row_squares.size(); ++row) {
    all += sizes[row];
    curved += sizes[row] * row_squares[row];
  }
  return all > 0 ? curved / all / static_cast<double>(w.size(1) * tokens) : 0;
}

void weigh_inputs(const LanguageModel& model, std::span<const Tensor> weights,
                  std::span<const int32_t> tokens, const CalibrationOptions& options,
                  std::vector<WeightCosts>& costs, FunctionRef<void(int64_t, int64_t)> done) {
  NoGrad off;
  std::deque<InputStatistics> statistics(weights.size());
  const auto seen = watched_model(model, weights, statistics);
  for_windows(
      tokens, options.window, options.windows, [&](const Tensor& rows) { (*seen)(rows); }, done);
  for (size_t i = 0; i < weights.size(); ++i) costs[i].sides.inputs = statistics[i].mean();
}

void weigh_both(const LanguageModel& model, std::span<const Tensor> weights,
                std::span<const int32_t> tokens, const CalibrationOptions& options,
                std::vector<WeightCosts>& costs, FunctionRef<void(int64_t, int64_t)> done) {
  std::deque<KroneckerStatistics> statistics;
  for (const Tensor& w : weights) statistics.emplace_back(w.size(0));
  const auto seen = watched_model(model, weights, statistics);
  Generator generator{options.seed, 0};
  int64_t count = 0;
  const auto each = [&](const Tensor& rows) {
    const Tensor logits = to((*seen)(rows), DType::f32);
    const Tensor loss =
        cross_entropy(logits, sampled(logits, generator), {.reduction = Reduction::sum});
    backward({&loss, 1});
    count += rows.numel();
  };
  for_windows(tokens, options.window, options.windows, each, done);
  for (size_t i = 0; i < weights.size(); ++i) {
    costs[i].sensitivity = sensitivity_of(weights[i], statistics[i].row_squares(), count);
    if (options.mode == CalibrationMode::two_sided) costs[i].sides = statistics[i].sides();
  }
}

}  // namespace

CalibrationText calibration_text(const std::string& file, const std::string& folder,
                                 const LanguageModel& model, int64_t window) {
  const std::string path = folder + "/tokenizer.json";
  if (!file_exists(path))
    throw mismatch(Code::value, kCompress, folder + ": no tokenizer.json", "tokenizer.json",
                   "none");
  const auto tokenizer = load_tokenizer(path);
  const std::string text = read_text({&file, 1});
  const TextSplit split = split_text(text, kMeasured);
  const auto part = [&](std::string_view bytes, const char* purpose) {
    std::vector<int32_t> tokens = tokenizer->encode(bytes);
    for (const int32_t id : tokens) {
      if (id < model.vocab()) continue;
      throw mismatch(
          Code::value, kCompress,
          {file, ": token ", id, " is outside the model's vocabulary of ", model.vocab()},
          {"< ", model.vocab()}, id);
    }
    if (static_cast<int64_t>(tokens.size()) < window) {
      throw mismatch(Code::value, kCompress,
                     {file, ": the part ", purpose, " has ", tokens.size(),
                      " tokens, fewer than a window of ", window},
                     {">= ", window}, tokens.size());
    }
    return tokens;
  };
  return {part(split.training, "to calibrate with, nine tenths of the text,"),
          part(split.validation, "to measure with, a tenth of the text,")};
}

std::vector<WeightCosts> weight_costs(const LanguageModel& model, std::span<const Tensor> weights,
                                      std::span<const int32_t> tokens,
                                      const CalibrationOptions& options,
                                      FunctionRef<void(int64_t, int64_t)> done) {
  std::vector<WeightCosts> costs(weights.size());
  if (options.mode == CalibrationMode::one_sided)
    weigh_inputs(model, weights, tokens, options, costs, done);
  if (options.mode == CalibrationMode::two_sided || options.sensitivities)
    weigh_both(model, weights, tokens, options, costs, done);
  return costs;
}

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
    const bool trained = is_packed(t) && packed_storage(t).layout.format->has_rings();
    if (!trained) t = t.detach();  // they may be those of `model`, or of a file
    t.set_requires_grad(trained);
    if (trained && std::ranges::find(words, t.impl(), &Tensor::impl) == words.end())
      words.push_back(t);
  });
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
