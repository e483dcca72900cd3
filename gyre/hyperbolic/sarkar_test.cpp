// Distortion of trees embedded in the hyperbolic plane by Sarkar's construction (2011).
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <vector>

#include "gyre/hyperbolic/ball/ball.h"
#include "gyre/hyperbolic/sets.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/shape/shape.h"

namespace gyre {
namespace {

constexpr int kDepth = 8, kNodes = (1 << (kDepth + 1)) - 1;

// A complete binary tree, node i with children 2 i + 1 and 2 i + 2 and edges of length tau: the
// root at the origin, neighbours of a node at equal angles.
Tensor sarkar(double tau, DType dtype) {
  TensorOptions options{dtype};
  Tensor level = zeros({1, 2}, options), parents, all = level;
  for (int depth = 0; depth < kDepth; ++depth) {
    int children = 2, neighbours = depth ? 3 : 2;
    Tensor base = zeros({level.size(0)}, options);
    if (depth) {
      Tensor back = poincare_add(-level, parents, 1.0);
      base = atan2(select(back, {1, 1}), select(back, {1, 0}));
    }
    Tensors below;
    for (int i = 1; i <= children; ++i) {
      Tensor angle = base + 2 * M_PI * i / neighbours;
      Tensor step = std::tanh(tau / 2) * stack({cos(angle), sin(angle)}, 1);
      below.push_back(poincare_add(level, step, 1.0));
    }
    parents = reshape(stack({level, level}, 1), {-1, 2});
    level = reshape(stack(below, 1), {-1, 2});
    all = cat({all, level}, 0);
  }
  return all;
}

int edges_between(int a, int b) {
  int edges = 0;
  for (; a != b; ++edges) (a > b ? a : b) = ((a > b ? a : b) - 1) / 2;
  return edges;
}

// Average distortion: mean of |distance / (tau edges) - 1| over all pairs.
double distortion(const Tensor& points, double tau) {
  std::vector<double> d = to_vector<double>(poincare_cdist(points, points, 1.0));
  double total = 0;
  for (int a = 0; a < kNodes; ++a) {
    for (int b = 0; b < a; ++b) {
      total += std::fabs(d[static_cast<size_t>(a * kNodes + b)] / (tau * edges_between(a, b)) - 1);
    }
  }
  return total / (kNodes * (kNodes - 1) / 2);
}

void expect_distortion(double tau, DType dtype) {
  double found = distortion(sarkar(tau, dtype), tau);
  std::printf("depth %d, tau = %.1f, %s: average distortion %.4f = %.3f / tau\n", kDepth, tau,
              name_of(dtype), found, found * tau);
  EXPECT_GT(found * tau, 0.2) << tau;
  EXPECT_LT(found * tau, 0.3) << tau;
}

TEST(Sarkar, DistortionOfABinaryTree) {
  for (double tau : {1.0, 1.5, 2.0}) expect_distortion(tau, DType::f32);
  for (double tau : {1.0, 2.0, 3.0, 4.0}) expect_distortion(tau, DType::f64);
}

}  // namespace
}  // namespace gyre
