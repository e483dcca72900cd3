#include "gyre/hyperbolic/paths.h"

#include <gtest/gtest.h>

#include <cmath>

#include "gyre/autograd/backward.h"
#include "gyre/hyperbolic/ball/ball.h"
#include "gyre/hyperbolic/klein/klein.h"
#include "gyre/hyperbolic/lorentz/lorentz.h"
#include "gyre/op/samples.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/shape.h"
#include "tests/elements.h"
#include "tests/largest_difference.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

constexpr int64_t kPathRows = 12, kPathSize = 5;

struct PathModel {
  const char* name;
  using Three = Tensor (*)(const Tensor&, const Tensor&, const Tensor&, const Tensor&,
                           const AxisAttrs&);
  using Backward = LayerGradients (*)(const Tensor&, const Tensor&, const Tensor&, const Tensor&,
                                      const Tensor&, const AxisAttrs&);
  using Two = Tensor (*)(const Tensor&, const Tensor&, const Tensor&, const AxisAttrs&);
  Three layer, geodesic, lerp;
  Backward backward;
  Two add, scalar;
};
const PathModel kPathModels[] = {
    {"poincare", poincare_ball_layer, poincare_geodesic, poincare_gyro_lerp,
     poincare_ball_layer_backward, poincare_add, poincare_scalar},
    {"lorentz", lorentz_layer, lorentz_geodesic, lorentz_gyro_lerp, lorentz_layer_backward,
     lorentz_add, lorentz_scalar},
    {"klein", klein_layer, klein_geodesic, klein_gyro_lerp, klein_layer_backward, klein_add,
     klein_scalar},
};

class Paths : public ::testing::TestWithParam<PathModel> {
 protected:
  Samples random{13};
  Tensor u = random.uniform({kPathRows, kPathSize}, -0.4, 0.4),
         v = random.uniform({kPathRows, kPathSize}, -0.4, 0.4);
  Tensor g = random.uniform({kPathRows, kPathSize}), t = random.uniform({kPathRows}, 0, 1);
};

TEST_P(Paths, LayerIsTheGeodesic) {
  const PathModel& m = GetParam();
  Tensor c = random.uniform({kPathRows}, 0.3, 1);
  EXPECT_EQ(elements(m.layer(u, v, c, t, {})), elements(m.geodesic(u, v, t, c, {})));
  EXPECT_EQ(elements(m.layer(u, v, 0.7, 0.25, {})), elements(m.geodesic(u, v, 0.25, 0.7, {})));
}

// c and t per row, shared, and as numbers.
TEST_P(Paths, BackwardGivesTheGradientsOfTheLayer) {
  const PathModel& m = GetParam();
  for (const Tensor& c : {random.uniform({kPathRows}, 0.3, 1), random.uniform({}, 0.3, 1)}) {
    for (const Tensor& number : {t, random.uniform({}, 0, 1)}) {
      Tensors ends{u.detach(), v.detach(), c.detach(), number.detach()};
      for (Tensor& end : ends) end.set_requires_grad();
      Tensor path = m.layer(ends[0], ends[1], ends[2], ends[3], {});
      Tensors wanted = grad(Inputs(&path, 1), ends, Inputs(&g, 1));
      LayerGradients got = m.backward(g, u, v, c, number, {});
      EXPECT_EQ(elements(got.u), elements(wanted[0]));
      EXPECT_EQ(elements(got.v), elements(wanted[1]));
      EXPECT_EQ(elements(got.c), elements(wanted[2]));
      EXPECT_EQ(elements(got.t), elements(wanted[3]));
      EXPECT_EQ(got.c.shape(), c.shape());
      EXPECT_EQ(got.t.shape(), number.shape());
      LayerGradients recorded = m.backward(g, ends[0], ends[1], ends[2], ends[3], {});
      EXPECT_TRUE(recorded.u.tracked());
      EXPECT_EQ(elements(recorded.u), elements(got.u));
    }
  }
  LayerGradients got = m.backward(g, u, v, 0.5, 0.25, {});
  EXPECT_EQ(elements(got.u),
            elements(m.backward(g, u, v, full({}, 0.5, {DType::f64}), 0.25, {}).u));
  EXPECT_EQ(got.c.rank(), 0);
  EXPECT_EQ(got.t.rank(), 0);
}

TEST_P(Paths, GyroLerpMatchesItsDefinition) {
  const PathModel& m = GetParam();
  Tensor c = random.uniform({kPathRows}, 0.3, 1);
  Tensor sum = m.add(m.scalar(1.0 - t, u, c, {}), m.scalar(t, v, c, {}), c, {});
  EXPECT_EQ(elements(m.lerp(u, v, t, c, {})), elements(sum));
  EXPECT_LE(largest_difference(m.lerp(u, v, 0.0, c, {}), u), 1e-15);
  EXPECT_LE(largest_difference(m.lerp(u, v, 1.0, c, {}), v), 1e-15);
  // not the geodesic
  EXPECT_GT(largest_difference(m.lerp(u, v, 0.5, c, {}), m.geodesic(u, v, 0.5, c, {})), 1e-4);
}

TEST_P(Paths, CurvatureIsChecked) {
  const PathModel& m = GetParam();
  double wrong = std::nan("");
  EXPECT_EQ(code_of([&] { m.layer(u, v, wrong, t, {}); }), Code::value);
  EXPECT_EQ(code_of([&] { m.lerp(u, v, t, wrong, {}); }), Code::value);
  EXPECT_TRUE(contains(message_of(Code::value, [&] { m.backward(g, u, v, wrong, t, {}); }),
                       "layer_backward"));
}

INSTANTIATE_TEST_SUITE_P(Models, Paths, ::testing::ValuesIn(kPathModels),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace gyre
