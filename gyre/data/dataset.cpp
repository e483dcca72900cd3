#include "gyre/data/dataset.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "gyre/base/error.h"
#include "gyre/base/text/nearest.h"
#include "gyre/data/permutation.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/index/index.h"
#include "gyre/ops/shape/shape.h"

namespace gyre {
namespace {

std::vector<std::string> names_of(std::span<const NamedTensor> fields) {
  std::vector<std::string> names;
  for (const NamedTensor& field : fields) names.push_back(field.name);
  return names;
}

std::string listed(std::span<const std::string> names) {
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
  return all;
}

void check_rows(std::span<const int64_t> rows, int64_t size, const char* op) {
  for (int64_t row : rows) {
    if (row >= 0 && row < size) continue;
    throw Error(Code::index, op, {"expected an index in [0, ", size, "), got ", row},
                {"[0, ", size, ")"}, row);
  }
}

}  // namespace

Batch::Batch(std::vector<NamedTensor> fields) : fields_(std::move(fields)) {
  std::vector<std::string> names = names_of(fields_);
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice != names.end()) throw Error(Code::value, "batch", "duplicate field \"" + *twice + "\"");
  for (const NamedTensor& field : fields_) {
    if (!field.tensor.defined()) {
      throw Error(Code::value, "batch", "field \"" + field.name + "\" is an empty tensor");
    }
  }
}

Batch on_device(const Batch& batch, Device device) {
  std::vector<NamedTensor> fields;
  for (const NamedTensor& f : batch.fields())
    fields.push_back({f.name, on_device(f.tensor, device)});
  return Batch(std::move(fields));
}

const Tensor& Batch::operator[](std::string_view name) const {
  for (const NamedTensor& field : fields_) {
    if (field.name == name) return field.tensor;
  }
  const std::vector<std::string> names = names_of(fields_);
  const std::string there = listed(names);
  throw Error(Code::value, "batch",
              {"no field \"", name, "\"; the fields are ", names.empty() ? "none" : there,
               suggestion(name, names)},
              there, name);
}

Dataset::~Dataset() = default;

Batch Dataset::batch(std::span<const int64_t> rows) const {
  if (rows.empty()) throw Error(Code::value, "batch", "expected at least 1 row, got none");
  std::vector<Tensors> columns;
  std::vector<std::string> names;
  for (int64_t row : rows) {
    const Example example = get(row);
    const std::vector<std::string> found = names_of(example.fields());
    if (columns.empty()) {
      names = found;
      columns.resize(names.size());
    } else if (found != names) {
      throw Error(Code::value, "batch",
                  {"example ", row, " has the fields ", listed(found), ", example ", rows[0],
                   " has ", listed(names)},
                  listed(names), listed(found));
    }
    for (size_t i = 0; i < names.size(); ++i) columns[i].push_back(example.fields()[i].tensor);
  }
  std::vector<NamedTensor> fields;
  for (size_t i = 0; i < names.size(); ++i) {
    fields.push_back({std::move(names[i]), stack(columns[i], 0)});
  }
  return Batch(std::move(fields));
}

TensorDataset::TensorDataset(std::vector<NamedTensor> fields) : whole_(std::move(fields)) {
  if (whole_.fields().empty())
    throw Error(Code::value, "tensor_dataset", "expected at least 1 field, got none");
  const NamedTensor& first = whole_.fields()[0];
  for (const NamedTensor& field : whole_.fields()) {
    const Shape& shape = field.tensor.shape();
    if (shape.rank == 0 || shape[0] != first.tensor.shape()[0]) {
      throw Error(Code::shape, "tensor_dataset",
                  {"all fields must have the same number of rows; ", first.name, " is ",
                   first.tensor.shape(), ", ", field.name, " is ", shape},
                  first.tensor.shape(), shape);
    }
  }
  size_ = first.tensor.shape()[0];
}

Example TensorDataset::get(int64_t i) const {
  check_rows({&i, 1}, size_, "tensor_dataset");
  std::vector<NamedTensor> fields;
  for (const auto& [name, tensor] : whole_.fields()) {
    fields.push_back({name, select(tensor, {.axis = 0, .index = i})});
  }
  return Example(std::move(fields));
}

Batch TensorDataset::batch(std::span<const int64_t> rows) const {
  check_rows(rows, size_, "tensor_dataset");
  const Tensor index = tensor(rows, {static_cast<int64_t>(rows.size())});
  std::vector<NamedTensor> fields;
  for (const auto& [name, tensor] : whole_.fields()) {
    fields.push_back({name, index_select(tensor, 0, index)});
  }
  return Batch(std::move(fields));
}

Subset::Subset(std::shared_ptr<const Dataset> dataset, std::vector<int64_t> rows)
    : dataset_(std::move(dataset)), rows_(std::move(rows)) {
  check_rows(rows_, dataset_->size(), "subset");
}

int64_t Subset::row(int64_t i) const {
  check_rows({&i, 1}, size(), "subset");
  return rows_[static_cast<size_t>(i)];
}

Example Subset::get(int64_t i) const { return dataset_->get(row(i)); }

Batch Subset::batch(std::span<const int64_t> rows) const {
  std::vector<int64_t> there;
  for (int64_t i : rows) there.push_back(row(i));
  return dataset_->batch(there);
}

RowSplit split_rows(int64_t size, double fraction, uint64_t seed) {
  if (!(fraction >= 0 && fraction < 1)) {
    throw Error(Code::value, "split", fmt::format("fraction must be in [0, 1), got {}", fraction),
                "[0, 1)", fraction);
  }
  const auto drawn = static_cast<int64_t>(std::llround(fraction * static_cast<double>(size)));
  const Permutation order(size, seed);
  RowSplit rows;
  for (int64_t i = 0; i < size; ++i)
    (i < drawn ? rows.validation : rows.training).push_back(order[i]);
  std::sort(rows.validation.begin(), rows.validation.end());
  std::sort(rows.training.begin(), rows.training.end());
  return rows;
}

DatasetSplit split(std::shared_ptr<const Dataset> dataset, double fraction, uint64_t seed) {
  RowSplit rows = split_rows(dataset->size(), fraction, seed);
  return {std::make_shared<Subset>(dataset, std::move(rows.training)),
          std::make_shared<Subset>(dataset, std::move(rows.validation))};
}

}  // namespace gyre
