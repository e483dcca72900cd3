// What the table's tests do not say of the layers: what they refuse when called, and that results
// stay in the ball.
#include <gtest/gtest.h>

#include <cmath>

#include "gyre/autograd/backward.h"
#include "gyre/hyperbolic/ball.h"
#include "gyre/hyperbolic/nn/ball_maps.h"
#include "gyre/hyperbolic/nn/hyp_linear.h"
#include "gyre/hyperbolic/nn/lorentz_linear.h"
#include "gyre/hyperbolic/nn/midpoint_pool.h"
#include "gyre/hyperbolic/nn/poincare_batch_norm.h"
#include "gyre/hyperbolic/nn/poincare_conv.h"
#include "gyre/hyperbolic/nn/poincare_embedding.h"
#include "gyre/hyperbolic/nn/poincare_linear.h"
#include "gyre/hyperbolic/nn/poincare_mlr.h"
#include "gyre/hyperbolic/sets.h"
#include "gyre/op/samples.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/shape.h"
#include "tests/largest_difference.h"
#include "tests/thrown.h"

namespace gyre::nn {
namespace {

Tensor points(const Shape& shape, double reach = 0.4) {
  Samples draw;
  return to(draw.uniform(shape, -reach, reach), DType::f32);
}

TEST(HyperbolicLayers, RefusePointsOutsideAndSayWhichRow) {
  Tensor x = to(tensor({{0.1, 0.2}, {0.8, 0.8}}), DType::f32);
  auto refused = [&](const Layer& layer) {
    Error error = error_of([&] { (void)layer(x); });
    EXPECT_EQ(error.code, Code::value);
    EXPECT_NE(std::string(error.what()).find("row 1"), std::string::npos) << error.what();
  };
  refused(HypLinear({.in = 2, .out = 3}));
  refused(PoincareLinear({.in = 2, .out = 3}));
  refused(PoincareMLR({.in = 2, .out = 3}));
  refused(FromBall({}));
  PoincareBatchNorm norm({.width = 2});
  EXPECT_EQ(code_of([&] { (void)norm(x); }), Code::value);  // all rows: the midpoint is none
  EXPECT_EQ(largest_difference(norm.running_mean, zeros({2})), 0);
  EXPECT_NO_THROW((void)HypLinear({.in = 2, .out = 3, .c = 0.5})(x));
}

TEST(HyperbolicLayers, FindALostPointAmongChannels) {
  Tensor x = points({1, 2, 4});
  x.data<float>()[3] = x.data<float>()[7] = 0.9F;  // the last of four points
  EXPECT_EQ(code_of([&] { (void)MidpointPool1d({.kernel = {2}})(x); }), Code::value);
}

// Also where f32 has no number between the result and the edge.
TEST(HyperbolicLayers, KeepResultsInTheBall) {
  Tensor far = full({1, 3}, 40.0, {.dtype = DType::f32});
  auto inside = [](const Tensor& y, double c) {
    Tensor wide = to(y, DType::f64);
    EXPECT_LT(max(sum(wide * wide, -1)).item() * c, 1);
    EXPECT_TRUE(std::isfinite(sum(poincare_dist0(y, c)).item()));
  };
  for (double c : {0.3, 1.0, 2.0}) {
    inside(ToBall({.c = c})(far), c);
    for (HypLinearForm form : {HypLinearForm::tangent, HypLinearForm::gyro}) {
      HypLinear linear({.in = 3, .out = 4, .form = form, .c = c});
      assign(linear.weight, full({4, 3}, 100.0), "weight");
      Tensor x = points({5, 3}, 0.3).set_requires_grad(), y = linear(x);
      inside(y, c);
      sum(y).backward();
      EXPECT_TRUE(std::isfinite(sum(x.grad()).item()));
    }
    PoincareLinear linear({.in = 3, .out = 4, .c = c});
    assign(linear.weight, full({4, 3}, 8.0), "weight");
    Tensor x = points({5, 3}, 0.3).set_requires_grad(), y = linear(x);
    inside(y, c);
    sum(y).backward();
    EXPECT_TRUE(std::isfinite(sum(x.grad()).item()));
    PoincareEmbedding table({.count = 2, .width = 2, .radius = 100, .c = c});
    inside(table(tensor<int64_t>({0, 1}, {2})), c);
  }
}

// exp0 undoes log0, so that without weights HypLinear is Moebius addition.
TEST(HypLinear, OfTheIdentityAddsItsBias) {
  Tensor x = points({6, 3}), b = points({3}, 0.3);
  HypLinear gyro({.in = 3, .out = 3, .form = HypLinearForm::gyro, .c = 0.8});
  HypLinear tangent({.in = 3, .out = 3, .c = 0.8});
  for (HypLinear* layer : {&gyro, &tangent}) assign(layer->weight, eye(3), "weight");
  assign(gyro.bias, b, "bias");
  assign(tangent.bias, poincare_log0(b, 0.8), "bias");
  Tensor sum = poincare_add(x, b, 0.8);
  EXPECT_LE(largest_difference(gyro(x), sum), 1e-6);
  EXPECT_LE(largest_difference(tangent(x), sum), 1e-6);
}

// Number k of PoincareLinear's result lies as far from the plane through the origin across axis k
// as PoincareMLR scores: with normals along the axes and no offsets that is the point itself, at
// twice the length of each normal.
TEST(PoincareLinear, IsWhereTheClassifierSaysItIs) {
  Tensor x = points({6, 3});
  PoincareLinear linear({.in = 3, .out = 4, .c = 0.7});
  PoincareMLR scores({.in = 3, .out = 4, .c = 0.7}), axes({.in = 4, .out = 4, .c = 0.7});
  assign(scores.weight, linear.weight, "weight");
  assign(linear.bias, points({4}, 0.3), "bias");
  assign(scores.bias, linear.bias, "bias");
  assign(axes.weight, eye(4) * 0.5, "weight");  // scores are 2 |z| times the distance
  EXPECT_LE(largest_difference(axes(linear(x)), scores(x)), 2e-6);
}

TEST(LorentzLinear, PutsPointsAsFarOutAsTheGateSays) {
  LorentzLinear layer({.in = 3, .out = 4, .scale = 3});
  assign(layer.gate_weight, zeros({3}), "gate_weight");
  Tensor y = layer(points({5, 3}, 2));
  EXPECT_LE(largest_difference(sqrt(gyre::sum(y * y, -1)), full({5}, 1.5)), 1e-6);
}

TEST(PoincareBatchNorm, BringsPointsToItsMidpointAndVariance) {
  PoincareBatchNorm layer({.width = 3, .momentum = 0.25, .c = 0.8});
  assign(layer.bias, points({3}, 0.3), "bias");
  Tensor x = points({40, 3}, 0.5), y = layer(x), goal = poincare_exp0(layer.bias, 0.8);
  // of small spread the midpoint of what is moved is what the midpoint is moved to
  Tensor tight = layer(poincare_scalar(Tensor(1e-3), x, 0.8));
  EXPECT_LE(std::abs(mean(poincare_dist2(y, goal, 0.8)).item() - 1), 1e-4);
  EXPECT_EQ(tight.shape(), x.shape());
  PoincareBatchNorm fresh({.width = 3, .momentum = 1, .c = 0.8});
  (void)fresh(x);
  EXPECT_LE(largest_difference(fresh.running_mean, poincare_midpoint(x, ones({40}), 0.8)), 1e-6);
  fresh.eval();
  PoincareBatchNorm again({.width = 3, .momentum = 1, .c = 0.8});
  EXPECT_LE(largest_difference(fresh(x), again(x)), 1e-6);
  EXPECT_EQ(code_of([&] { (void)layer(points({1, 3})); }), Code::value);
  EXPECT_EQ(code_of([&] { (void)layer(points({4, 2})); }), Code::shape);
  layer.eval();
  EXPECT_EQ(layer(points({1, 3})).shape(), Shape({1, 3}));
}

TEST(PoincareEmbedding, RefusesNumbersOutsideTheTable) {
  PoincareEmbedding table({.count = 3, .width = 2});
  EXPECT_EQ(code_of([&] { (void)table(tensor<int64_t>({3}, {1})); }), Code::index);
}

TEST(MidpointPool, OfOneWindowIsTheMidpoint) {
  Tensor x = points({2, 3, 2, 2});
  Tensor all = reshape(permute(x, {0, 2, 3, 1}), {2, 4, 3});
  Tensor y = MidpointPool2d({.kernel = {2}, .c = 0.7})(x);
  EXPECT_EQ(y.shape(), Shape({2, 3, 1, 1}));
  EXPECT_LE(largest_difference(reshape(y, {2, 3}), poincare_midpoint(all, ones({4}), 0.7)), 1e-6);
  EXPECT_EQ(code_of([&] {
              (void)MidpointPool2d({.kernel = {2}})(points({2, 3, 4}));
            }),
            Code::shape);
  EXPECT_EQ(code_of([&] {
              (void)MidpointPool1d({.kernel = {5}})(points({2, 3, 4}));
            }),
            Code::shape);
}

// A window of one point is a fully connected layer; a larger one joins tangent vectors that are
// shorter, by B(3, 1/2) / B(1, 1/2) = 8/15 for three points of two numbers.
TEST(PoincareConv, IsALinearLayerOfJoinedPoints) {
  Tensor x = points({2, 2, 3});
  PoincareConv1d one({.in = 2, .out = 4, .kernel = {1}, .c = 0.7});
  PoincareLinear linear({.in = 2, .out = 4, .c = 0.7});
  assign(linear.weight, one.weight, "weight");
  EXPECT_LE(largest_difference(one(x), permute(linear(permute(x, {0, 2, 1})), {0, 2, 1})), 1e-6);

  PoincareConv1d three({.in = 2, .out = 4, .kernel = {3}, .c = 0.7});
  PoincareLinear joined({.in = 6, .out = 4, .c = 0.7});
  assign(joined.weight, three.weight, "weight");
  Tensor v = poincare_log0(permute(x, {0, 2, 1}), 0.7) * (8.0 / 15);
  Tensor y = joined(poincare_exp0(reshape(v, {2, 6}), 0.7));
  EXPECT_LE(largest_difference(reshape(three(x), {2, 4}), y), 1e-6);
  EXPECT_EQ(code_of([&] { (void)three(points({2, 3})); }), Code::shape);
}

}  // namespace
}  // namespace gyre::nn
