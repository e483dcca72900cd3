#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace gyre {

/// The order of the parts of a date: 2024-05-31, 31.05.2024 or 5/31/2024.
enum class DateOrder : uint8_t { year_first, day_first, month_first };
inline constexpr const char* kDateOrderNames[] = {"year_first", "day_first", "month_first"};

/// Numbers taken from a date: days since 1970-01-01 (with the time of day as a fraction), the year,
/// the month (1 to 12), and the day of the week (0: Monday).
enum class DatePart : uint8_t { none, days, year, month, weekday };
inline constexpr const char* kDatePartNames[] = {"none", "days", "year", "month", "weekday"};

/// How many values a part has that repeats: 12 months, 7 days of the week; 0 for other parts.
constexpr int64_t cycle_length(DatePart part) {
  return part == DatePart::month ? 12 : part == DatePart::weekday ? 7 : 0;
}

/// One part of a date of the proleptic Gregorian calendar whose year has four digits, with parts
/// separated by -, / or . and optionally followed by a time (HH:MM, HH:MM:SS, fractions of seconds,
/// Z or an offset, which is ignored). Empty if the text is none.
[[nodiscard]] std::optional<double> date_part(std::string_view text, DateOrder order,
                                              DatePart part);

/// Whether all texts are dates in this order or csv_missing(), and at least one is a date.
[[nodiscard]] bool are_dates(std::span<const std::string> texts, DateOrder order);
/// The first order in which they are; empty if there is none.
[[nodiscard]] std::optional<DateOrder> date_order(std::span<const std::string> texts);

}  // namespace gyre
