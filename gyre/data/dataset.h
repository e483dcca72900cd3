#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "gyre/io/named_tensor.h"

namespace gyre {

/// Tensors by name: of several examples, all with the same first axis, or of a single one.
class Batch {
 public:
  Batch() = default;
  /// Error{value} for a name that comes twice and for an empty Tensor.
  explicit Batch(std::vector<NamedTensor> fields);

  /// The field of that name. Error{value}, with the name that is like it.
  [[nodiscard]] const Tensor& operator[](std::string_view name) const;
  [[nodiscard]] std::span<const NamedTensor> fields() const { return fields_; }

 private:
  std::vector<NamedTensor> fields_;
};

/// The fields of one example, which lack the first axis.
using Example = Batch;

/// Examples by number. A DataLoader's threads ask for several at the same time.
class Dataset {
 public:
  Dataset() = default;
  Dataset(const Dataset&) = delete;
  Dataset& operator=(const Dataset&) = delete;
  virtual ~Dataset();

  [[nodiscard]] virtual int64_t size() const = 0;
  /// Example i of [0, size()). A dataset that draws (crops, noise) does so from
  /// default_generator(), which a DataLoader sets by the number of the batch.
  [[nodiscard]] virtual Example get(int64_t i) const = 0;
  /// The examples of these numbers, in this order, stacked along a new first axis. Error{value}
  /// for no rows and for examples whose fields differ in name; Error{shape, dtype} of stack.
  [[nodiscard]] virtual Batch batch(std::span<const int64_t> rows) const;
};

/// Rows of tensors. What get() gives shares their memory, a batch is a copy.
class TensorDataset final : public Dataset {
 public:
  /// Error{value} for no field; Error{shape} unless all have a first axis, of equal length.
  explicit TensorDataset(std::vector<NamedTensor> fields);

  [[nodiscard]] int64_t size() const override { return size_; }
  /// Error{index}.
  [[nodiscard]] Example get(int64_t i) const override;
  /// One gather a field. Error{index}.
  [[nodiscard]] Batch batch(std::span<const int64_t> rows) const override;
  /// The whole tensor of that name. Error{value}.
  [[nodiscard]] const Tensor& operator[](std::string_view name) const { return whole_[name]; }
  [[nodiscard]] std::span<const NamedTensor> fields() const { return whole_.fields(); }

 private:
  Batch whole_;
  int64_t size_ = 0;
};

/// Some examples of another dataset, in the order given.
class Subset final : public Dataset {
 public:
  /// Error{index} for a row that the dataset has not.
  Subset(std::shared_ptr<const Dataset> dataset, std::vector<int64_t> rows);

  [[nodiscard]] int64_t size() const override { return static_cast<int64_t>(rows_.size()); }
  /// Error{index}.
  [[nodiscard]] Example get(int64_t i) const override;
  /// Error{index}.
  [[nodiscard]] Batch batch(std::span<const int64_t> rows) const override;
  /// The numbers of the examples in the whole dataset.
  [[nodiscard]] std::span<const int64_t> rows() const { return rows_; }

 private:
  [[nodiscard]] int64_t row(int64_t i) const;
  std::shared_ptr<const Dataset> dataset_;
  std::vector<int64_t> rows_;
};

/// Numbers of examples, cut in two.
struct RowSplit {
  std::vector<int64_t> training, validation;
};
/// Draws `fraction` of `size` examples (rounded to whole ones) for validation; both parts keep the
/// order. Error{value} for a fraction outside [0, 1).
RowSplit split_rows(int64_t size, double fraction, uint64_t seed);

/// A dataset cut in two.
struct DatasetSplit {
  std::shared_ptr<const Subset> training, validation;
};
/// The examples of split_rows(). Errors: its.
DatasetSplit split(std::shared_ptr<const Dataset> dataset, double fraction, uint64_t seed);

}  // namespace gyre
