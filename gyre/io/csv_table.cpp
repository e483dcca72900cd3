#include <algorithm>
#include <functional>
#include <limits>
#include <string>
#include <unordered_map>

#include "gyre/base/error.h"
#include "gyre/base/system/mapped_file.h"
#include "gyre/base/text/counted.h"
#include "gyre/base/text/nearest.h"
#include "gyre/base/text/utf8.h"
#include "gyre/io/csv.h"

namespace gyre {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

struct HashOfText {
  using is_transparent = void;
  size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
};
bool looks_like_a_number(std::string_view field) {
  double number;
  return csv_number(field, false, number) || csv_number(field, true, number);
}

using Numbers = std::unordered_map<std::string, int32_t, HashOfText, std::equal_to<>>;

/// Reads the records once, and again those columns that turn out to be texts after some rows.
class TableReader {
 public:
  TableReader(std::string_view text, const std::string& path, const CsvOptions& options,
              std::span<const std::string> texts)
      : text_(text), options_(options), texts_(texts) {
    table_.path = path;
  }

  CsvTable read() {
    CsvReader reader(text_, table_.path, options_.separator);
    while (record(reader)) add_row(reader);
    if (table_.columns.empty()) fail("is empty");
    if (table_.rows == 0) fail("contains only a header");
    if (std::find(late_.begin(), late_.end(), true) != late_.end()) read_late_texts();
    if (options_.decimal == CsvDecimal::detect) {
      if (has_decimal_commas(reader.separator())) {
        CsvOptions again = options_;
        again.decimal = CsvDecimal::comma;
        return TableReader(text_, table_.path, again, texts_).read();
      }
      for (CsvColumn& column : table_.columns) make_numbers(column);
    }
    table_.decimal_comma = options_.decimal == CsvDecimal::comma;
    return std::move(table_);
  }

 private:
  [[noreturn]] void fail(const Message& why) const {
    throw Error(Code::parse, "csv", {table_.path, ": ", why});
  }
  [[noreturn]] void fail(int64_t line, const Message& why) const {
    fail({"line ", line, ": ", why});
  }

  /// Whether a text may be read as numbers, and all of its words are.
  bool reads_as_numbers(const CsvColumn& column, bool comma) const {
    if (!column.is_text || std::find(texts_.begin(), texts_.end(), column.name) != texts_.end()) {
      return false;
    }
    double number;
    return std::any_of(column.words.begin(), column.words.end(), std::not_fn(csv_missing)) &&
           std::all_of(column.words.begin(), column.words.end(), [&](const std::string& word) {
             return csv_missing(word) || csv_number(word, comma, number);
           });
  }

  /// Whether a column has numbers only with decimal commas. "1,234" is read in both ways: as 1234
  /// where commas separate the fields, too, else as 1.234.
  bool has_decimal_commas(char separator) const {
    return std::any_of(table_.columns.begin(), table_.columns.end(), [&](const CsvColumn& column) {
      return reads_as_numbers(column, true) &&
             (separator != ',' || !reads_as_numbers(column, false)) &&
             std::any_of(column.words.begin(), column.words.end(),
                         [](const std::string& word) { return word.find(',') != word.npos; });
    });
  }

  void make_numbers(CsvColumn& column) const {
    if (!reads_as_numbers(column, false)) return;
    std::vector<double> values(column.words.size(), kMissing);
    for (size_t i = 0; i < values.size(); ++i) {
      if (!csv_missing(column.words[i])) csv_number(column.words[i], false, values[i]);
    }
    for (const int32_t code : column.codes) {
      column.numbers.push_back(code < 0 ? kMissing : values[static_cast<size_t>(code)]);
    }
    column.is_text = false;
    column.codes = {};
    column.words = {};
  }

  bool is_number(std::string_view field, double& number) const {
    if (options_.decimal == CsvDecimal::detect) return csv_number(field, number);
    return csv_number(field, options_.decimal == CsvDecimal::comma, number);
  }

  /// Reads the next row into fields_; creates the columns from the first record.
  bool record(CsvReader& reader) {
    while (reader.next(fields_)) {
      const bool blank = fields_.size() == 1 && fields_[0].empty();
      if (!begun_) {
        if (blank) continue;
        begun_ = true;
        if (table_.columns.empty()) make_columns(reader.line());
        if (table_.has_header) continue;
      }
      if (blank && table_.columns.size() > 1) continue;
      if (fields_.size() != table_.columns.size()) {
        fail(reader.line(),
             {counted(static_cast<int64_t>(fields_.size()), "field"), ", but the ",
              table_.has_header ? "header" : "first record", " has ", table_.columns.size()});
      }
      return true;
    }
    return false;
  }

  void make_columns(int64_t line) {
    table_.has_header = options_.header == CsvHeader::present ||
                        (options_.header == CsvHeader::detect && looks_like_names());
    for (size_t i = 0; i < fields_.size(); ++i) {
      CsvColumn column;
      column.has_name = table_.has_header && !fields_[i].empty();
      column.name = column.has_name ? std::string(fields_[i]) : "column" + std::to_string(i + 1);
      const std::string which = "the name of column " + std::to_string(i + 1);
      if (!is_utf8(column.name)) fail(line, which + " is not UTF-8");
      for (const CsvColumn& other : table_.columns) {
        if (other.name == column.name) fail(line, which + ", " + column.name + ", is a duplicate");
      }
      column.is_text = std::find(texts_.begin(), texts_.end(), column.name) != texts_.end();
      table_.columns.push_back(std::move(column));
    }
    late_.resize(fields_.size());
    numbers_.resize(fields_.size());
  }

