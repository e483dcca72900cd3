#include "gyre/hyperbolic/define_curved.h"

#include <cmath>

namespace gyre {

void check_curvature(const OpDef& op, const Tensor& c, Curvature allowed) {
  if (!c.meta().weak) return;
  double value = c.item();
  if (std::isfinite(value) && (allowed == Curvature::any || value > 0)) return;
  const char* range = allowed == Curvature::any ? "a finite number" : "a finite number above 0";
  refuse(Code::value, op, {"c is ", value, ", must be ", range}, range, value);
}

Tensors curved_operands(Samples& s, std::span<const Kind> kinds, const Shape& space, int axis,
                        const Tensor& c) {
  const Shape outer = space.without(axis);
  double reach = 0.9 / std::sqrt(static_cast<double>(space[axis] ? space[axis] : 1));
  Tensors in;
  for (Kind kind : kinds) {
    in.push_back(kind == curvature ? c
                 : kind == number  ? s.uniform(outer, 0.2, 0.8)
                                   : s.uniform(space, -reach, reach));
  }
  return in;
}

void curved_samples_of(Samples& s, std::span<const Kind> kinds, Curvature allowed,
                       Attrs (*with)(int64_t axis)) {
  auto operands = [&](const Shape& space, int axis, const Tensor& c) {
    return curved_operands(s, kinds, space, axis, c);
  };
  auto add = [&](const Shape& space, int axis, const Tensor& c) {
    s.add(operands(space, axis, c), with(axis));
  };
  add({3, 5}, 1, s.uniform({}, 0.5, 1));
  add({4, 3, 2}, 0, s.uniform({3, 2}, 0.5, 1));
  add({2, 70}, 1, s.uniform({2}, 0.5, 1));
  add({2, 9, 40}, 1, s.uniform({40}, 0.01, 1));
  add({4, 1}, 1, s.uniform({}, 0.5, 1));
  if (allowed == Curvature::any) {
    add({3, 5}, 1, s.uniform({}, -0.5, -0.2));
    add({3, 4}, 1, s.uniform({3}, -1e-3, 1e-3));
  }
  s.refuse(Code::index, operands({2, 3}, 1, s.uniform({}, 0.5, 1)), with(2));
  s.refuse(Code::shape, operands({2, 3}, 1, s.uniform({3}, 0.5, 1)), with(1));
}

Tensor opposite(const Tensor& x) { return -(is_floating(x.dtype()) ? x : to(x, DType::f32)); }

DType result_dtype(Inputs in) {
  DType d = in[0].dtype();
  for (const Tensor& t : in.subspan(1)) d = promote(d, t.dtype());
  return is_floating(d) ? d : DType::f32;
}

}  // namespace gyre
