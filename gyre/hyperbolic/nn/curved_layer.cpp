#include "gyre/hyperbolic/nn/curved_layer.h"

#include <fmt/core.h>

#include <atomic>

#include "gyre/base/thread_pool.h"
#include "gyre/kernel/rows/rowwise.h"
#include "gyre/kernel/strided.h"
#include "gyre/op/apply.h"
#include "gyre/op/launch.h"
#include "gyre/tensor/batched.h"

namespace gyre::nn {
namespace {

template <class T>
int64_t first_nan(const void* numbers, int64_t n) {
  const T* x = static_cast<const T*>(numbers);
  int64_t i = 0;
  while (i < n && x[i] == x[i]) ++i;
  return i;
}

// Fails with the first row that begins with NaN. The plan is the loop over the first elements.
Status run_require_rows(const StridedLoop& starts) noexcept {
  const int64_t rows = starts.size();
  const Compute compute = compute_of(starts.dtype[0]);
  std::atomic<int64_t> first{rows};
  constexpr int64_t kRows = 2 * kTile;  // each row is a cache line to fetch
  parallel_for(rows, kRows, [&](int64_t begin, int64_t end) {
    Reader reader(starts, 0, compute);
    alignas(64) std::byte buffer[kTile * 8];
    for (int64_t i = begin; i < end; i += kTile) {
      const int64_t n = std::min(kTile, end - i);
      const void* numbers = reader.read(i, n, buffer);
      const bool wide = compute == Compute::f64;
      const int64_t at = wide ? first_nan<double>(numbers, n) : first_nan<float>(numbers, n);
      if (at == n) continue;
      int64_t before = first.load();
      while (i + at < before && !first.compare_exchange_weak(before, i + at)) {
      }
      return;
    }
  });
  const int64_t row = first.load();
  if (row == rows) return {};
  return {.failed = true, .code = Code::value, .where = row, .what = "a row begins with NaN"};
}

struct RequireRowsAttrs {
  int axis;
};

Status require_rows_kernel(const OpDef& op, const KernelArgs& args) noexcept {
  View starts = args.in[0];
  const int axis = attrs_as<RequireRowsAttrs>(args.attrs).axis;
  starts.shape = starts.shape.without(axis);
  starts.strides = starts.strides.without(axis);
  return launch<run_require_rows>(op, args, StridedLoop(starts));
}

constexpr OpDef kRequireRows{.name = "require_rows"};

}  // namespace

Tensor CurvedLayer::operator()(const Tensor& x) const {
  Tensor y = run(x, curvature_()), all = all_slices(y);
  if (all.rank() == 0 || all.numel() == 0) return y;
  const int axis = point_axis(), rank = axis < 0 ? all.rank() : all.rank() - y.rank();
  const RequireRowsAttrs attrs{rank + axis};
  const Status s =
      try_kernel(kRequireRows, require_rows_kernel, {&all, 1}, {}, &attrs, all.device());
  if (s.failed && s.code == Code::value) {
    throw Error(Code::value, name_,
                fmt::format("expected rows that are points of the space, got NaN in row {} of the "
                            "result; project the input onto the manifold",
                            s.where),
                "points of the space", fmt::format("NaN in row {}", s.where));
  }
  check(kRequireRows, s);
  return y;
}

}  // namespace gyre::nn
