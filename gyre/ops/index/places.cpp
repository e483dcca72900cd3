#include "gyre/ops/index/places.h"

#include <cstring>

#include "gyre/base/thread_pool.h"
#include "gyre/kernel/strided.h"
#include "gyre/ops/index/indices.h"
#include "gyre/ops/index/nonzero.h"

namespace gyre {
namespace {

void check_dtype(const OpDef& op, DType d) {
  if (d == DType::i32 || d == DType::i64 || d == DType::boolean) return;
  throw mismatch(Code::dtype, op.name, "indices must be i32, i64 or boolean", "i32, i64 or boolean",
                 name_of(d));
}

void check_mask(const OpDef& op, const Shape& x, int64_t axis, const Shape& mask) {
  bool fits = axis + mask.rank <= x.rank;
  for (int k = 0; fits && k < mask.rank; ++k) fits = mask[k] == x[static_cast<int>(axis) + k];
  if (fits) return;
  refuse(Code::shape, op,
         "mask " + to_string(mask) + " at axis " + std::to_string(axis) +
             " does not match the shape of x " + to_string(x),
         to_string(x), to_string(mask));
}

}  // namespace

SmallVector<IndexView, kMaxRank> index_views(Inputs in, size_t first) {
  SmallVector<IndexView, kMaxRank> r;
  for (const Tensor& t : in.subspan(first)) r.push_back({layout_of(t), t.defined()});
  return r;
}

SmallVector<IndexView, kMaxRank> index_views(std::span<const View> in, size_t first) {
  SmallVector<IndexView, kMaxRank> r;
  // an empty tensor may have no data; an absent one has the shape of one element
  for (const View& v : in.subspan(first)) r.push_back({v, v.data || v.shape.rank > 0});
  return r;
}

IndexedPositions::IndexedPositions(const OpDef& op, const Shape& x,
                                   std::span<const IndexView> indices)
    : x_(x), indices_(indices) {
  if (indices.size() > static_cast<size_t>(kMaxRank)) {
    refuse(Code::shape, op, "expected at most " + std::to_string(kMaxRank) + " index tensors");
  }
  int64_t axis = 0;
  bool began = false, apart = false, ended = false;
  for (size_t i = 0; i < indices.size(); ++i) {
    const View& t = indices[i].view;
    axis_of_[i] = axis;
    if (!indices[i].present) {
      kept_axes_.push_back(axis++);
      ended = began;
      continue;
    }
    check_dtype(op, t.dtype);
    apart |= ended;
    if (!began) first = kept_axes_.rank;
    began = true;
    Shape shape = t.shape;
    if (t.dtype == DType::boolean) {
      check_mask(op, x, axis, t.shape);
      masked_[i] = count_nonzero(t);
      shape = {masked_[i]};
      axis += t.shape.rank;
    } else {
      ++axis;
    }
    chosen = broadcast(chosen, shape, op.name);
  }
  if (axis > x.rank) {
    refuse(Code::shape, op, "too many indices: " + std::to_string(axis) + " for x " + to_string(x),
           to_string(x), std::to_string(axis));
  }
  while (axis < x.rank) kept_axes_.push_back(axis++);
  if (apart) first = 0;
  for (int64_t a : kept_axes_) kept.push_back(x[static_cast<int>(a)]);
  if (chosen.rank + kept.rank > kMaxRank) {
    refuse(Code::shape, op,
           "the result would have more than " + std::to_string(kMaxRank) + " axes");
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
  for (int64_t a : kept_axes_) r.push_back(strides[static_cast<int>(a)]);
  return r;
}

size_t IndexedPositions::scratch() const {
  auto bytes = static_cast<size_t>(numel(chosen)) * sizeof(int64_t);
  for (size_t i = 0; i < indices_.size(); ++i) {
    const View& t = indices_[i].view;
    if (t.dtype != DType::boolean) continue;
    bytes += static_cast<size_t>(masked_[i]) * sizeof(int64_t) + nonzero_scratch(t.shape);
  }
  return bytes;
}

void IndexedPositions::add(const View& index, int64_t bound, int64_t stride) {
  parallel_for(numel(chosen), kGrain, [&](int64_t begin, int64_t end) {
    const View* views[] = {&index};
    StridedLoop loop(chosen, views);
    Reader reader(loop, 0, Compute::i64);
    alignas(64) int64_t buffer[kTile];
    for (int64_t i = begin; i < end; i += kTile) {
      int64_t n = end - i < kTile ? end - i : kTile;
      auto* v = static_cast<const int64_t*>(reader.read(i, n, buffer));
      for (int64_t j = 0; j < n; ++j) {
        offsets_[i + j] += (v[j] < 0 ? v[j] + bound : v[j]) * stride;
      }
    }
  });
}

Status IndexedPositions::find(const Shape& strides, std::byte* scratch) {
  offsets_ = reinterpret_cast<int64_t*>(scratch);
  auto bytes = static_cast<size_t>(numel(chosen)) * sizeof(int64_t);
  if (bytes) std::memset(offsets_, 0, bytes);
  std::byte* room = scratch + bytes;
  for (size_t i = 0; i < indices_.size(); ++i) {
    if (!indices_[i].present) continue;
    const View& t = indices_[i].view;
    int axis = static_cast<int>(axis_of_[i]);
    if (t.dtype == DType::boolean) {
      auto* sums = reinterpret_cast<int64_t*>(room);
      room += static_cast<size_t>(masked_[i]) * sizeof(int64_t);
      write_nonzero(t, room, strides.begin() + axis, sums);
      room += nonzero_scratch(t.shape);
      add({reinterpret_cast<std::byte*>(sums), {masked_[i]}, {1}, DType::i64}, 0, 1);
      continue;
    }
    if (Status s = check_indices(t, x_[axis], -x_[axis]); s.failed) return s;
    add(t, x_[axis], strides[axis]);
  }
  return {};
}

}  // namespace gyre
