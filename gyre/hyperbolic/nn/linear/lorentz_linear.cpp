#include "gyre/hyperbolic/nn/linear/lorentz_linear.h"

#include "gyre/hyperbolic/nn/rows/lorentz_rows.h"
#include "gyre/nn/init.h"
#include "gyre/op/samples.h"
#include "gyre/ops/linalg/matmul.h"

namespace gyre::nn {

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

}  // namespace gyre::nn
