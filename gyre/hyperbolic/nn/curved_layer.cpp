#include "gyre/hyperbolic/nn/curved_layer.h"

#include <fmt/core.h>

#include <algorithm>
#include <atomic>

#include "gyre/base/thread_pool.h"
#include "gyre/kernel/strided.h"
#include "gyre/op/apply.h"
#include "gyre/op/launch.h"
#include "gyre/ops/elements.h"
#include "gyre/tensor/batched.h"

namespace gyre::nn {
namespace {

// The first NaN among elements [begin, end), or end.
template <class T>
int64_t first_nan(const StridedLoop& loop, int64_t begin, int64_t end) {
  const int last = loop.rank - 1;
  const int64_t length = last < 0 ? 1 : loop.dims[last],
                step = last < 0 ? 0 : loop.strides[0][last];
  for (int64_t i = begin; i < end;) {
    const T* x = reinterpret_cast<const T*>(loop.data[0]) + loop.offset(0, i);
    const int64_t stop = std::min(end, i - i % length + length);
    for (; i < stop; ++i, x += step) {
      if (value_of(*x) != value_of(*x)) return i;
    }
  }
  return end;
}

// Fails with the first row that begins with NaN. The plan is the loop over the first elements,
// each a cache line to fetch: no tile is gathered, and the last lines, which were written last and
// are still cached, come first.
Status run_require_rows(const StridedLoop& starts) noexcept {
  const int64_t rows = starts.size();
  constexpr int64_t kGrain = 1024;
  std::atomic<int64_t> first{rows};
  visit_floating(starts.dtype[0], [&]<class T>(T) {
    parallel_for(rows, kGrain, [&](int64_t from, int64_t to) {
      const int64_t row = first_nan<T>(starts, rows - to, rows - from);
      int64_t before = first.load();
      while (row < rows - from && row < before && !first.compare_exchange_weak(before, row)) {
      }
    });
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
