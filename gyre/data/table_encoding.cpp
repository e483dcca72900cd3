#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "gyre/base/error.h"
#include "gyre/base/text/counted.h"
#include "gyre/base/text/nearest.h"
#include "gyre/base/thread_pool.h"
#include "gyre/data/table.h"
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

bool csv_numeric(const std::string& word) {
  double number;
  return csv_missing(word) || csv_number(word, number);
}

const CsvColumn& column_of(const CsvTable& table, const std::string& name, bool is_text) {
  const CsvColumn& column = table.columns[table.index_of(name)];
  if (column.is_text == is_text) return column;
  const int64_t row = is_text ? 0 : first_row(table, [&](size_t r) {
    return column.codes[r] >= 0 && !csv_numeric(column.words[static_cast<size_t>(column.codes[r])]);
  });
  fail(table, row < 0 ? 0 : row,
       name + (is_text ? ": expected text, got numbers" : ": expected numbers, got text"));
}

/// The index in `known` of each word of the column.
std::vector<int64_t> places_of(const CsvTable& table, const CsvColumn& column,
                               std::span<const std::string> known) {
  std::vector<int64_t> places;
  for (size_t i = 0; i < column.words.size(); ++i) {
    const auto found = std::find(known.begin(), known.end(), column.words[i]);
    if (found == known.end()) {
      const int64_t row =
          first_row(table, [&](size_t r) { return column.codes[r] == static_cast<int32_t>(i); });
      fail(table, row,
           column.name + " is \"" + column.words[i] + "\", unknown to the encoding" +
               suggestion(column.words[i], known));
    }
    places.push_back(found - known.begin());
  }
  return places;
}

/// Writes the features of a column into rows of `width` floats; `to` is its first feature of row 0.
void put_numbers(const CsvTable& table, const TableColumn& column, float* to, int64_t width) {
  const std::vector<double>& values = column_of(table, column.name, false).numbers;
  const int64_t infinite = first_row(table, [&](size_t r) { return std::isinf(values[r]); });
  if (infinite >= 0) fail(table, infinite, column.name + " is infinite");
  if (!column.has_missing) {
    const int64_t missing = first_row(table, [&](size_t r) { return std::isnan(values[r]); });
    if (missing >= 0) {
      fail(table, missing,
           column.name + " is missing, but had no missing values when the encoding was fitted");
    }
  }
  parallel_for(table.rows, kRowsAtOnce, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const double x = values[static_cast<size_t>(row)];
      const bool missing = std::isnan(x);
      to[row * width] = missing ? 0.0F : static_cast<float>((x - column.mean) / column.deviation);
      if (column.has_missing) to[row * width + 1] = missing ? 1.0F : 0.0F;
    }
  });
}

void put_words(const CsvTable& table, const TableColumn& column, float* to, int64_t width) {
  const CsvColumn& from = column_of(table, column.name, true);
  const std::vector<int64_t> places = places_of(table, from, column.words);
  parallel_for(table.rows, kRowsAtOnce, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      float* features = to + row * width;
      std::fill(features, features + column.features(), 0.0F);
      const int32_t code = from.codes[static_cast<size_t>(row)];
      if (code >= 0) features[places[static_cast<size_t>(code)]] = 1;
    }
  });
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
    if (column.is_text) names.push_back(column.name);
  }
  if (!classes.empty()) names.push_back(target);
  return names;
}

Tensor TableEncoding::encode(const CsvTable& table) const {
  const int64_t width = features();
  Tensor x = empty({table.rows, width});
  float* to = x.data<float>();
  for (const TableColumn& column : columns) {
    (column.is_text ? put_words : put_numbers)(table, column, to, width);
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
    if (column.is_text) {
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

Tensor TableEncoding::encode_target(const CsvTable& table) const {
  const CsvColumn& from = column_of(table, target, !classes.empty());
  const int64_t missing = first_row(table, [&](size_t r) {
    return from.is_text ? from.codes[r] < 0 : !std::isfinite(from.numbers[r]);
  });
  if (missing >= 0) fail(table, missing, "the target " + target + " is missing or infinite");
  Tensor y = empty({table.rows}, from.is_text ? DType::i64 : DType::f64);
  const std::vector<int64_t> places = places_of(table, from, classes);
  for (int64_t row = 0; row < table.rows; ++row) {
    const auto r = static_cast<size_t>(row);
    if (from.is_text) {
      y.data<int64_t>()[row] = places[static_cast<size_t>(from.codes[r])];
    } else {
      y.data<double>()[row] = from.numbers[r];
    }
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
      entry["mean"] = column.mean;
      entry["deviation"] = column.deviation;
      entry["has_missing"] = column.has_missing;
    }
    list.push_back(std::move(entry));
  }
  json["columns"] = std::move(list);
  json["target"] = target;
  json["classes"] = words_to_json(classes);
  return json;
}

TableEncoding TableEncoding::from_json(const Json& json) {
  TableEncoding encoding;
  encoding.target = json.at("target").as_string("target");
  encoding.classes = words_from_json(json.at("classes"), "classes");
  for (const Json& entry : json.at("columns").as_array("columns")) {
    TableColumn column;
    column.name = entry.at("name").as_string("name");
    column.is_text = entry.find("words") != nullptr;
    if (column.is_text) {
      column.words = words_from_json(entry.at("words"), "words");
    } else {
      column.mean = entry.at("mean").as_real("mean");
      column.deviation = entry.at("deviation").as_real("deviation");
      column.has_missing = entry.at("has_missing").as_boolean("has_missing");
      if (!(column.deviation > 0)) {
        throw Error(Code::parse, "table", "the deviation of " + column.name + " must be above 0");
      }
    }
    encoding.columns.push_back(std::move(column));
  }
  return encoding;
}

}  // namespace gyre
