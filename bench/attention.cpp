#include "gyre/ops/attention/attention.h"

#include "bench/work.h"
#include "gyre/autograd/backward.h"
#include "gyre/op/node.h"
#include "gyre/ops/random/random.h"

namespace gyre::bench {
namespace {

constexpr int64_t kHeads = 12, kTime = 1024, kWidth = 64;
constexpr double kFlops = 2.0 * 2 * kHeads * kTime * kTime * kWidth / 2;  // the lower triangle

Tensor causal(const Tensor& q, const Tensor& k, const Tensor& v) {
  return scaled_dot_product_attention(q, k, v, {.causal = true});
}

struct Operands {
  Tensor make() { return randn({1, kHeads, kTime, kWidth}, {.requires_grad = true}); }
  Tensor q = make(), k = make(), v = make();
};

Ready forward(const Work&, const Settings&) {
  return {[a = Operands()] {
    NoGrad off;
    Tensor y = causal(a.q, a.k, a.v);
  }};
}

Ready gradients(const Work&, const Settings&) {
  return {[a = Operands(), g = randn({1, kHeads, kTime, kWidth})]() mutable {
    a.q.zero_grad();
    a.k.zero_grad();
    a.v.zero_grad();
    Tensor y = causal(a.q, a.k, a.v);
    backward(Inputs(&y, 1), Inputs(&g, 1));
  }};
}

constexpr Work kAttentionWorks[] = {
    {"attention_causal",
     "us",
     "softmax(Q K^T / 8, causal) V, 12 heads, 1024 positions, 64 wide",
     forward,
     {},
     Limit::fma,
     kFlops},
    {"attention_causal_gradients",
     "us",
     "the same, forward and backward for q, k and v",
     gradients,
     {},
     Limit::fma,
     3.5 * kFlops},
};

}  // namespace

std::span<const Work> attention_works() { return kAttentionWorks; }

}  // namespace gyre::bench
