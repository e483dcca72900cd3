#include "gyre/hyperbolic/nn/linear/butterfly.h"

#include <bit>
#include <numbers>

#include "gyre/hyperbolic/ball/ball.h"
#include "gyre/nn/init.h"
#include "gyre/op/node.h"
#include "gyre/op/samples.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/shape/shape.h"

namespace gyre::nn {
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

}  // namespace gyre::nn
