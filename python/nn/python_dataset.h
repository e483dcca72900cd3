#pragma once
#include <atomic>
#include <cstdint>

#include "gyre/data/dataset.h"
#include "python/core/garbage.h"

namespace gyre::python {

/// The Python format of examples and batches.
enum class BatchForm : uint8_t { dict, tuple, single };

/// dataset[i]; an exception of it gets a note with i (Python 3.11). Needs the GIL.
nb::object example_of(const nb::object& dataset, const nb::object& i);

/// A dataset over any object with __len__ and __getitem__. An example is a dict of arrays, a tuple
/// of arrays (fields "0", "1", ...) or a single array. Python exceptions are passed on unchanged.
class PythonDataset final : public Dataset, public HoldsPython {
 public:
  /// Needs the GIL; the other methods acquire it.
  explicit PythonDataset(nb::object examples) : examples_(std::move(examples)) {}
  int64_t size() const override;
  Example get(int64_t i) const override;
  /// Format of the examples read so far; dict before any.
  BatchForm form() const { return form_; }
  int traverse(visitproc visit, void* arg) const override {
    return python::traverse(examples_, visit, arg);
  }

 private:
  HeldObject examples_;
  mutable std::atomic<BatchForm> form_{BatchForm::dict};
};

/// The content of a gyre.data.Dataset; empty if a Python subclass defines the examples.
struct DatasetObject {
  std::shared_ptr<const Dataset> data;
  BatchForm form = BatchForm::dict;
  std::shared_ptr<const PythonDataset> python{};  ///< the Python object behind `data`, if any
  [[nodiscard]] BatchForm batch_form() const { return python ? python->form() : form; }
};

/// The dataset of any object: that of a gyre.data.Dataset, unless its class overrides __len__ or
/// __getitem__; otherwise a PythonDataset.
DatasetObject dataset_of(const nb::object& o);
/// A batch or an example in its Python format.
nb::object batch_object(const Batch& batch, BatchForm form);

}  // namespace gyre::python
