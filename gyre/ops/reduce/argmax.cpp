#include "gyre/base/thread_pool.h"
#include "gyre/op/apply.h"
#include "gyre/op/launch.h"
#include "gyre/op/samples.h"
#include "gyre/ops/batch_rules.h"
#include "gyre/ops/reduce/plans.h"
#include "gyre/ops/reduce/reduce.h"

namespace gyre {
namespace {

template <class T>
struct Best {
  T value{};
  int64_t place = -1;

  template <bool kLargest>
  void take(const T* x, int64_t first, int64_t n) {
    for (int64_t i = 0; i < n; ++i) {
      bool better =
          place < 0 || (kLargest ? x[i] > value : x[i] < value) || (x[i] != x[i] && value == value);
      if (better) {
        value = x[i];
        place = first + i;
      }
    }
  }
};

template <bool kLargest, class T>
void find(const ArgExtremumPlan& p) {
  int64_t grain = kGrain / (p.length ? p.length : 1) + 1;
  parallel_for(p.results, grain, [&](int64_t begin, int64_t end) {
    alignas(64) T buffer[kTile];
    for (int64_t k = begin; k < end; ++k) {
      const StridedLoop here = p.reduced.moved(p.kept.offset(0, k));
      Reader reader(here, 0, p.compute);
      Best<T> best;
      for (int64_t i = 0; i < p.length; i += kTile) {
        int64_t n = p.length - i < kTile ? p.length - i : kTile;
        best.template take<kLargest>(static_cast<const T*>(reader.read(i, n, buffer)), i, n);
      }
      p.out[k] = best.place;
    }
  });
}

template <bool kLargest>
Status run_arg_extremum(const ArgExtremumPlan& p) noexcept {
  visit_compute(p.compute, [&](auto t) { find<kLargest, decltype(t)>(p); });
  return {};
}

template <bool kLargest>
Status arg_extremum_kernel(const OpDef& op, const KernelArgs& args) noexcept {
  const View& in = args.in[0];
  ReductionSpace s(in, attrs_as<ReduceAttrs>(args.attrs).axes, op.name);
  if (s.results == 0) return {};
  const ArgExtremumPlan plan{StridedLoop(s.kept),
                             StridedLoop(s.reduced),
                             s.results,
                             s.length,
                             compute_of(in.dtype),
                             reinterpret_cast<int64_t*>(args.out[0].data)};
  return launch<run_arg_extremum<kLargest>>(op, args, plan);
}

void infer(const OpDef& op, const void* attrs, Inputs in, std::span<Meta> out) {
  const auto& a = attrs_as<ReduceAttrs>(attrs);
  reduction_infer(op, attrs, in, out);
  if (a.axes.rank > 1) {
    throw mismatch(Code::value, op.name, "expected at most one axis", "one axis", a.axes);
  }
  out[0].dtype = DType::i64;
}

void samples(Samples& s) {
  s.add({s.uniform({3, 5})}, box(ReduceAttrs{{1}, false}));
  s.add({s.uniform({3, 5})}, box(ReduceAttrs{{0}, true}));
  s.add({s.uniform({2, 3, 4})});
  s.add({s.values({1, 3, 3, 2})});
  s.refuse(Code::value, {s.uniform({2, 3})}, box(ReduceAttrs{{0, 1}, false}));
  s.refuse(Code::value, {s.uniform({0})});
  s.refuse(Code::index, {s.uniform({2})}, box(ReduceAttrs{{1}, false}));
}

constexpr OpDef define(const char* name, const char* doc, Kernel kernel) {
  return {.name = name,
          .doc = doc,
          .args = kDiscreteArgs,
          .attrs = &record_of<ReduceAttrs>,
          .infer = infer,
          .kernels = on_every_device(kernel),
          .batch = batch_reduction,
          .samples = samples,
          .is_discrete = true};
}

}  // namespace

extern constinit const OpDef argmax_def = define(
    "argmax", "index of the maximum; the first of equal elements", arg_extremum_kernel<true>);
extern constinit const OpDef argmin_def = define(
    "argmin", "index of the minimum; the first of equal elements", arg_extremum_kernel<false>);

GYRE_FUNCTION_1(argmax, ReduceAttrs)
GYRE_FUNCTION_1(argmin, ReduceAttrs)

}  // namespace gyre
