#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "gyre/base/error.h"
#include "gyre/base/text/counted.h"
#include "gyre/base/text/nearest.h"
#include "gyre/base/thread_pool.h"
#include "gyre/data/table/table.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/shape/shape.h"

namespace gyre {
namespace {

constexpr int64_t kRowsAtOnce = 4096;

[[noreturn]] void fail(const CsvTable& table, int64_t row, const Message& why) {
  const std::string where = table.jumps.empty() ? "row " + std::to_string(row)
                                                : "line " + std::to_string(table.line_of(row));
  throw Error(Code::value, "table", {table.path, ": ", where, ": ", why});
}

/// The first row for which `wrong` is true, or -1.
int64_t first_row(const CsvTable& table, auto wrong) {
  for (int64_t row = 0; row < table.rows; ++row) {
    if (wrong(static_cast<size_t>(row))) return row;
  }
  return -1;
}

/// Handles values that the encoding does not know: throws, or counts them as missing and notes each
/// different one.
class UnknownValues {
 public:
  UnknownValues(const CsvTable& table, std::vector<std::string>* notes)
      : table_(table), notes_(notes) {}

  /// `rows` is the number of such rows, the first of which is `row`.
  void add(int64_t row, int64_t rows, const std::string& what, const char* instead) {
    if (!notes_) fail(table_, row, what);
    constexpr int64_t kMostNotes = 20;
    if (++noted_ > kMostNotes) return;
    std::string note = table_.path + ": line " + std::to_string(table_.line_of(row)) + ": " + what +
                       "; taken as " + instead;
    if (rows > 1) note += " (" + std::to_string(rows) + " rows)";
    if (noted_ == kMostNotes) note += "; further values of this column are not listed";
    notes_->push_back(std::move(note));
  }

 private:
  const CsvTable& table_;
  std::vector<std::string>* notes_;
  int64_t noted_ = 0;
};

constexpr const char *kMean = "the mean", *kMissing = "missing";

/// Reports the rows for which `wrong` is true, if any.
void report(UnknownValues& unknown, const CsvTable& table, const std::string& what,
            const char* instead, auto wrong) {
  const int64_t first = first_row(table, wrong);
  if (first < 0) return;
  int64_t rows = 0;
  for (int64_t row = first; row < table.rows; ++row) rows += wrong(static_cast<size_t>(row));
  unknown.add(first, rows, what, instead);
}

const CsvColumn& text_column(const CsvTable& table, const std::string& name) {
  const CsvColumn& column = table.columns[table.index_of(name)];
  if (!column.is_text) fail(table, 0, name + ": expected text, got numbers");
  return column;
}

/// values[i] of the i-th word of a column for each row, NaN where missing.
std::vector<double> by_row(const CsvColumn& column, const std::vector<double>& values) {
  std::vector<double> rows;
  for (const int32_t code : column.codes) {
    rows.push_back(code < 0 ? NAN : values[static_cast<size_t>(code)]);
  }
  return rows;
}

/// The numbers of a numeric column or a part of dates, NaN where missing or unknown.
std::vector<double> numbers_of(const CsvTable& table, const TableColumn& column,
                               UnknownValues& unknown) {
  const CsvColumn& from = table.columns[table.index_of(column.name)];
  const bool dates = column.date != DatePart::none;
  if (!from.is_text && !dates) return from.numbers;
  std::vector<double> values;
  const std::vector<std::string>& words = text_column(table, column.name).words;
  for (size_t i = 0; i < words.size(); ++i) {
    double value = NAN;
    std::optional<double> part;
    for (const DateOrder order : {column.order, DateOrder::year_first}) {
      if (dates && !part) part = date_part(words[i], order, column.date);
    }
    const bool is_number = !dates && csv_number(words[i], table.decimal_comma, value);
    values.push_back(part.value_or(is_number ? value : NAN));
    if (part || is_number || csv_missing(words[i])) continue;
    const std::string what = dates ? " is \"" + words[i] + "\", expected a date"
                                   : ": expected numbers, got text (" + words[i] + ")";
    if (column.date > DatePart::days) continue;  // reported once
    report(unknown, table, column.name + what, kMissing,
           [&](size_t r) { return from.codes[r] == static_cast<int32_t>(i); });
  }
  return by_row(from, values);
}

/// Whether the cell of a row is empty or says that its value is missing.
bool is_empty(const CsvColumn& column, size_t row) {
  if (!column.is_text) return std::isnan(column.numbers[row]);
  const int32_t code = column.codes[row];
  return code < 0 || csv_missing(column.words[static_cast<size_t>(code)]);
}

/// The index in `known` of each word of the column, or -1.
std::vector<int64_t> places_of(const CsvTable& table, const CsvColumn& column,
                               std::span<const std::string> known, UnknownValues& unknown) {
  std::vector<int64_t> places;
  for (size_t i = 0; i < column.words.size(); ++i) {
    const auto found = std::find(known.begin(), known.end(), column.words[i]);
    places.push_back(found == known.end() ? -1 : found - known.begin());
    if (found != known.end()) continue;
    report(unknown, table,
           column.name + " is \"" + column.words[i] + "\", unknown to the encoding" +
               suggestion(column.words[i], known),
           kMissing, [&](size_t r) { return column.codes[r] == static_cast<int32_t>(i); });
  }
  return places;
}

/// Writes the features of a column into rows of `width` floats; `to` is its first feature of row 0.
void put_numbers(const CsvTable& table, const TableColumn& column, float* to, int64_t width,
                 UnknownValues& unknown) {
  const CsvColumn& from = table.columns[table.index_of(column.name)];
  std::vector<double> values = numbers_of(table, column, unknown);
  if (!column.has_missing && column.date <= DatePart::days) {
    report(unknown, table,
           column.name + " is missing, but had no missing values when the encoding was fitted",
           kMean, [&](size_t r) { return std::isnan(values[r]) && is_empty(from, r); });
  }
  const auto feature = [&](double value) {
    return static_cast<float>((value - column.mean) / column.deviation);
  };
  report(unknown, table, column.name + " is infinite", kMissing,
         [&](size_t r) { return std::isinf(values[r]); });
  report(unknown, table, column.name + " is too large", kMissing,
         [&](size_t r) { return std::isfinite(values[r]) && std::isinf(feature(values[r])); });
  for (double& value : values) value = std::isinf(feature(value)) ? NAN : value;
  parallel_for(table.rows, kRowsAtOnce, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const double x = values[static_cast<size_t>(row)];
      const bool missing = std::isnan(x);
      to[row * width] = missing ? 0.0F : feature(x);
      if (column.has_missing) to[row * width + 1] = missing ? 1.0F : 0.0F;
    }
  });
}

