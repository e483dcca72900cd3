#pragma once
#include <array>

#include "gyre/base/record.h"

// Records of structs that include the fields of a member that has a record itself.

namespace gyre {

/// The fields of a member of type Part at `offset`, followed by `own`.
template <class Part, size_t n>
constexpr auto fields_with_part(size_t offset, const Field (&own)[n]) {
  constexpr size_t kOfPart = std::size(RecordOf<Part>::kFields);
  std::array<Field, kOfPart + n> all{};
  for (size_t i = 0; i < kOfPart; ++i) {
    all[i] = RecordOf<Part>::kFields[i];
    all[i].offset += offset;
  }
  for (size_t i = 0; i < n; ++i) all[kOfPart + i] = own[i];
  return all;
}

/// GYRE_FIELDS for a struct whose first fields are those of its member `part`:
///   GYRE_FIELDS_WITH(RiemannianSgdOptions, sgd, GYRE_FIELD(sparse, "..."));
#define GYRE_FIELDS_WITH(T, part, ...)                                      \
  template <>                                                               \
  struct RecordOf<T> {                                                      \
    using Self = T;                                                         \
    static constexpr Field kOwn[] = {__VA_ARGS__};                          \
    static constexpr auto kFields =                                         \
        fields_with_part<decltype(Self::part)>(offsetof(Self, part), kOwn); \
    static constexpr Record kRecord = make_record<T>(#T, kFields);          \
  }

}  // namespace gyre
