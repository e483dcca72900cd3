// any and all.
#include "gyre/op/apply.h"
#include "gyre/ops/reduce/define_reduction.h"
#include "gyre/ops/reduce/reduce.h"

namespace gyre {

GYRE_DECLARE_TILES(ReductionTiles, any)
GYRE_DECLARE_TILES(ReductionTiles, all)
namespace {

void truth_infer(const OpDef& op, const void* attrs, Inputs in, std::span<Meta> out) {
  reduction_infer(op, attrs, in, out);
  out[0].dtype = DType::boolean;
}

void truth_samples(Samples& s) {
  folded_samples(s);
  s.add({s.mask({6, 2})}, box(ReduceAttrs{{-1}, false}));
  s.add({s.values({0, 0.25, -0.0})});
  s.add({s.values({0, 0, 0})});
  s.add({s.integers({3, 4}, 0, 2)}, box(ReduceAttrs{{0}, true}));
  s.extreme({s.values({0, __builtin_nan("")})});
}

constexpr OpDef define_truth(const char* name, const char* doc,
                             const PerIsa<ReductionTiles>& tiles) {
  OpDef d = define_reduction(name, doc, tiles);
  d.args = kDiscreteArgs;
  d.infer = truth_infer;
  d.samples = truth_samples;
  d.is_discrete = true;
  return d;
}

}  // namespace

extern constinit const OpDef any_def =
    define_truth("any", "true if any element is nonzero, over axes", GYRE_TILES_OF(any));
extern constinit const OpDef all_def =
    define_truth("all", "true if all elements are nonzero, over axes", GYRE_TILES_OF(all));

GYRE_FUNCTION_1(any, ReduceAttrs)
GYRE_FUNCTION_1(all, ReduceAttrs)

}  // namespace gyre
