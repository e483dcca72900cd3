#include <memory>

#include "bench/work.h"
#include "gyre/ops/random/random.h"
#include "gyre/optim/rules/adam.h"

namespace gyre::bench {
namespace {

constexpr int64_t kOptimParameters = int64_t{1} << 24;

// sizes: dtype
Ready optim_step(const Work& w, const Settings&) {
  auto dtype = static_cast<DType>(w.sizes[0]);
  Tensor values = randn({kOptimParameters}, {.dtype = dtype, .requires_grad = true});
  values.set_grad(randn({kOptimParameters}, {.dtype = dtype}));
  auto adamw = std::make_shared<AdamW>(std::vector<Tensor>{values});
  return {[adamw] { adamw->step({.non_finite = NonFinite::apply}); }};
}

// 28 bytes per parameter in f32: the gradient is read, value and two moments are read and written.
// Also 28 in 16 bits: gradient, value, master and two moments.
constexpr Work work(const char* name, DType dtype) {
  return {name,
          "ms",
          "AdamW step of 2^24 parameters",
          optim_step,
          {static_cast<int64_t>(dtype)},
          Limit::copy,
          28.0 * kOptimParameters,
          kOptimParameters};
}

constexpr Work kOptimWorks[] = {
    work("optim_adamw_f32", DType::f32),
    work("optim_adamw_bf16", DType::bf16),
    work("optim_adamw_f16", DType::f16),
};

}  // namespace

std::span<const Work> optim_works() { return kOptimWorks; }

}  // namespace gyre::bench
