#pragma once
#include <algorithm>
#include <vector>

#include "gyre/autograd/checkpoint.h"
#include "gyre/nn/module.h"

namespace gyre::nn {

/// How a module runs layers one after another; it visits this among its members.
struct LayerStack {
  /// Layers per checkpoint (autograd/checkpoint.h); 0: their intermediates are kept.
  int64_t checkpoint_every = 0;
  /// If set, checkpoints share this budget, of one layer each unless the number is given.
  Ref<CheckpointBudget> budget{};

  /// step(layer, x) for each layer, x being the result of the one before. `step` must be a copyable
  /// function that refers to nothing that a later backward pass would not find.
  template <class Layer, class Step>
  Tensor run(const std::vector<Layer>& layers, Tensor x, Step step) const {
    const size_t count = layers.size();
    size_t each = static_cast<size_t>(checkpoint_every);
    if (each == 0 && budget) each = 1;
    if (each == 0) {
      for (const Layer& layer : layers) x = step(layer, x);
      return x;
    }
    for (size_t i = 0; i < count; i += each) {
      const auto first = layers.begin() + static_cast<ptrdiff_t>(i);
      const std::vector<Layer> part(first,
                                    first + static_cast<ptrdiff_t>(std::min(each, count - i)));
      const auto body = [part, step](Inputs in) {
        Tensor y = in[0];
        for (const Layer& layer : part) y = step(layer, y);
        return Tensors{y};
      };
      x = checkpoint(body, Inputs(&x, 1), budget)[0];
    }
    return x;
  }
};

}  // namespace gyre::nn
