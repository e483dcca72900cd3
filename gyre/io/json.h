#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace gyre {

struct JsonOptions {
  bool unique_keys = false;  ///< reject duplicate keys in an object; else the last value counts
  int max_depth = 128;       ///< of nested arrays and objects
};

/// A JSON value. Objects keep the order of their keys. Integers that fit int64 stay exact; all
/// other numbers are doubles, written with the fewest digits that read back as the same double.
/// Strings are UTF-8.
class Json {
 public:
  struct Member;
  using Array = std::vector<Json>;
  using Object = std::vector<Member>;
  enum class Type : uint8_t { null, boolean, integer, real, string, array, object };

  Json();  ///< null
  Json(std::nullptr_t);
  Json(bool value);
  Json(double value);
  Json(std::string value);
  Json(std::string_view value);
  Json(const char* value);
  Json(Array value);
  Json(Object value);
  /// Any other integer type. Errors: value, above the largest int64.
  template <std::integral T>
  Json(T value) : Json(whole(static_cast<int64_t>(value), value < 0)) {}
  Json(const Json&);
  Json(Json&&) noexcept;
  Json& operator=(const Json&);
  Json& operator=(Json&&) noexcept;
  ~Json();

  [[nodiscard]] static Json array() { return Json(Array()); }
  [[nodiscard]] static Json object();

  /// Parses one value, followed only by white space. Errors: parse, with line and column (in
  /// characters, from 1): invalid JSON or UTF-8, nested too deeply, a number above the largest
  /// double, a duplicate key if rejected.
  [[nodiscard]] static Json parse(std::string_view text, const JsonOptions& options = {});
  /// Parses a file. Errors: io; parse, naming the file.
  [[nodiscard]] static Json read(const std::string& path, const JsonOptions& options = {});

  /// Serialises on one line without spaces, or indented with `indent` > 0. NaN and infinities are
  /// written as null, bytes that are not UTF-8 as U+FFFD.
  [[nodiscard]] std::string dump(int indent = 0) const;

  [[nodiscard]] Type type() const { return static_cast<Type>(value_.index()); }
  [[nodiscard]] bool is_null() const { return type() == Type::null; }
  [[nodiscard]] bool is_boolean() const { return type() == Type::boolean; }
  [[nodiscard]] bool is_integer() const { return type() == Type::integer; }
  [[nodiscard]] bool is_number() const { return is_integer() || type() == Type::real; }
  [[nodiscard]] bool is_string() const { return type() == Type::string; }
  [[nodiscard]] bool is_array() const { return type() == Type::array; }
  [[nodiscard]] bool is_object() const { return type() == Type::object; }

  /// The value as that type. Errors: parse, `NAME: expected an integer, found a string`; `name` is
  /// only for the message.
  [[nodiscard]] bool as_boolean(std::string_view name = "value") const;
  [[nodiscard]] int64_t as_integer(std::string_view name = "value") const;
  [[nodiscard]] double as_real(std::string_view name = "value") const;  ///< integers too
  [[nodiscard]] const std::string& as_string(std::string_view name = "value") const;
  [[nodiscard]] const Array& as_array(std::string_view name = "value") const&;
  [[nodiscard]] const Object& as_object(std::string_view name = "value") const&;
  const Array& as_array(std::string_view name = "value") && =
      delete;  ///< a loop over it would dangle
  const Object& as_object(std::string_view name = "value") && = delete;

  /// The member of an object, or nullptr when it is missing or this is not an object. Linear in the
  /// number of members: to read a large object, iterate `as_object()`.
  [[nodiscard]] const Json* find(std::string_view key) const;
  /// The member of an object. Errors: parse, naming the missing key.
  [[nodiscard]] const Json& at(std::string_view key) const;

  /// The member to assign to, appended when missing; null becomes an object. Errors: parse, when
  /// this is neither.
  Json& operator[](std::string_view key);
  /// Appends to an array; null becomes an array. Errors: parse, when this is neither.
  void push_back(Json value);

  /// Equal types and values; objects also in the same order.
  [[nodiscard]] bool operator==(const Json& other) const;

 private:
  static Json whole(int64_t value, bool negative);
  [[noreturn]] void mismatch(std::string_view name, std::string_view wanted) const;

  std::variant<std::nullptr_t, bool, int64_t, double, std::string, Array, Object> value_;
};

struct Json::Member {
  std::string key;
  Json value;
  [[nodiscard]] bool operator==(const Member& other) const;
};

}  // namespace gyre
