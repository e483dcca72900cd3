#include "gyre/base/record.h"

#include <fmt/format.h>

#include <cmath>

#include "gyre/base/error.h"
#include "gyre/base/record_part.h"
#include "gyre/base/text/comma_list.h"

namespace gyre {

const Field* find_field(const Record& record, std::string_view name) noexcept {
  for (const Field& field : record.fields) {
    if (name == field.name) return &field;
  }
  for (const Field& field : record.fields) {
    if (has_item(field.alias, name)) return &field;
  }
  return nullptr;
}

std::vector<std::string> names_of(const Field& field) {
  std::vector<std::string> names = items_of(field.alias);
  names.insert(names.begin(), field.name);
  return names;
}

std::vector<std::string> split_texts(const Field& field, std::string_view text) {
  if (field.tags & kCommas) return items_of(text);
  return {std::string(text)};
}

std::string bounds_of(const Field& f) {
  const bool whole = f.type == Field::integer;
  const bool lower = std::isfinite(f.least) || std::isfinite(f.above),
             upper = std::isfinite(f.most) || std::isfinite(f.below);
  if (lower && upper && whole) return fmt::format("from {} to {}", f.least, f.most);
  if (lower && upper) {
    const bool open = std::isfinite(f.above), ends = std::isfinite(f.below);
    return fmt::format("in {}{}, {}{}", open ? '(' : '[', open ? f.above : f.least,
                       ends ? f.below : f.most, ends ? ')' : ']');
  }
  if (std::isfinite(f.least)) return fmt::format("{} or more", f.least);
  if (std::isfinite(f.above)) return fmt::format("above {}", f.above);
  if (std::isfinite(f.most)) return fmt::format("at most {}", f.most);
  if (std::isfinite(f.below)) return fmt::format("below {}", f.below);
  return whole ? "an integer" : "a finite number";
}

void check_record(const char* op, const Record& record, const void* object) {
  for (const Field& f : record.fields) {
    const bool whole = f.type == Field::integer;
    if (!whole && f.type != Field::real) continue;
    const double x = whole ? static_cast<double>(field_value<int64_t>(object, f))
                           : field_value<double>(object, f);
    if (std::isfinite(x) && f.least <= x && x <= f.most && f.above < x && x < f.below) continue;
    const std::string bounds = bounds_of(f),
                      value = whole ? fmt::format("{}", field_value<int64_t>(object, f))
                                    : fmt::format("{}", x);
    throw Error(Code::value, op, fmt::format("`{}` must be {}, got {}", f.name, bounds, value),
                bounds, value);
  }
}

}  // namespace gyre
