#include "gyre/hyperbolic/paths.h"

#include <algorithm>

#include "gyre/autograd/backward.h"
#include "gyre/hyperbolic/ball/ball.h"
#include "gyre/hyperbolic/define_curved.h"
#include "gyre/hyperbolic/klein/klein.h"
#include "gyre/hyperbolic/lorentz/lorentz.h"
#include "gyre/ops/batch_rules.h"

namespace gyre {

#define GYRE_OPS "gyre/hyperbolic/paths.def"
#include "gyre/kernel/declare_ops.def"

namespace {

constexpr Operands<4> kLayer{{{"u"}, {"v"}, {"c"}, {"t"}}, {point, point, curvature, number}};
constexpr Operands<5> kLayerBackward{{{"grad"}, {"u"}, {"v"}, {"c"}, {"t"}},
                                     {tangent, point, point, curvature, number}};
constexpr const char* kLayerGradients[] = {"u", "v", "c", "t"};
constexpr Operands<4> kLerp{{{"u"}, {"v"}, {"t"}, {"c"}}, {point, point, number, curvature}};

using Two = Tensor (*)(const Tensor&, const Tensor&, const Tensor&, const AxisAttrs&);
using Three = Tensor (*)(const Tensor&, const Tensor&, const Tensor&, const Tensor&,
                         const AxisAttrs&);

template <Three geodesic>
Tensor layer(Inputs in, const AxisAttrs& a) {
  return geodesic(in[0], in[1], in[3], in[2], a);
}

// x as a leaf of an inner backward pass. If that pass is recorded, the leaf is a view connected to
// the graph of x: a pass stops at the tensors whose gradients it is asked for.
Tensor end_of_pass(const Tensor& x, bool recorded) {
  if (recorded && x.tracked()) return reshape(x, x.shape());
  Tensor end = is_floating(x.dtype()) ? x.detach() : to(x, DType::f32);
  end.set_requires_grad();
  return recorded ? reshape(end, end.shape()) : end;
}
Tensors ends_of_pass(Inputs in, bool recorded) {
  Tensors ends;
  for (const Tensor& x : in) ends.push_back(end_of_pass(x, recorded));
  return ends;
}

// Gradients of u, v, c and t by a backward pass over the layer.
template <Three geodesic>
Tensors gradients(const Tensor& g, Inputs ends, const AxisAttrs& a, bool recorded) {
  Tensor path = layer<geodesic>(ends, a);
  return grad(Inputs(&path, 1), ends, Inputs(&g, 1), {.create_graph = recorded});
}
template <Three geodesic>
Tensors layer_gradients(Inputs in, const AxisAttrs& a) {
  GradMode inner(true);
  return gradients<geodesic>(in[0], ends_of_pass(in.subspan(1), false), a, false);
}
// A backward pass over the recorded gradients.
template <Three geodesic>
Tensors layer_gradients_back(const VjpArgs& a) {
  bool recorded = grad_enabled();
  GradMode inner(true);
  Tensors ends = ends_of_pass(a.in, recorded), outputs, seeds;
  Tensors first =
      gradients<geodesic>(ends[0], Inputs(ends).subspan(1), attrs_as<AxisAttrs>(a.attrs), true);
  for (size_t i = 0; i < first.size(); ++i) {
    if (!a.grad[i].defined()) continue;
    outputs.push_back(first[i]);
    seeds.push_back(a.grad[i]);
  }
  return grad(outputs, ends, seeds, {.create_graph = recorded, .allow_unused = true});
}

Tensors layer_gradients_batch(const BatchedCall& call) {
  constexpr size_t kPaths = 3;  // operands that have the axis
  int rank = std::max({call.rank(0), call.rank(1), call.rank(2)});
  if (rank == 0) return {};
  Tensors in;
  for (size_t i = 0; i < call.in.size(); ++i) {
    in.push_back(with_batch(call, i, i < kPaths ? rank : rank - 1));
  }
  int axis = normalize_axis(attrs_as<AxisAttrs>(call.attrs->value).axis, rank, call.op.name);
  Tensors out = apply(call.op, in, box(AxisAttrs{axis - rank}));
  for (size_t k = 0; k < out.size(); ++k) {
    const Shape& operand = call.in[k + 1].shape();
    const int first = call.batched[k + 1] ? 1 : 0;
    out[k] = reshape(out[k], concat({call.size}, operand.part(first, operand.rank)));
  }
  return out;
}

template <Two sum, Two multiple>
Tensor lerped(Inputs in, const AxisAttrs& a) {
  const Tensor &t = in[2], &c = in[3];
  Tensor from = multiple(1.0 - to(t, DType::f64), to(in[0], DType::f64), c, a);
  Tensor way = multiple(t, to(in[1], DType::f64), c, a);
  return to(sum(from, way, c, a), result_dtype(in.first(2)));
}

template <Three geodesic, Curvature allowed>
constexpr OpDef layer_op(const char* name) {
  return compose_curved<layer<geodesic>, allowed, kLayer>(
      name, "point at t on the geodesic from u (t = 0) to v (t = 1)");
}
// c per row except in the first sample: the gradient of a shared c is a sum over rows, which may
// cancel.
template <Curvature allowed>
void layer_backward_samples(Samples& s) {
  auto add = [&](const Shape& space, int64_t axis, const Tensor& c) {
    s.add(curved_operands(s, kLayerBackward.kinds, space, static_cast<int>(axis), c),
          box(AxisAttrs{axis}));
  };
  add({3, 5}, 1, s.uniform({}, 0.5, 1));
  add({4, 3, 2}, 0, s.uniform({3, 2}, 0.5, 1));
  add({2, 70}, 1, s.uniform({2}, 0.5, 1));
  add({4, 1}, 1, s.uniform({4}, 0.5, 1));
  if (allowed == Curvature::any) {
    add({3, 5}, 1, s.uniform({3}, -0.5, -0.2));
    add({3, 4}, 1, s.uniform({3}, -1e-3, 1e-3));
  }
  auto refuse = [&](Code code, int64_t axis, const Tensor& c) {
    s.refuse(code, curved_operands(s, kLayerBackward.kinds, {2, 3}, 1, c), box(AxisAttrs{axis}));
  };
  refuse(Code::index, 2, s.uniform({}, 0.5, 1));
  refuse(Code::shape, 1, s.uniform({3}, 0.5, 1));
}

template <Three geodesic, Curvature allowed>
constexpr OpDef layer_backward_op(const char* name) {
  OpDef d = compose_curved<layer_gradients<geodesic>, allowed, kLayerBackward>(
      name, "gradients of the geodesic layer: cotangents of its operands from that of its result");
  d.outputs = kLayerGradients;
  d.samples = layer_backward_samples<allowed>;
  d.visible = 4;
  d.vjp = layer_gradients_back<geodesic>;
  d.saves_in = ~uint64_t{0};
  d.batch = layer_gradients_batch;
  return d;
}
template <Two sum, Two multiple, Curvature allowed>
constexpr OpDef lerp_op(const char* name) {
  return compose_curved<lerped<sum, multiple>, allowed, kLerp>(
      name, "gyrovector interpolation ((1 - t) ⊗ u) ⊕ (t ⊗ v)");
}

}  // namespace

#define GYRE_PATH_OPS(model, layer, allowed)                                              \
  constinit const OpDef layer##_def = layer_op<model##_geodesic, allowed>(#layer);        \
  constinit const OpDef layer##_backward_def =                                            \
      layer_backward_op<model##_geodesic, allowed>(#layer "_backward");                   \
  constinit const OpDef model##_gyro_lerp_def =                                           \
      lerp_op<model##_add, model##_scalar, allowed>(#model "_gyro_lerp");                 \
  GYRE_FUNCTION_4(layer, AxisAttrs)                                                       \
  GYRE_FUNCTION_4(model##_gyro_lerp, AxisAttrs)                                           \
  LayerGradients layer##_backward(const Tensor& grad, const Tensor& u, const Tensor& v,   \
                                  const Tensor& c, const Tensor& t, const AxisAttrs& a) { \
    Tensor in[] = {grad, u, v, c, t};                                                     \
    Tensors out = apply(layer##_backward_def, in, box(a));                                \
    return {out[0], out[1], out[2], out[3]};                                              \
  }
GYRE_PATH_OPS(poincare, poincare_ball_layer, Curvature::any)
GYRE_PATH_OPS(lorentz, lorentz_layer, Curvature::positive)
GYRE_PATH_OPS(klein, klein_layer, Curvature::positive)
#undef GYRE_PATH_OPS

}  // namespace gyre