/// One-hot: feature place_of(row) is 1, or none if that is negative.
void put_one_hot(const CsvTable& table, const TableColumn& column, float* to, int64_t width,
                 auto place_of) {
  parallel_for(table.rows, kRowsAtOnce, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      float* features = to + row * width;
      std::fill(features, features + column.features(), 0.0F);
      const int64_t place = place_of(static_cast<size_t>(row));
      if (place >= 0) features[place] = 1;
    }
  });
}

void put_words(const CsvTable& table, const TableColumn& column, float* to, int64_t width,
               UnknownValues& unknown) {
  const CsvColumn& from = text_column(table, column.name);
  const std::vector<int64_t> places = places_of(table, from, column.words, unknown);
  put_one_hot(table, column, to, width, [&](size_t row) {
    const int32_t code = from.codes[row];
    return code < 0 ? -1 : places[static_cast<size_t>(code)];
  });
}

void put_cycle(const CsvTable& table, const TableColumn& column, float* to, int64_t width,
               UnknownValues& unknown) {
  const std::vector<double> values = numbers_of(table, column, unknown);
  const int first = column.date == DatePart::month ? 1 : 0;
  put_one_hot(table, column, to, width, [&](size_t row) {
    return std::isnan(values[row]) ? int64_t{-1} : static_cast<int64_t>(values[row]) - first;
  });
}

void put_features(const CsvTable& table, const TableColumn& column, float* to, int64_t width,
                  UnknownValues& unknown) {
  const auto put = column.is_text                  ? put_words
                   : cycle_length(column.date) > 0 ? put_cycle
                                                   : put_numbers;
  put(table, column, to, width, unknown);
}

template <class Choice>
Choice choice_of(const Json& json, const char* name, std::span<const char* const> names) {
  const std::string& text = json.at(name).as_string(name);
  const auto found = std::find(names.begin(), names.end(), text);
  if (found == names.end()) {
    throw Error(Code::parse, "table", {name, " is \"", text, "\", which gyre does not know"});
  }
  return static_cast<Choice>(found - names.begin());
}

Json words_to_json(const std::vector<std::string>& words) {
  Json list = Json::array();
  for (const std::string& word : words) list.push_back(word);
  return list;
}

std::vector<std::string> words_from_json(const Json& json, const char* name) {
  std::vector<std::string> words;
  for (const Json& word : json.as_array(name)) words.push_back(word.as_string(name));
  return words;
}

}  // namespace

int64_t TableEncoding::features() const {
  int64_t sum = 0;
  for (const TableColumn& column : columns) sum += column.features();
  return sum;
}

std::vector<std::string> TableEncoding::texts() const {
  std::vector<std::string> names;
  for (const TableColumn& column : columns) {
    if (column.is_text || column.date != DatePart::none) names.push_back(column.name);
  }
  if (!classes.empty()) names.push_back(target);
  return names;
}

CsvOptions TableEncoding::csv(CsvOptions options) const {
  if (options.decimal == CsvDecimal::detect) {
    options.decimal = decimal_comma ? CsvDecimal::comma : CsvDecimal::point;
  }
  return options;
}

