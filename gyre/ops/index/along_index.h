#pragma once
#include "gyre/kernel/outer_axes.h"
#include "gyre/ops/index/plans.h"

namespace gyre {

inline AlongIndex along_index(const View& target, const View& source, const View& index, int axis) {
  View parts[] = {target, source, index};
  Shape space = index.shape;
  if (space.rank) space[axis] = 1;
  for (View& v : parts) v.shape = space;
  auto step = [&](int k) { return space.rank ? parts[k].strides[axis] : 0; };
  const View* views[] = {&parts[0], &parts[1], &parts[2]};
  const int64_t length = space.rank ? index.shape[axis] : 1;
  return {StridedLoop(space, views), {step(0), step(1), step(2)}, length};
}

namespace detail {

template <class I, class F>
void over_lines(const AlongIndex& along, F put) {
  const StridedLoop& lines = along.lines;
  const auto& step = along.step;
  const int64_t length = along.length;
  auto* index = reinterpret_cast<const I*>(lines.data[2]);
  int last = lines.rank - 1;
  int64_t st = lines.strides[0][last], ss = lines.strides[1][last], si = lines.strides[2][last];
  auto one = [&](int64_t t, int64_t s, int64_t i) {
    put(t + static_cast<int64_t>(index[i]) * step[0], s);
  };
  int64_t row = lines.dims[last], work = length ? length : 1;
  int64_t per_chunk = kGrain / work > 0 ? kGrain / work : 1;
  int64_t piece = row < per_chunk ? row : per_chunk, pieces = (row + piece - 1) / piece;
  int64_t grain = per_chunk / piece > 0 ? per_chunk / piece : 1;
  parallel_for(outer_count(lines, last) * pieces, grain, [&](int64_t begin, int64_t end) {
    for (int64_t unit = begin; unit < end; ++unit) {
      OuterAxes<3> at(lines, last, unit / pieces);
      const int64_t* o = at.offset;
      int64_t first = unit % pieces * piece, stop = first + piece < row ? first + piece : row;
      if (step[2] == 1) {
        for (int64_t j = first; j < stop; ++j) {
          for (int64_t k = 0; k < length; ++k) {
            one(o[0] + j * st, o[1] + j * ss + k * step[1], o[2] + j * si + k);
          }
        }
      } else {
        for (int64_t k = 0; k < length; ++k) {
          for (int64_t j = first; j < stop; ++j) {
            one(o[0] + j * st, o[1] + j * ss + k * step[1], o[2] + j * si + k * step[2]);
          }
        }
      }
    }
  });
}

}  // namespace detail

/// Calls put(t, s) with the offsets in elements of target and source for every element of the
/// index, which was checked. Lines along the axis do not overlap, so they are the unit of work for
/// threads; calls for one target run in the order of the index.
void for_along(const AlongIndex& along, auto put) {
  if (along.lines.dtype[2] == DType::i32) {
    detail::over_lines<int32_t>(along, put);
  } else {
    detail::over_lines<int64_t>(along, put);
  }
}

}  // namespace gyre
