#include "gyre/tensor/shape.h"

#include "gyre/base/error.h"

namespace gyre {

void Shape::too_long() { throw Error(Code::shape, "shape", {"rank must be at most ", kMaxRank}); }

std::string to_string(const Shape& s) {
  std::string r = "[";
  for (int i = 0; i < s.rank; ++i) r += (i ? ", " : "") + std::to_string(s[i]);
  return r + "]";
}

int normalize_axis(int64_t axis, int rank, const char* op) {
  int64_t bound = rank == 0 ? 1 : rank;
  if (axis < -bound || axis >= bound) {
    throw Error(Code::index, op, {"axis ", axis, " is out of range for rank ", rank},
                {"-", bound, "..", bound - 1}, axis);
  }
  return static_cast<int>(axis < 0 ? axis + bound : axis);
}

Shape normalize_axes(const Shape& axes, int rank, const char* op) {
  bool wanted[kMaxRank] = {};
  for (int64_t axis : axes) {
    int a = normalize_axis(axis, rank, op);
    if (wanted[a]) throw Error(Code::value, op, {"axis ", axis, " is given twice"}, {}, axes);
    wanted[a] = true;
  }
  Shape r;
  for (int i = 0; i < rank; ++i) {
    if (wanted[i]) r.push_back(i);
  }
  return r;
}

Shape broadcast(const Shape& a, const Shape& b, const char* op) {
  const Shape& longer = a.rank >= b.rank ? a : b;
  const Shape& other = a.rank >= b.rank ? b : a;
  Shape r = longer;
  int shift = longer.rank - other.rank;
  for (int i = 0; i < other.rank; ++i) {
    int64_t& d = r[i + shift];
    if (d == other[i] || other[i] == 1) continue;
    if (d != 1) {
      throw Error(Code::shape, op, {"shapes ", a, " and ", b, " cannot be broadcast together"}, a,
                  b);
    }
    d = other[i];
  }
  return r;
}

void check_shape(const Shape& s, size_t element_bytes, const char* op) {
  int64_t n = static_cast<int64_t>(element_bytes);
  bool empty = false, overflow = false;
  for (int64_t d : s) {
    if (d < 0) throw Error(Code::value, op, {"shape ", s, " has a negative size"}, {}, s);
    if (d == 0) empty = true;
    overflow |= __builtin_mul_overflow(n, d ? d : 1, &n);
  }
  if (overflow && !empty) {
    throw Error(Code::resource, op, {"shape ", s, " has too many elements"}, {}, s);
  }
}

}  // namespace gyre
