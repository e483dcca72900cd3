#include "gyre/ops/index/indices.h"

#include <atomic>

#include "gyre/base/thread_pool.h"
#include "gyre/ops/index/index.h"
#include "gyre/ops/shape/shape.h"

namespace gyre {

void check_index_dtype(const OpDef& op, const Tensor& index) {
  if (index.dtype() != DType::i32 && index.dtype() != DType::i64) {
    throw mismatch(Code::dtype, op.name, "indices must be i32 or i64", "i32 or i64", index.dtype());
  }
}

void check_summands(const OpDef& op, const Tensor& x, const Tensor& src) {
  if (x.dtype() != src.dtype() || x.dtype() == DType::boolean) {
    refuse(Code::dtype, op,
           {"x and src must have the same numeric dtype, got ", x.dtype(), " and ", src.dtype()},
           x.dtype(), src.dtype());
  }
}

void check_scattered(const OpDef& op, int64_t axis, Inputs in) {
  const Shape &x = in[0].shape(), &index = in[1].shape(), &src = in[2].shape();
  check_index_dtype(op, in[1]);
  int at = normalize_axis(axis, x.rank, op.name);
  bool fits = x.rank == index.rank && x.rank == src.rank;
  for (int i = 0; fits && i < x.rank; ++i) {
    fits = index[i] <= src[i] && (i == at || index[i] <= x[i]);
  }
  if (fits) return;
  refuse(Code::shape, op,
         {"index must have the rank of x and src and fit into both (into x except along axis); got "
          "index ",
          index, ", x ", x, " and src ", src},
         src, index);
}

Tensor filled_up(const Tensor& x, const Shape& shape) {
  Tensor r = x;
  for (int i = 0; i < shape.rank; ++i) {
    if (x.shape()[i] < shape[i]) r = slice_embed(r, {i, 0, 1, shape[i]});
  }
  return r;
}

int axis_of(const void* attrs, const Shape& shape) {
  int64_t axis = attrs_as<AlongAttrs>(attrs).axis;
  return static_cast<int>(axis < 0 && shape.rank ? axis + shape.rank : axis);
}

Status check_indices(const IndexOperand& index) {
  const int64_t bound = index.bound, least = index.least;
  auto is_good = [range = static_cast<uint64_t>(bound - least), least](int64_t v) {
    return static_cast<uint64_t>(v) - static_cast<uint64_t>(least) < range;
  };
  std::atomic<int64_t> first{INT64_MAX};
  parallel_for(index.size(), kGrain, [&](int64_t begin, int64_t end) {
    for_indices(index, begin, end, [&](const int64_t* values, int64_t at, int64_t n) {
      bool bad = false;
      for (int64_t i = 0; i < n; ++i) bad |= !is_good(values[i]);
      for (int64_t i = 0; bad && i < n; ++i) {
        if (is_good(values[i])) continue;
        int64_t seen = first.load();
        while (at + i < seen && !first.compare_exchange_weak(seen, at + i)) {
        }
        break;
      }
    });
  });
  int64_t where = first.load();
  if (where == INT64_MAX) return {};
  int64_t value = 0;
  for_indices(index, where, where + 1, [&](const int64_t* v, int64_t, int64_t) { value = *v; });
  return {true, Code::index, where, value, "index", bound, least};
}

}  // namespace gyre
