#pragma once
#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <string>
#include <string_view>

namespace gyre {

/// One member of a reflected struct.
struct Field {
  /// flag: bool, integer: int64_t, real: double, text: std::string; dtype and shape: the types of
  /// tensor/; choice: a one-byte enum whose value names are `choices`.
  enum Type : uint8_t { flag, integer, real, text, dtype, shape, choice } type;
  const char* name;
  const char* doc;
  size_t offset;
  std::span<const char* const> choices{};
  uint32_t tags = 0;  ///< kListed, and bits defined by the struct
};

/// Tags a text that is a comma-separated list.
inline constexpr uint32_t kListed = uint32_t{1} << 31;

/// A struct as data (reflection): attributes of ops and options of layers, commands, optimisers and
/// the trainer are declared once as plain structs and read everywhere through this.
struct Record {
  const char* name;
  size_t size;
  std::span<const Field> fields;
  void (*construct)(void* memory);  ///< with default values
  void (*destroy)(void* object) noexcept;
};

/// The field of that name, or nullptr.
const Field* find_field(const Record& record, std::string_view name) noexcept;

/// Value names of a one-byte enum, in order; specialise to reflect the enum as a choice.
template <class Enum>
inline constexpr std::span<const char* const> kChoices{};

template <class T>
inline constexpr Field::Type kFieldType = Field::choice;
template <>
inline constexpr Field::Type kFieldType<bool> = Field::flag;
template <>
inline constexpr Field::Type kFieldType<int64_t> = Field::integer;
template <>
inline constexpr Field::Type kFieldType<double> = Field::real;
template <>
inline constexpr Field::Type kFieldType<std::string> = Field::text;

template <class T>
struct RecordOf;

/// The Record of a struct declared with GYRE_FIELDS.
template <class T>
inline constexpr const Record& record_of = RecordOf<T>::kRecord;

template <class T>
constexpr Field make_field(const char* name, const char* doc, size_t offset, uint32_t tags = 0) {
  static_assert(kFieldType<T> != Field::choice || (sizeof(T) == 1 && !kChoices<T>.empty()),
                "a field is bool, int64_t, double, std::string, DType, Shape or a named enum");
  return {kFieldType<T>, name, doc, offset, kChoices<T>, tags};
}

template <class T>
constexpr Record make_record(const char* name, std::span<const Field> fields) {
  return {name, sizeof(T), fields, [](void* memory) { new (memory) T(); },
          [](void* object) noexcept { static_cast<T*>(object)->~T(); }};
}

/// Reflects struct T (at namespace gyre level):
///   GYRE_FIELDS(SumAttrs, GYRE_FIELD(axes, "axes to sum over"), GYRE_FIELD(keepdim, "..."));
/// A third argument of GYRE_FIELD sets the field's tags.
#define GYRE_FIELDS(T, ...)                                        \
  template <>                                                      \
  struct RecordOf<T> {                                             \
    using Self = T;                                                \
    static constexpr Field kFields[] = {__VA_ARGS__};              \
    static constexpr Record kRecord = make_record<T>(#T, kFields); \
  }
/// GYRE_FIELD_AS(name, member, doc) names a member differently, or a member of a member: val.loss.
#define GYRE_FIELD(member, doc, ...) GYRE_FIELD_AS(member, member, doc, __VA_ARGS__)
#define GYRE_FIELD_AS(name, member, doc, ...) \
  make_field<decltype(Self::member)>(#name, doc, offsetof(Self, member) __VA_OPT__(, ) __VA_ARGS__)

}  // namespace gyre
