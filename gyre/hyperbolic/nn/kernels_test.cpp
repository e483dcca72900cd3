// A layer runs one matrix product, at most one row kernel per factor and one for the result, and so
// does its derivative; counted by an observer of kernel calls.
#include <gtest/gtest.h>

#include <algorithm>

#include "gyre/autograd/backward.h"
#include "gyre/hyperbolic/nn/distance_attention.h"
#include "gyre/hyperbolic/nn/linear_layers.h"
#include "gyre/hyperbolic/nn/plane_layers.h"
#include "gyre/op/call_observer.h"
#include "gyre/op/samples.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/shape/shape.h"

namespace gyre::nn {
namespace {

constexpr int64_t kRows = 64, kIn = 8, kOut = 5;

// Counts kernels that run during its lifetime: matrix products, row kernels, and others that touch
// more than one number per row (the gradient of c, summed over rows, has one).
struct Kernels final : CallObserver {
  Kernels() { add_call_observer(*this); }
  ~Kernels() { remove_call_observer(*this); }
  void call(const ObservedCall& call) override {
    if (!call.computes()) return;
    std::string name = call.op.name;
    if (name == "linear" || name == "matmul") {
      ++products;
    } else if (call.op.family.rowwise[0]) {
      ++rows;
    } else if (largest(call) > kRows) {
      others += name + " ";
    }
  }
  static int64_t largest(const ObservedCall& call) {
    int64_t most = 0;
    for (Inputs side : {call.in, call.out}) {
      for (const Tensor& t : side) most = std::max(most, t.defined() ? t.numel() : 0);
    }
    return most;
  }
  int products = 0, rows = 0;
  std::string others;
};

// Kernels of a call and of its gradients by inputs and all parameters.
void expect_kernels(Module& layer, int row_kernels, int products, int inputs = 1) {
  Samples draw;
  Tensors in;
  for (int i = 0; i < inputs; ++i) {
    in.push_back(to(draw.uniform({kRows, kIn}, -0.3, 0.3), DType::f32).set_requires_grad());
  }
  Tensor y;
  {
    Kernels seen;
    y = layer.forward({in.data(), in.size()})[0];
    EXPECT_EQ(seen.products, products);
    EXPECT_EQ(seen.rows, row_kernels);
    EXPECT_EQ(seen.others, "");
  }
  Tensor g = ones(y.shape());
  Tensor results[] = {y}, cotangents[] = {g};
  Kernels seen;
  backward(results, cotangents);
  EXPECT_EQ(seen.products, 2 * products);
  EXPECT_EQ(seen.rows, row_kernels);
  EXPECT_EQ(seen.others, "");
}

TEST(LayerKernels, HypLinear) {
  for (bool learned : {false, true}) {
    for (HypLinearForm form : {HypLinearForm::tangent, HypLinearForm::gyro}) {
      HypLinear layer({.in = kIn, .out = kOut, .form = form, .learn_c = learned});
      expect_kernels(layer, 2, 1);
    }
  }
}
TEST(LayerKernels, PoincareLinear) {
  for (bool learned : {false, true}) {
    PoincareLinear layer({.in = kIn, .out = kOut, .learn_c = learned});
    expect_kernels(layer, 3, 1);
  }
}
TEST(LayerKernels, PoincareMLR) {
  for (bool learned : {false, true}) {
    PoincareMLR layer({.in = kIn, .out = kOut, .learn_c = learned});
    expect_kernels(layer, 3, 1);
  }
}

TEST(LayerKernels, LorentzMLR) {
  for (bool learned : {false, true}) {
    LorentzMLR layer({.in = kIn, .out = kOut, .learn_c = learned});
    expect_kernels(layer, 3, 1);
  }
}

TEST(LayerKernels, LorentzLinear) {
  for (bool learned : {false, true}) {
    LorentzLinear layer({.in = kIn, .out = kOut, .learn_c = learned});
    expect_kernels(layer, 2, 1);
  }
}
// Three factors and the result of each product; the attention weights are both result and factor.
TEST(LayerKernels, DistanceAttention) {
  for (bool learned : {false, true}) {
    DistanceAttention layer({.learn_c = learned});
    expect_kernels(layer, 6, 2, 3);
  }
}

}  // namespace
}  // namespace gyre::nn
