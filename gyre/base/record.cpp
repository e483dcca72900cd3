#include "gyre/base/record.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gyre/base/error.h"
#include "gyre/base/record_part.h"
#include "gyre/base/text/comma_items.h"

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

namespace {

std::string bounds_of_integer(const Field& f) {
  const double least = std::max(f.least, f.above + 1), most = std::min(f.most, f.below - 1);
  if (std::isfinite(least) && std::isfinite(most)) return fmt::format("from {} to {}", least, most);
  if (std::isfinite(least)) return fmt::format("{} or more", least);
  return std::isfinite(most) ? fmt::format("at most {}", most) : "an integer";
}

template <class N>
void check(const char* op, const Field& f, N number) {
  const auto x = static_cast<double>(number);
  if (std::isfinite(x) && f.least <= x && x <= f.most && f.above < x && x < f.below) return;
  const std::string bounds = bounds_of(f), value = fmt::format("{}", number);
  throw mismatch(Code::value, op, fmt::format("`{}` must be {}", f.name, bounds), bounds, value);
}

}  // namespace

std::string bounds_of(const Field& f) {
  if (f.type == Field::integer) return bounds_of_integer(f);
  const bool above = std::isfinite(f.above), below = std::isfinite(f.below);
  const bool lower = above || std::isfinite(f.least), upper = below || std::isfinite(f.most);
  const double low = above ? f.above : f.least, high = below ? f.below : f.most;
  if (lower && upper) {
    return fmt::format("in {}{}, {}{}", above ? '(' : '[', low, high, below ? ')' : ']');
  }
  if (lower) return above ? fmt::format("above {}", low) : fmt::format("{} or more", low);
  if (upper) return below ? fmt::format("below {}", high) : fmt::format("at most {}", high);
  return "a finite number";
}

void check_number(const char* op, const Field& f, double number) { check(op, f, number); }
void check_number(const char* op, const Field& f, int64_t number) { check(op, f, number); }

void check_record(const char* op, const Record& record, const void* object) {
  for (const Field& f : record.fields) {
    if (f.type == Field::integer) check(op, f, field_value<int64_t>(object, f));
    if (f.type == Field::real) check(op, f, field_value<double>(object, f));
  }
}

}  // namespace gyre
