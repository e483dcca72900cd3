#include "gyre/kernel/reduction.h"

#include <algorithm>

#include "gyre/base/cpu.h"
#include "gyre/base/thread_pool.h"
#include "gyre/op/launch.h"

namespace gyre {
namespace {

constexpr int64_t kMostReductionGroups = 64;
constexpr int64_t kShortest = 32;  // shorter reductions fold many results in parallel lanes

Shape axes_of(const Shape& axes, int rank, const char* op) {
  if (axes.rank) return normalize_axes(axes, rank, op);
  Shape all;
  for (int i = 0; i < rank; ++i) all.push_back(i);
  return all;
}

// True if adjacent memory belongs to adjacent results. Affects speed only.
bool by_columns(const ReductionSpace& s) {
  bool kept_inside = false;
  int64_t least = INT64_MAX;
  for (int i = 0; i < s.kept.shape.rank; ++i) {
    if (s.kept.shape[i] > 1 && s.kept.strides[i] && s.kept.strides[i] < least) {
      least = s.kept.strides[i];
      kept_inside = true;
    }
  }
  for (int i = 0; i < s.reduced.shape.rank; ++i) {
    if (s.reduced.shape[i] > 1 && s.reduced.strides[i] < least) kept_inside = false;
  }
  return (kept_inside && s.results >= 8) || (s.length <= kShortest && s.results > 1);
}

// Elements of a group: all, or a part if there are too few results for the threads.
// Affects speed only.
int64_t elements_of_group(const ReductionSpace& s, bool columns) {
  bool few = columns ? s.results < 4 * kTile : s.results < 8;
  int64_t work = s.results * s.length;
  int64_t groups = few && work >= 2 * kGrain ? std::min(work / kGrain, kMostReductionGroups) : 1;
  return std::max<int64_t>((s.length + groups - 1) / groups, 1);
}

struct Job {
  const FoldTiles& fold;
  const ReductionPlan& plan;

  /// Folds elements [from, to) of each of n results from `first` on into acc.
  void run(int64_t first, int64_t n, int64_t from, int64_t to, std::byte* acc) const {
    fold.clear(acc, n);
    alignas(64) std::byte buffer[kTile * 8];
    if (plan.split.columns) {
      for (int64_t l = from; l < to; ++l) {
        StridedLoop here = plan.kept.moved(plan.reduced.offset(0, l));
        Reader reader(here, 0, plan.compute);
        fold.across(acc, reader.read(first, n, buffer), n);
      }
      return;
    }
    for (int64_t k = 0; k < n; ++k) {
      StridedLoop here = plan.reduced.moved(plan.kept.offset(0, first + k));
      Reader reader(here, 0, plan.compute);
      for (int64_t l = from; l < to; l += kTile) {
        int64_t m = to - l < kTile ? to - l : kTile;
        fold.along(acc + k * fold.acc_bytes, reader.read(l, m, buffer), m);
      }
    }
  }

