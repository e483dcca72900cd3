#include <memory>

#include "bench/perceptron.h"
#include "bench/work.h"
#include "gyre/nn/linear.h"
#include "gyre/optim/rules/adam.h"

namespace gyre::bench {
namespace {

using Dense = Perceptron<nn::Linear>;
constexpr int64_t kMlpWidth = Dense::kWidth, kInner = Dense::kInner,
                  kParameters = Dense::kParameters;

std::shared_ptr<Dense> dense(const Work& w) {
  return std::make_shared<Dense>(w.sizes[0], nn::Linear{kMlpWidth, kInner},
                                 nn::Linear{kInner, kMlpWidth});
}

// sizes: batch
Ready mlp_gradients(const Work& w, const Settings&) {
  auto net = dense(w);
  return {[net] { net->gradients(); }};
}

Ready step(const Work& w, const Settings&) {
  auto net = dense(w);
  auto adamw = std::make_shared<AdamW>(net->parameters);
  return {[net, adamw] {
    net->gradients();
    adamw->step({.non_finite = NonFinite::apply});
  }};
}

// Small batches are bound by parameter traffic: parameters are read and gradients written; a step
// reads and writes each parameter with its two moments.
constexpr Work work(const char* name, int64_t batch, bool steps) {
  Work w{name,
         "us",
         steps ? "forward, backward and AdamW of 768 -> 3072 -> 768, gelu, squared error"
               : "forward and backward of 768 -> 3072 -> 768, gelu, squared error",
         steps ? step : mlp_gradients,
         {batch}};
  w.limit = batch > 100 ? Limit::fma : Limit::copy;
  w.amount = batch > 100 ? 10.0 * static_cast<double>(batch * kMlpWidth * kInner)
                         : (steps ? 24.0 : 8.0) * kParameters;
  w.floats = kParameters;
  return w;
}

constexpr Work kMlpWorks[] = {
    work("mlp_batch1_gradients", 1, false),     work("mlp_batch1_step", 1, true),
    work("mlp_batch32_gradients", 32, false),   work("mlp_batch32_step", 32, true),
    work("mlp_batch512_gradients", 512, false), work("mlp_batch512_step", 512, true),
};

}  // namespace

std::span<const Work> mlp_works() { return kMlpWorks; }

}  // namespace gyre::bench
