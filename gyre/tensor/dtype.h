#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "gyre/base/half.h"
#include "gyre/base/record.h"
#include "gyre/tensor/dtype_list.h"

namespace gyre {

enum class DType : uint8_t {
#define X(name, type, kind) name,
  GYRE_DTYPES(X)
#undef X
};
inline constexpr int kDTypes = static_cast<int>(DType::boolean) + 1;
template <>
inline constexpr Field::Type kFieldType<DType> = Field::dtype;

enum class DTypeClass : uint8_t { boolean_class, unsigned_integer, signed_integer, floating };

struct DTypeInfo {
  const char* name;
  uint8_t size;
  DTypeClass kind;
};
inline constexpr DTypeInfo kDTypeInfo[] = {
#define X(name, type, kind) {#name, sizeof(type), DTypeClass::kind},
    GYRE_DTYPES(X)
#undef X
};

/// Bytes per element.
constexpr size_t size_of(DType d) { return kDTypeInfo[static_cast<int>(d)].size; }
/// "f32", "boolean", ...
constexpr const char* name_of(DType d) { return kDTypeInfo[static_cast<int>(d)].name; }
constexpr bool is_floating(DType d) {
  return kDTypeInfo[static_cast<int>(d)].kind == DTypeClass::floating;
}
constexpr bool is_unsigned(DType d) {
  return kDTypeInfo[static_cast<int>(d)].kind == DTypeClass::unsigned_integer;
}
/// The dtype of sums and products of many elements: i64 for integers and booleans, u64 for u64.
constexpr DType sum_dtype(DType d) { return is_floating(d) || d == DType::u64 ? d : DType::i64; }
/// Machine epsilon of a floating dtype: the distance from 1 to the next number.
constexpr double epsilon_of(DType d) {
  return d == DType::bf16  ? 0x1p-7
         : d == DType::f16 ? 0x1p-10
         : d == DType::f32 ? 0x1p-23
                           : 0x1p-52;
}
/// The dtype of that name ("bool" is accepted for boolean). Error{dtype} for an unknown name.
DType dtype_of(std::string_view name);

/// The dtype whose elements are T; compiles for these only.
template <class T>
inline constexpr DType kDTypeOf = [] {
  static_assert(sizeof(T) == 0, "tensors do not store elements of this type");
  return DType::f32;
}();
#define X(name, type, kind) \
  template <>               \
  inline constexpr DType kDTypeOf<type> = DType::name;
GYRE_DTYPES(X)
#undef X

/// f(T()) for the type T of the elements of a dtype.
constexpr auto visit_dtype(DType dtype, auto f) {
  switch (dtype) {
#define X(name, type, kind) \
  case DType::name:         \
    return f(type());
    GYRE_DTYPES(X)
#undef X
  }
  __builtin_unreachable();
}

/// The same for floating dtypes; others count as f32.
constexpr auto visit_floating(DType dtype, auto f) {
  switch (dtype) {
    case DType::f64:
      return f(double());
    case DType::f16:
      return f(f16());
    case DType::bf16:
      return f(bf16());
    default:
      return f(float());
  }
}

/// Throws Error{dtype} for two dtypes of which no dtype of their class holds all values.
[[noreturn]] void refuse_promotion(DType a, DType b);

/// Type promotion of two operands: bool < integers < floats; f16 + bf16 -> f32, an integer with a
/// float -> that float, two signed or two unsigned integers -> the wider, an unsigned integer with
/// a signed one -> the narrowest signed dtype that holds both: u8 + i8 -> i16, u16 + i16 -> i32,
/// u32 + any signed -> i64. Error{dtype} for u64 with a signed integer, since none does.
constexpr DType promote(DType a, DType b) {
  if (a == b) return a;
  DTypeClass ka = kDTypeInfo[static_cast<int>(a)].kind, kb = kDTypeInfo[static_cast<int>(b)].kind;
  if (ka == DTypeClass::boolean_class) return b;
  if (kb == DTypeClass::boolean_class) return a;
  if ((ka == DTypeClass::floating) != (kb == DTypeClass::floating)) {
    return ka == DTypeClass::floating ? a : b;
  }
  if (ka == kb) {
    if (size_of(a) == size_of(b)) return DType::f32;  // f16 and bf16
    return size_of(a) > size_of(b) ? a : b;
  }
  DType u = ka == DTypeClass::unsigned_integer ? a : b, s = u == a ? b : a;
  if (size_of(s) > size_of(u)) return s;
  switch (size_of(u)) {
    case 1:
      return DType::i16;
    case 2:
      return DType::i32;
    case 4:
      return DType::i64;
    default:
      refuse_promotion(a, b);
  }
}

/// Type promotion of a tensor of dtype a with a number (a weak operand): the dtype of the tensor,
/// unless the number is of a higher class (boolean < integer < floating); then f32, i64 or, for an
/// integer above the values of i64, u64.
constexpr DType promote_weak(DType a, DType weak) {
  auto rank = [](DType d) {
    DTypeClass k = kDTypeInfo[static_cast<int>(d)].kind;
    return k == DTypeClass::floating ? 2 : k == DTypeClass::boolean_class ? 0 : 1;
  };
  if (rank(weak) <= rank(a)) return a;
  return rank(weak) == 2 ? DType::f32 : weak == DType::u64 ? weak : DType::i64;
}

/// Type promotion of any number of operands: weak ones meet the result of the others.
struct Promotion {
  DType strong = DType::boolean, weak = DType::boolean;
  bool any_strong = false;
  constexpr void meet(DType dtype, bool is_weak) {
    DType& d = is_weak ? weak : strong;
    d = promote(d, dtype);
    any_strong |= !is_weak;
  }
  [[nodiscard]] constexpr DType result() const {
    return any_strong ? promote_weak(strong, weak) : weak;
  }
};

}  // namespace gyre
