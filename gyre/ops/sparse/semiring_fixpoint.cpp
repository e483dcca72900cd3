#include <algorithm>
#include <atomic>

#include "gyre/kernel/copy.h"
#include "gyre/op/apply.h"
#include "gyre/op/launch.h"
#include "gyre/op/samples.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/ops/sparse/semiring_factors.h"
#include "gyre/ops/sparse/semiring_product.h"

namespace gyre {
namespace {

constexpr Arg kFixpointArgs[] = {{.name = "a", .differentiable = false},
                                 {.name = "b", .differentiable = false}};

ProductOperand transposed(const ProductOperand& p) {
  ProductOperand t = p;
  std::swap(t.view.shape[0], t.view.shape[1]);
  std::swap(t.view.strides[0], t.view.strides[1]);
  return t;
}

/// Rows of a band of columns that changed are propagated along their edges, in sweeps through all
/// rows in order, until none changes. A sweep does at least what a round over all edges does, so as
/// many sweeps as rows are enough, unless a cycle of weights changes a value in each.
template <class T>
class Fixpoint {
 public:
  explicit Fixpoint(const FixpointPlan& p)
      : rows_(p.a.rows()),
        cols_(p.out.cols()),
        edges_(transposed(p.a), reinterpret_cast<const T*>(p.a.view.data),
               identity_of<T>(p.semiring)),
        push_(semiring_tiles<T>().push[static_cast<size_t>(p.semiring)]),
        out_(reinterpret_cast<T*>(p.out.view.data)) {}

  // Whether there is a solution.
  bool run() const {
    constexpr auto kBand = static_cast<int64_t>(512 / sizeof(T));
    std::atomic<bool> solved{true};
    parallel_for((cols_ + kBand - 1) / kBand, 1, [&](int64_t begin, int64_t end) {
      for (int64_t band = begin; band < end && solved; ++band) {
        const int64_t column = band * kBand;
        if (!solve(out_ + column, std::min(kBand, cols_ - column))) solved = false;
      }
    });
    return solved;
  }

 private:
  bool solve(T* c, int64_t cols) const {
    std::vector<uint8_t> changed(static_cast<size_t>(rows_), 1);
    for (int64_t sweep = 0; sweep <= rows_; ++sweep) {
      bool any = false;
      for (int64_t r = 0; r < rows_; ++r) {
        if (!changed[static_cast<size_t>(r)]) continue;
        any = true;
        changed[static_cast<size_t>(r)] = 0;
        const int64_t first = edges_.offsets[static_cast<size_t>(r)];
        const int64_t count = edges_.offsets[static_cast<size_t>(r) + 1] - first;
        push_({c + r * cols_, edges_.values.data() + first, edges_.places.data() + first, count, c,
               cols_, cols, changed.data()});
      }
      if (!any) return true;
    }
    return std::find(changed.begin(), changed.end(), uint8_t{1}) == changed.end();
  }