Tensor TableEncoding::encode(const CsvTable& table, std::vector<std::string>* notes) const {
  const int64_t width = features();
  Tensor x = empty({table.rows, width});
  float* to = x.data<float>();
  for (const TableColumn& column : columns) {
    UnknownValues unknown(table, notes);
    put_features(table, column, to, width, unknown);
    to += column.features();
  }
  return x;
}

Tensor TableEncoding::encode(const Tensor& rows) const {
  const auto width = static_cast<int64_t>(columns.size());
  if (rows.rank() != 2 || rows.size(1) != width) {
    throw Error(Code::shape, "table",
                {"rows have shape ", rows.shape(), ", but the encoding expects ",
                 counted(width, "column"), " of features"},
                {"[rows, ", width, "]"}, rows.shape());
  }
  CsvTable table;
  table.path = "rows";
  table.rows = rows.size(0);
  for (const TableColumn& column : columns) {
    if (column.is_text || column.date != DatePart::none) {
      throw Error(Code::value, "table",
                  "rows are numeric, but column " + column.name + " is text; pass a CSV file");
    }
    const auto at = static_cast<int64_t>(table.columns.size());
    CsvColumn& numbers = table.columns.emplace_back();
    numbers.name = column.name;
    numbers.numbers = to_vector<double>(select(rows, {.axis = 1, .index = at}));
  }
  return encode(table);
}

Tensor TableEncoding::encode_target(const CsvTable& table, std::vector<std::string>* notes) const {
  UnknownValues unknown(table, notes);
  if (classes.empty()) {
    const std::vector<double> values = numbers_of(table, {.name = target}, unknown);
    const int64_t missing = first_row(table, [&](size_t r) { return !std::isfinite(values[r]); });
    if (missing >= 0 && !notes) {
      fail(table, missing, "the target " + target + " is missing or infinite");
    }
    return tensor(values, {table.rows});
  }
  const CsvColumn& from = text_column(table, target);
  const int64_t missing = first_row(table, [&](size_t r) { return from.codes[r] < 0; });
  if (missing >= 0 && !notes) fail(table, missing, "the target " + target + " is missing");
  const std::vector<int64_t> places = places_of(table, from, classes, unknown);
  Tensor y = empty({table.rows}, DType::i64);
  for (int64_t row = 0; row < table.rows; ++row) {
    const int32_t code = from.codes[static_cast<size_t>(row)];
    y.data<int64_t>()[row] = code < 0 ? -1 : places[static_cast<size_t>(code)];
  }
  return y;
}

Json TableEncoding::to_json() const {
  Json json, list = Json::array();
  for (const TableColumn& column : columns) {
    Json entry;
    entry["name"] = column.name;
    if (column.is_text) {
      entry["words"] = words_to_json(column.words);
    } else {
      if (column.date != DatePart::none) {
        entry["date"] = kDatePartNames[static_cast<size_t>(column.date)];
        entry["order"] = kDateOrderNames[static_cast<size_t>(column.order)];
      }
      if (cycle_length(column.date) == 0) {
        entry["mean"] = column.mean;
        entry["deviation"] = column.deviation;
        entry["has_missing"] = column.has_missing;
      }
    }
    list.push_back(std::move(entry));
  }
  json["columns"] = std::move(list);
  json["target"] = target;
  json["classes"] = words_to_json(classes);
  json["decimal_comma"] = decimal_comma;
  return json;
}

TableEncoding TableEncoding::from_json(const Json& json) {
  TableEncoding encoding;
  encoding.target = json.at("target").as_string("target");
  encoding.classes = words_from_json(json.at("classes"), "classes");
  const Json* comma = json.find("decimal_comma");  // absent from older models
  encoding.decimal_comma = comma && comma->as_boolean("decimal_comma");
  for (const Json& entry : json.at("columns").as_array("columns")) {
    TableColumn column;
    column.name = entry.at("name").as_string("name");
    column.is_text = entry.find("words") != nullptr;
    if (column.is_text) {
      column.words = words_from_json(entry.at("words"), "words");
    } else {
      if (entry.find("date")) {
        column.date = choice_of<DatePart>(entry, "date", kDatePartNames);
        column.order = choice_of<DateOrder>(entry, "order", kDateOrderNames);
      }
      const bool numeric = cycle_length(column.date) == 0;
      if (!numeric && entry.find("mean")) {
        throw Error(Code::parse, "table",
                    {"the ", entry.at("date").as_string("date"), " of ", column.name,
                     " is encoded as a number, as by older versions of gyre: train again"});
      }
      if (numeric) {
        column.mean = entry.at("mean").as_real("mean");
        column.deviation = entry.at("deviation").as_real("deviation");
        column.has_missing = entry.at("has_missing").as_boolean("has_missing");
      }
      if (!(column.deviation > 0)) {
        throw Error(Code::parse, "table", "the deviation of " + column.name + " must be above 0");
      }
    }
    encoding.columns.push_back(std::move(column));
  }
  return encoding;
}

}  // namespace gyre
