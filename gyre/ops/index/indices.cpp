#include "gyre/ops/index/indices.h"

#include <atomic>

#include "gyre/base/thread_pool.h"
#include "gyre/ops/index/index.h"

namespace gyre {

void check_index_dtype(const OpDef& op, const Tensor& index) {
  if (index.dtype() != DType::i32 && index.dtype() != DType::i64) {
    refuse(Code::dtype, op, std::string("indices are i32 or i64, not ") + name_of(index.dtype()),
           "i32 or i64", name_of(index.dtype()));
  }
}

int axis_of(const void* attrs, const Shape& shape) {
  int64_t axis = attrs_as<AlongAttrs>(attrs).axis;
  return static_cast<int>(axis < 0 && shape.rank ? axis + shape.rank : axis);
}

Status check_indices(const View& index, int64_t bound) {
  std::atomic<int64_t> first{INT64_MAX};
  parallel_for(numel(index.shape), kGrain, [&](int64_t begin, int64_t end) {
    for_indices(index, begin, end, [&](const int64_t* values, int64_t at, int64_t n) {
      bool bad = false;
      for (int64_t i = 0; i < n; ++i) {
        bad |= static_cast<uint64_t>(values[i]) >= static_cast<uint64_t>(bound);
      }
      for (int64_t i = 0; bad && i < n; ++i) {
        if (static_cast<uint64_t>(values[i]) < static_cast<uint64_t>(bound)) continue;
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
  return {true, Code::index, where, value, "index", bound};
}

}  // namespace gyre
