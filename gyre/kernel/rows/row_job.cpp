#include "gyre/kernel/rows/row_job.h"

namespace gyre {
namespace {

// A constant piece of a row.
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
  load_of(o.dtype, Compute::f64)(from, &value, 1);
  return value;
}

void RowJob::numbers(int k, int64_t row, int lanes, double absent, double* to) const {
  const RowOperand& o = walk.operand[k];
  int64_t valid = rows_left(row, lanes);
  if (!o.data || walk.rank == 0 || (walk.rank == 1 && o.outer[0] == 0)) {
    valid = 1;
    to[0] = number(k, row, absent);
  } else if (walk.rank == 1 && o.outer[0] == 1) {
    load_of(o.dtype, Compute::f64)(o.at(row), to, valid);
  } else {
    for (int64_t l = 0; l < valid; ++l) to[l] = number(k, row + l, absent);
  }
  for (int64_t l = valid; l < lanes; ++l) to[l] = to[valid - 1];
}

void RowJob::set_numbers(int k, int64_t row, int lanes, const double* values) const {
  const RowOperand& o = walk.operand[k];
  if (!o.data) return;
  int64_t valid = rows_left(row, lanes);
  if (walk.rank == 1 && o.outer[0] == 1) {
    store_of(Compute::f64, o.dtype)(values, o.at(row), valid);
  } else {
    for (int64_t l = 0; l < valid; ++l) set_number(k, row + l, values[l]);
  }
}

void RowJob::set_number(int k, int64_t row, double value) const {
  const RowOperand& o = walk.operand[k];
  if (!o.data) return;
  std::byte* to = o.at(walk.offset(k, row));
  if (o.dtype == DType::f64) {
    *reinterpret_cast<double*>(to) = value;
    return;
  }
  store_of(Compute::f64, o.dtype)(&value, to, 1);
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
  auto width = static_cast<int64_t>(size_of(compute));
  const ConvertTiles& tiles = convert_tiles();
  if (rows_in_step(k)) {
    Transpose transpose = tiles.transpose[log2_of(size_of(compute))];
    auto [first, step, valid] = rows_at(k, row, lanes);
    auto* to = static_cast<std::byte*>(buffer);
    transpose(first, step, to, lanes * width, walk.length, valid);
    for (int64_t l = valid; l < lanes; ++l) {
      transpose(first + (valid - 1) * step, step, to + l * width, lanes * width, walk.length, 1);
    }
    return buffer;
  }
  Scatter scatter = tiles.scatter[log2_of(size_of(compute))];
  for (int l = 0; l < lanes; ++l) {
    int64_t r = row + l < walk.rows ? row + l : walk.rows - 1;
    int64_t offset = walk.offset(k, r);
    for (int64_t i = 0; i < walk.length; i += kRowPiece) {
      int64_t n = walk.length - i < kRowPiece ? walk.length - i : kRowPiece;
      const void* piece = read(k, offset, i, n, line);
      scatter(piece, static_cast<std::byte*>(buffer) + (i * lanes + l) * width, lanes, n);
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
  auto width = static_cast<int64_t>(size_of(compute));
  const ConvertTiles& tiles = convert_tiles();
  if (rows_in_step(k)) {
    auto [first, step, valid] = rows_at(k, row, lanes);
    tiles.transpose[log2_of(size_of(compute))](buffer, lanes * width, first, step, valid,
                                               walk.length);
    return;
  }
  const RowOperand& o = walk.operand[k];
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
