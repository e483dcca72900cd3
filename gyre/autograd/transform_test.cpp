#include "gyre/autograd/transform.h"

#include <cmath>

#include "gyre/autograd/backward.h"
#include "gyre/autograd/checkpoint.h"
#include "gyre/autograd/test_ops.h"
#include "gyre/op/node.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/linalg/matmul.h"
#include "gyre/ops/norm/norm.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/shape.h"
#include "tests/largest_difference.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

using testing::leaf;
using testing::of;
using testing::values;

constexpr double kTight = 1e-12;

Tensor cubes(const Tensor& x) { return sum(x * x * x); }
Tensor mixed(const Tensor& x) {
  return sum(sin(x) * matmul(of({1, 2, 3, 4, 5, 6, 7, 8, 10}, {3, 3}), x * x));
}

TEST(Transform, ClosedForms) {
  Tensor x = of({0.5, -1, 2});
  EXPECT_LT(largest_difference(values(grad(cubes, x)), {0.75, 3, 12}), kTight);
  auto [value, slope] = value_and_grad(cubes, x);
  EXPECT_NEAR(value.item(), 7.125, kTight);
  EXPECT_LT(largest_difference(values(slope), {0.75, 3, 12}), kTight);
  EXPECT_LT(largest_difference(values(hessian(cubes, x)), {3, 0, 0, 0, -6, 0, 0, 0, 12}), kTight);
  EXPECT_LT(largest_difference(values(hessian_diag(cubes, x)), {3, -6, 12}), kTight);
  EXPECT_LT(largest_difference(values(hvp(cubes, x, of({1, 2, 3}))), {3, -12, 36}), kTight);
  auto cube = [](const Tensor& t) { return t * t * t; };
  EXPECT_LT(largest_difference(values(grad2(cube, x)), {3, -6, 12}), kTight);
  auto [y, along] = jvp(cube, x, of({1, 2, 3}));
  EXPECT_LT(largest_difference(values(y), {0.125, -1, 8}), kTight);
  EXPECT_LT(largest_difference(values(along), {0.75, 6, 36}), kTight);
  auto [same, back] = vjp(cube, x, of({1, 2, 3}));
  EXPECT_LT(largest_difference(values(same), {0.125, -1, 8}), kTight);
  EXPECT_LT(largest_difference(values(back), {0.75, 6, 36}), kTight);
}

TEST(Transform, SeveralInputsAndOutputs) {
  Tensors x{of({1, 2}), of({3}, Shape{})};
  auto product = [](Inputs in) -> Tensors { return {sum(in[0] * in[0] * in[1])}; };
  Tensors g = grad(product, x);
  EXPECT_LT(largest_difference(values(g[0]), {6, 12}), kTight);
  EXPECT_LT(largest_difference(values(g[1]), {5}), kTight);
  Tensors h = hvp(product, x, Tensors{of({1, 0}), of({1}, Shape{})});
  EXPECT_LT(largest_difference(values(h[0]), {8, 4}), kTight);
  EXPECT_LT(largest_difference(values(h[1]), {2}), kTight);
  auto two = [](Inputs in) -> Tensors { return {in[0] * in[1], exp(in[1])}; };
  OutputsAndTangents d = jvp(two, x, Tensors{of({1, 0}), of({2}, Shape{})});
  EXPECT_LT(largest_difference(values(d.tangents[0]), {5, 4}), kTight);
  EXPECT_LT(largest_difference(values(d.tangents[1]), {2 * std::exp(3.0)}), kTight);
  OutputsAndGrads v = vjp(two, x, Tensors{of({1, 0}), of({2}, Shape{})});
  EXPECT_LT(largest_difference(values(v.grads[0]), {3, 0}), kTight);
  EXPECT_LT(largest_difference(values(v.grads[1]), {1 + 2 * std::exp(3.0)}), kTight);
  auto first = [](Inputs in) -> Tensors { return {in[0] * in[1]}; };
  Tensors j = jacobian(first, x);
  EXPECT_EQ(j[0].shape(), (Shape{2, 2}));
  EXPECT_EQ(j[1].shape(), (Shape{2}));
  EXPECT_LT(largest_difference(values(j[0]), {3, 0, 0, 3}), kTight);
  EXPECT_LT(largest_difference(values(j[1]), {1, 2}), kTight);
}

