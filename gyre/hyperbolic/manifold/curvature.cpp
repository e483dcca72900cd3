#include "gyre/hyperbolic/manifold/curvature.h"

#include <fmt/format.h>

#include <cmath>

#include "gyre/base/error.h"
#include "gyre/nn/init.h"
#include "gyre/nn/layer.h"
#include "gyre/nn/layer_def.h"
#include "gyre/ops/elementwise/elementwise.h"

namespace gyre {
namespace {

void check(const CurvatureOptions& o, const char* layer) {
  auto require = [&](bool holds, const char* name, const std::string& wanted, double value) {
    if (holds) return;
    std::string actual = fmt::format("{}", value);
    throw mismatch(Code::value, layer, {name, " must be ", wanted}, wanted, actual);
  };
  require(o.c_min >= 0 && std::isfinite(o.c_min), "c_min", "finite and 0 or more", o.c_min);
  require(o.rows >= 0, "rows", "0 or more", static_cast<double>(o.rows));
  if (o.c_max == 0) {
    require(o.c_min == 0, "c_min", "0 if there is no c_max", o.c_min);
    require(o.c > 0 && std::isfinite(o.c), "c", "finite and above 0", o.c);
    return;
  }
  require(o.c_max > o.c_min && std::isfinite(o.c_max), "c_max",
          fmt::format("finite and above c_min ({})", o.c_min), o.c_max);
  require(o.c > o.c_min && o.c < o.c_max, "c",
          fmt::format("between c_min and c_max ({} and {})", o.c_min, o.c_max), o.c);
}

// The initial k: log(e^c - 1) = c + log(1 - e^-c), or the logit of (c - c_min) / (c_max - c_min).
double beginning(const CurvatureOptions& o) {
  if (o.c_max == 0) return o.c + std::log(-std::expm1(-o.c));
  return std::log((o.c - o.c_min) / (o.c_max - o.c));
}

constexpr const char* kCurvatureOut[] = {"c"};

void samples(nn::LayerSamples& s) {
  s.add(CurvatureOptions{.c = 0.5}, {});
  s.add(CurvatureOptions{.c = 0.5, .c_min = 0.1, .c_max = 2, .rows = 3}, {});
  s.refuse(Code::value, CurvatureOptions{.c = 0});
  s.refuse(Code::value, CurvatureOptions{.c = 3, .c_max = 2});
  s.refuse(Code::value, CurvatureOptions{.c = 3, .c_min = 1});
  s.refuse(Code::value, CurvatureOptions{.c = 1, .c_min = -1, .c_max = 2});
  s.refuse(Code::value, CurvatureOptions{.c = 1, .c_min = 2, .c_max = 2});
  s.refuse(Code::value, CurvatureOptions{.rows = -1});
}

}  // namespace

namespace hyperbolic {

Curvature::Curvature(const CurvatureOptions& options, const char* layer) : options_(options) {
  check(options, layer);
  k = nn::constant(options.rows ? Shape{options.rows} : Shape{}, beginning(options));
}

Curvature::Curvature(const char* layer, double c, bool learned)
    : Curvature(CurvatureOptions{.c = c}, layer) {
  if (!learned) k = {};
}

Tensor Curvature::operator()() const {
  if (!k.defined()) return Tensor(options_.c);
  if (options_.c_max == 0) return softplus(k);
  return options_.c_min + (options_.c_max - options_.c_min) * sigmoid(k);
}

Tensors Curvature::forward(Inputs inputs) const {
  nn::LayerInputs(inputs, "Curvature", 0, 0);
  return {(*this)()};
}

}  // namespace hyperbolic

constinit const nn::LayerDef nn::curvature_layer = [] {
  auto d = nn::define_layer<hyperbolic::Curvature, CurvatureOptions>(
      "Curvature",
      "learnable c > 0: softplus(k), or c_min + (c_max - c_min) sigmoid(k); takes no "
      "inputs",
      samples);
  d.inputs = {};
  d.outputs = kCurvatureOut;
  return d;
}();

}  // namespace gyre
