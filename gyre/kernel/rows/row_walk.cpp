#include "gyre/kernel/rows/row_walk.h"

namespace gyre {

RowWalk::RowWalk(const Shape& space, int axis) : space_(space), axis_(axis) {
  length = space.rank ? space[axis] : 1;
  for (int i = 0; i < space.rank; ++i) {
    if (i == axis) continue;
    rows *= space[i];
    if (space[i] == 1) continue;
    places_[rank] = i;
    dims[rank++] = space[i];
  }
}

int RowWalk::add_row(const View& v) {
  RowOperand& o = operand[operands];
  o.data = v.data;
  o.dtype = v.dtype;
  int shift = space_.rank - v.shape.rank;
  auto stride = [&](int i) {
    int j = i - shift;
    return j >= 0 && v.shape[j] != 1 ? v.strides[j] : 0;
  };
  o.inner = length == 1 && v.data ? 1 : space_.rank ? stride(axis_) : 0;
  for (int i = 0; i < rank; ++i) o.outer[i] = stride(places_[i]);
  return operands++;
}

int RowWalk::add_number(const View& v) {
  RowOperand& o = operand[operands];
  o.data = v.data;
  o.dtype = v.dtype;
  for (int i = 0; i < rank; ++i) {
    // places among the axes without the row's, counted from the right
    int from_right = (places_[i] > axis_ ? space_.rank - places_[i] : space_.rank - 1 - places_[i]);
    int j = v.shape.rank - from_right;
    o.outer[i] = j >= 0 && v.shape[j] != 1 ? v.strides[j] : 0;
  }
  return operands++;
}

void RowWalk::finish() {
  // affects speed only
  rank = merge_axes(rank, dims, operands, [&](int k) { return operand[k].outer; });
}

int64_t RowWalk::offset_over_axes(int k, int64_t r) const {
  const int64_t* s = operand[k].outer;
  int64_t offset = 0;
  for (int i = rank - 1; i > 0; --i) {
    offset += r % dims[i] * s[i];
    r /= dims[i];
  }
  return offset + r * s[0];
}

// Affects speed only.
bool RowWalk::side_by_side(int count) const {
  if (rank == 0 || dims[rank - 1] < 8) return false;
  bool any = false;
  for (int k = 0; k < count; ++k) {
    if (!operand[k].data || operand[k].inner == 0) continue;
    if (operand[k].inner == 1 && length > 1) return false;
    if (operand[k].outer[rank - 1] != 1) return false;
    any = true;
  }
  return any;
}

}  // namespace gyre
