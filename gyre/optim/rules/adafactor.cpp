#include "gyre/optim/rules/adafactor.h"

#include <algorithm>
#include <cmath>

#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/linalg/matmul.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/optim/rules/optim_ops.h"
#include "gyre/optim/rules/whole_step.h"

namespace gyre {
namespace {

Shape factor_shape(size_t kind, const Tensor& parameter) {
  Shape shape = parameter.shape();
  if (parameter.rank() > 1) shape[parameter.rank() - (kind == 0 ? 1 : 2)] = 1;
  return shape;
}

Tensor mean_over(const Tensor& t, int axis) { return mean(t, ReduceAttrs{{axis}, true}); }

double root_mean_square(const Tensor& t) { return std::sqrt(mean(square(t)).item()); }

// Moves an average by this part of its distance to x.
Tensor towards(const Tensor& average, const Tensor& x, double part) {
  return lerp(average, x, Tensor(part));
}

void step_factored(const ParameterStep& s) {
  const auto& o = attrs_as<AdafactorOptions>(s.options);
  const auto t = static_cast<double>(s.steps + 1);
  const Tensor before = weights_of(s);
  const Tensor g = incoming(to(s.gradient, before.dtype()), s.numbers);
  const double part = std::pow(t, o.beta2_decay);
  const double eps = o.eps1 > 0 ? o.eps1 : epsilon_of(s.parameter.dtype());
  Tensors states;
  Tensor v;
  if (s.state.size() == 2) {
    const Tensor squares = square(g);
    states = {towards(s.state[0], mean_over(squares, -1), part),
              towards(s.state[1], mean_over(squares, -2), part)};
    v = matmul(states[0], states[1]) / maximum(mean_over(states[0], -2), Tensor(eps));
  } else {
    states = {towards(s.state[0], square(g), part)};
    v = states[0];
  }
  const Tensor update = g * rsqrt(maximum(v, Tensor(eps * eps)));
  const double size = std::max(o.eps2, root_mean_square(before)) * std::min(o.lr, 1 / std::sqrt(t));
  const double shrink = std::max(1.0, root_mean_square(update) / o.d);
  finish_step(s, before * (1 - o.lr * o.weight_decay) - update * (size / shrink), states);
}

void step_all(const Optimizer&, std::span<const ParameterStep> steps, const Tensor&) {
  for (const ParameterStep& s : steps) {
    if (s.parameter.numel() > 0) step_factored(s);
  }
}

constexpr StepRoute kFactored[] = {
    {.takes = kChunks.takes, .step = step_all, .state_shape = factor_shape}};
constexpr const char* kFactors[] = {"v", "columns"};

}  // namespace

constinit const OptimizerDef adafactor_optimizer{
    .name = "adafactor",
    .class_name = "Adafactor",
    .doc =
        "Adafactor: squared gradients averaged by rows and columns of matrices, and steps relative "
        "to the size of the parameter (Shazeer and Stern 2018)",
    .options = &record_of<AdafactorOptions>,
    .step = &sgd_step_def,
    .make = Adafactor::make,
    .routes = kFactored,
    .states = kFactors};

template class OptimizerOf<AdafactorRule>;

}  // namespace gyre
