#include "gyre/hyperbolic/nn/rows/lorentz_rows.h"

#include "gyre/hyperbolic/define_curved.h"
#include "gyre/hyperbolic/nn/rows/lorentz_rows_bodies.h"

namespace gyre {

#define GYRE_OPS "gyre/hyperbolic/nn/rows/rows.def"
#include "gyre/kernel/declare_ops.def"

namespace {

constexpr Operands<6> kGate{{{"x"}, {"v"}, {"by_time"}, {"bias"}, {"scale"}, {"c"}},
                            {point, tangent, number, number, number, curvature}};
constexpr Arg kGated[] = {{"product"}, {"w"}, {"b"}, {"time"}, {"gate"}};
constexpr const char* kGates[] = {"space", "time", "gate"};

void gate_samples(Samples& s) {
  curved_samples<AxisAttrs, Curvature::positive, kGate>(s);
  auto one = [&] { return s.uniform({}, 0.5, 1); };
  s.add({s.uniform({4, 5}), s.uniform({5}), one(), one(), one(), one()});
  s.extreme({s.values({1e3, 2e3}), s.values({1, 1}), one(), one(), one(), one()});
  s.refuse(Code::value, {s.uniform({2, 3}), s.uniform({3}), one(), one(), one(), Tensor(0.0)});
}

void gated_samples(Samples& s) {
  auto add = [&](const Shape& product, const Shape& bias) {
    const Shape outer = product.without(product.rank - 1);
    s.add({s.uniform(product), s.uniform(bias), s.uniform(bias), s.uniform(outer, 1, 2),
           s.uniform(outer, 0.5, 2)});
  };
  add({4, 5}, {5});
  add({2, 3, 4}, {4});
  add({2, 70}, {2, 70});
  s.extreme({s.values({0, 0}), s.values({0, 0}), s.values({0, 0}), s.uniform({}, 1, 1),
             s.uniform({}, 2, 2)});
  s.refuse(Code::shape,
           {s.uniform({2, 3}), s.uniform({4}), s.uniform({3}), s.uniform({2}), s.uniform({2})});
  s.refuse(Code::shape,
           {s.uniform({2, 3}), s.uniform({3}), s.uniform({3}), s.uniform({3}), s.uniform({2})});
}

}  // namespace

constinit const OpDef lorentz_gate_def = [] {
  OpDef d = define_curved<LorentzGate, Curvature::positive, kGate>(
      "lorentz_gate",
      "gate of LorentzLinear: x, its time t and scale sigmoid(<v, x> + by_time t + bias)",
      GYRE_TILES_OF(lorentz_gate));
  d.outputs = kGates;
  d.samples = gate_samples;
  return d;
}();
constinit const OpDef lorentz_gated_def = define_rowwise<LorentzGated>(
    "lorentz_gated", "output of LorentzLinear: gate h / |h| with h = product + time w + b", kGated,
    GYRE_TILES_OF(lorentz_gated), gated_samples);

LorentzGates lorentz_gate(const Tensor& x, const Tensor& v, const Tensor& by_time,
                          const Tensor& bias, const Tensor& scale, const Tensor& c,
                          const AxisAttrs& a) {
  Tensor in[] = {x, v, by_time, bias, scale, c};
  Tensors out = apply(lorentz_gate_def, in, box(a));
  return {out[0], out[1], out[2]};
}
Tensor lorentz_gated(const Tensor& product, const Tensor& w, const Tensor& b, const Tensor& time,
                     const Tensor& gate, const AxisAttrs& a) {
  return apply_one(lorentz_gated_def, {product, w, b, time, gate}, box(a));
}

}  // namespace gyre
