#pragma once
#include <algorithm>
#include <array>
#include <vector>

#include "gyre/base/record.h"
#include "gyre/base/text/comma_list.h"

// Records composed of other records, and fields with several names.

namespace gyre {

/// The names that a field accepts: its own, then its aliases.
std::vector<std::string> names_of(const Field& field);
/// The items of a list of texts that is given as one text: one, or several with kCommas.
std::vector<std::string> split_texts(const Field& field, std::string_view text);

/// A short text as a template argument.
struct PartText {
  char text[160]{};
  constexpr PartText() = default;
  template <size_t n>
  constexpr PartText(const char (&from)[n]) {  // longer texts do not compile
    std::copy_n(from, n, text);
  }
};

/// Tags a field that commands and their help omit: it is set by files.
inline constexpr uint32_t kUnlisted = uint32_t{1} << 26;

/// How the fields of a part join those of the whole.
struct PartTraits {
  PartText prefix{};     ///< before each name; aliases of such a part are dropped
  PartText except{};     ///< names of fields that do not join, comma-separated
  uint32_t without = 0;  ///< fields with one of these tags do not join either
  PartText heading{};    ///< section of the help, for fields without one
  uint32_t tags = 0;     ///< added to those of each field
};

/// The fields of a part with a prefix need names of their own.
template <class Part, PartText prefix>
inline constexpr auto kPrefixedNames = [] {
  std::array<std::array<char, 48>, std::size(RecordOf<Part>::kFields)> names{};
  for (size_t i = 0; i < names.size(); ++i) {
    const std::string_view own = RecordOf<Part>::kFields[i].name, before = prefix.text;
    if (own.size() + before.size() >= names[i].size()) throw "the name is too long";
    std::copy(own.begin(), own.end(), std::copy(before.begin(), before.end(), names[i].begin()));
  }
  return names;
}();

template <class Part, PartTraits traits>
constexpr auto make_part(size_t offset) {
  constexpr auto& fields = RecordOf<Part>::kFields;
  // a copy, since GCC's sanitizer cannot compare addresses of template arguments with null
  constexpr auto joins = [](const Field& f) {
    const PartText except = traits.except;
    return !(f.tags & traits.without) && !has_item(except.text, f.name);
  };
  constexpr size_t kExcept = [] {
    size_t count = 0;
    const PartText except = traits.except;
    for (std::string_view rest = except.text; !rest.empty(); ++count) take_item(rest);
    return count;
  }();
  constexpr size_t kJoin = std::count_if(std::begin(fields), std::end(fields), joins);
  constexpr size_t kWithout =
      std::count_if(std::begin(fields), std::end(fields),
                    [](const Field& f) { return (f.tags & traits.without) != 0; });
  static_assert(kJoin + kExcept + kWithout == std::size(fields),
                "`except` names a field that is not there");
  std::array<Field, kJoin> all{};
  size_t at = 0;
  for (size_t i = 0; i < std::size(fields); ++i) {
    if (!joins(fields[i])) continue;
    Field& field = all[at++] = fields[i];
    field.offset += offset;
    field.tags |= traits.tags;
    if (!*field.heading) field.heading = traits.heading.text;
    if (!*traits.prefix.text) continue;
    field.name = kPrefixedNames<Part, traits.prefix>[i].data();
    field.alias = "";
  }
  return all;
}

constexpr std::array<Field, 1> fields_in(const Field& field) { return {field}; }
template <size_t n>
constexpr const std::array<Field, n>& fields_in(const std::array<Field, n>& part) {
  return part;
}

template <size_t... n>
constexpr auto join_fields(const std::array<Field, n>&... items) {
  std::array<Field, (0 + ... + n)> all{};
  auto at = all.begin();
  ((at = std::copy(items.begin(), items.end(), at)), ...);
  return all;
}

/// GYRE_FIELDS for a struct some of whose members are records themselves, in order:
///   GYRE_RECORD(TrainReport, GYRE_FIELD(steps, "..."), GYRE_PART(val, .prefix = "val_"));
/// Further arguments of GYRE_PART are designated initialisers of PartTraits.
#define GYRE_RECORD(T, ...)                                        \
  template <>                                                      \
  struct RecordOf<T> {                                             \
    using Self = T;                                                \
    static constexpr auto kFields = [](const auto&... items) {     \
      return join_fields(fields_in(items)...);                     \
    }(__VA_ARGS__);                                                \
    static constexpr Record kRecord = make_record<T>(#T, kFields); \
  }
#define GYRE_PART(member, ...) \
  make_part<decltype(Self::member), PartTraits{__VA_ARGS__}>(offsetof(Self, member))

}  // namespace gyre
