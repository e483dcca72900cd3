#include "gyre/hyperbolic/nn/linear/spline_linear.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "gyre/hyperbolic/ball/ball.h"
#include "gyre/hyperbolic/nn/rows/product_rows.h"
#include "gyre/nn/init.h"
#include "gyre/op/node.h"
#include "gyre/op/samples.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/linalg/matmul.h"
#include "gyre/ops/linalg/solve.h"
#include "gyre/ops/shape/shape.h"

namespace gyre::nn {
namespace {

constexpr const char* kSplineLinear = "SplineLinear";

Tensor catmull_rom(int64_t rows, int64_t points) {
  std::vector<double> basis(static_cast<size_t>(rows * points));
  for (int64_t row = 0; row < rows; ++row) {
    const double at = static_cast<double>(row * (points - 1)) / static_cast<double>(rows - 1);
    const int64_t piece = std::min<int64_t>(static_cast<int64_t>(at), points - 2);
    const double t = at - static_cast<double>(piece), u = 1 - t;
    const double share[] = {-0.5 * t * u * u, 1 + t * t * (1.5 * t - 2.5),
                            1 + u * u * (1.5 * u - 2.5), -0.5 * u * t * t};
    auto add = [&](int64_t point, double s) {
      basis[static_cast<size_t>(row * points + point)] += s;
    };
    for (int64_t k = 0; k < 4; ++k) {
      const int64_t point = piece - 1 + k;
      if (point < 0) {  // 2 p0 - p1
        add(0, 2 * share[k]);
        add(1, -share[k]);
      } else if (point >= points) {
        add(points - 1, 2 * share[k]);
        add(points - 2, -share[k]);
      } else {
        add(point, share[k]);
      }
    }
  }
  return tensor(basis, {rows, points});
}

}  // namespace

SplineLinear::SplineLinear(const SplineLinearOptions& o, Generator* generator)
    : CurvedLayer(kSplineLinear, o.c, o.learn_c) {
  check_record(kSplineLinear, o);
  if (o.points < 2 || o.points > o.out) {
    refuse_option(kSplineLinear, "points", o.points, {"from 2 to out, ", o.out});
  }
  control = uniform({o.points, o.in}, 1 / std::sqrt(static_cast<double>(o.in)), generator);
  bias = zeros({o.out});
  basis_ = catmull_rom(o.out, o.points);
}

void SplineLinear::fit(const Tensor& weight) {
  const Shape wanted{basis_.size(0), control.size(1)};
  if (!(weight.shape() == wanted)) {
    throw Error(Code::shape, kSplineLinear,
                {"weight has shape ", weight.shape(), ", expected ", wanted}, wanted,
                weight.shape());
  }
  NoGrad off;
  assign(control, lstsq(basis_, gyre::to(weight, DType::f64)), "control");
}

Tensor SplineLinear::run(const Tensor& x, const Tensor& c) const {
  Tensor v = linear(linear(poincare_log0(x, c), control),
                    gyre::to(on_device(basis_, control.device()), control.dtype()));
  return poincare_exp0_add_exp0(v, bias, c);
}

void SplineLinear::visit(Visitor& v) {
  v.parameter("control", control);
  v.parameter("bias", bias);
  CurvedLayer::visit(v);
}

constinit const LayerDef spline_linear_layer = define_layer<SplineLinear, SplineLinearOptions>(
    kSplineLinear, "Möbius linear layer whose weight rows lie on a Catmull-Rom spline",
    [](LayerSamples& s) {
      using Options = SplineLinearOptions;
      Samples draw;
      auto points = [&](const Shape& shape) { return draw.uniform(shape, -0.3, 0.3); };
      s.add(Options{.in = 3, .out = 5, .points = 3}, {points({2, 3})});
      s.add(Options{.in = 2, .out = 2, .points = 2, .c = 0.7, .learn_c = true},
            {points({2, 2, 2})});
      s.add(Options{.in = 1, .out = 6, .points = 4}, {points({1})});
      s.refuse(Code::value, Options{.in = 0, .out = 3, .points = 2});
      s.refuse(Code::value, Options{.in = 3, .out = 0, .points = 2});
      s.refuse(Code::value, Options{.in = 3, .out = 3, .points = 1});
      s.refuse(Code::value, Options{.in = 3, .out = 3, .points = 4});
      s.refuse(Code::value, Options{.in = 3, .out = 3, .points = 2, .c = 0});
    });

}  // namespace gyre::nn
