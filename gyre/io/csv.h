#pragma once
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gyre/base/error.h"
#include "gyre/base/function_ref.h"
#include "gyre/base/record.h"

// CSV tables (RFC 4180): records end with a newline (LF or CR LF), fields are separated by one
// character and may be quoted; a quoted field may contain separators, newlines and doubled quotes.
// Spaces and tabs around a field are not part of it, unless it is quoted. A byte order mark is
// skipped, and so are empty lines, except in a table of one column, where they
// are missing values.

namespace gyre {

enum class CsvSeparator : uint8_t { detect, comma, semicolon, tab };
inline constexpr const char* kCsvSeparatorNames[] = {"detect", "comma", "semicolon", "tab"};
template <>
inline constexpr std::span<const char* const> kChoices<CsvSeparator> = kCsvSeparatorNames;

enum class CsvHeader : uint8_t { detect, present, absent };
inline constexpr const char* kCsvHeaderNames[] = {"detect", "present", "absent"};
template <>
inline constexpr std::span<const char* const> kChoices<CsvHeader> = kCsvHeaderNames;

/// How numbers are written: 1,234.5 or 1.234,5.
enum class CsvDecimal : uint8_t { detect, point, comma };
inline constexpr const char* kCsvDecimalNames[] = {"detect", "point", "comma"};
template <>
inline constexpr std::span<const char* const> kChoices<CsvDecimal> = kCsvDecimalNames;

struct CsvOptions {
  CsvSeparator separator = CsvSeparator::detect;
  CsvHeader header = CsvHeader::detect;
  CsvDecimal decimal = CsvDecimal::detect;
};
GYRE_FIELDS(CsvOptions,
            GYRE_FIELD(separator, "field separator; detect: the most frequent in the first record"),
            GYRE_FIELD(header,
                       "column names in the first line; detect: if it has no numbers and is either "
                       "above numbers or has distinct texts"),
            GYRE_FIELD(decimal,
                       "decimal separator of numbers; detect: comma if it makes a column numeric"));

/// Iterates over the records of a text, holding one at a time.
class CsvReader {
 public:
  /// Borrows `text` and `path` (used in messages), which must outlive the reader.
  CsvReader(std::string_view text, const std::string& path, CsvSeparator separator);

  /// The fields of the next record without quotes, valid until the next call; false at the end.
  /// Errors: parse, with the line: a quote inside an unquoted field, a quote that is not closed or
  /// is followed by anything but a separator, a carriage return in an unquoted field.
  bool next(std::vector<std::string_view>& fields);
  /// The line where the last record starts, counted from 1.
  [[nodiscard]] int64_t line() const { return record_line_; }
  [[nodiscard]] char separator() const { return separator_; }

 private:
  [[noreturn]] void fail(const Message& why) const;
  void detect_separator();
  void skip_blanks();
  std::string_view plain_field();
  std::string_view quoted_field();
  bool end_of_field();

  const std::string& path_;
  const char *at_, *end_;
  char separator_;
  int64_t line_ = 1, record_line_ = 0;
  std::deque<std::string> unquoted_;  // fields of the last record that contained doubled quotes
  size_t unquoted_used_ = 0;
};

/// A field as it is written: in quotes if it is empty, begins or ends with a blank, or contains a
/// quote, a newline or any separator, so that CsvReader gives the same text.
[[nodiscard]] std::string csv_field(std::string_view text);

/// Parses a field as a decimal number, with optional sign and surrounding spaces; `nan` and `inf`
/// are numbers, and values beyond the range of a double become 0 or infinite. False if not a
/// number.
bool csv_number(std::string_view field, double& value);

/// The same for numbers as people write them, with a decimal point or comma, in groups of three
/// digits (1,234,567 or 1.234.567, also separated by spaces or apostrophes), and with a percent or
/// currency sign, which does not change the value: "5%" is 5.
bool csv_number(std::string_view field, bool decimal_comma, double& value);

/// Whether the field denotes a missing value: empty, NA, N/A, n/a, #N/A, <NA>, null, NULL, None or
/// ?.
bool csv_missing(std::string_view field);

/// One column of a table: numbers if every field is a number as people write them or
/// csv_missing(), else texts, of which
/// only empty fields are missing.
struct CsvColumn {
  std::string name;
  bool has_name = false;  ///< in the header
  bool is_text = false;
  std::vector<double> numbers;     ///< one per row; NaN where missing
  std::vector<int32_t> codes;      ///< one per row: index into `words`, or -1 where missing
  std::vector<std::string> words;  ///< the distinct texts, in order of first appearance
};

struct CsvTable {
  std::string path;
  int64_t rows = 0;
  bool has_header = false;
  bool decimal_comma = false;  ///< numbers were written with a decimal comma
  std::vector<CsvColumn> columns;
  /// (row, line) where line numbers do not increase by one
  std::vector<std::pair<int64_t, int64_t>> jumps;

  /// The line of the file where a row starts, counted from 1.
  [[nodiscard]] int64_t line_of(int64_t row) const;
  /// Removes the rows for which keep(row) is false, and words that were in no other row.
  void keep_rows(FunctionRef<bool(int64_t row)> keep);
  /// The index of the column of that name. Error{value}, suggesting a similar name.
  [[nodiscard]] size_t index_of(std::string_view name) const;
};

/// Reads a table from a file. Columns without a name are called column1, column2, ... Takes 8 bytes
/// per number and 4 per text besides the distinct texts; the file itself is mapped. Errors: io;
/// parse, with file and line: an empty file, a header without rows, a record whose number of fields
/// differs from the first, a duplicate name in the header, text that is not UTF-8, and the errors
/// of CsvReader. Columns named in `texts` are texts even if all fields are numbers.
CsvTable read_csv(const std::string& path, const CsvOptions& options = {},
                  std::span<const std::string> texts = {});

/// The same for a text in memory; `path` is used in messages.
CsvTable parse_csv(std::string_view text, const std::string& path, const CsvOptions& options = {},
                   std::span<const std::string> texts = {});

}  // namespace gyre
