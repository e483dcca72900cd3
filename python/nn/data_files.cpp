#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "gyre/base/error.h"
#include "gyre/data/images.h"
#include "gyre/data/table/table.h"
#include "gyre/data/text_source.h"
#include "gyre/data/token_batches.h"
#include "gyre/io/csv.h"
#include "gyre/ops/create/create.h"
#include "python/core/convert.h"
#include "python/core/json_object.h"
#include "python/core/records.h"
#include "python/module.h"
#include "python/nn/python_dataset.h"

// Readers for images, tables, text and tokens.

namespace gyre::python {
namespace {

using namespace nb::literals;

DatasetObject images(const std::string& path, const std::string& part) {
  if (part != "training" && part != "test") {
    throw mismatch(Code::value, "mnist", "part: expected training or test", "training, test", part);
  }
  return {unlocked(
      [&] { return mnist(path, part == "test" ? ImagePart::test : ImagePart::training); })};
}

nb::object table(const std::string& path, const nb::dict& options, const nb::object& encoding) {
  Table read;
  if (encoding.is_none()) {
    auto given = options_as<TableOptions>(options);
    read = unlocked([&] { return read_table(path, given); });
  } else {
    auto before = TableEncoding::from_json(json_of(encoding));
    auto given = options_as<CsvOptions>(options);
    read = unlocked([&] { return read_table(path, before, given); });
  }
  return nb::make_tuple(DatasetObject{read.data}, json_object(read.encoding.to_json()),
                        std::move(read.cells), read.notes);
}

// Numbers as an f64 tensor, text as a list with None for missing values.
nb::object column_object(const CsvColumn& column) {
  if (!column.is_text) {
    auto rows = static_cast<int64_t>(column.numbers.size());
    return tensor_object(tensor(column.numbers, {rows}));
  }
  nb::list texts;
  for (int32_t code : column.codes) {
    texts.append(code < 0 ? nb::object(nb::none())
                          : nb::object(nb::str(column.words[static_cast<size_t>(code)].c_str())));
  }
  return texts;
}

std::vector<std::string> column_names(const CsvTable& table) {
  std::vector<std::string> names;
  names.reserve(table.columns.size());
  for (const CsvColumn& column : table.columns) names.push_back(column.name);
  return names;
}

nb::dict csv(const std::string& path, const nb::dict& options,
             const std::vector<std::string>& texts) {
  auto given = options_as<CsvOptions>(options);
  CsvTable read = unlocked([&] { return read_csv(path, given, texts); });
  nb::dict columns;
  for (const CsvColumn& column : read.columns) columns[column.name.c_str()] = column_object(column);
  return columns;
}

nb::object text(nb::handle sources, const nb::dict& options) {
  std::vector<std::string> names;
  if (PyUnicode_Check(sources.ptr())) {
    names.push_back(nb::cast<std::string>(sources));
  } else {
    names = argument_as<std::vector<std::string>>(sources, "sources", "a str or a list of them");
  }
  auto given = options_as<JsonlOptions>(options);
  std::string all = unlocked([&] { return read_text(names, given); });
  return nb::steal(PyUnicode_FromStringAndSize(all.data(), static_cast<Py_ssize_t>(all.size())));
}

nb::object cut(const std::string& all, double fraction) {
  TextSplit parts = split_text(all, fraction);
  return nb::make_tuple(std::string(parts.training), std::string(parts.validation));
}

nb::object windows(const TokenBatches& batches, int64_t number) {
  TokenBatch batch = batches.at(number);
  return nb::make_tuple(tensor_object(batch.inputs), tensor_object(batch.targets));
}

void add_tokens(nb::module_& m) {
  nb::class_<TokenBatches>(
      m, "TokenBatches",
      "Batches for next-token prediction from one long sequence of tokens: batches.at(i) is "
      "(inputs, targets), both [rows, block] i32; targets are the inputs shifted by one token. "
      "Batch i depends only on the seed and i.")
      .def(
          "__init__",
          [](TokenBatches* self, nb::handle tokens, int64_t rows, int64_t block, uint64_t seed) {
            if (PyUnicode_Check(tokens.ptr())) {
              auto file = std::make_shared<TokenFile>(nb::cast<std::string>(tokens));
              new (self) TokenBatches(file, INT32_MAX, rows, block, seed);
            } else {
              new (self) TokenBatches(token_ids(tokens, "tokens"), rows, block, seed);
            }
          },
          "tokens"_a, "rows"_a, "block"_a, "seed"_a = 0,
          "`tokens`: a list or array of token ids, or a file path (.bin, .npy).")
      .def("at", windows, "number"_a)
      .def("__len__", &TokenBatches::tokens, "number of tokens");
}

}  // namespace

void add_data_files(nb::module_& m) {
  m.attr("table_options") = fields_of(record_of<TableOptions>);
  m.attr("csv_options") = fields_of(record_of<CsvOptions>);
  m.attr("jsonl_options") = fields_of(record_of<JsonlOptions>);
  nb::class_<CsvTable>(m, "Cells")
      .def("names", column_names)
      .def("column", [](const CsvTable& table, const std::string& name) {
        return column_object(table.columns[table.index_of(name)]);
      });
  m.def("mnist", images, "path"_a, "part"_a);
  m.def("read_table", table, "path"_a, "options"_a, "encoding"_a.none());
  m.def("read_csv", csv, "path"_a, "options"_a, "texts"_a);
  m.def("read_text", text, "sources"_a, "options"_a);
  m.def("split_text", cut, "text"_a, "fraction"_a,
        "Splits text into (training, validation): the last `fraction` is for validation, split at "
        "a character boundary.");
  add_tokens(m);
}

}  // namespace gyre::python
