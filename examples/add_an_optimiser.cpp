// Adds an optimiser: Adagrad (Duchi et al. 2011).
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "gyre/gyre.h"

namespace gyre {
struct AdagradOptions {
  double lr = 1e-2, eps = 1e-10;
};
GYRE_FIELDS(AdagradOptions, GYRE_FIELD(lr, "learning rate", .least = 0),
            GYRE_FIELD(eps, "added to the denominator", .above = 0));
}  // namespace gyre
using namespace gyre;

struct AdagradNumbers {
  GradientNumbers gradient;
  double lr, eps;
};

template <class T>
void update(const StepPart& part) {
  const auto& numbers = *reinterpret_cast<const AdagradNumbers*>(part.numbers);
  const T* gradient = static_cast<const T*>(part.arrays.gradient);
  T *value = static_cast<T*>(part.arrays.value), *sum = static_cast<T*>(part.arrays.state[0]);
  T lr = static_cast<T>(numbers.lr), eps = static_cast<T>(numbers.eps);
  for (int64_t i = 0; i < part.n; ++i) {
    T g = gradient[i];
    if (numbers.gradient.finite_only != 0 && !std::isfinite(g)) g = 0;
    g *= static_cast<T>(numbers.gradient.scale);
    sum[i] += g * g;
    value[i] -= lr * g / (std::sqrt(sum[i]) + eps);
  }
}

constexpr const char* kArrays[] = {"value", "master", "sum"};

Status adagrad_cpu(const OpDef& op, const KernelArgs& args) noexcept {
  for (const View& array : args.out) {
    if (array.data && array.dtype != DType::f32 && array.dtype != DType::f64)
      return {.failed = true, .code = Code::unsupported, .what = "expected f32 or f64"};
  }
  return run_steps(op, args, sizeof(AdagradNumbers) / sizeof(double), [](const StepPart& part) {
    part.value == DType::f32 ? update<float>(part) : update<double>(part);
  });
}

constinit const OpDef adagrad_step{.name = "adagrad_step",
                                   .args = kStepArgs,
                                   .outputs = kArrays,
                                   .kernels = {adagrad_cpu},
                                   .writes = true,
                                   .scratch = Chunks::scratch_bytes};

extern const OptimizerDef adagrad_optimizer;

struct AdagradRule {
  using Options = AdagradOptions;
  static constexpr const OptimizerDef& def = adagrad_optimizer;
  static size_t states(const Options&) { return 1; }
  static AdagradNumbers numbers(const Options& options, const Optimizer::StepInfo& info) {
    return {info.gradient, options.lr, options.eps};
  }
};

/// sum += g^2, value -= lr g / (sqrt(sum) + eps), for parameters of f32 and f64. State "sum".
using Adagrad = OptimizerOf<AdagradRule>;

constinit const OptimizerDef adagrad_optimizer{.name = "adagrad",
                                               .class_name = "Adagrad",
                                               .doc =
                                                   "sum += g^2, then lr g / (sqrt(sum) + eps) is "
                                                   "subtracted from the value (Duchi et al. 2011)",
                                               .options = &record_of<AdagradOptions>,
                                               .step = &adagrad_step,
                                               .make = Adagrad::make};

void check(bool passed, const char* what) {
  std::printf("%-40s %s\n", what, passed ? "ok" : "FAILED");
  if (!passed) std::exit(1);
}

int main() {
  Tensor one = tensor({2.0});
  one.set_requires_grad();
  Adagrad single(std::span(&one, 1), {.lr = 0.5});
  sum(one * one).backward();
  single.step();
  check(one.detach().item() == 1.5, "the first step has the length lr");

  Tensor x = zeros({2});
  x.set_requires_grad();
  const OptimizerDef* mine[] = {&adagrad_optimizer};
  Json options = Json::parse(R"({"lr": 0.5})");
  auto optimizer = make_optimizer(OptimizerTable{mine}, "adagrad", options, std::span(&x, 1));
  double loss = 0;
  for (int step = 0; step < 500; ++step) {
    Tensor off = (x - tensor({3, -1})) * tensor({1, 10});
    Tensor l = sum(off * off);
    l.backward();
    optimizer->step({.clip = 100});
    optimizer->zero_grad();
    loss = l.item();
  }
  std::printf("loss %.3g\n", loss);
  check(loss < 1e-6, "it minimises a quadratic");
  check(optimizer->state_dict()[1].name == "sum.0", "its state is saved");
}
