#include "gyre/op/literals.h"

#include <cmath>
#include <string>

#include "gyre/base/error.h"

namespace gyre {
namespace {

// Whether the integer part of a number is a value of an integer dtype.
bool fits(double value, DType d) {
  const int bits = 8 * static_cast<int>(size_of(d));
  const double end = std::ldexp(1, is_unsigned(d) ? bits : bits - 1);
  value = std::trunc(value);
  return value >= (is_unsigned(d) ? 0 : -end) && value < end;  // false for NaN
}

[[noreturn]] void refuse_number(const Message& value, DType d, const char* op) {
  throw Error(Code::value, op, {value, " does not fit ", d}, {"a value of ", d}, value);
}

}  // namespace

void require_fit(int64_t value, DType d, const char* op) {
  if (is_floating(d)) return;
  const bool fit = d == DType::boolean ? value == 0 || value == 1
                                       : d == DType::i64 || fits(static_cast<double>(value), d);
  if (!fit) refuse_number(value, d, op);
}

void require_fit(const Tensor& literal, DType d, const char* op) {
  if (!literal.meta().weak || literal.numel() != 1 || !literal.readable()) return;
  if (is_floating(d) || d == DType::boolean) return;
  if (literal.dtype() == DType::i64) return require_fit(*literal.data<int64_t>(), d, op);
  if (literal.dtype() == DType::u64 && d != DType::u64)  // a literal is u64 if i64 is too small
    refuse_number(*literal.data<uint64_t>(), d, op);
  if (literal.dtype() == DType::f64 && !fits(literal.item(), d))
    refuse_number(literal.item(), d, op);
}

}  // namespace gyre
