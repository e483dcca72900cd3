// Tests beyond the generic ones of the layer table: errors in forward, and that results stay in the
// ball.
#include <gtest/gtest.h>

#include <cmath>

#include "gyre/autograd/backward.h"
#include "gyre/autograd/vmap.h"
#include "gyre/hyperbolic/ball/ball.h"
#include "gyre/hyperbolic/nn/ball_maps.h"
#include "gyre/hyperbolic/nn/distance_attention.h"
#include "gyre/hyperbolic/nn/linear_layers.h"
#include "gyre/hyperbolic/nn/plane_layers.h"
#include "gyre/hyperbolic/nn/poincare_batch_norm.h"
#include "gyre/hyperbolic/nn/poincare_embedding.h"
#include "gyre/hyperbolic/nn/window_layers.h"
#include "gyre/hyperbolic/sets.h"
#include "gyre/op/samples.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/linalg/matmul.h"
#include "gyre/ops/norm/norm.h"
#include "gyre/ops/random/random.h"
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

TEST(HyperbolicLayers, RefusePointsOutsideAndReportTheRow) {
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
  EXPECT_EQ(code_of([&] { (void)norm(x); }), Code::value);  // all rows: the midpoint is NaN
  EXPECT_EQ(largest_difference(norm.running_mean, zeros({2})), 0);
  EXPECT_NO_THROW((void)HypLinear({.in = 2, .out = 3, .c = 0.5})(x));
}

TEST(HyperbolicLayers, RefusePointsOutsideInsideVmap) {
  Tensor batch = to(tensor({{{0.1, 0.2}, {0.3, 0.1}}, {{0.8, 0.8}, {0, 0.1}}}), DType::f32);
  auto refused = [](const Layer& layer, const Tensor& batch) {
    return message_of(Code::value, [&] {
      vmap([&](Inputs in) -> Tensors { return {layer(in[0])}; }, {&batch, 1}, {});
    });
  };
  EXPECT_TRUE(contains(refused(HypLinear({.in = 2, .out = 3}), batch), "got NaN in row 2 of"));
  PoincareConv2d conv({.in = 2, .out = 2, .kernel = {1}});
  Tensor images = reshape(transpose(batch, 1, 2), {2, 1, 2, 2, 1});
  EXPECT_TRUE(contains(refused(conv, images), "got NaN in row 2 of"));
}

// A step that would make a plain c negative keeps a learned c positive.
TEST(HyperbolicLayers, LearnACurvatureThatStaysInItsRange) {
  const Tensor x = points({4, 2});
  auto check = [&](auto&& learned, auto&& fixed) {
    auto parameters = learned.named_parameters();
    EXPECT_EQ(parameters.size(), fixed.named_parameters().size() + 1);
    EXPECT_EQ(parameters.back().name, "curvature.k");
    Tensor k = parameters.back().tensor;
    EXPECT_LE(largest_difference(learned(x), fixed(x)), 1e-6);
    sum(learned(x)).backward();
    EXPECT_NE(k.grad().item(), 0);
    assign(k, full({}, -5.0), "k");
    EXPECT_TRUE(std::isfinite(sum(learned(x)).item()));
  };
  check(ToBall({.c = 0.7, .learn_c = true}), ToBall({.c = 0.7}));
  check(FromBall({.c = 0.7, .learn_c = true}), FromBall({.c = 0.7}));
  check(DistanceAttention({.c = 0.7, .learn_c = true}), DistanceAttention({.c = 0.7}));
  EXPECT_EQ(message_of(Code::value, [] { FromBall layer({.c = 0}); }),
            "FromBall: c must be finite and above 0, got 0");
}

TEST(HyperbolicLayers, ReportTheInvalidPointAmongChannels) {
  Tensor x = points({1, 2, 4});
  x.data<float>()[3] = x.data<float>()[7] = 0.9F;  // the last of four points
  EXPECT_EQ(code_of([&] { (void)MidpointPool1d({.kernel = {2}})(x); }), Code::value);
}

