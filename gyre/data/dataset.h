#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "gyre/io/named_tensor.h"

namespace gyre {

/// Tensors by name: of several examples that share the first axis, or of a single example.
class Batch {
 public:
  Batch() = default;
  /// Error{value} for a duplicate name and for an empty Tensor.
  explicit Batch(std::vector<NamedTensor> fields);

  /// The field with that name. Error{value}, suggesting a similar name.
  [[nodiscard]] const Tensor& operator[](std::string_view name) const;
  [[nodiscard]] std::span<const NamedTensor> fields() const { return fields_; }

 private:
  std::vector<NamedTensor> fields_;
};

/// The fields on a device; those that are there already as they are.
Batch on_device(const Batch& batch, Device device);

/// The fields of one example, without the batch axis.
using Example = Batch;

/// A map-style dataset: examples by index. Worker threads of a DataLoader call it concurrently.
class Dataset {
 public:
  Dataset() = default;
  Dataset(const Dataset&) = delete;
  Dataset& operator=(const Dataset&) = delete;
  virtual ~Dataset();

  [[nodiscard]] virtual int64_t size() const = 0;
  /// Example i in [0, size()). A dataset with random transforms (crops, noise) draws from
  /// default_generator(), which a DataLoader seeds by batch number.
  [[nodiscard]] virtual Example get(int64_t i) const = 0;
  /// The examples with these indices, in this order, stacked along a new first axis. Error{value}
  /// for no rows and for examples whose field names differ; Error{shape, dtype} of stack.
  [[nodiscard]] virtual Batch batch(std::span<const int64_t> rows) const;
};

/// Rows of tensors. get() returns views, batch() a copy.
class TensorDataset final : public Dataset {
 public:
  /// Error{value} for no fields; Error{shape} unless all have a first axis of equal length.
  explicit TensorDataset(std::vector<NamedTensor> fields);

  [[nodiscard]] int64_t size() const override { return size_; }
  /// Error{index} for an index out of range.
  [[nodiscard]] Example get(int64_t i) const override;
  /// One gather per field. Error{index}.
  [[nodiscard]] Batch batch(std::span<const int64_t> rows) const override;
  /// The whole tensor of a field. Error{value}.
  [[nodiscard]] const Tensor& operator[](std::string_view name) const { return whole_[name]; }
  [[nodiscard]] std::span<const NamedTensor> fields() const { return whole_.fields(); }

 private:
  Batch whole_;
  int64_t size_ = 0;
};

/// A subset of another dataset at the given indices, in that order.
class Subset final : public Dataset {
 public:
  /// Error{index} for a row out of range.
  Subset(std::shared_ptr<const Dataset> dataset, std::vector<int64_t> rows);

  [[nodiscard]] int64_t size() const override { return static_cast<int64_t>(rows_.size()); }
  /// Error{index}.
  [[nodiscard]] Example get(int64_t i) const override;
  /// Error{index}.
  [[nodiscard]] Batch batch(std::span<const int64_t> rows) const override;
  /// The indices of the examples in the whole dataset.
  [[nodiscard]] std::span<const int64_t> rows() const { return rows_; }

 private:
  [[nodiscard]] int64_t row(int64_t i) const;
  std::shared_ptr<const Dataset> dataset_;
  std::vector<int64_t> rows_;
};

/// Indices of training and validation examples.
struct RowSplit {
  std::vector<int64_t> training, validation;
};
/// Random split: draws `fraction` of `size` examples (rounded) for validation; both parts keep the
/// original order. Error{value} for a fraction outside [0, 1).
RowSplit split_rows(int64_t size, double fraction, uint64_t seed);

/// A dataset split in two.
struct DatasetSplit {
  std::shared_ptr<const Subset> training, validation;
};
/// Splits a dataset by split_rows(), with its errors.
DatasetSplit split(std::shared_ptr<const Dataset> dataset, double fraction, uint64_t seed);

}  // namespace gyre