  int64_t rows_, cols_;
  LiveElements<T> edges_;  ///< by the row that they come from
  void (*push_)(const SemiringPush<T>&) noexcept;
  T* out_;
};

template <class T>
Status solve(const FixpointPlan& p) {
  const Specials a = specials_of<T>(p.a), b = specials_of<T>(p.out);
  if (may_be_nan(p.semiring, a, b)) {
    return {.failed = true,
            .code = Code::value,
            .what = "expected weights without NaN and infinities of both signs"};
  }
  const Fixpoint<T> fixpoint(p);
  if (fixpoint.run()) return {};
  return {.failed = true,
          .code = Code::numeric,
          .what = "there is no solution: each pass through a cycle of weights changes the result"};
}

void fixpoint_infer(const OpDef& op, const void* attrs, Inputs in, std::span<Meta> out) {
  const Shape &a = in[0].shape(), &b = in[1].shape();
  if (a.rank != 2 || b.rank != 2 || a[0] != a[1] || a[1] != b[0]) {
    refuse(Code::shape, op, {"expected a [n, n] and b [n, k], got ", a, " and ", b},
           "[n, n] and [n, k]", {a, " and ", b});
  }
  const DType dtype = promote(in[0].dtype(), in[1].dtype());
  if (!is_floating(dtype)) {
    throw mismatch(Code::dtype, op.name, "expected floating weights", "floats", dtype);
  }
  const Semiring s = attrs_as<SemiringAttrs>(attrs).semiring;
  if (!adds(s)) {
    throw mismatch(Code::value, op.name, "expected a semiring of sums", "min_plus or max_plus",
                   kSemiringNames[static_cast<size_t>(s)]);
  }
  out[0].shape = b;
  out[0].dtype = dtype;
}

size_t fixpoint_scratch(const void*, Inputs in) {
  const DType dtype = promote(in[0].dtype(), in[1].dtype()), wide = dtype_of(compute_of(dtype));
  const size_t sums = dtype == wide ? 0 : static_cast<size_t>(in[1].numel()) * sizeof(float);
  return ProductOperand(layout_of(in[0]), false, wide).copy_bytes(wide) + sums;
}

Status fixpoint_kernel(const OpDef& op, const KernelArgs& args) noexcept {
  const View& out = args.out[0];
  if (numel(out.shape) == 0) return {};
  const DType wide = dtype_of(compute_of(out.dtype));
  std::byte* scratch = args.scratch;
  ProductOperand a(args.in[0], false, wide);
  if (Status s = copy_needed({&a}, scratch, wide); s.failed) return s;
  View x = out;
  if (out.dtype != wide) x = {scratch, out.shape, out.strides, wide, out.device};
  if (Status s = copy_elements(args.in[1], x); s.failed) return s;
  const FixpointPlan plan{attrs_as<SemiringAttrs>(args.attrs).semiring, wide, a,
                          ProductOperand(x, false, wide)};
  const Status s = launch<run_fixpoint>(op, args, plan);
  return s.failed || x.data == out.data ? s : copy_elements(x, out);
}

void fixpoint_samples(Samples& s) {
  const Attrs longest = box(SemiringAttrs{Semiring::max_plus});
  s.add({s.uniform({4, 4}, 0.1, 1), s.uniform({4, 3}, 0, 2)});
  s.add({s.uniform({7, 7}, 0.1, 1), s.uniform({7, 21}, 0, 3)});
  s.add({s.uniform({5, 5}, -1, -0.1), s.uniform({5, 2}, -2, 0)}, longest);
  s.add({s.uniform({3, 3}, 0.1, 1), s.uniform({3, 0})});
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const auto edges = [&](double none) {
    return reshape(s.values({none, 1, none, none, none, 2, none, none, none}), {3, 3});
  };
  s.extreme({edges(kInfinity), edges(kInfinity)});
  s.extreme({edges(-kInfinity), edges(-kInfinity)}, longest);
  s.refuse(Code::shape, {s.uniform({3, 4}), s.uniform({4, 2})});
  s.refuse(Code::shape, {s.uniform({3, 3}), s.uniform({4, 2})});
  s.refuse(Code::shape, {s.uniform({3, 3}), s.uniform({3})});
  s.refuse(Code::dtype, {s.integers({2, 2}, 1, 9), s.integers({2, 2}, 1, 9)});
  s.refuse(Code::value, {s.uniform({2, 2}), s.uniform({2, 2})},
           box(SemiringAttrs{Semiring::max_times}));
  s.refuse(Code::numeric, {s.uniform({2, 2}, -1, -0.5), s.uniform({2, 2})});
  s.refuse(Code::value, {edges(kInfinity), edges(-kInfinity)});
}

}  // namespace

Status run_fixpoint(const FixpointPlan& p) noexcept {
  Status found;
  const Status memory =
      run_or_report([&] { found = p.dtype == DType::f64 ? solve<double>(p) : solve<float>(p); });
  return memory.failed ? memory : found;
}

extern constinit const OpDef semiring_fixpoint_def{
    .name = "semiring_fixpoint",
    .doc = "solution x of x = best of b and a x over a semiring: lengths of shortest paths",
    .args = kFixpointArgs,
    .attrs = &record_of<SemiringAttrs>,
    .infer = fixpoint_infer,
    .kernels = on_every_device(fixpoint_kernel),
    .scratch = fixpoint_scratch,
    .samples = fixpoint_samples};

Tensor semiring_fixpoint(const Tensor& a, const Tensor& b, Semiring semiring) {
  return apply_one(semiring_fixpoint_def, {a, b}, box(SemiringAttrs{semiring}));
}

}  // namespace gyre
