#pragma once
#include <array>
#include <span>

#include "gyre/kernel/convert.h"
#include "gyre/op/op_def.h"

namespace gyre {

/// Elements of a tile: several operands of 8 bytes fit the L1 cache.
inline constexpr int64_t kTile = 512;
inline constexpr int kMaxOperands = 12;
/// Elements of one parallel chunk of elementwise work, the least that is worth another thread.
inline constexpr int64_t kGrain = 32768;

/// The compute type of tiles for a dtype.
Compute compute_of(DType dtype);
/// The dtype of the compute type.
constexpr DType dtype_of(Compute compute) {
  constexpr DType kTypes[] = {DType::f32, DType::f64, DType::i32, DType::i64, DType::u64};
  return kTypes[static_cast<int>(compute)];
}

/// The conversion from a dtype to a compute type and back.
inline Convert load_of(DType from, Compute to) {
  return convert_tiles().load[static_cast<int>(from)][static_cast<int>(to)];
}
inline Convert store_of(Compute from, DType to) {
  return convert_tiles().store[static_cast<int>(from)][static_cast<int>(to)];
}

/// A loop over a space of elements with strided or broadcast operands. Axes contiguous with each
/// other in all operands are merged and axes of size 1 dropped, so rank is small.
struct StridedLoop {
  int rank = 0;
  int64_t dims[kMaxRank];
  int operands = 0;
  std::byte* data[kMaxOperands];
  DType dtype[kMaxOperands];
  int64_t strides[kMaxOperands][kMaxRank];  ///< in elements; 0 where broadcast

  /// Operands must broadcast to `space`; at most kMaxOperands.
  StridedLoop(const Shape& space, std::span<const View* const> views);
  /// Over the elements of one operand.
  explicit StridedLoop(const View& view) : StridedLoop(view.shape, std::array{&view}) {}
  int64_t size() const;
  /// The place of element i of operand k, in elements.
  int64_t offset(int k, int64_t i) const {
    int64_t offset = 0;
    for (int axis = rank; axis-- > 0; i /= dims[axis]) offset += i % dims[axis] * strides[k][axis];
    return offset;
  }
  /// The loop with the first operand moved by that many elements.
  StridedLoop moved(int64_t by) const {
    StridedLoop loop = *this;
    loop.data[0] += by * static_cast<int64_t>(size_of(dtype[0]));
    return loop;
  }
};

/// Merges neighbouring axes of a loop that are contiguous with each other in every operand;
/// strides_of(k) are those of operand k. Returns the new rank.
template <class StridesOf>
int merge_axes(int rank, int64_t* dims, int operands, StridesOf strides_of) {
  int kept = 0;
  for (int i = 1; i < rank; ++i) {
    bool together = true;
    for (int k = 0; k < operands; ++k) {
      together &= strides_of(k)[kept] == strides_of(k)[i] * dims[i];
    }
    if (together) {
      dims[kept] *= dims[i];
    } else {
      dims[++kept] = dims[i];
    }
    for (int k = 0; k < operands; ++k) strides_of(k)[kept] = strides_of(k)[i];
  }
  return rank ? kept + 1 : 0;
}

/// Reads ranges of one operand of a loop, counted in row-major order of its space, as contiguous
/// elements of the compute type.
class Reader {
 public:
  Reader(const StridedLoop& loop, int operand, Compute compute);
  /// Elements [begin, begin + n), n <= kTile; in place if contiguous, otherwise in `buffer`.
  const void* read(int64_t begin, int64_t n, void* buffer);
  /// True if ranges that do not cross rows can be read in place.
  bool likes_rows() const { return how_ == rows; }
  bool in_place() const { return how_ == direct; }

 private:
  const StridedLoop& loop_;
  const ConvertTiles& tiles_;
  int operand_;
  Compute compute_;
  enum How : uint8_t { direct, converted, constant, rows, gathered } how_;
  bool filled_ = false;
};

/// Writes ranges of one operand of a loop.
class Writer {
 public:
  Writer(const StridedLoop& loop, int operand, Compute compute);
  /// Destination of elements [begin, begin + n) until commit(): the operand itself or `buffer`.
  void* target(int64_t begin, void* buffer) const;
  void commit(int64_t begin, int64_t n, const void* buffer);
  bool in_place() const { return how_ == direct; }

 private:
  const StridedLoop& loop_;
  const ConvertTiles& tiles_;
  int operand_;
  Compute compute_;
  enum How : uint8_t { direct, converted, scattered } how_;
};

}  // namespace gyre
