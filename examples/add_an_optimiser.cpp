// Adds an optimiser: Signum (Bernstein et al. 2018).
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "gyre/gyre.h"

namespace gyre {
struct SignumOptions {
  double lr = 1e-3, momentum = 0.9;
};
GYRE_FIELDS(SignumOptions, GYRE_FIELD(lr, "learning rate", .least = 0),
            GYRE_FIELD(momentum, "momentum factor", .least = 0, .below = 1));
}  // namespace gyre
using namespace gyre;

struct SignumNumbers {
  GradientNumbers gradient;
  double lr, momentum;
};

template <class T>
void update(const StepPart& part) {
  const auto& numbers = *reinterpret_cast<const SignumNumbers*>(part.numbers);
  const T* gradient = static_cast<const T*>(part.arrays.gradient);
  T *value = static_cast<T*>(part.arrays.value), *v = static_cast<T*>(part.arrays.state[0]);
  T lr = static_cast<T>(numbers.lr), momentum = static_cast<T>(numbers.momentum);
  for (int64_t i = 0; i < part.n; ++i) {
    T g = gradient[i];
    if (numbers.gradient.finite_only != 0 && !std::isfinite(g)) g = 0;
    g *= static_cast<T>(numbers.gradient.scale);
    v[i] = momentum * v[i] + (1 - momentum) * g;
    value[i] -= lr * static_cast<T>((v[i] > 0) - (v[i] < 0));
  }
}

constexpr const char* kArrays[] = {"value", "master", "v"};

Status signum_cpu(const OpDef& op, const KernelArgs& args) noexcept {
  for (const View& array : args.out) {
    if (array.data && array.dtype != DType::f32 && array.dtype != DType::f64)
      return {.failed = true, .code = Code::unsupported, .what = "expected f32 or f64"};
  }
  return run_steps(op, args, sizeof(SignumNumbers) / sizeof(double), [](const StepPart& part) {
    part.value == DType::f32 ? update<float>(part) : update<double>(part);
  });
}

constinit const OpDef signum_step{.name = "signum_step",
                                  .args = kStepArgs,
                                  .outputs = kArrays,
                                  .kernels = {signum_cpu},
                                  .writes = true,
                                  .scratch = Chunks::scratch_bytes};

extern const OptimizerDef signum_optimizer;

struct SignumRule {
  using Options = SignumOptions;
  static constexpr const OptimizerDef& def = signum_optimizer;
  static size_t states(const Options&) { return 1; }
  static SignumNumbers numbers(const Options& options, const Optimizer::StepInfo& info) {
    return {info.gradient, options.lr, options.momentum};
  }
};

/// v = momentum v + (1 - momentum) g, value -= lr sign(v), for f32 and f64. State "v".
using Signum = OptimizerOf<SignumRule>;

constinit const OptimizerDef signum_optimizer{.name = "signum",
                                              .class_name = "Signum",
                                              .doc =
                                                  "value -= lr sign(v), with the running average "
                                                  "v of gradients (Bernstein et al. 2018)",
                                              .options = &record_of<SignumOptions>,
                                              .step = &signum_step,
                                              .make = Signum::make};

void check(bool passed, const char* what) {
  std::printf("%-40s %s\n", what, passed ? "ok" : "FAILED");
  if (!passed) std::exit(1);
}

int main() {
  Tensor one = tensor({2.0});
  one.set_requires_grad();
  Signum single(std::span(&one, 1), {.lr = 0.5});
  sum(one * one).backward();
  single.step();
  check(one.detach().item() == 1.5, "the first step has the length lr");

  Tensor x = zeros({2});
  x.set_requires_grad();
  const OptimizerDef* mine[] = {&signum_optimizer};
  Json options = Json::parse(R"({"lr": 0.5})");
  auto optimizer = make_optimizer(OptimizerTable{mine}, "signum", options, std::span(&x, 1));
  double loss = 0;
  for (int step = 0; step < 500; ++step) {
    Tensor off = (x - tensor({3, -1})) * tensor({1, 10});
    Tensor l = sum(off * off);
    l.backward();
    optimizer->set_lr(0.5 * std::pow(0.97, step));
    optimizer->step({.clip = 100});
    optimizer->zero_grad();
    loss = l.item();
  }
  std::printf("loss %.3g\n", loss);
  check(loss < 1e-6, "it minimises a quadratic");
  check(optimizer->state_dict()[1].name == "v.0", "its state is saved");
}
