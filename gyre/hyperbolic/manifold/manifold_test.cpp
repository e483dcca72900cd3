#include "gyre/hyperbolic/manifold/manifold.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "gyre/autograd/backward.h"
#include "gyre/autograd/gradcheck.h"
#include "gyre/autograd/vmap.h"
#include "gyre/hyperbolic/manifold/euclidean.h"
#include "gyre/hyperbolic/manifold/kinds.h"
#include "gyre/hyperbolic/manifold/models.h"
#include "gyre/hyperbolic/manifold/product.h"
#include "gyre/hyperbolic/manifold/sphere.h"
#include "gyre/op/apply.h"
#include "gyre/op/samples.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/linalg/matmul.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/registry/op_table.h"
#include "tests/largest_difference.h"
#include "tests/thrown.h"

namespace gyre::hyperbolic {
namespace {

constexpr int64_t kRows = 12, kSize = 5;
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

Product product_of_three() {
  const Part parts[] = {{PoincareBall(0.5), 2}, {Sphere(), 2}, {Lorentz(2.0), 1}};
  return Product(parts);
}

Product product_of_balls() {
  const Part parts[] = {{PoincareBall(0.5), 2}, {Klein(0.9), 2}, {Euclidean(), 1}};
  return Product(parts);
}

std::vector<Manifold> every_manifold() {
  return {PoincareBall(0.7), PoincareBall(0.0), PoincareBall(-0.6), Lorentz(1.3),      Klein(0.8),
          Euclidean(),       Sphere(),          product_of_three(), product_of_balls()};
}

class Manifolds : public testing::TestWithParam<Manifold> {
 protected:
  Samples random{7};
  const Manifold& m() const { return GetParam(); }
  // A projected random row is a point, near enough to the origin for every manifold.
  Tensor point() {
    Tensor raw = random.uniform({kRows, kSize}, -0.3, 0.3);
    return m().project(raw + Tensor(0.05));
  }
  Tensor tangent(const Tensor& x) {
    return m().egrad2rgrad(x, random.uniform({kRows, kSize}, -0.2, 0.2));
  }
  Tensor number() { return random.uniform({kRows}, 0.2, 0.8); }
};

std::string name_of_manifold(const testing::TestParamInfo<Manifold>& info) {
  return info.param.name() + std::to_string(info.index);
}
INSTANTIATE_TEST_SUITE_P(Every, Manifolds, testing::ValuesIn(every_manifold()), name_of_manifold);

constexpr double kNear = 1e-11;

TEST_P(Manifolds, LogInvertsExpAndHasTheNormOfTheDistance) {
  Tensor x = point(), y = point(), v = tangent(x), to_y = m().log(x, y);
  EXPECT_LE(largest_difference(m().exp(x, to_y), y), kNear);
  EXPECT_LE(largest_difference(m().log(x, m().exp(x, v)), v), kNear);
  EXPECT_LE(largest_difference(m().norm(x, to_y), m().dist(x, y)), kNear);
  EXPECT_LE(largest_difference(m().inner(x, v, v), pow(m().norm(x, v), 2.0)), kNear);
  m().require_points(m().exp(x, v), "exp");
}

TEST_P(Manifolds, TransportKeepsInnerProducts) {
  Tensor x = point(), y = point(), u = tangent(x), v = tangent(x);
  Tensor after = m().inner(y, m().transport(x, y, u), m().transport(x, y, v));
  EXPECT_LE(largest_difference(after, m().inner(x, u, v)), kNear);
  Tensor back = m().transport(y, x, m().transport(x, y, u));
  EXPECT_LE(largest_difference(back, u), kNear);
}

TEST_P(Manifolds, GeodesicsHaveConstantSpeed) {
  Tensor x = point(), y = point(), t = number();
  EXPECT_LE(largest_difference(m().geodesic(x, y, 0.0), x), kNear);
  EXPECT_LE(largest_difference(m().geodesic(x, y, 1.0), y), kNear);
  EXPECT_LE(largest_difference(m().dist(x, m().geodesic(x, y, t)), t * m().dist(x, y)), kNear);
  EXPECT_EQ(largest_difference(m().layer(x, y, t), m().geodesic(x, y, t)), 0);
}

TEST_P(Manifolds, DistancesAgree) {
  Tensor x = point(), y = point(), d = m().dist(x, y);
  EXPECT_LE(largest_difference(m().dist2(x, y), d * d), kNear);
  EXPECT_LE(largest_difference(diagonal(m().cdist(x, y)), d), kNear);
  EXPECT_EQ(m().cdist(x, y).shape(), (Shape{kRows, kRows}));
  EXPECT_GT(min(d).item(), 0);
}

TEST_P(Manifolds, RiemannianGradientsRepresentTheDifferential) {
  Tensor x = point(), g = random.uniform({kRows, kSize}, -1, 1), v = tangent(x);
  Tensor by_metric = m().inner(x, m().egrad2rgrad(x, g), v);
  EXPECT_LE(largest_difference(by_metric, sum(g * v, -1)), kNear);
}

TEST_P(Manifolds, ProjectKeepsPoints) {
  Tensor x = point();
  EXPECT_LE(largest_difference(m().project(x), x), 1e-15);
}

TEST_P(Manifolds, MidpointOfTwoPointsIsOnTheGeodesic) {
  Tensor x = point(), y = point();
  Tensor middle = m().midpoint(stack({x, y}, -2), ones({kRows, 2}, {.dtype = DType::f64}));
  EXPECT_LE(largest_difference(middle, m().geodesic(x, y, 0.5)), kNear);
}

TEST_P(Manifolds, LogarithmsAtTheFrechetMeanSumToZero) {
  if (!m().has(Method::frechet_mean)) {
    EXPECT_TRUE(m().text() == "Sphere" || contains(m().text(), "Sphere")) << m().text();
    return;
  }
  Tensor x = point(), w = number();
  Tensor mean = m().frechet_mean(x, w);
  Tensor pull = sum(unsqueeze(w, -1) * m().log(expand(mean, x.shape()), x), 0);
  EXPECT_LE(largest_difference(pull, zeros({kSize}, {.dtype = DType::f64})), kNear);
}

TEST_P(Manifolds, TangentMapsAreExp0OfMappedLog0) {
  EXPECT_EQ(m().has(Method::pointwise), m().has(Method::exp0)) << m().text();
  const auto sines = [](const Tensor& v) { return sin(v); };
  Tensor x = point();
  if (!m().has(Method::exp0)) {
    EXPECT_EQ(code_of([&] { (void)m().pointwise(x, sines); }), Code::value);
    return;
  }
  Tensor v = m().log0(x);
  EXPECT_LE(largest_difference(m().pointwise(x), m().exp0(relu(v))), kNear);
  Tensor by_name = m().pointwise(x, TangentFunction::sin), by_function = m().pointwise(x, sines);
  EXPECT_LE(largest_difference(by_name, m().exp0(sin(v))), kNear);
  EXPECT_LE(largest_difference(by_name, by_function), kNear);
  if (!m().has(Method::matvec)) {
    EXPECT_FALSE(parts_of(m()).empty()) << "a product has no one matrix";
    return;
  }
  Tensor matrix = random.uniform({3, kSize}, -0.5, 0.5);
  EXPECT_LE(largest_difference(m().matvec(matrix, x), m().exp0(linear(v, matrix))), kNear);
  const std::function by_matrix = [&](const Tensor& t) { return linear(t, matrix); };
  EXPECT_LE(largest_difference(m().matvec(matrix, x), m().pointwise(x, by_matrix)), kNear);
}

TEST_P(Manifolds, MethodsAreDifferentiable) {
  Tensor x = point().detach(), y = point().detach(), v = tangent(x).detach();
  for (Tensor t : {x, y, v}) t.set_requires_grad();
  auto f = [&](Inputs in) -> Tensors {
    return {m().dist(in[0], in[1]), m().log(in[0], in[1]), m().exp(in[0], in[2]),
            m().transport(in[0], in[1], in[2]), m().geodesic(in[0], in[1], 0.3)};
  };
  const Tensor in[] = {x, y, v};
  GradcheckReport report = gradcheck(f, in);
  EXPECT_TRUE(report.passed) << report.what();
}

TEST_P(Manifolds, ReportMissingMethods) {
  for (size_t i = 0; i < methods().size(); ++i) {
    auto method = static_cast<Method>(i);
    EXPECT_EQ(&def_of(method), &methods()[i]);
    if (m().has(method)) continue;
    Tensors in(methods()[i].args.size());
    for (Tensor& t : in) t = point();
    std::string what = message_of(Code::value, [&] { (void)m().call(method, in); });
    EXPECT_EQ(what, std::string(m().name()) + ": " + methods()[i].name +
                        " is not defined on this manifold");
  }
}

// ---- models ----

struct Prefixed {
  Model model;
  const char* prefix;
  const char* prefix_of_layer;
};

TEST(Models, MethodsAreTheOpsOfTheirNames) {
  const Prefixed models[] = {{PoincareBall(0.7), "poincare_", "poincare_ball_"},
                             {Lorentz(0.7), "lorentz_", "lorentz_"},
                             {Klein(0.7), "klein_", "klein_"}};
  for (const auto& [model, prefix, prefix_of_layer] : models) {
    Samples random{5};
    int forwarded = 0;
    for (size_t i = 0; i < methods().size(); ++i) {
      const MethodDef& method = methods()[i];
      const bool layer = static_cast<Method>(i) == Method::layer;
      const OpDef* op =
          op_table().find(std::string(layer ? prefix_of_layer : prefix) + method.name);
      if (!op) continue;
      ++forwarded;
      Tensors in;
      for (char kind : method.kinds) {
        Shape shape = kind == 'r' ? Shape{4, 3} : kind == 'm' ? Shape{3, 3} : Shape{4};
        in.push_back(random.uniform(shape, kind == 'n' ? 0.2 : -0.4, kind == 'n' ? 1 : 0.4));
      }
      Tensors operands;
      for (size_t k = 0, next = 0; k < op->args.size(); ++k) {
        bool is_c = std::string_view(op->args[k].name) == "c";
        operands.push_back(is_c ? Tensor(0.7) : in[next++]);
      }
      Attrs attrs;
      if (op->attrs) attrs = make_ref<OpenAttrs>(*op->attrs);
      Tensor wanted = apply_one(*op, operands, attrs);
      EXPECT_EQ(largest_difference(model.call(static_cast<Method>(i), in), wanted), 0) << op->name;
    }
    EXPECT_GE(forwarded, 24) << prefix;
  }
}

TEST(Models, EveryRowOfSpaceCoordinatesIsAPoint) {
  Tensor x = tensor({{3, -40}, {0, 0}});
  EXPECT_EQ(largest_difference(Lorentz().project(x), x), 0);
  Lorentz().require_points(x, "test");
}

TEST(Models, RefuseInvalidCurvatures) {
  for (double c : {kNaN, std::numeric_limits<double>::infinity()}) {
    EXPECT_EQ(code_of([&] { PoincareBall ball(c); }), Code::value);
    EXPECT_EQ(code_of([&] { Lorentz space(c); }), Code::value);
    EXPECT_EQ(code_of([&] { Klein space(c); }), Code::value);
  }
  for (double c : {0.0, -1.0}) {
    EXPECT_EQ(code_of([&] { Lorentz space(c); }), Code::value);
    EXPECT_EQ(code_of([&] { Klein space(c); }), Code::value);
    EXPECT_EQ(PoincareBall(c).c().item(), c);
  }
  EXPECT_EQ(message_of(Code::value,
                       [] {
                         Klein space(tensor({0.5, -2.0, 1.0}));
                       }),
            "Klein: c is -2, must be finite and above 0");
  EXPECT_EQ(code_of([] { PoincareBall ball{Tensor()}; }), Code::value);
}

TEST(Models, CurvatureIsLearned) {
  Tensor c(tensor({0.5, 1.5}, {.dtype = DType::f64}));
  c.set_requires_grad();
  Tensor x = tensor({{0.1, 0.2}, {0.3, -0.1}}), y = tensor({{-0.1, 0.2}, {0.3, 0.1}});
  sum(PoincareBall(c).dist(x, y)).backward();
  ASSERT_TRUE(c.grad().defined());
  for (double g : to_vector<double>(c.grad())) EXPECT_GT(std::abs(g), 1e-6);
}

TEST(Models, HaveADescription) {
  EXPECT_EQ(PoincareBall(0.25).text(), "PoincareBall(c=0.25)");
  EXPECT_EQ(Lorentz(tensor({1.0, 2.0})).text(), "Lorentz(c=one per row, shape [2])");
  EXPECT_EQ(product_of_three().text(),
            "Product(PoincareBall(c=0.5)^2 x Sphere^2 x Lorentz(c=2)^1)");
  EXPECT_EQ(product_of_three().parts().size(), 3u);
}

TEST(ManifoldKinds, MakeManifoldsByName) {
  for (const ManifoldKind& kind : manifold_kinds()) {
    Manifold made = kind.make(0.5, CheckCurvature::yes);
    EXPECT_STREQ(made.name(), kind.name);
    EXPECT_EQ(&manifold_kind(kind.name), &kind);
    EXPECT_EQ(curvature_of(made) != nullptr, kind.curved);
    EXPECT_TRUE(parts_of(made).empty());
    if (!kind.curved) continue;
    EXPECT_EQ(curvature_of(made)->item(), 0.5);
    EXPECT_EQ(code_of([&] { kind.make(kNaN, CheckCurvature::yes); }), Code::value);
    kind.make(kNaN, CheckCurvature::no);
  }
  EXPECT_EQ(parts_of(product_of_three()).size(), 3u);
  EXPECT_EQ(message_of(Code::value, [] { manifold_kind("Torus"); }),
            "manifold: unknown manifold Torus; expected one of PoincareBall, Lorentz, Klein, "
            "Euclidean, Sphere");
}

TEST(Models, CheckTheCurvaturesOfAWholeBatchInsideVmap) {
  auto distances = [](const Tensor& c) {
    return vmap(
        [](Inputs in) -> Tensors {
          return {Lorentz(in[0]).dist0(tensor({3.0, 4.0}))};
        },
        {&c, 1}, {})[0];
  };
  Tensor y = distances(tensor({1.0, 4.0}));
  EXPECT_EQ(to_vector<double>(y)[1], Lorentz(4.0).dist0(tensor({3.0, 4.0})).item());
  EXPECT_EQ(message_of(Code::value,
                       [&] {
                         distances(tensor({1.0, -4.0}));
                       }),
            "Lorentz: c is -4, must be finite and above 0");
}

TEST(Manifold, RefusesAWrongNumberOfArguments) {
  const Tensor one[] = {Tensor(1.0)};
  EXPECT_EQ(message_of(Code::value, [&] { (void)Euclidean().call(Method::dist, one); }),
            "Euclidean: dist expects (x, y), got 1 tensor(s)");
}

TEST(Manifold, RefusesInvalidPoints) {
  auto why = [](const Manifold& m, const Tensor& x, Code code = Code::value) {
    return message_of(code, [&] { m.require_points(x, "test"); });
  };
  EXPECT_EQ(why(PoincareBall(4.0), tensor({{0.5, 0}})),
            "test: expected points of PoincareBall(c=4): c|x|^2 is 1, must be below 1");
  EXPECT_TRUE(
      contains(why(Klein(tensor({1.0, 4.0})), tensor({{0.6, 0}, {0.6, 0}})), "c|x|^2 is 1.44"));
  EXPECT_TRUE(contains(why(Lorentz(), tensor({{kNaN, 0}})), "not finite"));
  EXPECT_TRUE(contains(why(Euclidean(), tensor({{INFINITY, 0}})), "not finite"));
  EXPECT_TRUE(contains(why(Sphere(), tensor({{0.6, 0.81}})), "differs from 1"));
  EXPECT_TRUE(contains(why(Euclidean(), Tensor(1.0)), "0-d"));
  EXPECT_TRUE(
      contains(why(Euclidean(), arange(0, 3, 1, {.dtype = DType::i64}), Code::dtype), "i64"));
  Tensor outside = tensor({{0.1, 0.1, 1, 0.5, 0}});
  EXPECT_TRUE(contains(why(product_of_three(), outside), "part 1: a norm differs"));
  PoincareBall(-3.0).require_points(tensor({{50, 0}}), "test");
  PoincareBall().require_points(zeros({0, 3}), "test");
  Sphere().require_points(tensor({{0.6, 0.8}}), "test");
}

TEST(Manifold, OfRowsSelectsPerRowCurvatures) {
  PoincareBall ball(tensor({0.1, 0.2, 0.3}));
  const int64_t chosen[] = {2, 0};
  Tensor rows = tensor(std::span<const int64_t>(chosen), {2});
  Tensor x = tensor({{0.5, 0.1}, {0.2, 0.4}, {0.3, 0.3}});
  Tensor some = tensor({{0.3, 0.3}, {0.5, 0.1}});
  std::vector<double> all = to_vector<double>(ball.dist0(x));
  EXPECT_EQ(to_vector<double>(ball.of_rows({3}, rows).dist0(some)),
            (std::vector<double>{all[2], all[0]}));
  const Part parts[] = {{ball, 1}, {Euclidean(), 1}};
  Product product(parts);
  all = to_vector<double>(product.dist0(x));
  EXPECT_EQ(to_vector<double>(product.of_rows({3}, rows).dist0(some)),
            (std::vector<double>{all[2], all[0]}));
}

TEST(Product, SquaredDistancesAdd) {
  const Part parts[] = {{PoincareBall(0.5), 2}, {Euclidean(), 1}};
  Product product(parts);
  Tensor x = tensor({{0.1, 0.2, 3}}, {.dtype = DType::f64});
  Tensor y = tensor({{-0.3, 0.2, 1}}, {.dtype = DType::f64});
  double d = PoincareBall(0.5).dist(narrow(x, -1, 0, 2), narrow(y, -1, 0, 2)).item();
  EXPECT_NEAR(product.dist(x, y).item(), std::hypot(d, 2), 1e-14);
  EXPECT_NEAR(product.dist2(x, y).item(), d * d + 4, 1e-14);
  EXPECT_TRUE(product.has(Method::exp0));
  EXPECT_FALSE(product.has(Method::lambda));
  EXPECT_FALSE(product_of_three().has(Method::exp0)) << "a sphere has no origin";
}

TEST(Product, RefusesBadPartsAndRows) {
  EXPECT_EQ(code_of([] { Product product(std::span<const Part>{}); }), Code::value);
  const Part none[] = {{Euclidean(), 0}};
  EXPECT_EQ(code_of([&] { Product product(none); }), Code::value);
  EXPECT_EQ(message_of(Code::shape,
                       [] {
                         (void)product_of_three().project(zeros({2, 4}));
                       }),
            "Product: expected rows [..., 5], got shape [2, 4]");
}

TEST(Sphere, DistanceIsAccurateNearZeroAndNearPi) {
  for (double angle : {1e-9, 1e-3, 3.14159265}) {
    Tensor x = tensor({{1, 0}}, {.dtype = DType::f64});
    Tensor y = tensor({{std::cos(angle), std::sin(angle)}}, {.dtype = DType::f64});
    EXPECT_NEAR(Sphere().dist(x, y).item(), angle, 1e-15 * 4);
  }
}

}  // namespace
}  // namespace gyre::hyperbolic
