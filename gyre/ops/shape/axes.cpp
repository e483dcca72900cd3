// Functions composed of other ops: movedim, narrow, meshgrid and others.
#include <utility>

#include "gyre/base/error.h"
#include "gyre/ops/shape/shape.h"

namespace gyre {

Tensor movedim(const Tensor& x, const Shape& source, const Shape& destination) {
  if (source.rank != destination.rank) {
    throw Error(Code::value, "movedim", "source and destination must have the same length", source,
                destination);
  }
  normalize_axes(source, x.rank(), "movedim");  // refuse repeated ones
  normalize_axes(destination, x.rank(), "movedim");
  if (x.rank() == 0) return x;
  bool moved[kMaxRank] = {};
  Shape axes;
  for (int i = 0; i < x.rank(); ++i) axes.push_back(-1);
  for (int k = 0; k < source.rank; ++k) {
    int from = normalize_axis(source[k], x.rank(), "movedim");
    axes[normalize_axis(destination[k], x.rank(), "movedim")] = from;
    moved[from] = true;
  }
  int next = 0;
  for (int64_t& axis : axes) {
    if (axis >= 0) continue;
    while (moved[next]) ++next;
    axis = next++;
  }
  return permute(x, axes);
}

Tensor narrow(const Tensor& x, int64_t axis, int64_t start, int64_t length) {
  int64_t size = x.size(axis), first = start < 0 ? start + size : start;
  if (first < 0 || length < 0 || first > size || length > size - first) {
    throw Error(
        Code::index, "narrow",
        {"start ", start, " with length ", length, " is out of range for an axis of size ", size},
        size, start);
  }
  return slice(x, {axis, first, first + length, 1});
}

Tensors meshgrid(Inputs xs, Indexing indexing) {
  bool exchanged = indexing == Indexing::xy && xs.size() > 1;
  Shape grid;
  for (const Tensor& x : xs) {
    if (x.rank() > 1) throw mismatch(Code::shape, "meshgrid", "expected vectors", "[n]", x.shape());
    grid.push_back(x.numel());
  }
  if (exchanged) std::swap(grid[0], grid[1]);
  Tensors results;
  for (int k = 0; k < grid.rank; ++k) {
    int axis = exchanged && k < 2 ? 1 - k : k;
    Shape one;
    for (int i = 0; i < grid.rank; ++i) one.push_back(i == axis ? grid[i] : 1);
    results.push_back(expand(reshape(xs[static_cast<size_t>(k)], one), grid));
  }
  return results;
}

}  // namespace gyre
