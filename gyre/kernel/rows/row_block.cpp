#include "gyre/kernel/rows/row_block.h"

#include <algorithm>
#include <cstring>

#include "gyre/base/cpu.h"
#include "gyre/base/thread_pool.h"

namespace gyre {
namespace {

// Doubles per operand of a block: few, so that memory traffic is spread evenly instead of in
// bursts.
constexpr int64_t kMostRoom = 1024;
constexpr size_t kRawBytes = static_cast<size_t>(kMostRoom) * 8;
// Elements per operand of a block read in place: the block stays in the L2 cache between passes.
constexpr int64_t kMostInPlace = 4096;

// n elements of one row.
void read_row(const RowOperand& o, int64_t offset, int64_t n, double* to) {
  Convert load = load_of(o.dtype, Compute::f64);
  if (o.inner == 1) return load(o.at(offset), to, n);
  if (o.inner == 0) {
    load(o.at(offset), to, 1);
    std::fill(to + 1, to + n, to[0]);
    return;
  }
  alignas(64) std::byte raw[kRawBytes];
  convert_tiles().gather[log2_of(size_of(o.dtype))](o.at(offset), o.inner, raw, n);
  load(raw, to, n);
}
void write_row(const RowOperand& o, int64_t offset, int64_t n, const double* from) {
  Convert store = store_of(Compute::f64, o.dtype);
  if (o.inner == 1) return store(from, o.at(offset), n);
  alignas(64) std::byte raw[kRawBytes];
  store(from, raw, n);
  convert_tiles().scatter[log2_of(size_of(o.dtype))](raw, o.at(offset), o.inner, n);
}

}  // namespace

RowBlocks::RowBlocks(const RowJob& j, bool direct)
    : job(j),
      tiles(j.op->family.rowwise[isa()]->block),
      length(j.walk.length),
      piece(length),
      rows(1),
      in_place(direct && length % kBlockSlack == 0),
      passes(in_place && j.compute == Compute::f32 ? tiles.f32 : tiles.f64) {
  if (!in_place && j.compute == Compute::f32) passes.reduce = tiles.reduce_copied;
  const int64_t most = in_place ? kMostInPlace : kMostRoom;
  if (length > kRowPiece) {
    piece = kRowPiece;
  } else {
    while (rows < kBlockRows && 2 * rows * length <= most) rows *= 2;
  }
}

void RowBlocks::begin(RowBlock& block, int64_t first, int numbers) const {
  const RowSpec& q = job.spec;
  block.attrs = job.attrs;
  block.length = static_cast<double>(length);
  block.rows = static_cast<int>(job.rows_left(first, rows));
  block.scalars_wanted = 0;
  for (int j = 0; j < q.scalars; ++j) {
    double* all = block.scalars[j];
    job.numbers(numbers + j, first, rows, job.absent_input(q.rows + j), all);
    std::fill(all + rows, all + kBlockRows, all[rows - 1]);
  }
  std::memset(block.sums, 0, static_cast<size_t>(q.sums) * sizeof block.sums[0]);
  std::memset(block.rests, 0, static_cast<size_t>(q.sums) * sizeof block.rests[0]);
}

bool RowBlocks::in_step(const RowOperand& o, int64_t first, int count, int64_t step) const {
  if (count == 1) return true;
  int rank = job.walk.rank;
  int64_t last = job.walk.dims[rank - 1];
  return o.outer[rank - 1] == step && first % last + count <= last;
}

void* RowBlocks::place(int k, int64_t first, int64_t begin, int64_t& step) const {
  const RowOperand& o = job.walk.operand[k];
  step = job.walk.rank ? o.outer[0] : 0;
  return o.at(first * step + begin);
}

const void* RowBlocks::read(int k, const RowBlock& block, int64_t first, int64_t begin, int64_t n,
                            double* buffer, int64_t& step) const {
  if (in_place) return place(k, first, begin, step);
  step = n;
  const RowOperand& o = job.walk.operand[k];
  const int64_t total = block.rows * n;
  std::fill_n(buffer + total, kBlockSlack, 0.0);
  int64_t offset = o.data ? job.walk.offset(k, first) + begin * o.inner : 0;
  if (!o.data) {
    std::fill_n(buffer, total, job.absent_input(k));
  } else if (o.inner == 1 && in_step(o, first, block.rows, n)) {
    load_of(o.dtype, Compute::f64)(o.at(offset), buffer, total);
  } else if (in_step(o, first, block.rows, 0)) {
    read_row(o, offset, n, buffer);
    for (int r = 1; r < block.rows; ++r) std::copy_n(buffer, n, buffer + r * n);
  } else if (o.inner > 1 && in_step(o, first, block.rows, 1)) {
    auto width = static_cast<int64_t>(size_of(o.dtype));
    alignas(64) std::byte raw[kRawBytes];
    convert_tiles().transpose[log2_of(size_of(o.dtype))](o.at(offset), o.inner * width, raw,
                                                         n * width, block.rows, n);
    load_of(o.dtype, Compute::f64)(raw, buffer, total);
  } else {
    for (int r = 0; r < block.rows; ++r) {
      read_row(o, job.walk.offset(k, first + r) + begin * o.inner, n, buffer + r * n);
    }
  }
  return buffer;
}

void RowBlocks::fetch_next(int k, const RowBlock& block, int64_t first) const {
  const RowOperand& o = job.walk.operand[k];
  if (!o.data || !whole() || o.inner != 1 || first + 2 * rows > job.walk.rows) return;
  if (!in_step(o, first, 2 * rows, length)) return;
  const auto bytes = static_cast<int64_t>(size_of(o.dtype)) * block.rows * length;
  const std::byte* next = o.at(job.walk.offset(k, first)) + bytes;
  for (int64_t i = 0; i < bytes; i += 64) __builtin_prefetch(next + i);
}

void* RowBlocks::target(int k, int64_t first, int64_t begin, int64_t n, double* buffer,
                        int64_t& step) const {
  if (in_place) return place(k, first, begin, step);
  step = n;
  return buffer;
}

bool RowBlocks::past_caches(int k) const {
  int64_t step;
  const auto width = static_cast<int64_t>(size_of(job.compute));
  const bool aligned = reinterpret_cast<uintptr_t>(place(k, 0, 0, step)) % 64 == 0;
  return in_place && job.stream && aligned && step * width % 64 == 0;
}

void RowBlocks::write(int k, const RowBlock& block, int64_t first, int64_t begin, int64_t n,
                      const void* computed) const {
  if (in_place) return;
  const auto* from = static_cast<const double*>(computed);
  const RowOperand& o = job.walk.operand[k];
  const int64_t total = block.rows * n;
  const size_t width = size_of(o.dtype), bytes = static_cast<size_t>(total) * width;
  std::byte* to = o.at(job.walk.offset(k, first) + begin * o.inner);
  if (o.inner == 1 && in_step(o, first, block.rows, n)) {
    if (job.stream && reinterpret_cast<uintptr_t>(to) % 64 == 0 && bytes % 64 == 0) {
      alignas(64) std::byte raw[kRawBytes];
      store_of(Compute::f64, o.dtype)(from, raw, total);
      convert_tiles().stream(raw, to, bytes);
    } else {
      store_of(Compute::f64, o.dtype)(from, to, total);
    }
  } else if (o.inner > 1 && in_step(o, first, block.rows, 1)) {
    auto step = static_cast<int64_t>(width);
    alignas(64) std::byte raw[kRawBytes];
    store_of(Compute::f64, o.dtype)(from, raw, total);
    convert_tiles().transpose[log2_of(width)](raw, n * step, to, o.inner * step, n, block.rows);
  } else {
    for (int r = 0; r < block.rows; ++r) {
      write_row(o, job.walk.offset(k, first + r) + begin * o.inner, n, from + r * n);
    }
  }
}

namespace {

bool all_in_step(const RowJob& job, int count) {
  bool all = true;
  for (int k = 0; k < count; ++k) all &= job.walk.operand[k].data && job.rows_in_step(k);
  return all;
}

struct ForwardBlocks : RowBlocks {
  const RowSpec& q;

