#pragma once
#include <utility>
#include <vector>

#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/loss/loss.h"
#include "gyre/ops/random/random.h"

namespace gyre::bench {

/// Two layers, 768 -> 3072 -> 768, with gelu between them and the mean squared error.
template <class Layer>
struct Perceptron {
  static constexpr int64_t kWidth = 768, kInner = 3072;
  static constexpr int64_t kParameters = 2 * kWidth * kInner + kWidth + kInner;

  Perceptron(int64_t batch, Layer first, Layer second)
      : up(std::move(first)),
        down(std::move(second)),
        x(randn({batch, kWidth})),
        target(randn({batch, kWidth})),
        parameters{up.weight, up.bias, down.weight, down.bias} {}

  void gradients() {
    for (Tensor& p : parameters) p.zero_grad();
    mse(down(gelu_tanh(up(x))), target).backward();
  }

  Layer up, down;
  Tensor x, target;
  std::vector<Tensor> parameters;
};

}  // namespace gyre::bench
