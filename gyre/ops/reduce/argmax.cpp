#include "gyre/base/thread_pool.h"
#include "gyre/kernel/strided.h"
#include "gyre/op/apply.h"
#include "gyre/op/samples.h"
#include "gyre/ops/batch_rules.h"
#include "gyre/ops/reduce/reduce.h"

namespace gyre {

extern const OpDef argmax_def, argmin_def;

namespace {

constexpr Arg kArgs[] = {{.name = "x", .differentiable = false}};

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
void find(const ReductionSpace& s, Compute compute, int64_t* out) {
  const View *kept_view[] = {&s.kept}, *reduced_view[] = {&s.reduced};
  StridedLoop kept(s.kept.shape, kept_view), reduced(s.reduced.shape, reduced_view);
  int64_t grain = kGrain / (s.length ? s.length : 1) + 1;
  parallel_for(s.results, grain, [&](int64_t begin, int64_t end) {
    alignas(64) T buffer[kTile];
    for (int64_t k = begin; k < end; ++k) {
      StridedLoop here = reduced;
      int64_t rest = k;
      for (int i = kept.rank; i-- > 0; rest /= kept.dims[i]) {
        here.data[0] +=
            rest % kept.dims[i] * kept.strides[0][i] * static_cast<int64_t>(size_of(kept.dtype[0]));
      }
      Reader reader(here, 0, compute);
      Best<T> best;
      for (int64_t i = 0; i < s.length; i += kTile) {
        int64_t n = s.length - i < kTile ? s.length - i : kTile;
        best.template take<kLargest>(static_cast<const T*>(reader.read(i, n, buffer)), i, n);
      }
      out[k] = best.place;
    }
  });
}

template <bool kLargest>
Status arg_extremum(const OpDef& op, const KernelArgs& args) noexcept {
  ReductionSpace s(args.in[0], attrs_as<ReduceAttrs>(args.attrs).axes, op.name);
  auto* out = reinterpret_cast<int64_t*>(args.out[0].data);
  switch (Compute compute = compute_of(args.in[0].dtype)) {
    case Compute::f32:
      find<kLargest, float>(s, compute, out);
      break;
    case Compute::f64:
      find<kLargest, double>(s, compute, out);
      break;
    case Compute::i32:
      find<kLargest, int32_t>(s, compute, out);
      break;
    case Compute::i64:
      find<kLargest, int64_t>(s, compute, out);
      break;
  }
  return {};
}

void infer(const OpDef& op, const void* attrs, Inputs in, std::span<Meta> out) {
  const auto& a = attrs_as<ReduceAttrs>(attrs);
  reduction_infer(op, attrs, in, out);
  if (a.axes.rank > 1) {
    throw mismatch(Code::value, op.name, "expected at most one axis", "one axis",
                   to_string(a.axes));
  }
  out[0].dtype = DType::i64;
}

void samples(Samples& s) {
  s.add({s.uniform({3, 5})}, box(ReduceAttrs{{1}, false}));
  s.add({s.uniform({3, 5})}, box(ReduceAttrs{{0}, true}));
  s.add({s.uniform({2, 3, 4})}, box(ReduceAttrs{}));
  s.add({s.values({1, 3, 3, 2})}, box(ReduceAttrs{}));
  s.refuse(Code::value, {s.uniform({2, 3})}, box(ReduceAttrs{{0, 1}, false}));
  s.refuse(Code::value, {s.uniform({0})}, box(ReduceAttrs{}));
  s.refuse(Code::index, {s.uniform({2})}, box(ReduceAttrs{{1}, false}));
}

constexpr OpDef define(const char* name, const char* doc, Kernel kernel) {
  return {.name = name,
          .doc = doc,
          .args = kArgs,
          .attrs = &record_of<ReduceAttrs>,
          .infer = infer,
          .kernels = {kernel},
          .batch = batch_reduction,
          .samples = samples,
          .is_discrete = true};
}

}  // namespace

constinit const OpDef argmax_def =
    define("argmax", "position of the largest; the lowest among equals", arg_extremum<true>);
constinit const OpDef argmin_def =
    define("argmin", "position of the smallest; the lowest among equals", arg_extremum<false>);

Tensor argmax(const Tensor& x, const ReduceAttrs& attrs) {
  return apply_one(argmax_def, {x}, box(attrs));
}
Tensor argmin(const Tensor& x, const ReduceAttrs& attrs) {
  return apply_one(argmin_def, {x}, box(attrs));
}

}  // namespace gyre
