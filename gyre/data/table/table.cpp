#include "gyre/data/table/table.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <utility>

#include "gyre/base/error.h"
#include "gyre/base/text/ascii.h"
#include "gyre/base/text/counted.h"

namespace gyre {
namespace {

[[noreturn]] void fail(const CsvTable& table, const Message& why) {
  throw Error(Code::value, "table", {table.path, ": ", why});
}

/// Blocked summation: rounding errors of ten million values are no larger than of a few thousand.
double sum_of(size_t count, auto term) {
  constexpr size_t kStretch = 4096;
  double sum = 0;
  for (size_t begin = 0; begin < count; begin += kStretch) {
    double part = 0;
    for (size_t i = begin; i < std::min(begin + kStretch, count); ++i) part += term(i);
    sum += part;
  }
  return sum;
}

/// The non-missing values of these rows, or of all rows if these have none.
std::vector<double> present(const std::vector<double>& values, std::span<const int64_t> rows) {
  std::vector<double> chosen;
  for (int64_t row : rows) {
    if (const double x = values[static_cast<size_t>(row)]; !std::isnan(x)) chosen.push_back(x);
  }
  if (!chosen.empty()) return chosen;
  std::copy_if(values.begin(), values.end(), std::back_inserter(chosen),
               [](double x) { return !std::isnan(x); });
  return chosen;
}

/// Mean and standard deviation of the non-missing values.
void measure(const CsvTable& table, const std::vector<double>& all, std::span<const int64_t> rows,
             TableColumn& column) {
  for (size_t i = 0; i < all.size(); ++i) {
    column.has_missing = column.has_missing || std::isnan(all[i]);
    if (!std::isinf(all[i])) continue;
    fail(table,
         {"line ", table.line_of(static_cast<int64_t>(i)), ": ", column.name, " is infinite"});
  }
  const std::vector<double> values = present(all, rows);
  if (values.empty()) fail(table, "the column " + column.name + " has no values");
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  const double least = *low, most = *high;
  column.mean = least;
  if (least == most) return;
  // Scaled by the range so that squares do not overflow.
  const double range = most - least, share = 1 / static_cast<double>(values.size());
  if (!std::isfinite(range))
    fail(table, "the range of " + column.name + " overflows: values are too far apart");
  const auto part = [&](size_t i) { return (values[i] - least) / range; };
  const double mean = share * sum_of(values.size(), part);
  const double squares = sum_of(values.size(), [&](size_t i) {
    const double z = part(i) - mean;
    return z * z;
  });
  column.mean = least + range * mean;
  column.deviation = range * std::sqrt(share * squares);
}

std::vector<std::string> sorted_words(const CsvColumn& column) {
  std::vector<std::string> words = column.words;
  std::sort(words.begin(), words.end());
  return words;
}

/// Sorted numerically if all are numbers, otherwise by bytes.
std::vector<std::string> sorted_classes(const CsvColumn& column) {
  std::vector<std::string> words = sorted_words(column);
  std::vector<std::pair<double, std::string>> numbers;
  for (const std::string& word : words) {
    double value;
    if (!csv_number(word, value) || std::isnan(value)) return words;
    numbers.emplace_back(value, word);
  }
  std::sort(numbers.begin(), numbers.end());
  std::transform(numbers.begin(), numbers.end(), words.begin(),
                 [](const auto& number) { return number.second; });
  return words;
}

/// The parts of a column of dates; none if it holds other texts.
std::vector<TableColumn> date_columns(const CsvTable& table, const CsvColumn& from,
                                      std::span<const int64_t> rows) {
  const auto order = from.is_text ? date_order(from.words) : std::nullopt;
  std::vector<TableColumn> columns;
  if (!order) return columns;
  for (const DatePart part : {DatePart::days, DatePart::year, DatePart::month, DatePart::weekday}) {
    TableColumn& column =
        columns.emplace_back(TableColumn{.name = from.name, .date = part, .order = *order});
    if (cycle_length(part) > 0) continue;
    std::vector<double> values;
    for (const int32_t code : from.codes) {
      values.push_back(
          code < 0 ? NAN
                   : date_part(from.words[static_cast<size_t>(code)], *order, part).value_or(NAN));
    }
    measure(table, values, rows, column);
  }
  return columns;
}

/// Why a column of numbers is read as text: "because of "n/a?" in line 17", its first cell that is
/// none. Empty for other columns.
std::string why_text(const CsvTable& table, const CsvColumn& column) {
  std::vector<bool> odd;
  size_t numbers = 0;
  for (const bool comma : {false, true}) {  // the decimal separator that makes more of them numbers
    std::vector<bool> others;
    size_t found = 0;
    for (const std::string& word : column.words) {
      double number;
      const bool numeric = csv_number(word, comma, number);
      found += numeric;
      others.push_back(!numeric && !csv_missing(word));
    }
    if (comma && found <= numbers) break;
    numbers = found;
    odd = std::move(others);
  }
  if (2 * numbers <= column.words.size()) return {};
  const auto first = std::find_if(column.codes.begin(), column.codes.end(), [&](int32_t code) {
    return code >= 0 && odd[static_cast<size_t>(code)];
  });
  if (first == column.codes.end()) return {};
  return "because of \"" + column.words[static_cast<size_t>(*first)] + "\" in line " +
         std::to_string(table.line_of(first - column.codes.begin()));
}

constexpr const char* kLeaveEmpty = "; leave the field empty if it marks a missing value";

TableColumn feature_column(const CsvTable& table, const CsvColumn& from,
                           std::span<const int64_t> rows) {
  TableColumn column;
  column.name = from.name;
  column.is_text = from.is_text;
  if (!from.is_text) {
    measure(table, from.numbers, rows, column);
    return column;
  }
  const auto words = static_cast<int64_t>(from.words.size());
  if (words == 0) fail(table, "the column " + column.name + " has no values");
  if (words > kMostWords) {
    const std::string why = why_text(table, from);
    fail(table, {"the column ", column.name, why.empty() ? "" : ", read as text ", why,
                 why.empty() ? "" : ",", " has ", words, " distinct texts, more than ", kMostWords,
                 why.empty() ? "" : kLeaveEmpty, "; exclude it with `exclude`"});
  }
  column.words = sorted_words(from);
  return column;
}

Table examples(const CsvTable& table, TableEncoding encoding) {
  Tensor x = encoding.encode(table), y = encoding.encode_target(table);
  return {std::move(encoding), std::make_shared<TensorDataset>(std::vector<NamedTensor>{
                                   {"x", std::move(x)}, {"y", std::move(y)}})};
}

/// Whether most values of a text column are unique, as names or free text are.
bool has_single_texts(const CsvTable& table, const CsvColumn& column) {
  constexpr size_t kFew = 20;
  std::vector<int64_t> rows_of(column.words.size());
  for (int32_t code : column.codes) {
    if (code >= 0) ++rows_of[static_cast<size_t>(code)];
  }
  const int64_t single = std::count(rows_of.begin(), rows_of.end(), 1);
  return column.words.size() > kFew && 2 * single > table.rows;
}

/// Whether a name is that of an identifier: id, order_id, index, ...
bool names_identifiers(std::string_view name) {
  const std::string lower = lower_case(name);
  for (const char* word : {"id", "index", "uuid", "guid", "unnamed: 0", "rownames"}) {
    if (lower == word) return true;
  }
  return lower.ends_with("_id") || lower.ends_with(" id") || name.ends_with("Id");
}

bool has_distinct_integers(const CsvColumn& column) {
  std::vector<double> sorted = column.numbers;
  if (sorted.size() < 2 || !std::all_of(sorted.begin(), sorted.end(), [](double x) {
        return std::isfinite(x) && x == std::floor(x);
      })) {
    return false;
  }
  std::sort(sorted.begin(), sorted.end());
  return std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
}

/// The columns to leave out besides those of the options, with notes.
std::vector<std::string> left_out(const CsvTable& table, const TableOptions& options,
                                  const std::string& target, std::vector<std::string>& notes) {
  const auto in = [](const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  for (const std::string& name : options.include) (void)table.index_of(name);  // must exist
  std::vector<std::string> names = options.exclude;
  const size_t noted = notes.size();
  for (const IdentifierColumn& found : identifier_columns(table)) {
    if (found.name == target || in(options.include, found.name) || in(names, found.name)) continue;
    names.push_back(found.name);
    const std::string why = why_text(table, table.columns[table.index_of(found.name)]);
    notes.push_back(why.empty()
                        ? table.path + ": " + found.name + " " + found.reason +
                              ", so it is left out; `include` " + found.name + " uses it"
                        : table.path + ": " + found.name + " is read as text " + why +
                              " and, since it " + found.reason + ", left out" + kLeaveEmpty);
  }
  if (names.size() + 1 < table.columns.size()) return names;
  notes.resize(noted);
  return options.exclude;
}

/// Leaves out the rows whose target is missing.
void keep_rows_with_target(CsvTable& table, size_t target, std::vector<std::string>& notes) {
  const CsvColumn& column = table.columns[target];
  const int64_t before = table.rows;
  std::vector<bool> has_target;
  for (size_t r = 0; r < static_cast<size_t>(before); ++r) {
    has_target.push_back(column.is_text ? column.codes[r] >= 0 : !std::isnan(column.numbers[r]));
  }
  if (std::find(has_target.begin(), has_target.end(), false) == has_target.end()) return;
  table.keep_rows([&](int64_t row) { return has_target[static_cast<size_t>(row)]; });
  if (table.rows == 0) fail(table, "the column " + column.name + " has no values");
  notes.push_back(table.path + ": " + counted(before - table.rows, "row") + " of " +
                  std::to_string(before) + " left out: the target " + column.name + " is missing");
}

/// Adds a note for a numeric target with few distinct integers, which may be class labels.
void note_whole_target(const CsvTable& table, const CsvColumn& column,
                       std::vector<std::string>& notes) {
  constexpr size_t kFew = 10;
  std::vector<double> different;
  for (double x : column.numbers) {
    if (x != std::floor(x)) return;
    const auto at = std::lower_bound(different.begin(), different.end(), x);
    if (at != different.end() && *at == x) continue;
    if (different.size() == kFew) return;
    different.insert(at, x);
  }
  if (different.size() < 2 || 2 * different.size() > column.numbers.size()) return;
  notes.push_back(table.path + ": " + column.name + " has " + std::to_string(different.size()) +
                  " distinct integers and is predicted as a number (regression); `task` classes " +
                  "predicts a class");
}

std::vector<std::string> notes_on(const CsvTable& table, const TableOptions& options,
                                  const TableEncoding& encoding) {
  std::vector<std::string> notes;
  if (!table.has_header && options.header == CsvHeader::detect) {
    notes.push_back(table.path +
                    ": the first record does not look like a header, so the columns are " +
                    "named column1, column2, ... (override with `header`); " + encoding.target +
                    " is the target");
  }
  for (const CsvColumn& column : table.columns) {
    const bool used =
        std::any_of(encoding.columns.begin(), encoding.columns.end(),
                    [&](const TableColumn& feature) { return feature.name == column.name; });
    const bool learned = column.name == encoding.target && options.task == TableTask::detect;
    if (const std::string why = used || learned ? why_text(table, column) : ""; !why.empty()) {
      notes.push_back(table.path + ": " + column.name + " is read as text " + why +
                      ", so each number is a " + (learned ? "class" : "category") + kLeaveEmpty);
    }
    if (used && column.is_text && date_order(column.words) == DateOrder::day_first &&
        are_dates(column.words, DateOrder::month_first)) {
      notes.push_back(table.path + ": the dates of " + column.name +
                      " may begin with the day or the month; read as day, month, year");
    }
    if (learned && !column.is_text) {
      note_whole_target(table, column, notes);
    }
    if (!table.has_header || column.has_name || !used) continue;
    notes.push_back(table.path + ": " + column.name +
                    " has no name; it is used as a feature unless excluded with `exclude`");
  }
  const auto classes = static_cast<int64_t>(encoding.classes.size());
  if (classes > 20 && 2 * classes > table.rows) {
    notes.push_back(table.path + ": " + encoding.target + " has " + std::to_string(classes) +
                    " classes in " + std::to_string(table.rows) + " rows");
  }
  return notes;
}

}  // namespace

std::vector<IdentifierColumn> identifier_columns(const CsvTable& table) {
  std::vector<IdentifierColumn> found;
  for (const CsvColumn& column : table.columns) {
    const auto words = static_cast<int64_t>(column.words.size());
    if (!column.is_text) {
      if (!names_identifiers(column.name) || !has_distinct_integers(column)) continue;
      found.push_back({column.name, "has another integer in each row"});
    } else if ((words > kMostWords || has_single_texts(table, column)) &&
               !date_order(column.words)) {
      found.push_back({column.name, "has " + std::to_string(words) + " distinct texts in " +
                                        std::to_string(table.rows) + " rows"});
    }
  }
  return found;
}

TableEncoding table_encoding(const CsvTable& table, const std::string& target,
                             std::span<const std::string> exclude, std::span<const int64_t> rows) {
  const size_t last = table.columns.size() - 1;
  const size_t learned = target.empty() ? last : table.index_of(target);
  std::vector<bool> used(table.columns.size(), true);
  used[learned] = false;
  for (const std::string& name : exclude) {
    if (table.index_of(name) == learned)
      fail(table, name + " is the target and cannot be excluded");
    used[table.index_of(name)] = false;
  }
  TableEncoding encoding;
  encoding.target = table.columns[learned].name;
  encoding.decimal_comma = table.decimal_comma;
  for (size_t i = 0; i <= last; ++i) {
    if (!used[i]) continue;
    std::vector<TableColumn> dates = date_columns(table, table.columns[i], rows);
    if (dates.empty()) dates.push_back(feature_column(table, table.columns[i], rows));
    std::move(dates.begin(), dates.end(), std::back_inserter(encoding.columns));
  }
  if (encoding.columns.empty()) {
    fail(table, "no column left beside " + encoding.target + " to use as a feature");
  }
  const CsvColumn& column = table.columns[learned];
  if (column.is_text) encoding.classes = sorted_classes(column);
  if (column.is_text && encoding.classes.empty()) {
    fail(table, "the column " + column.name + " has no values");
  }
  return encoding;
}

Table read_table(const std::string& path, const TableOptions& options) {
  const CsvOptions csv{
      .separator = options.separator, .header = options.header, .decimal = options.decimal};
  CsvTable table = read_csv(path, csv);
  const CsvColumn& column =
      options.target.empty() ? table.columns.back() : table.columns[table.index_of(options.target)];
  if (options.task == TableTask::number && column.is_text) {
    const std::string why = why_text(table, column);
    fail(table, why.empty()
                    ? "the target " + column.name + " contains text (" + column.words[0] + ")"
                    : "the target " + column.name + " is read as text " + why + kLeaveEmpty);
  }
  const std::string target = column.name;
  if (options.task == TableTask::classes && !column.is_text) {
    const std::vector<std::string> texts{column.name};
    table = read_csv(path, csv, texts);
  }
  std::vector<std::string> notes;
  keep_rows_with_target(table, table.index_of(target), notes);
  const std::vector<std::string> exclude = left_out(table, options, target, notes);
  const RowSplit rows =
      split_rows(table.rows, options.held_back, static_cast<uint64_t>(options.seed));
  Table read = examples(table, table_encoding(table, options.target, exclude, rows.training));
  if (read.encoding.classes.size() == 1) {
    fail(table, "the target " + target + " has one class, " + read.encoding.classes[0] +
                    "; two or more are needed");
  }
  read.has_header = table.has_header;
  read.notes = notes_on(table, options, read.encoding);
  read.notes.insert(read.notes.begin(), notes.begin(), notes.end());
  read.cells = std::move(table);
  return read;
}

Table read_table(const std::string& path, const TableEncoding& encoding,
                 const CsvOptions& options) {
  CsvTable table = read_csv(path, encoding.csv(options), encoding.texts());
  Table read = examples(table, encoding);
  read.cells = std::move(table);
  return read;
}

}  // namespace gyre
