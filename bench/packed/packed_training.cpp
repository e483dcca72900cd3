#include <algorithm>
#include <memory>

#include "bench/packed/packed_weights.h"
#include "bench/perceptron.h"
#include "bench/work.h"
#include "gyre/autograd/backward.h"
#include "gyre/base/thread_pool.h"
#include "gyre/nn/linear.h"
#include "gyre/ops/linalg/matmul.h"
#include "gyre/optim/rules/adam.h"
#include "gyre/packed/gradient/word_gradient.h"
#include "gyre/packed/nn/packed_linear.h"
#include "gyre/packed/training/hybrid.h"

namespace gyre::bench {
namespace {

constexpr int64_t kInputs = 768, kOutputs = 3072;

// The gradient of the stored matrix, some outputs at a time, as the optimiser takes it.
void sweep(const Tensor& w) {
  const PackedStorage& storage = packed_storage(w);
  const PackedMatrix& matrix = storage.matrix;
  const StoredGradient stored(matrix, w.grad());
  const int64_t slabs =
      (storage.layout.rows + StoredGradient::kOutputs - 1) / StoredGradient::kOutputs;
  parallel_for(slabs, 1, [&](int64_t begin, int64_t end) {
    const auto size = static_cast<size_t>(stored.inputs() * StoredGradient::kOutputs);
    const auto g = std::make_unique_for_overwrite<float[]>(size);
    for (; begin < end; ++begin) stored.compute(begin * StoredGradient::kOutputs, {g.get(), size});
  });
}

// Forward and backward of x W^T, the next of some weights each time.
class Gradients {
 public:
  Gradients(const Work& w, int64_t place)
      : count_(w.operations),
        x_(randn({w.sizes[0], kInputs})),
        g_(randn({w.sizes[0], kOutputs})),
        weights_(
            random_weights(kInputs, kOutputs, place,
                           std::min(w.operations, matrices_in_turn(kInputs, kOutputs, place)))) {
    x_.set_requires_grad();
    for (Tensor& weight : weights_) weight.set_requires_grad();
  }

  void operator()() {
    for (size_t i = 0; i < static_cast<size_t>(count_); ++i) {
      Tensor& weight = weights_[i % weights_.size()];
      x_.zero_grad();
      const Tensor y = linear(x_, weight);
      backward(Inputs(&y, 1), Inputs(&g_, 1));
      if (is_packed(weight)) sweep(weight);
      weight.zero_grad();
    }
  }

 private:
  int count_;
  Tensor x_, g_;
  std::vector<Tensor> weights_;
};

// sizes: rows of x, format
Ready gradients(const Work& w, const Settings&) {
  return {.call = Gradients(w, w.sizes[1]), .least = Gradients(w, kDense)};
}

nn::PackedLinear packed_layer(int64_t in, int64_t out, int64_t place) {
  return nn::PackedLinear({in, out, static_cast<PackedFormat>(place)});
}

// The limit is a step of AdamW of the same net with f32 weights. sizes: batch, format, mode
Ready step(const Work& w, const Settings&) {
  auto [batch, place, mode, unused] = w.sizes;
  auto packed = std::make_shared<Perceptron<nn::PackedLinear>>(
      batch, packed_layer(kInputs, kOutputs, place), packed_layer(kOutputs, kInputs, place));
  auto hybrid = std::make_shared<HybridOptimizer>(
      packed->parameters, HybridOptions{.mode = static_cast<HybridMode>(mode)});
  auto dense = std::make_shared<Perceptron<nn::Linear>>(batch, nn::Linear{kInputs, kOutputs},
                                                        nn::Linear{kOutputs, kInputs});
  auto adamw = std::make_shared<AdamW>(dense->parameters);
  const auto steps_of = [count = w.operations](auto net, auto optimizer) {
    return [=] {
      for (int i = 0; i < count; ++i) {
        net->gradients();
        optimizer->step({.non_finite = NonFinite::apply});
      }
    };
  };
  return {.call = steps_of(packed, hybrid), .least = steps_of(dense, adamw)};
}

constexpr Work gradients_of(const char* name, int64_t rows, int64_t place) {
  return {.name = name,
          .unit = "us",
          .definition =
              "forward and backward of x W^T, packed weights 768 -> 3072 from memory: "
              "gradients of x and of the stored matrix; limit: f32 weights",
          .prepare = gradients,
          .sizes = {rows, place},
          // a large batch takes long and uses its weights often
          .operations = matrices_in_turn(kInputs, kOutputs, place, rows > 100 ? 16 : 1 << 20),
          .weights = static_cast<double>(kInputs * kOutputs)};
}

constexpr Work shadow_free(const char* name, int64_t batch, int64_t place) {
  return {.name = name,
          .unit = "us",
          .definition =
              "forward, backward and hybrid step (shadow_free) of 768 -> 3072 -> 768, "
              "packed weights, gelu, squared error; limit: f32 weights and AdamW",
          .prepare = step,
          .sizes = {batch, place, static_cast<int64_t>(HybridMode::shadow_free)},
          .warm = 10};  // the first steps flip few bits
}

constexpr Work shadow(const char* name, int64_t batch, int64_t place) {
  return {.name = name,
          .unit = "us",
          .definition =
              "ten hybrid steps (shadow), one of which encodes, of 768 -> 3072 -> 768, packed "
              "weights; time of one; limit: f32 weights and AdamW",
          .prepare = step,
          .sizes = {batch, place, static_cast<int64_t>(HybridMode::shadow)},
          .operations = 10,
          .repeats = 3,
          .warm = 1};
}

constexpr Work kPackedTrainingWorks[] = {
    gradients_of("packed_linear_1_d4_gradients", 1, kD4),
    gradients_of("packed_linear_1_t4_gradients", 1, kT4),
    gradients_of("packed_linear_32_d4_gradients", 32, kD4),
    gradients_of("packed_linear_32_t4_gradients", 32, kT4),
    gradients_of("packed_linear_512_d4_gradients", 512, kD4),
    gradients_of("packed_linear_512_t4_gradients", 512, kT4),
    shadow_free("packed_step_1", 1, kD4),
    shadow_free("packed_step_32", 32, kD4),
    shadow_free("packed_step_512", 512, kD4),
    shadow_free("packed_step_1_t4", 1, kT4),
    shadow_free("packed_step_32_t4", 32, kT4),
    shadow_free("packed_step_512_t4", 512, kT4),
    shadow("packed_step_1_shadow", 1, kD4),
    shadow("packed_step_32_shadow", 32, kD4),
    shadow("packed_step_512_shadow", 512, kD4),
};

}  // namespace

std::span<const Work> packed_training_works() { return kPackedTrainingWorks; }

}  // namespace gyre::bench
