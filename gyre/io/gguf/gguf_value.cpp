#include <bit>
#include <charconv>
#include <cstring>

#include "gyre/base/error.h"
#include "gyre/io/gguf/gguf_header.h"
#include "gyre/io/json.h"

namespace gyre {
namespace {

using Type = GgufValue::Type;

// An integer or the bits of a float at an address.
template <class T>
T value_at(const char* at) {
  static_assert(std::endian::native == std::endian::little);
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

// The double with the fewest digits of the float: 1e-5, not 9.999999747378752e-06.
double widened(float value) {
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
  double wide = static_cast<double>(value);
  std::from_chars(digits, end, wide);
  return wide;
}

}  // namespace

void GgufValue::mismatch(const char* wanted) const {
  constexpr const char* kNames[] = {"u8",        "i8",     "u16",      "i16", "u32", "i32", "f32",
                                    "a boolean", "a text", "an array", "u64", "i64", "f64"};
  const std::string of =
      is_array() ? std::string(" of ") + kNames[static_cast<size_t>(element_)] : std::string();
  throw Error(Code::parse, "gguf",
              {key_, ": expected ", wanted, ", found ", kNames[static_cast<size_t>(type_)], of});
}

void GgufValue::require_array(const char* wanted) const {
  if (!is_array()) mismatch(wanted);
}

bool GgufValue::as_boolean() const {
  if (type_ != Type::boolean) mismatch("a boolean");
  return *begin_ != 0;
}

int64_t GgufValue::as_integer() const {
  switch (type_) {
    case Type::u8:
      return value_at<uint8_t>(begin_);
    case Type::i8:
      return value_at<int8_t>(begin_);
    case Type::u16:
      return value_at<uint16_t>(begin_);
    case Type::i16:
      return value_at<int16_t>(begin_);
    case Type::u32:
      return value_at<uint32_t>(begin_);
    case Type::i32:
      return value_at<int32_t>(begin_);
    case Type::i64:
      return value_at<int64_t>(begin_);
    case Type::u64:
      if (const auto value = value_at<uint64_t>(begin_); value <= INT64_MAX)
        return static_cast<int64_t>(value);
      mismatch("an integer below 2^63");
    default:
      mismatch("an integer");
  }
}

double GgufValue::as_real() const {
  if (type_ == Type::f32) return widened(value_at<float>(begin_));
  if (type_ == Type::f64) return value_at<double>(begin_);
  mismatch("a real number");
}

std::string_view GgufValue::as_text() const {
  if (type_ != Type::text) mismatch("a text");
  return {begin_ + 8, value_at<uint64_t>(begin_)};
}

// The element at an address, which moves to the next.
GgufValue GgufValue::element(const char*& at) const {
  GgufValue one = *this;
  one.type_ = element_;
  one.size_ = 1;
  one.begin_ = at;
  at += kGgufValueBytes[static_cast<size_t>(element_)];
  if (element_ == Type::text) at += one.as_text().size();
  return one;
}

std::vector<std::string_view> GgufValue::texts() const {
  require_array("an array of texts");
  std::vector<std::string_view> all;
  const char* at = begin_;
  for (uint64_t i = 0; i < size_; ++i) all.push_back(element(at).as_text());
  return all;
}

std::vector<int64_t> GgufValue::integers() const {
  require_array("an array of integers");
  std::vector<int64_t> all;
  const char* at = begin_;
  for (uint64_t i = 0; i < size_; ++i) {
    const GgufValue one = element(at);
    all.push_back(one.type_ == Type::boolean ? one.as_boolean() : one.as_integer());
  }
  return all;
}

std::vector<double> GgufValue::reals() const {
  require_array("an array of real numbers");
  std::vector<double> all;
  const char* at = begin_;
  for (uint64_t i = 0; i < size_; ++i) all.push_back(element(at).as_real());
  return all;
}

Json GgufValue::to_json(uint64_t most) const {
  if (is_array()) {
    Json list = Json::array();
    const char* at = begin_;
    for (uint64_t i = 0; i < size_ && i < most; ++i) list.push_back(element(at).to_json(most));
    return list;
  }
  if (type_ == Type::text) return std::string(as_text());
  if (type_ == Type::boolean) return as_boolean();
  if (type_ == Type::f32 || type_ == Type::f64) return as_real();
  if (type_ == Type::u64 && value_at<uint64_t>(begin_) > INT64_MAX)
    return std::to_string(value_at<uint64_t>(begin_));
  return as_integer();
}

}  // namespace gyre