  explicit ForwardBlocks(const RowJob& j)
      : RowBlocks(j, all_in_step(j, j.spec.rows + j.spec.out_rows)), q(j.spec) {}

  size_t bytes() const { return static_cast<size_t>(room() * (q.rows + q.out_rows)) * 8; }

  void operator()(int64_t first, double* scratch) const {
    RowBlock block;
    begin(block, first, q.rows + q.out_rows);
    BlockPiece at{};
    at.past_caches = true;
    for (int o = 0; o < q.out_rows; ++o) at.past_caches &= past_caches(q.rows + o);
    auto read_piece = [&](int64_t i, int64_t n) {
      at.length = n;
      for (int k = 0; k < q.rows; ++k) {
        at.in[k] = read(k, block, first, i, n, scratch + k * room(), at.in_step[k]);
      }
    };
    pieces([&](int64_t i, int64_t n) {
      read_piece(i, n);
      fetch_next(0, block, first);
      passes.reduce(block, at);
    });
    for (int k = 1; k < q.rows; ++k) fetch_next(k, block, first);
    tiles.finish(block);
    if (q.out_rows) {
      pieces([&](int64_t i, int64_t n) {
        if (!whole()) read_piece(i, n);
        for (int o = 0; o < q.out_rows; ++o) {
          const int k = q.rows + o;
          at.out[o] = target(k, first, i, n, scratch + k * room(), at.out_step[o]);
        }
        passes.map(block, at);
        for (int o = 0; o < q.out_rows; ++o) write(q.rows + o, block, first, i, n, at.out[o]);
      });
    }
    int k = q.rows + q.out_rows + q.scalars;
    for (int j = 0; j < q.out_scalars; ++j) job.set_numbers(k++, first, block.rows, block.coefs[j]);
  }
};

}  // namespace

void run_blocks(const RowJob& job) {
  const RowWalk& walk = job.walk;
  ForwardBlocks forward(job);
  const size_t bytes = forward.bytes();
  int64_t elements = forward.rows * std::max<int64_t>(walk.length, 1);
  int64_t grain = std::max<int64_t>(kGrain / 2 / elements, 1);
  parallel_for(forward.count(), grain, [&](int64_t begin, int64_t end) {
    auto* scratch = reinterpret_cast<double*>(thread_scratch(bytes));
    for (int64_t b = begin; b < end; ++b) forward(b * forward.rows, scratch);
    if (job.stream) convert_tiles().fence();
  });
}

}  // namespace gyre
