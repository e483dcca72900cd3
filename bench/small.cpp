#include "bench/work.h"
#include "gyre/autograd/backward.h"
#include "gyre/op/node.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/random/random.h"

namespace gyre::bench {
namespace {

constexpr int kCalls = 1000, kSmallChain = 100;

// A new output each time, no gradients.
template <class F>
Ready repeated(F op) {
  return {[x = randn({16}), y = randn({16}), op] {
    NoGrad off;
    for (int i = 0; i < kCalls; ++i) Tensor z = op(x, y);
  }};
}

Ready adds(const Work&, const Settings&) {
  return repeated([](const Tensor& x, const Tensor& y) { return x + y; });
}
Ready scalar_muls(const Work&, const Settings&) {
  return repeated([](const Tensor& x, const Tensor&) { return x * 2.5; });
}
Ready relus(const Work&, const Settings&) {
  return repeated([](const Tensor& x, const Tensor&) { return relu(x); });
}

Ready recorded_adds(const Work&, const Settings&) {
  Tensor leaf = randn({16}, {.requires_grad = true});
  return {[leaf, y = randn({16})] {
    for (int i = 0; i < kCalls; ++i) Tensor z = leaf + y;
  }};
}

Ready chains(const Work&, const Settings&) {
  Tensor leaf = randn({16}, {.requires_grad = true});
  return {[leaf, y = randn({16}), g = ones({16})]() mutable {
    for (int i = 0; i < kCalls / kSmallChain; ++i) {
      leaf.zero_grad();
      Tensor z = leaf;
      for (int j = 0; j < kSmallChain; ++j) z = z + y;
      backward(Inputs(&z, 1), Inputs(&g, 1));
    }
  }};
}

constexpr Work small_work(const char* name, const char* definition,
                          Ready (*prepare)(const Work&, const Settings&)) {
  Work w{name, "ns", definition, prepare};
  w.operations = kCalls;
  w.repeats = 15;
  w.warm = 5;
  return w;
}

constexpr Work kSmallWorks[] = {
    small_work("small_add", "z = x + y on 16 elements, not recorded", adds),
    small_work("small_scalar_mul", "z = x * 2.5 on 16 elements, not recorded", scalar_muls),
    small_work("small_relu", "z = relu(x) on 16 elements, not recorded", relus),
    small_work("small_add_recorded", "z = x + y on 16 elements, x requires a gradient",
               recorded_adds),
    small_work("small_chain", "one of 100 recorded adds and its backward", chains),
};

}  // namespace

std::span<const Work> small_works() { return kSmallWorks; }

}  // namespace gyre::bench