TEST(Transform, OneAgainstTheOther) {
  Tensor x = of({0.5, -1, 0.3}), v = of({1, -2, 0.7});
  Tensor h = hessian(mixed, x);
  EXPECT_LT(largest_difference(h, transpose(h, 0, 1)), kTight);
  EXPECT_LT(largest_difference(matmul(h, v), hvp(mixed, x, v)), kTight);
  EXPECT_LT(largest_difference(sum(h, {{1}, false}), grad2(mixed, x)), kTight);
  Tensor eye = of({1, 0, 0, 0, 1, 0, 0, 0, 1}, {3, 3});
  EXPECT_LT(largest_difference(sum(h * eye, {{1}, false}), hessian_diag(mixed, x)), kTight);
  auto slope = [](const Tensor& t) { return grad(mixed, t); };
  EXPECT_LT(largest_difference(h, jacobian(slope, x)), kTight);
  EXPECT_LT(largest_difference(jvp(slope, x, v).second, hvp(mixed, x, v)), kTight);
  auto f = [](const Tensor& t) { return softmax(t * t, 0) * sin(t); };
  Tensor j = jacobian(f, x);
  EXPECT_LT(largest_difference(jvp(f, x, v).second, matmul(j, v)), kTight);
  EXPECT_LT(largest_difference(vjp(f, x, v).second, matmul(v, j)), kTight);
}

TEST(Transform, TheyNest) {
  Tensor x = of({0.5, -1, 2});
  auto once = [](const Tensor& t) { return sum(grad(cubes, t)); };
  auto twice = [&](const Tensor& t) { return sum(grad(once, t)); };
  EXPECT_LT(largest_difference(values(grad(once, x)), {3, -6, 12}), kTight);
  EXPECT_LT(largest_difference(values(grad(twice, x)), {6, 6, 6}), kTight);
  // no perturbation confusion: d/dx x d/dy (x + y) = 1
  auto outer = [](const Tensor& a) {
    auto inner = [&](const Tensor& b) { return a + b; };
    return a * grad(inner, a);
  };
  EXPECT_EQ(grad(outer, of({3}, Shape{})).item(), 1);
  // third derivatives, composed in every way
  auto second = [](const Tensor& t) { return hessian_diag(cubes, t); };
  EXPECT_LT(largest_difference(values(jacobian(second, x)), {6, 0, 0, 0, 6, 0, 0, 0, 6}), kTight);
  auto by_two = [](const Tensor& t) {
    return sum(grad2([](const Tensor& u) { return u * u * u; }, t));
  };
  EXPECT_LT(largest_difference(values(grad(by_two, x)), {6, 6, 6}), kTight);
  // a jvp differentiated by its tangent, and a vjp by its cotangent
  auto of_tangent = [&](const Tensor& t) { return sum(jvp(cubes, x, t).second); };
  EXPECT_LT(largest_difference(values(grad(of_tangent, x)), {0.75, 3, 12}), kTight);
  auto cube = [](const Tensor& t) { return t * t * t; };
  auto of_cotangent = [&](const Tensor& t) { return sum(vjp(cube, x, t).second); };
  EXPECT_LT(largest_difference(values(grad(of_cotangent, x)), {0.75, 3, 12}), kTight);
}

