#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "gyre/data/dataset.h"
#include "gyre/data/table/dates.h"
#include "gyre/io/csv.h"
#include "gyre/io/json.h"

// Tables of numbers and texts as examples: one column is the target, the others become features.

namespace gyre {

/// How a column becomes features. Numeric columns are standardised: (x - mean) / deviation; if any
/// value was missing when the encoding was fitted, a second feature is 1 for missing values and 0
/// otherwise, and a missing value counts as the mean. Text columns are one-hot encoded, one feature
/// per word; all are 0 for a missing text. A column of dates becomes several: days and year are
/// numeric, month and day of the week are one-hot.
struct TableColumn {
  std::string name;  ///< in the table
  DatePart date = DatePart::none;
  DateOrder order = DateOrder::year_first;  ///< of dates
  bool is_text = false;
  double mean = 0, deviation = 1;  ///< of the values present; deviation 1 if all are equal
  bool has_missing = false;
  std::vector<std::string> words{};  ///< in byte order

  [[nodiscard]] int64_t features() const {
    if (is_text) return static_cast<int64_t>(words.size());
    return cycle_length(date) > 0 ? cycle_length(date) : 1 + has_missing;
  }
};

/// A fitted encoding of table rows, to be applied to other rows.
struct TableEncoding {
  std::vector<TableColumn> columns;
  std::string target;
  std::vector<std::string> classes;  ///< empty for a numeric target (regression)
  bool decimal_comma = false;        ///< of the numbers in the fitted table

  [[nodiscard]] int64_t features() const;
  /// The names of the text columns, which read_csv needs.
  [[nodiscard]] std::vector<std::string> texts() const;
  /// How to read other rows: the decimal separator of the fitted ones.
  [[nodiscard]] CsvOptions csv(CsvOptions options = {}) const;
  /// Features [rows, features] f32; columns are found by name, extra ones are ignored.
  /// Error{value}, with line and column, for a missing column, texts in a numeric column, a word
  /// unknown to the encoding, an infinite number, and a missing number in a column that had none.
  /// With `notes`, such values are not errors, unless a whole column is missing: they count as
  /// missing, and each different one adds a note.
  [[nodiscard]] Tensor encode(const CsvTable& table,
                              std::vector<std::string>* notes = nullptr) const;
  /// The same for numeric rows [rows, columns] in the order of `columns`, NaN for missing values.
  /// Errors: shape; value for text columns, and as above with the row, from 0.
  [[nodiscard]] Tensor encode(const Tensor& rows) const;
  /// Targets [rows]: class indices, i64, or values, f64. Errors: as above, and for a missing
  /// target; with `notes`, missing and unknown targets are -1 or NaN, and unknown ones add a note.
  [[nodiscard]] Tensor encode_target(const CsvTable& table,
                                     std::vector<std::string>* notes = nullptr) const;

  [[nodiscard]] Json to_json() const;
  /// Errors: parse.
  static TableEncoding from_json(const Json& json);
};

/// Classification or regression.
enum class TableTask : uint8_t { detect, classes, number };
inline constexpr const char* kTableTaskNames[] = {"detect", "classes", "number"};
template <>
inline constexpr std::span<const char* const> kChoices<TableTask> = kTableTaskNames;

struct TableOptions {
  std::string target{};
  std::vector<std::string> exclude{};
  TableTask task = TableTask::detect;
  CsvSeparator separator = CsvSeparator::detect;
  CsvHeader header = CsvHeader::detect;
  CsvDecimal decimal = CsvDecimal::detect;
  std::vector<std::string> include{};
  double held_back = 0;
  int64_t seed = 0;
};
GYRE_FIELDS(
    TableOptions, GYRE_FIELD(target, "target column; empty: the last", .metavar = "COLUMN"),
    GYRE_FIELD(exclude, "columns to ignore", .tags = kCommas, .alias = "without",
               .metavar = "COLUMN,COLUMN"),
    GYRE_FIELD(
        task, "classes: classification; number: regression; detect: classes if the target is text"),
    GYRE_FIELD(separator, "field separator; detect: the most frequent in the first record"),
    GYRE_FIELD(header, "whether the first line holds the column names"),
    GYRE_FIELD(decimal, "decimal separator of numbers; detect: comma if it makes a column numeric"),
    GYRE_FIELD(include, "columns to use although they look like identifiers", .tags = kCommas,
               .metavar = "COLUMN,COLUMN"),
    GYRE_FIELD(
        held_back,
        "fraction of the rows held out for validation: drawn by split_rows(), not used to fit "
        "means and deviations",
        .alias = "val_fraction"),
    GYRE_FIELD(seed, "random seed of the validation rows"));

/// Maximum number of distinct texts in a feature column.
inline constexpr int64_t kMostWords = 1000;

/// Fits the encoding of a table. Classes are sorted numerically if all are numbers, otherwise by
/// bytes. Means and deviations are those of `rows`, or of all rows if these have no values.
/// Error{value}, naming the column, for an unknown target or excluded column, an excluded target,
/// no feature column, a column without values, one with more than kMostWords texts, and an infinite
/// number.
TableEncoding table_encoding(const CsvTable& table, const std::string& target = {},
                             std::span<const std::string> exclude = {},
                             std::span<const int64_t> rows = {});

/// Columns that identify rows and cannot be learned from, with the reason: distinct integers in a
/// column named like an identifier (id, order_id, index, ...), and texts that are mostly distinct
/// or more than kMostWords, unless they are dates.
struct IdentifierColumn {
  std::string name, reason;
};
std::vector<IdentifierColumn> identifier_columns(const CsvTable& table);

struct Table {
  TableEncoding encoding;
  std::shared_ptr<const TensorDataset> data;  ///< fields x and y
  bool has_header = false;                    ///< of the file
  std::vector<std::string> notes{};           ///< warnings about guesses of the reader
  CsvTable cells{};                           ///< the rows of the examples, before encoding
};

/// Reads the examples of a CSV file. Rows without a target are left out, and so are
/// identifier_columns() that are not in `include`, unless no other feature is left; notes say
/// which. Errors: those of read_csv, table_encoding and encode; value for a text target with task
/// number, for a target of one class, and for no row with a target.
Table read_table(const std::string& path, const TableOptions& options = {});

/// Reads rows with an existing encoding. Errors: those of read_csv and encode.
Table read_table(const std::string& path, const TableEncoding& encoding,
                 const CsvOptions& options = {});

}  // namespace gyre
