#include "gyre/hyperbolic/manifold/parameter.h"

#include <gtest/gtest.h>

#include <array>

#include "gyre/hyperbolic/manifold/curvature.h"
#include "gyre/hyperbolic/manifold/euclidean.h"
#include "gyre/hyperbolic/manifold/models.h"
#include "gyre/hyperbolic/manifold/product.h"
#include "gyre/hyperbolic/manifold/sphere.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/shape.h"
#include "tests/largest_difference.h"
#include "tests/thrown.h"

namespace gyre::hyperbolic {
namespace {

const Tensor kSomePoints = tensor({{0.1, 0.2}, {-0.3, 0.4}});

TEST(ManifoldParameter, KnowsItsManifoldAndSharesMemory) {
  ManifoldParameter p(kSomePoints, PoincareBall(0.5));
  EXPECT_TRUE(p.requires_grad());
  EXPECT_EQ(p.bytes(), kSomePoints.bytes());
  EXPECT_EQ(manifold_of(p).text(), "PoincareBall(c=0.5)");
  Tensor same = p;
  EXPECT_EQ(manifold_of(same).text(), "PoincareBall(c=0.5)") << "a second handle";
  for (const Tensor& other : {p.detach(), p * 1.0, kSomePoints}) {
    EXPECT_EQ(space_of(other), nullptr);
    EXPECT_EQ(code_of([&] { (void)manifold_of(other); }), Code::value);
  }
}

TEST(ManifoldParameter, RefusesInvalidPoints) {
  auto code = [](const Tensor& x, const Manifold& m) {
    return code_of([&] { ManifoldParameter p(x, m); });
  };
  EXPECT_EQ(code(tensor({{0.8, 0.8}}), PoincareBall()), Code::value);
  EXPECT_EQ(code(tensor({{NAN, 0.8}}), Lorentz()), Code::value);
  EXPECT_EQ(code(tensor({{0.8, 0.8}}), Sphere()), Code::value);
  EXPECT_EQ(code(arange(0, 2, 1, {.dtype = DType::i64}), Lorentz()), Code::dtype);
  for (DType narrow : {DType::f16, DType::bf16}) {
    EXPECT_EQ(code(to(kSomePoints, narrow), PoincareBall()), Code::dtype);
  }
}

TEST(ManifoldParameter, KeepsItsManifoldWhenAModuleIsCast) {
  struct Net final : nn::Module {
    Tensor p = ManifoldParameter(kSomePoints, Klein(0.5));
    Tensor without_tensors = ManifoldParameter(tensor({{0.6, 0.8}}), Sphere());
    void visit(nn::Visitor& v) override {
      v.parameter("p", p);
      v.parameter("without_tensors", without_tensors);
    }
  } net;
  net.to(DType::f64);
  EXPECT_EQ(manifold_of(net.without_tensors).text(), Sphere().text());
  EXPECT_EQ(net.p.dtype(), DType::f64);
  EXPECT_TRUE(net.p.requires_grad());
  EXPECT_EQ(manifold_of(net.p).text(), "Klein(c=0.5)");
}

TEST(ManifoldParameter, SharesItsCurvatureWhenAModuleIsCast) {
  struct Net final : nn::Module {
    Tensor c = full({}, 0.5);
    Tensor p = points_in(PoincareBall(c));
    Tensor both = points_in(Product(std::array{Part{Klein(c), 1}, Part{Euclidean(), 1}}));
    Tensor same = p, wide = ManifoldParameter(gyre::to(kSomePoints, DType::f64), PoincareBall(c));
    static Tensor points_in(const Manifold& m) { return ManifoldParameter(kSomePoints, m); }
    void visit(nn::Visitor& v) override {
      v.parameter("p", p);
      v.parameter("both", both);
      v.parameter("c", c);
      v.parameter("same", same);
      v.parameter("wide", wide);
    }
  } net;
  const Tensor before = net.p, wide = net.wide;
  net.to(DType::f64);
  EXPECT_EQ(net.p.dtype(), DType::f64);
  EXPECT_EQ(net.p.impl(), net.same.impl());
  EXPECT_EQ(curvature_of(manifold_of(net.p))->impl(), net.c.impl());
  EXPECT_EQ(curvature_of(parts_of(manifold_of(net.both))[0].manifold)->impl(), net.c.impl());
  EXPECT_EQ(curvature_of(manifold_of(net.wide))->impl(), net.c.impl());
  EXPECT_EQ(net.wide.bytes(), wide.bytes()) << "already f64, nothing to cast";
  EXPECT_TRUE(net.wide.requires_grad());
  EXPECT_EQ(curvature_of(manifold_of(before))->dtype(), DType::f32);
}

TEST(TangentParameter, StandsForThePoint) {
  TangentParameter p(kSomePoints, PoincareBall(0.5));
  EXPECT_LE(largest_difference(p(), kSomePoints), 1e-7);
  ASSERT_EQ(p.parameters().size(), 1u);
  EXPECT_EQ(space_of(p.parameters()[0]), nullptr) << "any optimiser may update it";
  sum(p.forward({})[0]).backward();
  EXPECT_TRUE(p.z.grad().defined());
  EXPECT_EQ(p.manifold().text(), "PoincareBall(c=0.5)");
  EXPECT_EQ(code_of([] { TangentParameter q(tensor({{2, 0}}), PoincareBall()); }), Code::value);
  EXPECT_EQ(code_of([] { TangentParameter q(tensor({{1, 0}}), Sphere()); }), Code::value);
  const Tensor more[] = {kSomePoints};
  EXPECT_EQ(code_of([&] { p.forward(more); }), Code::value);
}

TEST(Curvature, StartsAtTheInitialValue) {
  EXPECT_NEAR(Curvature({.c = 0.3})().item(), 0.3, 1e-7);
  EXPECT_NEAR(Curvature({.c = 40})().item(), 40, 1e-5);
  Curvature between({.c = 0.3, .c_min = 0.1, .c_max = 2, .rows = 3});
  for (double c : to_vector<double>(between())) EXPECT_NEAR(c, 0.3, 1e-7);
  for (double k : {-200.0, 200.0}) {
    between.k = full({3}, k);
    for (double c : to_vector<double>(between())) {
      EXPECT_GE(c, 0.1 - 1e-7);
      EXPECT_LE(c, 2);
    }
  }
}

TEST(Curvature, GetsGradientsThroughAManifold) {
  Curvature c({.c = 0.5});
  sum(PoincareBall(c()).dist0(kSomePoints)).backward();
  EXPECT_TRUE(c.k.grad().defined());
  EXPECT_NE(c.k.grad().item(), 0);
  const Tensor more[] = {kSomePoints};
  EXPECT_EQ(code_of([&] { c.forward(more); }), Code::value);
}

}  // namespace
}  // namespace gyre::hyperbolic
