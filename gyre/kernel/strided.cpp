#include "gyre/kernel/strided.h"

#include <cstring>

namespace gyre {
namespace {

// Whether operand k lies in row-major order of the loop.
bool walks_in_order(const StridedLoop& loop, int k) {
  int64_t n = 1;
  for (int i = loop.rank; i-- > 0;) {
    if (loop.strides[k][i] != n) return false;
    n *= loop.dims[i];
  }
  return true;
}

bool is_constant_operand(const StridedLoop& loop, int k) {
  for (int i = 0; i < loop.rank; ++i) {
    if (loop.strides[k][i] != 0) return false;
  }
  return true;
}

// Calls piece(offset, done, count) for each range of [begin, begin + n) within one innermost row.
void for_row_pieces(const StridedLoop& loop, int k, int64_t begin, int64_t n, auto piece) {
  int last = loop.rank - 1;
  int64_t at[kMaxRank], rest = begin, offset = 0;
  for (int i = last; i >= 0; --i) {
    at[i] = rest % loop.dims[i];
    rest /= loop.dims[i];
    offset += at[i] * loop.strides[k][i];
  }
  for (int64_t done = 0;;) {
    int64_t count = loop.dims[last] - at[last];
    if (count > n - done) count = n - done;
    piece(offset, done, count);
    done += count;
    if (done == n) return;
    offset -= at[last] * loop.strides[k][last];
    at[last] = 0;
    for (int i = last - 1; i >= 0; --i) {
      offset += loop.strides[k][i];
      if (++at[i] < loop.dims[i]) break;
      offset -= loop.dims[i] * loop.strides[k][i];
      at[i] = 0;
    }
  }
}

}  // namespace

Compute compute_of(DType d) {
  switch (d) {
    case DType::f64:
      return Compute::f64;
    case DType::i64:
    case DType::u32:
      return Compute::i64;
    case DType::u64:
      return Compute::u64;
    case DType::f16:
    case DType::bf16:
    case DType::f32:
      return Compute::f32;
    default:
      return Compute::i32;
  }
}

StridedLoop::StridedLoop(const Shape& space, std::span<const View* const> views) {
  operands = static_cast<int>(views.size());
  for (int k = 0; k < operands; ++k) {
    data[k] = views[k]->data;
    dtype[k] = views[k]->dtype;
  }
  bool empty = numel(space) == 0;  // the other sizes may overflow when multiplied
  for (int i = 0; i < space.rank && !empty; ++i) {
    if (space[i] == 1) continue;
    dims[rank] = space[i];
    for (int k = 0; k < operands; ++k) {
      const View& v = *views[k];
      int j = i - (space.rank - v.shape.rank);
      strides[k][rank] = j >= 0 && v.shape[j] != 1 ? v.strides[j] : 0;
    }
    ++rank;
  }
  rank = merge_axes(rank, dims, operands, [&](int k) { return strides[k]; });
  if (rank == 0) {
    rank = 1;
    dims[0] = empty ? 0 : 1;
    for (int k = 0; k < operands; ++k) strides[k][0] = 1;
  }
}

int64_t StridedLoop::size() const {
  int64_t n = 1;
  for (int i = 0; i < rank; ++i) n *= dims[i];
  return n;
}

Reader::Reader(const StridedLoop& loop, int operand, Compute compute)
    : loop_(loop), tiles_(convert_tiles()), operand_(operand), compute_(compute) {
  bool same = loop.dtype[operand] == gyre::dtype_of(compute);
  if (walks_in_order(loop, operand)) {
    how_ = same ? direct : converted;
  } else if (is_constant_operand(loop, operand)) {
    how_ = constant;
  } else {
    how_ = same && loop.strides[operand][loop.rank - 1] == 1 && loop.dims[loop.rank - 1] >= 128
               ? rows
               : gathered;
  }
}

const void* Reader::read(int64_t begin, int64_t n, void* buffer) {
  const std::byte* base = loop_.data[operand_];
  DType d = loop_.dtype[operand_];
  auto size = static_cast<int64_t>(size_of(d));
  Convert load = tiles_.load[static_cast<int>(d)][static_cast<int>(compute_)];
  switch (how_) {
    case direct:
      return base + begin * size;
    case converted:
      load(base + begin * size, buffer, n);
      return buffer;
    case constant: {
      if (filled_) return buffer;
      alignas(8) std::byte one[8];
      load(base, one, 1);
      int64_t all = loop_.size();
      tiles_.gather[size_of(compute_) == 4 ? 2 : 3](one, 0, buffer, all < kTile ? all : kTile);
      filled_ = true;
      return buffer;
    }
    case rows: {
      const std::byte* place = nullptr;
      for_row_pieces(loop_, operand_, begin, n, [&](int64_t offset, int64_t done, int64_t count) {
        if (done == 0 && count == n) {
          place = base + offset * size;
        } else {
          std::memcpy(static_cast<std::byte*>(buffer) + done * size, base + offset * size,
                      static_cast<size_t>(count * size));
        }
      });
      return place ? place : buffer;
    }
    case gathered:
      break;
  }
  bool same = d == gyre::dtype_of(compute_);
  alignas(64) std::byte raw[kTile * 8];
  std::byte* target = same ? static_cast<std::byte*>(buffer) : raw;
  Gather gather = tiles_.gather[log2_of(size_of(d))];
  int64_t stride = loop_.strides[operand_][loop_.rank - 1];
  for_row_pieces(loop_, operand_, begin, n, [&](int64_t offset, int64_t done, int64_t count) {
    gather(base + offset * size, stride, target + done * size, count);
  });
  if (!same) load(raw, buffer, n);
  return buffer;
}

Writer::Writer(const StridedLoop& loop, int operand, Compute compute)
    : loop_(loop), tiles_(convert_tiles()), operand_(operand), compute_(compute) {
  bool same = loop.dtype[operand] == gyre::dtype_of(compute);
  how_ = !walks_in_order(loop, operand) ? scattered : same ? direct : converted;
}

void* Writer::target(int64_t begin, void* buffer) const {
  if (how_ != direct) return buffer;
  return loop_.data[operand_] + begin * static_cast<int64_t>(size_of(compute_));
}

void Writer::commit(int64_t begin, int64_t n, const void* buffer) {
  if (how_ == direct) return;
  std::byte* base = loop_.data[operand_];
  DType d = loop_.dtype[operand_];
  auto size = static_cast<int64_t>(size_of(d));
  Convert store = tiles_.store[static_cast<int>(compute_)][static_cast<int>(d)];
  if (how_ == converted) {
    store(buffer, base + begin * size, n);
    return;
  }
  alignas(64) std::byte raw[kTile * 8];
  store(buffer, raw, n);
  Scatter scatter = tiles_.scatter[log2_of(size_of(d))];
  int64_t stride = loop_.strides[operand_][loop_.rank - 1];
  for_row_pieces(loop_, operand_, begin, n, [&](int64_t offset, int64_t done, int64_t count) {
    scatter(raw + done * size, base + offset * size, stride, count);
  });
}

}  // namespace gyre
