#include "gyre/ops/index/places.h"

#include <cstring>

#include "gyre/base/thread_pool.h"
#include "gyre/ops/index/indices.h"

namespace gyre {
namespace {

// Adds the offsets of the positions over `span` axes of x from `axis` on.
void add_offsets(const View& positions, const Shape& chosen, const Shape& x, const Shape& strides,
                 int axis, int span, int64_t* offsets) {
  const int last = axis + span - 1;
  bool even = true;  // the axes are as one
  for (int k = axis; k < last; ++k) {
    even &= strides[k] == strides[k + 1] * x[k + 1];  // false affects speed only
  }
  const int64_t bound = span == 1 ? x[axis] : 0, stride = span ? strides[last] : 0;
  const IndexOperand index(positions, chosen);
  parallel_for(index.size(), kGrain, [&](int64_t begin, int64_t end) {
    for_indices(index, begin, end, [&](const int64_t* v, int64_t at, int64_t n) {
      if (even) {
        for (int64_t j = 0; j < n; ++j) {
          offsets[at + j] += (v[j] < 0 ? v[j] + bound : v[j]) * stride;
        }
        return;
      }
      for (int64_t j = 0; j < n; ++j) {
        int64_t rest = v[j];
        for (int k = last; k >= axis; rest /= x[k--]) offsets[at + j] += rest % x[k] * strides[k];
      }
    });
  });
}

}  // namespace

IndexedPositions::IndexedPositions(const OpDef& op, const Shape& x, const IndexViews& indices)
    : x(x), indices(indices) {
  int axis = 0;
  bool began = false, apart = false, ended = false;
  for (size_t i = 0; i < indices.size(); ++i) {
    first_axis[i] = axis;
    if (!indices[i].present) {
      kept_axes.push_back(axis++);
      ended = began;
      continue;
    }
    apart |= ended;
    if (!began) first = kept_axes.rank;
    began = true;
    axis += indices[i].span;
    chosen = broadcast(chosen, indices[i].view.shape, op.name);
  }
  if (axis > x.rank) refuse(Code::shape, op, {"too many indices: ", axis, " for x ", x}, x, axis);
  while (axis < x.rank) kept_axes.push_back(axis++);
  if (apart) first = 0;
  for (int64_t a : kept_axes) kept.push_back(x[static_cast<int>(a)]);
  if (chosen.rank + kept.rank > kMaxRank) {
    refuse(Code::shape, op, {"the result would have more than ", kMaxRank, " axes"});
  }
  result = joined(chosen, kept);
}

Shape IndexedPositions::joined(const Shape& over_chosen, const Shape& over_kept) const {
  Shape r;
  for (int i = 0; i < first; ++i) r.push_back(over_kept[i]);
  for (int64_t d : over_chosen) r.push_back(d);
  for (int i = first; i < over_kept.rank; ++i) r.push_back(over_kept[i]);
  return r;
}

Shape IndexedPositions::kept_strides(const Shape& strides) const {
  Shape r;
  for (int64_t a : kept_axes) r.push_back(strides[static_cast<int>(a)]);
  return r;
}

Status IndexedPositions::find(const Shape& strides, int64_t* offsets) const {
  if (size_t bytes = scratch()) std::memset(offsets, 0, bytes);
  for (size_t i = 0; i < indices.size(); ++i) {
    const IndexView& index = indices[i];
    if (!index.present) continue;
    const int axis = first_axis[i];
    if (index.span == 1) {
      if (Status s = check_indices(index.view, x[axis], -x[axis]); s.failed) return s;
    }
    add_offsets(index.view, chosen, x, strides, axis, index.span, offsets);
  }
  return {};
}

}  // namespace gyre
