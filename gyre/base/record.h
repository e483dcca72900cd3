#pragma once
#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <string>
#include <string_view>

#include "gyre/base/text/comma_list.h"

namespace gyre {

/// What a field may declare beside its type, name and doc.
struct FieldTraits {
  static constexpr double kInfinity = __builtin_huge_val();
  uint32_t tags = 0;       ///< bits: those below, and those defined by the struct
  const char* alias = "";  ///< further names, comma-separated: accepted, not shown
  /// Bounds of a number that check_record() requires: least <= x <= most, above < x < below.
  double least = -kInfinity, above = -kInfinity, most = kInfinity, below = kInfinity;
  const char* heading = "";  ///< section of the help
  const char* metavar = "";  ///< placeholder of the value in the help: FILE
};

/// Tags an option that does not affect the numbers: it may change when a run is resumed.
inline constexpr uint32_t kResumable = uint32_t{1} << 28;
/// Tags an option of this process only: checkpoints do not store it.
inline constexpr uint32_t kThisProcessOnly = uint32_t{1} << 29;
/// Tags a field that is given by position: it is no option of a command.
inline constexpr uint32_t kPositional = uint32_t{1} << 30;
/// Tags a list whose items may also be given as one text, separated by commas.
inline constexpr uint32_t kCommas = uint32_t{1} << 31;

/// One member of a reflected struct.
struct Field : FieldTraits {
  /// flag: bool, integer: int64_t, real: double, text: std::string; texts: a vector of them; dtype
  /// and shape: the types of tensor/; choice: a one-byte enum whose value names are `choices`.
  enum Type : uint8_t { flag, integer, real, text, texts, dtype, shape, choice } type;
  const char* name;
  const char* doc;
  size_t offset;
  std::span<const char* const> choices{};
};

/// A struct as data (reflection): attributes of ops and options of layers, commands, optimisers and
/// the trainer are declared once as plain structs and read everywhere through this.
struct Record {
  const char* name;
  size_t size;
  std::span<const Field> fields;
  void (*construct)(void* memory);  ///< with default values
  void (*destroy)(void* object) noexcept;
  void (*assign)(void* to, const void* from);  ///< between objects of the struct
};

/// The record of what has no options.
inline constexpr Record kNoOptions{
    "NoOptions", 1, {}, [](void*) {}, [](void*) noexcept {}, [](void*, const void*) {}};

/// The field of that name or alias, or nullptr.
const Field* find_field(const Record& record, std::string_view name) noexcept;

/// The bounds of a number in words: "1 or more", "in [0, 1)", "from 1 to 65536".
std::string bounds_of(const Field& field);
/// Error{value} of `op` naming the field, its bounds and the number, if it is outside of them. Real
/// numbers must be finite.
void check_number(const char* op, const Field& field, double number);
void check_number(const char* op, const Field& field, int64_t number);
/// check_number() of all numbers of the object.
void check_record(const char* op, const Record& record, const void* object);
template <class T>
void check_record(const char* op, const T& object);

/// Value names of a one-byte enum, in order; specialise to reflect the enum as a choice.
template <class Enum>
inline constexpr std::span<const char* const> kChoices{};

// A vector of std::string, told by its value_type, since <vector> would slow every unit down.
template <class T>
inline constexpr Field::Type kFieldType = requires {
  requires std::is_same_v<typename T::value_type, std::string>;
} ? Field::texts : Field::choice;
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
void check_record(const char* op, const T& object) {
  check_record(op, record_of<T>, &object);
}

/// The value of a field of type T.
template <class T>
T& field_value(void* object, const Field& field) {
  return *reinterpret_cast<T*>(static_cast<std::byte*>(object) + field.offset);
}
template <class T>
const T& field_value(const void* object, const Field& field) {
  return *reinterpret_cast<const T*>(static_cast<const std::byte*>(object) + field.offset);
}

template <class T>
constexpr Field make_field(const char* name, const char* doc, size_t offset,
                           const FieldTraits& traits = {}) {
  static_assert(kFieldType<T> != Field::choice || (sizeof(T) == 1 && !kChoices<T>.empty()),
                "a field is bool, int64_t, double, std::string, a vector of std::string, DType, "
                "Shape or a named enum");
  return {traits, kFieldType<T>, name, doc, offset, kChoices<T>};
}

/// Whether no name or alias stands for two of the fields.
constexpr bool names_differ(std::span<const Field> fields) {
  constexpr size_t kMost = 256;
  std::string_view names[kMost];
  size_t count = 0;
  const auto is_new = [&](std::string_view name) {
    for (size_t i = 0; i < count; ++i) {
      if (names[i] == name) return false;
    }
    if (count == kMost) throw "too many names";
    names[count++] = name;
    return true;
  };
  for (const Field& field : fields) {
    if (!is_new(field.name)) return false;
    for (std::string_view rest = field.alias; !rest.empty();) {
      if (!is_new(take_item(rest))) return false;
    }
  }
  return true;
}

template <class T>
constexpr Record make_record(const char* name, std::span<const Field> fields) {
  if (!names_differ(fields)) throw "two fields have the same name";
  return {name,
          sizeof(T),
          fields,
          [](void* memory) { new (memory) T(); },
          [](void* object) noexcept { static_cast<T*>(object)->~T(); },
          [](void* to, const void* from) { *static_cast<T*>(to) = *static_cast<const T*>(from); }};
}

/// Reflects struct T (at namespace gyre level):
///   GYRE_FIELDS(SumAttrs, GYRE_FIELD(axes, "axes to sum over"), GYRE_FIELD(keepdim, "..."));
/// Further arguments of GYRE_FIELD are designated initialisers of FieldTraits:
///   GYRE_FIELD(lr, "learning rate", .above = 0, .alias = "learning_rate")
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
  make_field<decltype(Self::member)>(#name, doc, offsetof(Self, member), FieldTraits{__VA_ARGS__})

}  // namespace gyre
