#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <string>

#include "gyre/io/csv.h"

namespace gyre {
namespace {

constexpr std::string_view kBlanks[] = {" ", "\t", "\xC2\xA0", "\xE2\x80\xAF"};
constexpr std::string_view kUnits[] = {"%", "$", "\xE2\x82\xAC", "\xC2\xA3", "\xC2\xA5"};  // € £ ¥

/// Removes one of the parts from the start or the end.
bool strip(std::string_view& text, std::span<const std::string_view> parts) {
  for (const std::string_view part : parts) {
    if (text.starts_with(part)) return text.remove_prefix(part.size()), true;
    if (text.ends_with(part)) return text.remove_suffix(part.size()), true;
  }
  return false;
}

std::string_view without_blanks(std::string_view text) {
  while (strip(text, kBlanks)) {
  }
  return text;
}

bool is_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Appends the digits of an integer in groups of three, such as 1,234,567.
bool append_grouped(std::string_view text, std::string_view separator, std::string& digits) {
  for (bool first = true;; first = false) {
    const size_t end = std::min(text.find(separator), text.size());
    const std::string_view group = text.substr(0, end);
    if (!is_digits(group) || group.size() > 3 || (!first && group.size() != 3)) return false;
    digits += group;
    if (end == text.size()) return !first;
    text.remove_prefix(end + separator.size());
  }
}

/// "1.234,5" as "1234.5"; empty if the text is no number with groups or a decimal comma.
std::string as_plain(std::string_view text, bool comma) {
  const size_t point = std::min(text.find(comma ? ',' : '.'), text.size());
  const std::string_view whole = text.substr(0, point);
  for (const std::string_view separator : {std::string_view(comma ? "." : ","), kBlanks[0],
                                           kBlanks[2], kBlanks[3], std::string_view("'")}) {
    std::string plain;
    if (!is_digits(whole) && !append_grouped(whole, separator, plain)) continue;
    if (plain.empty()) plain = whole;
    if (point < text.size()) (plain += '.') += text.substr(point + 1);
    return plain;
  }
  return {};
}

}  // namespace

bool csv_number(std::string_view field, double& value) {
  field = without_blanks(field);
  if (field.starts_with('+') && !field.starts_with("+-")) field.remove_prefix(1);
  const char* end = field.data() + field.size();
  const auto result = std::from_chars(field.data(), end, value);
  if (result.ptr != end || field.empty()) return false;
  // Overflow or underflow: strtod tells which.
  if (result.ec == std::errc::result_out_of_range) {
    value = std::strtod(std::string(field).c_str(), nullptr);
  }
  return result.ec == std::errc() || result.ec == std::errc::result_out_of_range;
}

bool csv_number(std::string_view field, bool decimal_comma, double& value) {
  if (!decimal_comma && csv_number(field, value)) return true;
  field = without_blanks(field);
  bool negative = field.starts_with('-');
  if (negative) field.remove_prefix(1);
  if (strip(field, kUnits)) field = without_blanks(field);
  if (!negative && field.starts_with('-')) {
    negative = true;
    field.remove_prefix(1);
  }
  const std::string plain = as_plain(field, decimal_comma);
  if (plain.empty() || !csv_number(plain, value)) {
    // "1e5", "nan" and "inf", which have no separator
    if (!decimal_comma || field.find_first_of(".,-") == 0 ||
        field.find_first_of(".,") != field.npos || !csv_number(field, value)) {
      return false;
    }
  }
  if (negative) value = -value;
  return true;
}

bool csv_missing(std::string_view field) {
  constexpr std::array<std::string_view, 10> kMissing{"",     "NA",   "N/A",  "n/a",  "#N/A",
                                                      "<NA>", "null", "NULL", "None", "?"};
  return std::find(kMissing.begin(), kMissing.end(), field) != kMissing.end();
}

}  // namespace gyre
