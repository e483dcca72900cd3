#include "gyre/ops/shape/shape.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "tests/conformance/definitions.h"

namespace gyre::conformance {
namespace {

// f of every index of a result.
template <class F>
std::vector<Values> each_of(const Shape& shape, F f) {
  Values r;
  each_place(shape, [&](const int64_t* at) { r.push_back(f(at)); });
  return {r};
}

int from_front(int64_t axis, int rank) { return static_cast<int>(axis < 0 ? axis + rank : axis); }

// The element of x at move(index).
template <class F>
double moved(const Dense& x, const int64_t* at, F move) {
  int64_t from[kMaxRank];
  for (int i = 0; i < x.shape.rank; ++i) from[i] = at[i];
  move(from);
  return at_place(x, x.shape, from);
}

std::vector<Values> unmoved(const Call&, const std::vector<Dense>& in) { return {in[0].v}; }

std::vector<Values> permuted(const Dense& x, const Shape& axes) {
  Shape shape;
  for (int64_t a : axes) shape.push_back(x.shape[from_front(a, x.shape.rank)]);
  return each_of(shape, [&](const int64_t* at) {
    return moved(x, at, [&](int64_t* from) {
      for (int i = 0; i < axes.rank; ++i) from[from_front(axes[i], x.shape.rank)] = at[i];
    });
  });
}

std::vector<Values> permuted_by(const Call& call, const std::vector<Dense>& in) {
  return permuted(in[0], attribute(call, "axes", Shape()));
}

std::vector<Values> axes_swapped(const Call& call, const std::vector<Dense>& in) {
  int rank = in[0].shape.rank;
  if (rank < 2) return {in[0].v};  // nothing to transpose
  Shape axes;
  for (int i = 0; i < rank; ++i) axes.push_back(i);
  std::swap(axes[from_front(attribute(call, "axis0", int64_t{-2}), rank)],
            axes[from_front(attribute(call, "axis1", int64_t{-1}), rank)]);
  return permuted(in[0], axes);
}

std::vector<Values> expanded(const Call& call, const std::vector<Dense>& in) {
  const Dense& x = in[0];
  Shape shape = attribute(call, "shape", Shape());
  for (int i = 0; i < shape.rank; ++i) {
    if (shape[i] == -1) shape[i] = x.shape[i - (shape.rank - x.shape.rank)];
  }
  return each_of(shape, [&](const int64_t* at) { return at_place(x, shape, at); });
}

// n elements of x along an axis from `start` on, `step` apart.
Values cut(const Dense& x, int axis, int64_t start, int64_t n, int64_t step) {
  Shape shape = x.shape;
  shape[axis] = n;
  return each_of(shape, [&](const int64_t* at) {
    return moved(x, at,
                 [&](int64_t* from) { from[axis] = start + (at[axis] ? at[axis] * step : 0); });
  })[0];
}

std::vector<Values> sliced(const Call& call, const std::vector<Dense>& in) {
  int axis = from_front(attribute(call, "axis", int64_t{0}), in[0].shape.rank);
  int64_t n = in[0].shape[axis], count = 0;
  auto start = attribute(call, "start", int64_t{0}), stop = attribute(call, "stop", INT64_MAX);
  auto step = attribute(call, "step", int64_t{1});
  for (int64_t* bound : {&start, &stop}) {
    *bound = std::clamp(*bound < 0 ? *bound + n : *bound, int64_t{0}, n);
  }
  for (int64_t i = start; i < stop; i = step < stop - i ? i + step : stop) ++count;
  return {cut(in[0], axis, start, count, step)};
}

std::vector<Values> selected(const Call& call, const std::vector<Dense>& in) {
  int axis = from_front(attribute(call, "axis", int64_t{0}), in[0].shape.rank);
  auto index = attribute(call, "index", int64_t{0});
  return {cut(in[0], axis, index < 0 ? index + in[0].shape[axis] : index, 1, 1)};
}

std::vector<Values> embedded(const Call& call, const std::vector<Dense>& in) {
  const Dense& x = in[0];
  int axis = from_front(attribute(call, "axis", int64_t{0}), x.shape.rank);
  auto start = attribute(call, "start", int64_t{0}), step = attribute(call, "step", int64_t{1});
  Shape shape = x.shape;
  shape[axis] = attribute(call, "size", int64_t{0});
  return each_of(shape, [&](const int64_t* at) {
    int64_t from = at[axis] - start;
    if (from < 0 || from % step || from / step >= x.shape[axis]) return 0.0;
    return moved(x, at, [&](int64_t* place) { place[axis] = from / step; });
  });
}

std::vector<Values> cut_into(const Dense& x, int axis, const Shape& sizes) {
  std::vector<Values> parts;
  int64_t start = 0;
  for (int64_t n : sizes) {
    parts.push_back(cut(x, axis, start, n, 1));
    start += n;
  }
  return parts;
}

std::vector<Values> split(const Call& call, const std::vector<Dense>& in) {
  int axis = from_front(attribute(call, "axis", int64_t{0}), in[0].shape.rank);
  return cut_into(in[0], axis, attribute(call, "sizes", Shape()));
}

std::vector<Values> chunked(const Call& call, const std::vector<Dense>& in) {
  int axis = from_front(attribute(call, "axis", int64_t{0}), in[0].shape.rank);
  int64_t left = in[0].shape[axis], chunks = attribute(call, "chunks", int64_t{1});
  int64_t longest = (left + chunks - 1) / chunks;
  Shape sizes;
  for (; left > 0; left -= sizes.back()) sizes.push_back(std::min(left, longest));
  return cut_into(in[0], axis, sizes);
}

std::vector<Values> joined(const std::vector<Dense>& in, int axis) {
  Shape shape = in[0].shape;
  for (size_t k = 1; k < in.size(); ++k) shape[axis] += in[k].shape[axis];
  return each_of(shape, [&](const int64_t* at) {
    int64_t along = at[axis];
    size_t k = 0;
    for (; along >= in[k].shape[axis]; ++k) along -= in[k].shape[axis];
    return moved(in[k], at, [&](int64_t* from) { from[axis] = along; });
  });
}

std::vector<Values> joined_along(const Call& call, const std::vector<Dense>& in) {
  return joined(in, from_front(attribute(call, "axis", int64_t{0}), in[0].shape.rank));
}

std::vector<Values> stacked(const Call& call, const std::vector<Dense>& in) {
  int axis = from_front(attribute(call, "axis", int64_t{0}), in[0].shape.rank + 1);
  std::vector<Dense> slices = in;
  for (Dense& x : slices) {
    Shape shape;
    for (int i = 0; i <= x.shape.rank; ++i) {
      if (i == axis) shape.push_back(1);
      if (i < x.shape.rank) shape.push_back(x.shape[i]);
    }
    x.shape = shape;
  }
  return joined(slices, axis);
}

std::vector<Values> converted(const Call& call, const std::vector<Dense>& in) {
  auto dtype = attribute(call, "dtype", DType::f32);
  Values r;
  for (double x : in[0].v) r.push_back(dtype == DType::boolean ? x != 0 : rounded(x, dtype));
  return {r};
}

std::vector<Values> axes_reversed(const Call& call, const std::vector<Dense>& in) {
  const Dense& x = in[0];
  Shape axes = attribute(call, "axes", Shape());
  bool all = axes.rank == 0;
  for (int i = 0; i < x.shape.rank && all; ++i) axes.push_back(i);
  return each_of(x.shape, [&](const int64_t* at) {
    return moved(x, at, [&](int64_t* from) {
      for (int64_t a : axes) {
        int i = from_front(a, x.shape.rank);
        from[i] = x.shape[i] - 1 - from[i];
      }
    });
  });
}

std::vector<Values> rolled(const Call& call, const std::vector<Dense>& in) {
  const Dense& x = in[0];
  Shape shifts = attribute(call, "shifts", Shape()), axes = attribute(call, "axes", Shape());
  return each_of(x.shape, [&](const int64_t* at) {
    return moved(x, at, [&](int64_t* from) {
      for (int k = 0; k < axes.rank && x.shape.rank; ++k) {
        int i = from_front(axes[k], x.shape.rank);
        int64_t n = x.shape[i];
        from[i] = ((from[i] - shifts[k] % n) % n + n) % n;
      }
    });
  });
}

// The source index of a padded one, -1 for the constant.
int64_t shown(int64_t i, int64_t n, PadMode mode) {
  if (i >= 0 && i < n) return i;
  switch (mode) {
    case PadMode::reflect:
      return i < 0 ? -i : 2 * (n - 1) - i;
    case PadMode::replicate:
      return i < 0 ? 0 : n - 1;
    case PadMode::circular:
      return i < 0 ? i + n : i - n;
    case PadMode::constant:
      break;
  }
  return -1;
}

std::vector<Values> padded(const Call& call, const std::vector<Dense>& in) {
  const Dense& x = in[0];
  Shape before = attribute(call, "before", Shape()), after = attribute(call, "after", Shape());
  auto mode = attribute(call, "mode", PadMode::constant);
  double value = attribute(call, "value", 0.0);
  Shape shape = x.shape;
  for (int i = 0; i < shape.rank; ++i) shape[i] += before[i] + after[i];
  return each_of(shape, [&](const int64_t* at) {
    int64_t from[kMaxRank];
    bool inside = true;
    for (int i = 0; i < shape.rank; ++i) {
      from[i] = shown(at[i] - before[i], x.shape[i], mode);
      inside &= from[i] >= 0;
    }
    return inside ? at_place(x, x.shape, from) : value;
  });
}

std::vector<Values> tiled(const Call& call, const std::vector<Dense>& in) {
  Dense x = in[0];
  Shape repeats = attribute(call, "repeats", Shape()), shape;
  int rank = std::max(repeats.rank, x.shape.rank);
  Shape size;
  for (int i = 0; i < rank; ++i) {
    int j = i - (rank - x.shape.rank), k = i - (rank - repeats.rank);
    size.push_back(j < 0 ? 1 : x.shape[j]);
    shape.push_back(size[i] * (k < 0 ? 1 : repeats[k]));
  }
  x.shape = size;
  return each_of(shape, [&](const int64_t* at) {
    return moved(x, at, [&](int64_t* from) {
      for (int i = 0; i < rank; ++i) from[i] %= x.shape[i];
    });
  });
}

std::vector<Values> repeated(const Call& call, const std::vector<Dense>& in) {
  const Dense& x = in[0];
  int axis = from_front(attribute(call, "axis", int64_t{0}), x.shape.rank);
  auto count = attribute(call, "count", int64_t{1});
  Shape shape = x.shape;
  shape[axis] *= count;
  return each_of(shape, [&](const int64_t* at) {
    return moved(x, at, [&](int64_t* from) { from[axis] /= count; });
  });
}

std::vector<Values> sliding_windows(const Call& call, const std::vector<Dense>& in) {
  const Dense& x = in[0];
  int axis = from_front(attribute(call, "axis", int64_t{0}), x.shape.rank);
  auto size = attribute(call, "size", int64_t{1}), step = attribute(call, "step", int64_t{1});
  Shape shape = x.shape;
  shape[axis] = 0;
  for (int64_t start = 0; start <= x.shape[axis] - size; ++shape[axis]) {
    start = step > x.shape[axis] ? x.shape[axis] : start + step;
  }
  shape.push_back(size);
  return each_of(shape, [&](const int64_t* at) {
    return moved(x, at, [&](int64_t* from) {
      from[axis] = (from[axis] ? from[axis] * step : 0) + at[x.shape.rank];
    });
  });
}

std::vector<Values> overlap_added(const Call& call, const std::vector<Dense>& in) {
  const Dense& x = in[0];
  Shape shape = x.shape, strides;
  --shape.rank;
  int axis = from_front(attribute(call, "axis", int64_t{0}), shape.rank);
  auto step = attribute(call, "step", int64_t{1});
  shape[axis] = attribute(call, "length", int64_t{0});
  strides = contiguous_strides(shape);
  Values r(static_cast<size_t>(numel(shape)));
  each_place(x.shape, [&](const int64_t* at) {
    int64_t place = 0;
    for (int i = 0; i < shape.rank; ++i) {
      place += (i == axis ? at[i] * step + at[shape.rank] : at[i]) * strides[i];
    }
    r[static_cast<size_t>(place)] += at_place(x, x.shape, at);
  });
  return {r};
}

// Walks the diagonal of two axes of a shape: f(index in the shape, remaining indices and i).
template <class F>
void each_on_diagonal(const Shape& shape, const Call& call, int64_t axis0, int64_t axis1, F f) {
  int rows = from_front(attribute(call, "axis0", axis0), shape.rank);
  int columns = from_front(attribute(call, "axis1", axis1), shape.rank);
  auto offset = attribute(call, "offset", int64_t{0});
  Shape outer = shape;
  outer[rows] = outer[columns] = 1;
  each_place(outer, [&](const int64_t* place) {
    int64_t at[kMaxRank];
    for (int i = 0; i < shape.rank; ++i) at[i] = place[i];
    for (int64_t i = 0; i < shape[rows]; ++i) {
      for (int64_t j = 0; j < shape[columns]; ++j) {
        at[rows] = i;
        at[columns] = j;
        if (j - i == offset) f(at);
      }
    }
  });
}

std::vector<Values> diagonals(const Call& call, const std::vector<Dense>& in) {
  Values r;
  each_on_diagonal(in[0].shape, call, 0, 1,
                   [&](const int64_t* at) { r.push_back(at_place(in[0], in[0].shape, at)); });
  return {r};
}

std::vector<Values> on_diagonals(const Call& call, const std::vector<Dense>& in) {
  const Dense& x = in[0];
  int rank = x.shape.rank + 1;
  int rows = from_front(attribute(call, "axis0", int64_t{-2}), rank);
  int columns = from_front(attribute(call, "axis1", int64_t{-1}), rank);
  auto offset = attribute(call, "offset", int64_t{0});
  auto height = attribute(call, "rows", int64_t{-1}),
       width = attribute(call, "columns", int64_t{-1});
  int64_t n = x.shape.back();
  if (height < 0) height = n + std::abs(offset);
  if (width < 0) width = n + std::abs(offset);
  Shape shape;
  for (int i = 0, k = 0; i < rank; ++i) {
    shape.push_back(i == rows ? height : i == columns ? width : x.shape[k++]);
  }
  Shape strides = contiguous_strides(shape);
  Values r(static_cast<size_t>(numel(shape)));
  size_t next = 0;
  each_on_diagonal(shape, call, -2, -1, [&](const int64_t* at) {
    int64_t place = 0;
    for (int i = 0; i < rank; ++i) place += at[i] * strides[i];
    r[static_cast<size_t>(place)] = x.v[next++];
  });
  return {r};
}

template <int kSide>
std::vector<Values> triangle(const Call& call, const std::vector<Dense>& in) {
  const Dense& x = in[0];
  auto diagonal = static_cast<double>(attribute(call, "diagonal", int64_t{0}));
  return each_of(x.shape, [&](const int64_t* at) {
    auto over = static_cast<double>(at[x.shape.rank - 1] - at[x.shape.rank - 2]) - diagonal;
    return over * kSide >= 0 ? at_place(x, x.shape, at) : 0;
  });
}

const Definitions kShape({
    {"reshape", unmoved},
    {"permute", permuted_by},
    {"transpose", axes_swapped},
    {"expand", expanded},
    {"squeeze", unmoved},
    {"unsqueeze", unmoved},
    {"slice", sliced},
    {"select", selected},
    {"slice_embed", embedded},
    {"clone", unmoved},
    {"to", converted},
    {"cat", joined_along},
    {"stack", stacked},
    {"split", split},
    {"chunk", chunked},
    {"flip", axes_reversed},
    {"roll", rolled},
    {"pad", padded},
    {"tile", tiled},
    {"repeat_interleave", repeated},
    {"unfold", sliding_windows},
    {"overlap_add", overlap_added},
    {"diagonal", diagonals},
    {"diag_embed", on_diagonals},
    {"tril", triangle<-1>},
    {"triu", triangle<1>},
});

}  // namespace
}  // namespace gyre::conformance
