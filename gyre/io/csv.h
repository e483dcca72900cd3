#pragma once
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gyre/base/record.h"

// Tables as text (RFC 4180): records end with a newline (LF or CR LF), fields are separated by one
// character, and may be quoted: then they may hold separators, newlines and quotes, which are
// doubled. A byte order mark is skipped, and so are empty lines, but in a table of one column,
// where they are a missing value.

namespace gyre {

enum class CsvSeparator : uint8_t { detect, comma, semicolon, tab };
inline constexpr const char* kCsvSeparatorNames[] = {"detect", "comma", "semicolon", "tab"};
template <>
inline constexpr std::span<const char* const> kChoices<CsvSeparator> = kCsvSeparatorNames;

enum class CsvHeader : uint8_t { detect, present, absent };
inline constexpr const char* kCsvHeaderNames[] = {"detect", "present", "absent"};
template <>
inline constexpr std::span<const char* const> kChoices<CsvHeader> = kCsvHeaderNames;

struct CsvOptions {
  CsvSeparator separator = CsvSeparator::detect;
  CsvHeader header = CsvHeader::detect;
};
GYRE_FIELDS(CsvOptions,
            GYRE_FIELD(separator, "between fields; detect: the most frequent of the first record"),
            GYRE_FIELD(header,
                       "names in the first record; detect: if it holds no number and either stands "
                       "above numbers or holds different texts"));

/// Goes through the records of a text from front to back, without holding more than one.
class CsvReader {
 public:
  /// `text` and `path`, which is for messages, must live as long.
  CsvReader(std::string_view text, const std::string& path, CsvSeparator separator);

  /// The fields of the next record, valid until the next call, without quotes; false at the end.
  /// Errors: parse, naming the line: a quote in a field that does not begin with one, a quote that
  /// is not closed or is followed by anything but a separator, a carriage return in a field that
  /// is not quoted.
  bool next(std::vector<std::string_view>& fields);
  /// The line, counted from 1, where the last record begins.
  [[nodiscard]] int64_t line() const { return record_line_; }
  [[nodiscard]] char separator() const { return separator_; }

 private:
  [[noreturn]] void fail(const std::string& why) const;
  void detect_separator();
  std::string_view plain_field();
  std::string_view quoted_field();
  bool end_of_field();

  const std::string& path_;
  const char *at_, *end_;
  char separator_;
  int64_t line_ = 1, record_line_ = 0;
  std::deque<std::string> unquoted_;  // fields of the last record that held doubled quotes
  size_t unquoted_used_ = 0;
};

/// The number that a field is: decimal, with spaces around it or a sign; `nan` and `inf` count too,
/// and what is beyond the range of a double is 0 or infinite. False when it is none.
bool csv_number(std::string_view field, double& value);

/// Whether people write the field for a number that they do not have: nothing, NA, N/A, n/a, #N/A,
/// <NA>, null, NULL, None or ?.
bool csv_missing(std::string_view field);

/// One column of a table: numbers where every field is one or csv_missing(), else texts, among
/// which only an empty field is missing.
struct CsvColumn {
  std::string name;
  bool has_name = false;  ///< in the file
  bool is_text = false;
  std::vector<double> numbers;     ///< a row each; NaN where it is missing
  std::vector<int32_t> codes;      ///< a row each: which of `words`, or -1 where it is empty
  std::vector<std::string> words;  ///< the different texts, by first appearance
};

struct CsvTable {
  std::string path;
  int64_t rows = 0;
  bool has_header = false;
  std::vector<CsvColumn> columns;
  std::vector<std::pair<int64_t, int64_t>> jumps;  ///< (row, line) where lines do not go on by one

  /// The line of the file, counted from 1, where a row begins.
  [[nodiscard]] int64_t line_of(int64_t row) const;
  /// The number of the column of that name. Error{value}, with the name that is like it.
  [[nodiscard]] size_t index_of(std::string_view name) const;
};

/// The table in a file. Columns without a name are called column1, column2, ... Takes 8 bytes a
/// number and 4 a text besides the different texts; the file itself is mapped. Errors: io; parse,
/// naming file and line: an empty file, one with nothing but a header, a record with another number
/// of fields than the first, a header with a name that comes twice, text that is not UTF-8, and
/// what CsvReader refuses. Columns named in `texts` hold texts even if all are numbers.
CsvTable read_csv(const std::string& path, const CsvOptions& options = {},
                  std::span<const std::string> texts = {});

/// The same for a text in memory; `path` is for messages.
CsvTable parse_csv(std::string_view text, const std::string& path, const CsvOptions& options = {},
                   std::span<const std::string> texts = {});

}  // namespace gyre
