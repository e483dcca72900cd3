#pragma once
#include <atomic>
#include <cstdint>

#include "gyre/data/dataset.h"
#include "python/core/held_object.h"

namespace gyre::python {

/// How examples and batches look in Python.
enum class BatchForm : uint8_t { dict, tuple, single };

/// Any object with __len__ and __getitem__ as a dataset. An example is a dict of arrays, a tuple of
/// them (fields "0", "1", ...) or one array. What Python raises comes out as it is.
class PythonDataset final : public Dataset {
 public:
  /// Needs the interpreter's lock, which the others take themselves.
  explicit PythonDataset(nb::object examples) : examples_(std::move(examples)) {}
  int64_t size() const override;
  Example get(int64_t i) const override;
  /// Of the examples that were asked for; that of dicts before the first.
  BatchForm form() const { return form_; }

 private:
  HeldObject examples_;
  mutable std::atomic<BatchForm> form_{BatchForm::dict};
};

/// What gyre.data.Dataset holds; nothing where a class of Python defines its own.
struct DatasetObject {
  std::shared_ptr<const Dataset> data;
  BatchForm form = BatchForm::dict;
  std::shared_ptr<const PythonDataset> python{};  ///< behind `data`, if there is one
  [[nodiscard]] BatchForm batch_form() const { return python ? python->form() : form; }
};

/// A dataset of any object: that which a gyre.data.Dataset holds, unless its class defines other
/// examples or another length; else a PythonDataset.
DatasetObject dataset_of(const nb::object& o);
/// A batch or an example as Python sees it.
nb::object batch_object(const Batch& batch, BatchForm form);

}  // namespace gyre::python
