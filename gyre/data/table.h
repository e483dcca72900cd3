#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "gyre/data/dataset.h"
#include "gyre/io/csv.h"
#include "gyre/io/json.h"

// Tables of numbers and texts as examples: one column is what is to be learned, the others become
// features.

namespace gyre {

/// How a column becomes features. Numbers: (x - mean) / deviation, and, if any was missing when the
/// encoding was made, a second feature that is 1 where it is missing and else 0; a missing number
/// counts as the mean. Texts: a feature a word, 1 where it is this one; none is 1 where the text is
/// missing.
struct TableColumn {
  std::string name;
  bool is_text = false;
  double mean = 0, deviation = 1;  ///< of the values that are there; 1 where all are equal
  bool has_missing = false;
  std::vector<std::string> words{};  ///< in byte order

  [[nodiscard]] int64_t features() const {
    return is_text ? static_cast<int64_t>(words.size()) : 1 + has_missing;
  }
};

/// How the rows of one table became examples, to do the same with other rows.
struct TableEncoding {
  std::vector<TableColumn> columns;
  std::string target;
  std::vector<std::string> classes;  ///< empty: the target is a number

  [[nodiscard]] int64_t features() const;
  /// The names of the columns that hold texts, which read_csv must be told.
  [[nodiscard]] std::vector<std::string> texts() const;
  /// [rows, features] f32; columns are found by name, others do not matter. Errors: value, naming
  /// line and column: one that is not there or holds texts for numbers, a word that the encoding
  /// does not know, an infinite number, a missing number in a column that had none.
  [[nodiscard]] Tensor encode(const CsvTable& table) const;
  /// The same for rows [rows, columns] of numbers in the order of `columns`, NaN where one is
  /// missing. Errors: shape; value for columns of texts, and as above with the row, from 0.
  [[nodiscard]] Tensor encode(const Tensor& rows) const;
  /// [rows]: the numbers of the classes, i64, or the numbers themselves, f64. Errors: as above, and
  /// for a missing target.
  [[nodiscard]] Tensor encode_target(const CsvTable& table) const;

  [[nodiscard]] Json to_json() const;
  /// Errors: parse.
  static TableEncoding from_json(const Json& json);
};

/// What a table's target is.
enum class TableTask : uint8_t { detect, classes, number };
inline constexpr const char* kTableTaskNames[] = {"detect", "classes", "number"};
template <>
inline constexpr std::span<const char* const> kChoices<TableTask> = kTableTaskNames;

struct TableOptions {
  std::string target{};
  std::string without{};
  TableTask task = TableTask::detect;
  CsvSeparator separator = CsvSeparator::detect;
  CsvHeader header = CsvHeader::detect;
  double held_back = 0;
  int64_t seed = 0;
};
GYRE_FIELDS(TableOptions, GYRE_FIELD(target, "name of the column to learn; empty: the last"),
            GYRE_FIELD(without, "names of columns to leave out, with commas between", kListed),
            GYRE_FIELD(task, "what the target holds; detect: classes if they are texts"),
            GYRE_FIELD(separator, "between fields; detect: the most frequent of the first record"),
            GYRE_FIELD(header, "names in the first record; detect: if it looks so"),
            GYRE_FIELD(held_back,
                       "share of rows that means and deviations do not see: those that "
                       "split_rows() draws for validation"),
            GYRE_FIELD(seed, "of that draw"));

/// The most different texts of a column that becomes features.
inline constexpr int64_t kMostWords = 1000;

/// The encoding that a table asks for. Classes are in the order of their numbers if all are
/// numbers, else in byte order. Errors: value, naming the column: a target or a column to leave out
/// that does not exist, a target that is left out, no column beside the target, a column without a
/// value, one with more than kMostWords texts, an infinite number. Means and deviations are those
/// of `rows`, or of all where these hold no value.
TableEncoding table_encoding(const CsvTable& table, const std::string& target = {},
                             std::span<const std::string> without = {},
                             std::span<const int64_t> rows = {});

struct Table {
  TableEncoding encoding;
  std::shared_ptr<const TensorDataset> data;  ///< fields x and y
  bool has_header = false;                    ///< in the file
  std::vector<std::string> notes{};  ///< what its reader guessed and people may want to know
};

/// The examples in a CSV file. Errors: those of read_csv, table_encoding and encode; value, for a
/// target of texts where numbers are asked for.
Table read_table(const std::string& path, const TableOptions& options = {});

/// Other rows by an encoding that was made before. Errors: those of read_csv and encode.
Table read_table(const std::string& path, const TableEncoding& encoding,
                 const CsvOptions& options = {});

}  // namespace gyre
