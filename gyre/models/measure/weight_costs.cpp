#include "gyre/models/measure/weight_costs.h"

#include <algorithm>
#include <deque>

#include "gyre/autograd/backward.h"
#include "gyre/models/language_model.h"
#include "gyre/models/measure/windows.h"
#include "gyre/nn/tensor_walk.h"
#include "gyre/op/node.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/loss/loss.h"
#include "gyre/ops/random/random.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/packed/calibrate/statistics.h"

namespace gyre {
namespace {

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

}  // namespace gyre