  void write_results(const std::byte* acc, int64_t first, int64_t n) const {
    alignas(64) std::byte values[kTile * 8];
    fold.finish(acc, values, n, static_cast<double>(plan.length));
    store_of(plan.compute, plan.dtype)(
        values, plan.out + first * static_cast<int64_t>(size_of(plan.dtype)), n);
  }
};

const FoldTiles& tiles_for(const OpDef& op, Compute compute) {
  const ReductionTiles& t = *op.family.reduction[isa()];
  switch (compute) {
    case Compute::f32:
      return t.f32;
    case Compute::f64:
      return t.f64;
    case Compute::i32:
      return t.i32;
    case Compute::i64:
      return t.i64;
    case Compute::u64:
      break;
  }
  return t.u64;
}

Status run_reduction(const ReductionPlan& p) noexcept {
  const FoldTiles& fold = tiles_for(*p.op, p.compute);
  const Job job{fold, p};
  const ReductionSplit& split = p.split;
  if (split.groups == 1) {
    int64_t grain = kGrain / (p.length ? p.length : 1);
    grain = grain < 1 ? 1 : grain > kTile ? kTile : grain;
    if (split.columns) grain = kTile;
    parallel_for(p.results, grain, [&](int64_t begin, int64_t end) {
      alignas(64) std::byte acc[kTile * 8];
      job.run(begin, end - begin, 0, p.length, acc);
      job.write_results(acc, begin, end - begin);
    });
    return {};
  }
  int64_t bytes = p.results * fold.acc_bytes;
  parallel_for(split.groups, 1, [&](int64_t g, int64_t) {
    int64_t from = g * split.group_size, to = std::min(from + split.group_size, p.length);
    for (int64_t k = 0; k < p.results; k += kTile) {
      int64_t n = std::min(p.results - k, kTile);
      job.run(k, n, from, to, p.scratch + g * bytes + k * fold.acc_bytes);
    }
  });
  for (int64_t g = 1; g < split.groups; ++g) fold.join(p.scratch, p.scratch + g * bytes, p.results);
  for (int64_t k = 0; k < p.results; k += kTile) {
    job.write_results(p.scratch + k * fold.acc_bytes, k, std::min(p.results - k, kTile));
  }
  return {};
}

}  // namespace

inline ReductionSplit::ReductionSplit(const ReductionSpace& s)
    : columns(by_columns(s)),
      group_size(elements_of_group(s, columns)),
      groups(std::max<int64_t>((s.length + group_size - 1) / group_size, 1)) {}

ReductionSpace::ReductionSpace(const View& in, const Shape& axes, const char* op) {
  Shape reduce = axes_of(axes, in.shape.rank, op);
  kept.data = reduced.data = in.data;
  kept.dtype = reduced.dtype = in.dtype;
  for (int i = 0; i < in.shape.rank; ++i) {
    View& side = reduce.contains(i) ? reduced : kept;
    side.shape.push_back(in.shape[i]);
    side.strides.push_back(in.strides[i]);
  }
  results = numel(kept.shape);
  length = numel(reduced.shape);
}

Shape reduced_shape(const OpDef& op, const ReduceAttrs& attrs, const Shape& shape) {
  Shape reduce = axes_of(attrs.axes, shape.rank, op.name), r;
  for (int i = 0; i < shape.rank; ++i) {
    if (!reduce.contains(i)) {
      r.push_back(shape[i]);
    } else if (attrs.keepdim) {
      r.push_back(1);
    }
  }
  return r;
}

void reduction_infer(const OpDef& op, const void* attrs, Inputs in, std::span<Meta> out) {
  const auto& a = attrs_as<ReduceAttrs>(attrs);
  out[0].shape = reduced_shape(op, a, in[0].shape());
  out[0].dtype = in[0].dtype();
  bool empty = in[0].numel() == 0 && numel(out[0].shape) != 0;
  const ReductionTiles* tiles = op.family.reduction[0];
  if (empty && !(tiles && tiles->has_identity)) {
    refuse(Code::value, op, {"an empty axis has no ", op.name, ", x is ", in[0].shape()}, {},
           in[0].shape());
  }
}

size_t reduction_scratch(const void* attrs, Inputs in) {
  ReductionSpace s(layout_of(in[0]), attrs_as<ReduceAttrs>(attrs).axes, "");
  ReductionSplit split(s);
  return split.groups > 1 ? static_cast<size_t>(split.groups * s.results) * 8 : 0;
}

Status reduction_kernel(const OpDef& op, const KernelArgs& args) noexcept {
  const View &in = args.in[0], &out = args.out[0];
  ReductionSpace s(in, attrs_as<ReduceAttrs>(args.attrs).axes, op.name);
  if (s.results == 0) return {};
  const bool is_truth = op.family.reduction[isa()]->is_truth;
  const ReductionPlan plan{&op,
                           ReductionSplit(s),
                           s.results,
                           s.length,
                           StridedLoop(s.kept),
                           StridedLoop(s.reduced),
                           compute_of(is_truth ? in.dtype : out.dtype),
                           out.dtype,
                           out.data,
                           args.scratch};
  return launch<run_reduction>(op, args, plan);
}

}  // namespace gyre
