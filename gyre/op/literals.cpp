#include "gyre/op/literals.h"

#include <string>

#include "gyre/base/error.h"

namespace gyre {
namespace {

bool fits(int64_t value, DType d) {
  const int bits = 8 * static_cast<int>(size_of(d));
  if (kDTypeInfo[static_cast<int>(d)].kind == DTypeClass::unsigned_integer) {
    return value >= 0 && value < (int64_t{1} << bits);
  }
  return bits == 64 || (value >= -(int64_t{1} << (bits - 1)) && value < (int64_t{1} << (bits - 1)));
}

}  // namespace

void require_fit(const Tensor& literal, DType d, const char* op) {
  if (!literal.meta().weak || literal.dtype() != DType::i64 || literal.numel() != 1 ||
      !literal.readable())
    return;
  if (is_floating(d) || d == DType::boolean) return;
  const int64_t value = *literal.data<int64_t>();
  if (fits(value, d)) return;
  throw Error(Code::value, op, {value, " does not fit ", d},
              std::string("a value of ") + name_of(d), value);
}

}  // namespace gyre
