#include "gyre/hyperbolic/nn/linear_layers.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <vector>

#include "gyre/hyperbolic/ball/ball.h"
#include "gyre/hyperbolic/nn/rows/lorentz_rows.h"
#include "gyre/hyperbolic/nn/rows/product_rows.h"
#include "gyre/nn/init.h"
#include "gyre/op/node.h"
#include "gyre/op/samples.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/linalg/matmul.h"
#include "gyre/ops/linalg/solve.h"
#include "gyre/ops/shape/shape.h"

namespace gyre::nn {

HypLinear::HypLinear(const HypLinearOptions& o, Generator* generator)
    : WeightedLayer("HypLinear", o.c, o.learn_c), form_(o.form) {
  check_record("HypLinear", o);
  weight = uniform({o.out, o.in}, 1 / std::sqrt(static_cast<double>(o.in)), generator);
  bias = zeros({o.out});
}

Tensor HypLinear::run(const Tensor& x, const Tensor& c) const {
  Tensor v = linear(poincare_log0(x, c), weight);
  return form_ == HypLinearForm::gyro ? poincare_exp0_add(v, bias, c)
                                      : poincare_exp0_add_exp0(v, bias, c);
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

LorentzLinear::LorentzLinear(const LorentzLinearOptions& o, Generator* generator)
    : CurvedLayer("LorentzLinear", o.c, o.learn_c) {
  constexpr double kBound = 0.02;
  check_record("LorentzLinear", o);
  weight = uniform({o.out, o.in}, kBound, generator);
  time_weight = uniform({o.out}, kBound, generator);
  bias = zeros({o.out});
  gate_weight = uniform({o.in}, kBound, generator);
  gate_time = zeros({});
  gate_bias = zeros({});
  scale = constant({}, o.scale);
}

Tensor LorentzLinear::run(const Tensor& x, const Tensor& c) const {
  LorentzGates g = lorentz_gate(x, gate_weight, gate_time, gate_bias, scale, c);
  return lorentz_gated(linear(g.space, weight), time_weight, bias, g.time, g.gate);
}

void LorentzLinear::visit(Visitor& v) {
  v.parameter("weight", weight);
  v.parameter("time_weight", time_weight);
  v.parameter("bias", bias);
  v.parameter("gate_weight", gate_weight);
  v.parameter("gate_time", gate_time);
  v.parameter("gate_bias", gate_bias);
  v.parameter("scale", scale);
  CurvedLayer::visit(v);
}

constinit const LayerDef lorentz_linear_layer = define_layer<LorentzLinear, LorentzLinearOptions>(
    "LorentzLinear", "Lorentz linear layer between hyperboloids (Chen et al. 2022, section 3.1)",
    [](LayerSamples& s) {
      Samples draw;
      using Options = LorentzLinearOptions;
      s.add(Options{.in = 3, .out = 4, .scale = 1}, {draw.uniform({2, 3})});
      s.add(Options{.in = 2, .out = 3, .scale = 2, .c = 0.7}, {draw.uniform({3, 2, 2})});
      s.add(Options{.in = 1, .out = 2, .scale = 1, .c = 0.5, .learn_c = true}, {draw.uniform({1})});
      s.refuse(Code::value, Options{.in = 0, .out = 3});
      s.refuse(Code::value, Options{.in = 3, .out = 0});
      s.refuse(Code::value, Options{.in = 3, .out = 3, .scale = 0});
      s.refuse(Code::value, Options{.in = 3, .out = 3, .c = 0});
    });

namespace {

constexpr const char* kButterfly = "HyperButterfly";

Tensor at(const Tensor& x, int64_t axis, int64_t index) {
  return select(x, {.axis = axis, .index = index});
}

// One factor applied to v [rows, width], with blocks [width / 2, 2, 2].
Tensor joined(const Tensor& v, const Tensor& blocks, int64_t stride) {
  const int64_t rows = v.size(0), width = v.size(1), groups = width / (2 * stride);
  Tensor pairs = reshape(v, {rows, groups, 2, stride});
  Tensor b = reshape(blocks, {groups, stride, 2, 2});
  Tensor first = at(pairs, 2, 0), second = at(pairs, 2, 1);
  auto row = [&](int64_t i) {
    Tensor r = at(b, 2, i);
    return at(r, 2, 0) * first + at(r, 2, 1) * second;
  };
  return reshape(stack({row(0), row(1)}, 2), {rows, width});
}

}  // namespace

HyperButterfly::HyperButterfly(const HyperButterflyOptions& o, Generator* generator)
    : CurvedLayer(kButterfly, o.c, o.learn_c) {
  check_record(kButterfly, o);
  if (o.width < 2 || !std::has_single_bit(static_cast<uint64_t>(o.width))) {
    refuse_option(kButterfly, "width", o.width, "a power of two, at least 2");
  }
  const int64_t levels = o.levels ? o.levels : std::bit_width(static_cast<uint64_t>(o.width)) - 1;
  weight = zeros({levels, o.width / 2, 2, 2});
  if (Unfilled::active()) return;
  NoGrad off;
  Tensor angle = uniform({levels, o.width / 2}, std::numbers::pi, generator);
  Tensor c = cos(angle), s = sin(angle);
  weight = reshape(stack({c, -s, s, c}, -1), weight.shape()).detach();
  weight.set_requires_grad();
}

Tensor HyperButterfly::run(const Tensor& x, const Tensor& c) const {
  const int64_t width = 2 * weight.size(1);
  if (x.rank() == 0 || x.size(-1) != width) {
    throw Error(Code::shape, kButterfly,
                {"x has shape ", x.shape(), ", expected [..., ", width, "]"},
                {"[..., ", width, "]"}, x.shape());
  }
  Tensor v = reshape(poincare_log0(x, c), {x.numel() / width, width});
  int64_t stride = 1;
  for (int64_t level = 0; level < weight.size(0); ++level) {
    v = joined(v, at(weight, 0, level), stride);
    stride = stride * 2 < width ? stride * 2 : 1;
  }
  return poincare_project(poincare_exp0(reshape(v, x.shape()), c), c);
}

void HyperButterfly::visit(Visitor& v) {
  v.parameter("weight", weight);
  CurvedLayer::visit(v);
}

constinit const LayerDef hyper_butterfly_layer =
    define_layer<HyperButterfly, HyperButterflyOptions>(
        kButterfly,
        "butterfly linear map exp0(B_L ... B_1 log0(x)) of the Poincaré ball, B_l of 2x2 blocks",
        [](LayerSamples& s) {
          using Options = HyperButterflyOptions;
          Samples draw;
          auto points = [&](const Shape& shape) { return draw.uniform(shape, -0.3, 0.3); };
          s.add(Options{.width = 4}, {points({3, 4})});
          s.add(Options{.width = 2, .levels = 3, .c = 0.7, .learn_c = true}, {points({2, 2, 2})});
          s.add(Options{.width = 8}, {points({8})});
          s.refuse(Code::value, Options{});
          s.refuse(Code::value, Options{.width = 6});
          s.refuse(Code::value, Options{.width = 1});
          s.refuse(Code::value, Options{.width = 4, .levels = -1});
          s.refuse(Code::value, Options{.width = 4, .c = 0});
        });

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