TEST(Transform, TheCallersTensorsAreUnchanged) {
  int64_t before = live_tensors();
  {
    Tensor x = of({1, 2}), w = leaf({3, 4}), r = w * 2.0;
    EXPECT_FALSE(grad(cubes, x).tracked());
    EXPECT_FALSE(hessian(cubes, x).tracked());
    auto [value, g] = value_and_grad(cubes, x);
    EXPECT_FALSE(value.tracked() || g.tracked() || x.tracked());
    // a result has a history for a leaf, for an intermediate, and for a function that captures one
    for (const Tensor& t : {w, r}) {
      auto [y, slope] = value_and_grad(cubes, t);
      EXPECT_TRUE(y.tracked() && slope.tracked());
      NoGrad off;
      EXPECT_FALSE(grad(cubes, t).tracked());
      EXPECT_LT(largest_difference(slope, 3.0 * t * t), kTight);
    }
    EXPECT_LT(largest_difference(grad(sum(grad(cubes, w)), w), 6.0 * w), kTight);
    auto captures = [&](const Tensor& t) { return sum(t * w * w); };
    Tensor slope = grad(captures, x);
    EXPECT_LT(largest_difference(grad(sum(slope), w, {.retain_graph = true}), 2.0 * w), kTight);
    EXPECT_FALSE(w.grad().defined());
    EXPECT_FALSE(x.requires_grad());
    sum(slope).backward();
    EXPECT_LT(largest_difference(w.grad(), 2.0 * w), kTight);
  }
  EXPECT_EQ(live_tensors(), before);
}

TEST(Transform, NoDependenceIsZero) {
  Tensor x = of({1, 2});
  auto constant = [](const Tensor&) { return Tensor(3.0); };
  EXPECT_EQ(values(grad(constant, x)), (std::vector<double>{0, 0}));
  EXPECT_EQ(values(hessian(constant, x)), (std::vector<double>(4)));
  EXPECT_EQ(values(jvp(constant, x, x).second), (std::vector<double>{0}));
  auto linear = [](const Tensor& t) { return sum(3.0 * t); };
  EXPECT_EQ(values(hessian_diag(linear, x)), (std::vector<double>{0, 0}));
  EXPECT_EQ(values(hvp(linear, x, x)), (std::vector<double>{0, 0}));
  auto same = [](const Tensor& t) { return t; };
  EXPECT_EQ(values(jacobian(same, x)), (std::vector<double>{1, 0, 0, 1}));
  Tensor nothing = of({}, {0});
  EXPECT_EQ(hessian(cubes, nothing).shape(), (Shape{0, 0}));
  EXPECT_EQ(hessian_diag(cubes, nothing).shape(), (Shape{0}));
}

TEST(Transform, ThroughACheckpoint) {
  auto f = [](const Tensor& t) {
    auto body = [](Inputs in) -> Tensors { return {sum(sin(in[0]) * in[0])}; };
    return checkpoint(body, Inputs(&t, 1))[0];
  };
  Tensor x = of({0.5, -1});
  EXPECT_LT(largest_difference(grad(f, x), sin(x) + x * cos(x)), kTight);
  EXPECT_LT(largest_difference(hessian_diag(f, x), 2.0 * cos(x) - x * sin(x)), kTight);
}

TEST(Transform, RefusesWhatDoesNotFit) {
  Tensor x = of({1, 2}), v = of({1, 2, 3});
  auto square = [](const Tensor& t) { return t * t; };
  auto none = [](Inputs) -> Tensors { return {}; };
  auto empty_one = [](Inputs) -> Tensors { return {Tensor()}; };
  EXPECT_EQ(code_of([&] { grad(square, x); }), Code::value);
  EXPECT_EQ(code_of([&] { hessian(square, x); }), Code::value);
  EXPECT_EQ(code_of([&] { grad(none, Inputs(&x, 1)); }), Code::value);
  EXPECT_EQ(code_of([&] { grad(empty_one, Inputs(&x, 1)); }), Code::value);
  EXPECT_EQ(code_of([&] { grad(cubes, Tensor()); }), Code::value);
  EXPECT_EQ(code_of([&] { jvp(square, x, v); }), Code::shape);
  EXPECT_EQ(code_of([&] { vjp(square, x, v); }), Code::shape);
  EXPECT_EQ(code_of([&] { vjp(square, x, Tensor()); }), Code::value);
  EXPECT_EQ(code_of([&] { hvp(none, Inputs(&x, 1), Inputs()); }), Code::value);
  EXPECT_EQ(code_of([&] { grad(cubes, to(x, DType::i64)); }), Code::dtype);
  auto positive = [](const Tensor& t) { return t > 0.0; };
  EXPECT_EQ(code_of([&] { jacobian(positive, x); }), Code::dtype);
}

}  // namespace
}  // namespace gyre
