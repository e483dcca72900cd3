#include "gyre/hyperbolic/nn/linear/hyp_linear.h"

#include <cmath>

#include "gyre/hyperbolic/ball/ball.h"
#include "gyre/hyperbolic/nn/rows/product_rows.h"
#include "gyre/nn/init.h"
#include "gyre/op/samples.h"
#include "gyre/ops/linalg/matmul.h"

namespace gyre::nn {

HypLinear::HypLinear(const HypLinearOptions& o, Generator* generator)
    : CurvedLayer("HypLinear", o.c, o.learn_c), form_(o.form) {
  check_record("HypLinear", o);
  weight = uniform({o.out, o.in}, 1 / std::sqrt(static_cast<double>(o.in)), generator);
  bias = zeros({o.out});
}

Tensor HypLinear::run(const Tensor& x, const Tensor& c) const {
  Tensor v = linear(poincare_log0(x, c), weight);
  return form_ == HypLinearForm::gyro ? poincare_exp0_add(v, bias, c)
                                      : poincare_exp0_add_exp0(v, bias, c);
}

void HypLinear::visit(Visitor& v) {
  v.parameter("weight", weight);
  v.parameter("bias", bias);
  CurvedLayer::visit(v);
}

constinit const LayerDef hyp_linear_layer = define_layer<HypLinear, HypLinearOptions>(
    "HypLinear", "Möbius linear layer exp0(W log0(x)) ⊕ bias between Poincaré balls",
    [](LayerSamples& s) {
      Samples draw;
      auto points = [&](const Shape& shape) { return draw.uniform(shape, -0.4, 0.4); };
      s.add(HypLinearOptions{.in = 3, .out = 4}, {points({2, 3})});
      s.add(HypLinearOptions{.in = 2, .out = 1, .form = HypLinearForm::gyro, .c = 0.7},
            {points({3, 2, 2})});
      s.add(HypLinearOptions{.in = 1, .out = 2, .c = 0.5, .learn_c = true}, {points({1})});
      s.refuse(Code::value, HypLinearOptions{.in = 0, .out = 3});
      s.refuse(Code::value, HypLinearOptions{.in = 3, .out = 0});
      s.refuse(Code::value, HypLinearOptions{.in = 3, .out = 3, .c = 0});
      s.refuse(Code::value, HypLinearOptions{.in = 3, .out = 3, .c = INFINITY});
    });

}  // namespace gyre::nn
