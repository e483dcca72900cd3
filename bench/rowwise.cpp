#include "bench/work.h"
#include "gyre/autograd/backward.h"
#include "gyre/op/node.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/loss/loss.h"
#include "gyre/ops/norm/norm.h"
#include "gyre/ops/random/random.h"

namespace gyre::bench {
namespace {

constexpr int64_t kRows = 4096, kRowwiseWidth = 1024, kTokens = 2048, kVocabulary = 50257;
constexpr TensorOptions kTrained{.requires_grad = true};

Ready softmax_forward(const Work&, const Settings&) {
  return {[x = randn({kRows, kRowwiseWidth})] { Tensor y = softmax(x); }};
}

Ready softmax_gradients(const Work&, const Settings&) {
  return {
      [x = randn({kRows, kRowwiseWidth}, kTrained), g = randn({kRows, kRowwiseWidth})]() mutable {
        x.zero_grad();
        Tensor y = softmax(x);
        backward(Inputs(&y, 1), Inputs(&g, 1));
      }};
}

Ready layer_norm_forward(const Work&, const Settings&) {
  return {[x = randn({kRows, kRowwiseWidth}), w = ones({kRowwiseWidth}),
           b = zeros({kRowwiseWidth})] { Tensor y = layer_norm(x, w, b); }};
}

Ready layer_norm_gradients(const Work&, const Settings&) {
  return {[x = randn({kRows, kRowwiseWidth}, kTrained), w = ones({kRowwiseWidth}, kTrained),
           b = zeros({kRowwiseWidth}, kTrained), g = randn({kRows, kRowwiseWidth})]() mutable {
    x.zero_grad();
    w.zero_grad();
    b.zero_grad();
    Tensor y = layer_norm(x, w, b);
    backward(Inputs(&y, 1), Inputs(&g, 1));
  }};
}

Ready cross_entropy_gradients(const Work&, const Settings&) {
  return {[logits = randn({kTokens, kVocabulary}, kTrained),
           target = randint(0, kVocabulary, {kTokens})]() mutable {
    logits.zero_grad();
    cross_entropy(logits, target).backward();
  }};
}

constexpr Work work(const char* name, const char* definition, int arrays,
                    Ready (*prepare)(const Work&, const Settings&)) {
  constexpr int64_t kCount = kRows * kRowwiseWidth;
  return {name, "us", definition, prepare, {}, Limit::copy, 4.0 * arrays * kCount, kCount};
}

constexpr Work kCrossEntropy{"cross_entropy_2048x50257_gradients",
                             "us",
                             "mean cross entropy of [2048, 50257] and the gradient of the logits",
                             cross_entropy_gradients,
                             {},
                             Limit::copy,
                             12.0 * kTokens* kVocabulary,
                             int64_t{1} << 24,
                             1,
                             7,
                             1};

constexpr Work kRowwiseWorks[] = {
    work("softmax_4096x1024", "softmax along the last axis, new output", 2, softmax_forward),
    work("softmax_4096x1024_gradients", "softmax along the last axis, forward and backward", 5,
         softmax_gradients),
    work("layer_norm_4096x1024", "layer_norm along the last axis with weight and bias, new output",
         2, layer_norm_forward),
    work("layer_norm_4096x1024_gradients",
         "layer_norm, forward and backward, weight and bias included", 5, layer_norm_gradients),
    kCrossEntropy,
};

}  // namespace

std::span<const Work> rowwise_works() { return kRowwiseWorks; }

}  // namespace gyre::bench
