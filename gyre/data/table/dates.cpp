#include "gyre/data/table/dates.h"

#include <algorithm>
#include <charconv>
#include <chrono>

#include "gyre/io/csv.h"

namespace gyre {
namespace {

/// Takes 1 to `most` digits from the start of the text.
bool take_number(std::string_view& text, size_t most, int& value) {
  const size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  if (digits == 0 || digits > most) return false;
  std::from_chars(text.data(), text.data() + digits, value);
  text.remove_prefix(digits);
  return true;
}

bool take(std::string_view& text, char c) {
  if (!text.starts_with(c)) return false;
  text.remove_prefix(1);
  return true;
}

/// "T12:30:15.5+02:00" or " 12:30" as a fraction of a day.
bool take_time(std::string_view& text, double& day) {
  if (text.empty()) return true;
  int hour = 0, minute = 0, second = 0, ignored = 0;
  if (!take(text, 'T') && !take(text, ' ')) return false;
  if (!take_number(text, 2, hour) || !take(text, ':') || !take_number(text, 2, minute))
    return false;
  if (take(text, ':') && !take_number(text, 2, second)) return false;
  if (take(text, '.') && !take_number(text, 9, ignored)) return false;
  if (hour > 23 || minute > 59 || second > 60) return false;
  day = (hour + (minute + second / 60.0) / 60.0) / 24.0;
  if (take(text, 'Z') || text.empty()) return text.empty();
  if (!take(text, '+') && !take(text, '-')) return false;
  if (!take_number(text, 4, ignored)) return false;
  return (!take(text, ':') || take_number(text, 2, ignored)) && text.empty();
}

}  // namespace

std::optional<double> date_part(std::string_view text, DateOrder order, DatePart part) {
  const size_t at = text.find_first_of("-/.");
  if (at == text.npos) return {};
  const char separator = text[at];
  int parts[3];
  for (int i = 0; i < 3; ++i) {
    if (i > 0 && !take(text, separator)) return {};
    const std::string_view before = text;
    const bool is_year = (order == DateOrder::year_first) == (i == 0) && i != 1;
    if (!take_number(text, is_year ? 4 : 2, parts[i])) return {};
    if (is_year && before.size() - text.size() != 4) return {};
  }
  double time = 0;
  if (!take_time(text, time)) return {};
  const bool year_first = order == DateOrder::year_first;
  const int year = parts[year_first ? 0 : 2];
  const int month = parts[order == DateOrder::month_first ? 0 : 1];
  const int day = parts[year_first ? 2 : order == DateOrder::day_first ? 0 : 1];
  const std::chrono::year_month_day date{std::chrono::year(year),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (!date.ok()) return {};
  const std::chrono::sys_days days(date);
  switch (part) {
    case DatePart::year:
      return year;
    case DatePart::month:
      return month;
    case DatePart::weekday:
      return std::chrono::weekday(days).iso_encoding() - 1.0;
    default:
      return static_cast<double>(days.time_since_epoch().count()) + time;
  }
}

bool are_dates(std::span<const std::string> texts, DateOrder order) {
  bool any = false;
  for (const std::string& text : texts) {
    const bool is_date = date_part(text, order, DatePart::days).has_value();
    if (!is_date && !csv_missing(text)) return false;
    any |= is_date;
  }
  return any;
}

std::optional<DateOrder> date_order(std::span<const std::string> texts) {
  for (const DateOrder order :
       {DateOrder::year_first, DateOrder::day_first, DateOrder::month_first}) {
    if (are_dates(texts, order)) return order;
  }
  return {};
}

}  // namespace gyre