// Also where f32 has no number between the result and the boundary.
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
    Generator generator{5, 0};
    const Tensor border = ToBall({.c = c})(randn({300, 3}, {.generator = &generator}) * 1e4);
    for (double size : {0.5, 2.0, 30.0, 1e4}) {
      assign(linear.weight, randn({4, 3}, {.generator = &generator}) * size, "weight");
      Tensor from = border.detach().set_requires_grad(), to_border = linear(from);
      inside(to_border, c);
      sum(to_border).backward();
      EXPECT_TRUE(std::isfinite(sum(from.grad()).item())) << size;
    }
    PoincareEmbedding table({.count = 2, .width = 2, .radius = 100, .c = c});
    inside(table(tensor<int64_t>({0, 1}, {2})), c);
  }
}

// exp0 inverts log0, so HypLinear with the identity weight is Möbius addition.
TEST(HypLinear, WithIdentityWeightIsMobiusAddition) {
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

// The signed distance of PoincareLinear's result to the hyperplane through the origin orthogonal to
// axis k is the PoincareMLR logit k: PoincareMLR with normals of norm 1/2 along the axes and no
// offsets recovers the logits.
TEST(PoincareLinear, DistancesToAxisHyperplanesAreTheLogits) {
  Tensor x = points({6, 3});
  PoincareLinear linear({.in = 3, .out = 4, .c = 0.7});
  PoincareMLR scores({.in = 3, .out = 4, .c = 0.7}), axes({.in = 4, .out = 4, .c = 0.7});
  assign(scores.weight, linear.weight, "weight");
  assign(linear.bias, points({4}, 0.3), "bias");
  assign(scores.bias, linear.bias, "bias");
  assign(axes.weight, eye(4) * 0.5, "weight");  // logits are 2 |z| times the distance
  EXPECT_LE(largest_difference(axes(linear(x)), scores(x)), 2e-6);
}

TEST(LorentzLinear, NormOfOutputsIsTheGate) {
  LorentzLinear layer({.in = 3, .out = 4, .scale = 3});
  assign(layer.gate_weight, zeros({3}), "gate_weight");
  Tensor y = layer(points({5, 3}, 2));
  EXPECT_LE(largest_difference(sqrt(gyre::sum(y * y, -1)), full({5}, 1.5)), 1e-6);
}

TEST(PoincareBatchNorm, NormalizesMidpointAndVariance) {
  PoincareBatchNorm layer({.width = 3, .momentum = 0.25, .c = 0.8});
  assign(layer.bias, points({3}, 0.3), "bias");
  Tensor x = points({40, 3}, 0.5), y = layer(x), goal = poincare_exp0(layer.bias, 0.8);
  // for a small spread the midpoint of the moved points is the moved midpoint
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

TEST(PoincareEmbedding, RefusesIndicesOutsideTheTable) {
  PoincareEmbedding table({.count = 3, .width = 2});
  EXPECT_EQ(code_of([&] { (void)table(tensor<int64_t>({3}, {1})); }), Code::index);
}

TEST(MidpointPool, WithOneWindowIsTheMidpoint) {
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

// A window of one point is a fully connected layer; β-concatenation of three 2-d points scales
// tangent vectors by B(3, 1/2) / B(1, 1/2) = 8/15.
TEST(PoincareConv, IsALinearLayerOfConcatenatedPoints) {
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

// Compares with the dense matrix of each factor.
TEST(HyperButterfly, IsTheProductOfItsFactors) {
  constexpr int64_t kWidth = 8, kLevels = 4;  // the last factor has stride 1 again
  HyperButterfly layer({.width = kWidth, .levels = kLevels, .c = 0.8});
  Tensor whole = to(eye(kWidth), DType::f64);
  const float* block = layer.weight.data<float>();
  for (int64_t level = 0; level < kLevels; ++level) {
    const int64_t stride = int64_t{1} << level % 3;
    Tensor factor = to(zeros({kWidth, kWidth}), DType::f64).detach();
    double* f = factor.data<double>();
    for (int64_t b = 0; b < kWidth / 2; ++b, block += 4) {
      const int64_t i = b / stride * 2 * stride + b % stride, j = i + stride;
      f[i * kWidth + i] = block[0];
      f[i * kWidth + j] = block[1];
      f[j * kWidth + i] = block[2];
      f[j * kWidth + j] = block[3];
    }
    whole = matmul(factor, whole);
  }
  Tensor x = points({3, kWidth}, 0.3);
  HypLinear dense({.in = kWidth, .out = kWidth, .c = 0.8});
  assign(dense.weight, whole, "weight");
  EXPECT_LE(largest_difference(layer(x), dense(x)), 1e-6);
  // rotations preserve norms
  EXPECT_LE(largest_difference(poincare_dist0(layer(x), 0.8), poincare_dist0(x, 0.8)), 2e-6);
  EXPECT_EQ(code_of([&] { (void)layer(points({3, 4})); }), Code::shape);
}

TEST(SplineLinear, WithOnePointPerRowIsHypLinear) {
  SplineLinear spline({.in = 3, .out = 5, .points = 5, .c = 0.8});
  HypLinear linear({.in = 3, .out = 5, .c = 0.8});
  assign(linear.weight, spline.control, "weight");
  Tensor x = points({4, 3});
  EXPECT_LE(largest_difference(spline.basis(), eye(5)), 1e-12);
  EXPECT_LE(largest_difference(spline(x), linear(x)), 1e-6);
}

// Recovers rows on the spline; otherwise the residual is orthogonal to the basis.
TEST(SplineLinear, FitsByLeastSquares) {
  SplineLinear spline({.in = 3, .out = 9, .points = 4}), other({.in = 3, .out = 9, .points = 4});
  Tensor across = transpose(spline.basis(), 0, 1);
  other.fit(matmul(spline.basis(), spline.control).detach());
  EXPECT_LE(largest_difference(other.control, spline.control), 1e-6);
  Tensor weight = points({9, 3}, 1);
  other.fit(weight);
  Tensor left = weight - matmul(other.basis(), other.control.detach());
  EXPECT_LE(largest_difference(matmul(across, left), zeros({4, 3})), 1e-6);
  EXPECT_GT(largest_difference(left, zeros({9, 3})), 0.1);
  EXPECT_EQ(code_of([&] { other.fit(points({3, 9})); }), Code::shape);
  // collinear control points give collinear rows
  SplineLinear line({.in = 1, .out = 7, .points = 3});
  assign(line.control, tensor({{1}, {3}, {5}}), "control");
  EXPECT_LE(largest_difference(matmul(line.basis(), line.control),
                               tensor({{1}, {5. / 3}, {7. / 3}, {3}, {11. / 3}, {13. / 3}, {5}})),
            1e-6);
}

// Attention weights from distances, and Lorentz centroids.
TEST(DistanceAttention, IsTheMidpointByWeights) {
  DistanceAttention layer({.slope = 0.7, .c = 0.8});
  Tensor q = points({2, 3}, 1), k = points({4, 3}, 1), v = points({4, 2}, 1);
  Tensor d = lorentz_cdist(q, k, 0.8);
  Tensor w = softmax(-0.7 * (d * d), -1);
  for (int64_t i = 0; i < 2; ++i) {
    Tensor row = select(w, {.axis = 0, .index = i});
    EXPECT_LE(largest_difference(select(layer(q, k, v), {.axis = 0, .index = i}),
                                 lorentz_midpoint(v, row, 0.8)),
              1e-6);
  }
  EXPECT_LE(largest_difference(layer(q), layer(q, q, q)), 0);
  EXPECT_EQ(code_of([&] { (void)layer(q, points({4, 2})); }), Code::shape);
  EXPECT_EQ(code_of([&] { (void)layer(q, k, points({3, 2})); }), Code::shape);
}

TEST(DistanceAttention, KeepsFarPointsApart) {
  DistanceAttention layer({});
  const double far = std::sinh(10.0);
  Tensor x = to(tensor({{far, 0}, {far, far * 1e-3}, {0, far}}), DType::f32);
  Tensor y = layer(x);  // a point far from the others attends only to itself
  EXPECT_LE(largest_difference(select(y, {.axis = 0, .index = 2}) / far,
                               select(x, {.axis = 0, .index = 2}) / far),
            1e-6);
}

}  // namespace
}  // namespace gyre::nn
