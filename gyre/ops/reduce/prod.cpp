// Products over axes.
#include "gyre/op/apply.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/reduce/define_reduction.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/reduce/scan.h"
#include "gyre/ops/shape/shape.h"

namespace gyre {

GYRE_DECLARE_TILES(ReductionTiles, prod)
namespace {

// The cofactor of each element: the product of the elements before it times those after it. Uses no
// division, so zeros need no special case. In f64, since a partial product may overflow where the
// whole does not.
Tensors prod_vjp(const VjpArgs& a) {
  const auto& attrs = attrs_as<ReduceAttrs>(a.attrs);
  const Tensor& x = a.in[0];
  if (x.numel() == 0) return Tensors(1);
  JoinedAxes joined(a.op, attrs.axes, x.shape());
  Tensor rows = to(joined.join(x), DType::f64);
  Tensor before = shifted(cumprod(rows, {-1, false}), -1, 1, 1);
  Tensor after = shifted(cumprod(rows, {-1, true}), -1, -1, 1);
  Tensor others = joined.split(before * after);
  return {with_axes(a.grad[0], attrs, x.shape(), a.op) * others};
}

void prod_samples(Samples& s) {
  reduction_samples(s, 0.5, 1.5);
  s.add({s.uniform({0, 3})}, box(ReduceAttrs{{0}, false}));
  s.add({s.values({2, 0, -3})});
  s.add({s.values({2, 0, -3, 0})});
  s.extreme({s.values({0, 0, 0})});
  s.extreme({s.values({1e30, 1e30, 1e-30, 1e-30})});
}

}  // namespace

extern constinit const OpDef prod_def = [] {
  OpDef d = define_reduction("prod", "product over axes", GYRE_TILES_OF(prod));
  d.infer = gathering_infer;
  d.vjp = prod_vjp;
  d.saves_in = 1;
  d.samples = prod_samples;
  return d;
}();
GYRE_FUNCTION_1(prod, ReduceAttrs)

}  // namespace gyre
