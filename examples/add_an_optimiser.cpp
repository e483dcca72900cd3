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

extern const OptimizerDef adagrad_optimizer;

/// sum += g^2, value -= lr g / (sqrt(sum) + eps), for parameters of f32 and f64. State "sum".
class Adagrad final : public Optimizer {
 public:
  explicit Adagrad(std::span<const Tensor> parameters, const AdagradOptions& options = {})
      : Optimizer(adagrad_optimizer) {
    auto group = make_ref<OpenAttrs>(record_of<AdagradOptions>);
    *static_cast<AdagradOptions*>(group->memory) = options;
    add(parameters, std::move(group));
  }

 private:
  struct Numbers {
    AdagradOptions options;
    GradientNumbers gradient;
  };

  std::span<const char* const> state_kinds(const void*) const override {
    static constexpr const char* kKinds[] = {"sum"};
    return kKinds;
  }

  void prepare(size_t parameter, const void* options, const StepInfo& info) override {
    DType dtype = parameters()[parameter].dtype();
    if (dtype != DType::f32 && dtype != DType::f64) {
      throw Error(Code::unsupported, def().name,
                  std::string("expected a parameter of f32 or f64, got ") + name_of(dtype));
    }
    numbers_.resize(parameters().size());
    numbers_[parameter] = {attrs_as<AdagradOptions>(options), info.gradient};
  }

  void update(size_t parameter, const StepTile&, const StepArrays& arrays, int64_t n) override {
    bool f32 = parameters()[parameter].dtype() == DType::f32;
    f32 ? update_in<float>(numbers_[parameter], arrays, n)
        : update_in<double>(numbers_[parameter], arrays, n);
  }

  template <class T>
  static void update_in(const Numbers& numbers, const StepArrays& arrays, int64_t n) {
    const T* gradient = static_cast<const T*>(arrays.gradient);
    T *value = static_cast<T*>(arrays.value), *sum = static_cast<T*>(arrays.state[0]);
    T lr = static_cast<T>(numbers.options.lr), eps = static_cast<T>(numbers.options.eps);
    for (int64_t i = 0; i < n; ++i) {
      T g = gradient[i];
      if (numbers.gradient.finite_only && !std::isfinite(g)) g = 0;
      g *= static_cast<T>(numbers.gradient.scale);
      sum[i] += g * g;
      value[i] -= lr * g / (std::sqrt(sum[i]) + eps);
    }
  }

  std::vector<Numbers> numbers_;  // by parameter, of this step
};

constinit const OptimizerDef adagrad_optimizer = {
    "adagrad", "Adagrad",
    "sum += g^2, then lr g / (sqrt(sum) + eps) is subtracted from the value (Duchi et al. 2011)",
    &record_of<AdagradOptions>,
    [](std::span<const Tensor> parameters, const void* options) -> std::unique_ptr<Optimizer> {
      return std::make_unique<Adagrad>(parameters, attrs_as<AdagradOptions>(options));
    }};

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