  bool looks_like_names() const {
    std::vector<std::string_view> sorted = fields_;
    if (std::any_of(sorted.begin(), sorted.end(), looks_like_a_number)) return false;
    std::sort(sorted.begin(), sorted.end());
    const bool different = std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
    return (different && !sorted[0].empty()) || stands_above_numbers();
  }

  /// Whether a text of the first record is followed by numbers in its column.
  bool stands_above_numbers() const {
    constexpr int kLooked = 64;
    CsvReader reader(text_, table_.path, options_.separator);
    std::vector<std::string_view> fields;
    while (reader.next(fields) && fields.size() == 1 && fields[0].empty()) {
    }
    for (int i = 0; i < kLooked && reader.next(fields); ++i) {
      for (size_t c = 0; c < std::min(fields_.size(), fields.size()); ++c) {
        if (!fields_[c].empty() && looks_like_a_number(fields[c])) return true;
      }
    }
    return false;
  }

  void add_row(const CsvReader& reader) {
    if (table_.rows == 0 || reader.line() != line_ + 1) {
      table_.jumps.emplace_back(table_.rows, reader.line());
    }
    line_ = reader.line();
    for (size_t i = 0; i < fields_.size(); ++i) {
      CsvColumn& column = table_.columns[i];
      double number = kMissing;
      if (!column.is_text && !csv_missing(fields_[i]) && !is_number(fields_[i], number)) {
        column.is_text = true;
        column.numbers = {};
        late_[i] = table_.rows > 0;
      }
      if (!column.is_text) {
        column.numbers.push_back(number);
      } else if (!late_[i]) {
        add_text(i, reader.line());
      }
    }
    ++table_.rows;
  }

  void add_text(size_t i, int64_t line) {
    CsvColumn& column = table_.columns[i];
    const std::string_view text = fields_[i];
    int32_t code = -1;
    if (const auto found = numbers_[i].find(text); found != numbers_[i].end()) {
      code = found->second;
    } else if (!text.empty()) {
      if (!is_utf8(text)) fail(line, "the text of " + column.name + " is not UTF-8");
      code = static_cast<int32_t>(column.words.size());
      numbers_[i].emplace(text, code);
      column.words.emplace_back(text);
    }
    column.codes.push_back(code);
  }

  void read_late_texts() {
    CsvReader reader(text_, table_.path, options_.separator);
    begun_ = false;
    while (record(reader)) {
      for (size_t i = 0; i < late_.size(); ++i) {
        if (late_[i]) add_text(i, reader.line());
      }
    }
  }

  std::string_view text_;
  const CsvOptions& options_;
  std::span<const std::string> texts_;
  CsvTable table_;
  bool begun_ = false;  // the first record was read
  int64_t line_ = 0;
  std::vector<std::string_view> fields_;
  std::vector<bool> late_;
  std::vector<Numbers> numbers_;  // of the words of each column
};

}  // namespace

int64_t CsvTable::line_of(int64_t row) const {
  const auto next = std::upper_bound(jumps.begin(), jumps.end(), row,
                                     [](int64_t r, const auto& jump) { return r < jump.first; });
  const auto& [first, line] = *std::prev(next);
  return line + (row - first);
}

namespace {

void drop_unused_words(CsvColumn& column) {
  std::vector<int32_t> code_of(column.words.size(), -1);
  std::vector<std::string> words;
  for (int32_t& code : column.codes) {
    if (code < 0) continue;
    int32_t& found = code_of[static_cast<size_t>(code)];
    if (found < 0) {
      found = static_cast<int32_t>(words.size());
      words.push_back(std::move(column.words[static_cast<size_t>(code)]));
    }
    code = found;
  }
  column.words = std::move(words);
}

}  // namespace

void CsvTable::keep_rows(FunctionRef<bool(int64_t row)> keep) {
  std::vector<std::pair<int64_t, int64_t>> lines;
  int64_t kept = 0;
  for (int64_t row = 0; row < rows; ++row) {
    if (!keep(row)) continue;
    const int64_t line = line_of(row);
    if (lines.empty() || line != lines.back().second + (kept - lines.back().first)) {
      lines.emplace_back(kept, line);
    }
    for (CsvColumn& column : columns) {
      const auto from = static_cast<size_t>(row), to = static_cast<size_t>(kept);
      if (column.is_text) column.codes[to] = column.codes[from];
      if (!column.is_text) column.numbers[to] = column.numbers[from];
    }
    ++kept;
  }
  rows = kept;
  jumps = std::move(lines);
  for (CsvColumn& column : columns) {
    if (!column.is_text) {
      column.numbers.resize(static_cast<size_t>(kept));
      continue;
    }
    column.codes.resize(static_cast<size_t>(kept));
    drop_unused_words(column);
  }
}

size_t CsvTable::index_of(std::string_view name) const {
  std::vector<std::string> names;
  for (const CsvColumn& column : columns) names.push_back(column.name);
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<size_t>(found - names.begin());
  throw Error(Code::value, "csv", {path, ": no column \"", name, "\"", suggestion(name, names)}, {},
              name);
}

CsvTable parse_csv(std::string_view text, const std::string& path, const CsvOptions& options,
                   std::span<const std::string> texts) {
  return TableReader(text, path, options, texts).read();
}

CsvTable read_csv(const std::string& path, const CsvOptions& options,
                  std::span<const std::string> texts) {
  const MappedFile file(path);
  return parse_csv(file.text(), path, options, texts);
}

}  // namespace gyre
