#include "gyre/kernel/row_job.h"

#include <bit>

#include "gyre/base/cpu.h"

namespace gyre {
namespace {

int log2_of(size_t bytes) { return std::countr_zero(bytes); }

// [valid][length] with rows `step` apart to [length][lanes]; lanes past the last row repeat it.
template <class T>
void rows_to_lanes(const T* from, int64_t step, int64_t length, int valid, int lanes, T* to) {
  for (int l = 0; l < lanes; ++l) {
    const T* row = from + (l < valid ? l : valid - 1) * step;
    for (int64_t i = 0; i < length; ++i) to[i * lanes + l] = row[i];
  }
}
template <class T>
void lanes_to_rows(const T* from, int lanes, int64_t length, int valid, T* to, int64_t step) {
  for (int l = 0; l < valid; ++l) {
    for (int64_t i = 0; i < length; ++i) to[l * step + i] = from[i * lanes + l];
  }
}

// A piece of a row that is the same everywhere.
template <class T>
struct Constant {
  alignas(64) T v[kRowPiece];
  constexpr explicit Constant(T value) : v() {
    for (T& x : v) x = value;
  }
};
constexpr Constant<float> kConstantsF32[] = {Constant<float>(0), Constant<float>(1)};
constexpr Constant<double> kConstantsF64[] = {Constant<double>(0), Constant<double>(1)};

}  // namespace

double RowJob::number(int k, int64_t row, double absent) const {
  const RowOperand& o = walk.operand[k];
  if (!o.data) return absent;
  const std::byte* from = o.at(walk.offset(k, row));
  if (o.dtype == DType::f64) return *reinterpret_cast<const double*>(from);
  double value;
  convert_tiles().load[static_cast<int>(o.dtype)][static_cast<int>(Compute::f64)](from, &value, 1);
  return value;
}

void RowJob::set_number(int k, int64_t row, double value) const {
  const RowOperand& o = walk.operand[k];
  if (!o.data) return;
  std::byte* to = o.at(walk.offset(k, row));
  if (o.dtype == DType::f64) {
    *reinterpret_cast<double*>(to) = value;
    return;
  }
  convert_tiles().store[static_cast<int>(Compute::f64)][static_cast<int>(o.dtype)](&value, to, 1);
}

const void* RowJob::absent_row(int k) const {
  int which = absent_input(k) != 0;
  if (compute == Compute::f64) return kConstantsF64[which].v;
  return kConstantsF32[which].v;
}

const void* RowJob::read_into(void* buffer, int k, int64_t offset, int64_t begin, int64_t n) const {
  const RowOperand& o = walk.operand[k];
  if (!o.data) return absent_row(k);
  const std::byte* from = o.at(offset + begin * o.inner);
  bool same = o.dtype == computed;
  const ConvertTiles& tiles = convert_tiles();
  Convert load = tiles.load[static_cast<int>(o.dtype)][static_cast<int>(compute)];
  if (o.inner == 1) {
    load(from, buffer, n);
    return buffer;
  }
  alignas(64) std::byte raw[kRowPiece * 8];
  tiles.gather[log2_of(size_of(o.dtype))](from, o.inner, same ? buffer : raw, n);
  if (!same) load(raw, buffer, n);
  return buffer;
}

int64_t RowJob::ahead(int k, int64_t row) const {
  constexpr int64_t kMostBytes = int64_t{1} << 18;
  if (!direct(k) || row + 1 >= walk.rows) return 0;
  if (walk.length * static_cast<int64_t>(size_of(compute)) > kMostBytes) return 0;
  return walk.offset(k, row + 1) - walk.offset(k, row);
}

void* RowJob::target(int k, int64_t offset, int64_t begin, void* buffer) const {
  const RowOperand& o = walk.operand[k];
  return direct(k) ? o.at(offset + begin) : buffer;
}

void RowJob::commit(int k, int64_t offset, int64_t begin, int64_t n, const void* buffer) const {
  if (direct(k)) return;
  const RowOperand& o = walk.operand[k];
  std::byte* to = o.at(offset + begin * o.inner);
  const ConvertTiles& tiles = convert_tiles();
  Convert store = tiles.store[static_cast<int>(compute)][static_cast<int>(o.dtype)];
  if (o.inner == 1) {
    store(buffer, to, n);
    return;
  }
  alignas(64) std::byte raw[kRowPiece * 8];
  store(buffer, raw, n);
  tiles.scatter[log2_of(size_of(o.dtype))](raw, to, o.inner, n);
}

bool RowJob::lanes_in_place(int k, int64_t row, int lanes) const {
  const RowOperand& o = walk.operand[k];
  if (o.dtype != computed || row + lanes > walk.rows) return false;
  if (walk.rank == 0 || o.outer[walk.rank - 1] != 1) return false;
  int64_t last = walk.dims[walk.rank - 1];
  return row % last + lanes <= last;
}

const void* RowJob::read_lanes(int k, int64_t row, int lanes, void* buffer, void* line,
                               int64_t& stride) const {
  const RowOperand& o = walk.operand[k];
  if (!o.data) {
    stride = 0;
    return absent_row(k);
  }
  if (lanes_in_place(k, row, lanes)) {
    stride = o.inner;
    return o.at(walk.offset(k, row));
  }
  stride = lanes;
  if (rows_in_step(k)) {
    turn(k, row, lanes, [&](std::byte* from, int64_t step, int valid) {
      if (compute == Compute::f32) {
        rows_to_lanes(reinterpret_cast<const float*>(from), step, walk.length, valid, lanes,
                      static_cast<float*>(buffer));
      } else {
        rows_to_lanes(reinterpret_cast<const double*>(from), step, walk.length, valid, lanes,
                      static_cast<double*>(buffer));
      }
    });
    return buffer;
  }
  const ConvertTiles& tiles = convert_tiles();
  size_t width = size_of(compute);
  Scatter scatter = tiles.scatter[log2_of(width)];
  for (int l = 0; l < lanes; ++l) {
    int64_t r = row + l < walk.rows ? row + l : walk.rows - 1;
    int64_t offset = walk.offset(k, r);
    for (int64_t i = 0; i < walk.length; i += kRowPiece) {
      int64_t n = walk.length - i < kRowPiece ? walk.length - i : kRowPiece;
      const void* piece = read(k, offset, i, n, line);
      scatter(piece,
              static_cast<std::byte*>(buffer) + (i * lanes + l) * static_cast<int64_t>(width),
              lanes, n);
    }
  }
  return buffer;
}

void* RowJob::target_lanes(int k, int64_t row, int lanes, void* buffer, int64_t& stride) const {
  if (lanes_in_place(k, row, lanes)) {
    stride = walk.operand[k].inner;
    return walk.operand[k].at(walk.offset(k, row));
  }
  stride = lanes;
  return buffer;
}

void RowJob::commit_lanes(int k, int64_t row, int lanes, const void* buffer, void* line) const {
  if (lanes_in_place(k, row, lanes)) return;
  if (rows_in_step(k)) {
    turn(k, row, lanes, [&](std::byte* to, int64_t step, int valid) {
      if (compute == Compute::f32) {
        lanes_to_rows(static_cast<const float*>(buffer), lanes, walk.length, valid,
                      reinterpret_cast<float*>(to), step);
      } else {
        lanes_to_rows(static_cast<const double*>(buffer), lanes, walk.length, valid,
                      reinterpret_cast<double*>(to), step);
      }
    });
    return;
  }
  const RowOperand& o = walk.operand[k];
  const ConvertTiles& tiles = convert_tiles();
  auto width = static_cast<int64_t>(size_of(compute));
  Gather gather = tiles.gather[log2_of(size_of(compute))];
  for (int l = 0; l < lanes && row + l < walk.rows; ++l) {
    int64_t offset = walk.offset(k, row + l);
    for (int64_t i = 0; i < walk.length; i += kRowPiece) {
      int64_t n = walk.length - i < kRowPiece ? walk.length - i : kRowPiece;
      const std::byte* from = static_cast<const std::byte*>(buffer) + (i * lanes + l) * width;
      if (direct(k)) {
        gather(from, lanes, o.at(offset + i), n);
      } else {
        gather(from, lanes, line, n);
        commit(k, offset, i, n, line);
      }
    }
  }
}

}  // namespace gyre
