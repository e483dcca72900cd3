#include <gtest/gtest.h>

#include "gyre/base/system/file.h"
#include "gyre/data/idx.h"
#include "gyre/io/safetensors.h"
#include "gyre/op/node.h"
#include "gyre/ops/conv/conv.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/linalg/matmul.h"
#include "gyre/ops/norm/norm.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/shape.h"
#include "tests/largest_difference.h"
#include "tests/test_data.h"

// A network trained on MNIST with burn, compared with PyTorch's results for the same weights.

namespace gyre {
namespace {

class Digits : public testing::Test {
 protected:
  static std::string path(const std::string& name) { return test_data("images/" + name); }
  void SetUp() override {
    if (!file_exists(path(kWeights))) GTEST_SKIP() << no_test_data(path(kWeights));
  }

  static Tensor normalised(const SafetensorsFile& w, const std::string& layer, const Tensor& x) {
    Shape shape{w.load(layer + ".weight").numel()};
    for (int axis = 2; axis < x.rank(); ++axis) shape.push_back(1);
    const auto of = [&](const char* name) { return reshape(w.load(layer + name), shape); };
    return (x - of(".running_mean")) / sqrt(of(".running_var") + 1e-5) * of(".weight") +
           of(".bias");
  }

  static Tensor log_probabilities(const SafetensorsFile& w, const Tensor& images) {
    Tensor x = (to(unsqueeze(images, 1), DType::f32) / 255 - 0.1307) / 0.3081;
    for (const char* layer : {"conv1", "conv2", "conv3"}) {
      const std::string name = layer;
      x = relu(conv2d(x, w.load(name + ".weight"), w.load(name + ".bias")));
    }
    x = flatten(normalised(w, "norm1", x), 1);
    x = relu(linear(x, w.load("fc1.weight"), w.load("fc1.bias")));
    x = linear(x, w.load("fc2.weight"), w.load("fc2.bias"));
    return log_softmax(normalised(w, "norm2", x), 1);
  }

  static constexpr const char* kWeights = "burn_mnist_cnn.safetensors";
};

TEST_F(Digits, MatchPyTorchProbabilities) {
  NoGrad off;
  const SafetensorsFile weights(path(kWeights)), golden(path("burn_mnist_cnn_golden.safetensors"));
  const Tensor first = slice(read_idx(path("t10k-images-idx3-ubyte.gz")), {.stop = 64});
  const Tensor found = log_probabilities(weights, first);
  EXPECT_LT(largest_difference(found, golden.load("log_probs_first64")), 2e-5);
  const Tensor wanted = slice(golden.load("pred_all"), {.stop = 64});
  EXPECT_EQ(to_vector<int64_t>(argmax(found, 1)), to_vector<int64_t>(to(wanted, DType::i64)));
}

}  // namespace
}  // namespace gyre
