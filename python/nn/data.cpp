#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "gyre/base/error.h"
#include "gyre/data/data_loader.h"
#include "python/core/named_tensors.h"
#include "python/core/patient_lock.h"
#include "python/core/records.h"
#include "python/module.h"
#include "python/nn/python_dataset.h"

// Datasets and data loaders.

namespace gyre::python {
namespace {

using namespace nb::literals;

// ---- datasets ----

nb::object example_at(const DatasetObject& o, int64_t i) {
  if (!o.data) wrong_type("the dataset class does not define __getitem__");
  int64_t size = o.data->size();
  if (i < -size || i >= size) {
    throw Error(Code::index, "dataset", {"no example ", i, " in a dataset of size ", size},
                {"below ", size}, i);
  }
  Example example = o.data->get(i < 0 ? i + size : i);
  return batch_object(example, o.batch_form());
}

nb::object batch_of(const nb::object& self, const std::vector<int64_t>& rows) {
  DatasetObject o = dataset_of(self);
  Batch batch = o.data->batch(rows);
  return batch_object(batch, o.batch_form());
}

nb::object split_in_two(const nb::object& dataset, double fraction, uint64_t seed) {
  DatasetObject o = dataset_of(dataset);
  DatasetSplit parts = split(o.data, fraction, seed);
  return nb::make_tuple(DatasetObject{parts.training, o.form, o.python},
                        DatasetObject{parts.validation, o.form, o.python});
}

void add_datasets(nb::module_& m) {
  nb::class_<DatasetObject>(m, "Dataset",
                            "A map-style dataset: len(dataset) and dataset[i], which is a dict of "
                            "tensors, a tuple of tensors or a tensor. Subclasses define __len__ "
                            "and __getitem__; other classes with these methods work too.")
      .def(nb::init<>())
      .def("__init__",
           [](DatasetObject* self, const nb::dict& fields, bool tuples) {
             new (self) DatasetObject{std::make_shared<TensorDataset>(tensors_by_name(fields)),
                                      tuples ? BatchForm::tuple : BatchForm::dict};
           })
      .def("__len__",
           [](const DatasetObject& o) {
             if (!o.data) wrong_type("the dataset class does not define __len__");
             return o.data->size();
           })
      .def("__getitem__", example_at)
      .def("batch", batch_of, "rows"_a, "Stacks the examples with these indices.");
  m.def("split", split_in_two, "dataset"_a, "fraction"_a, "seed"_a = 0,
        "Random split into (training, validation): `fraction` of the examples go to validation. "
        "Both parts keep the order of the dataset.");
}

// ---- batches ----

struct LoaderObject {
  LoaderObject(DatasetObject data, std::unique_ptr<DataLoader> made)
      : dataset(std::move(data)), loader(std::move(made)) {}
  ~LoaderObject() {
    nb::gil_scoped_release release;  // waits for its threads
    loader.reset();
  }
  DatasetObject dataset;
  std::unique_ptr<DataLoader> loader;
  OwnedByProcess<std::recursive_mutex> mutex{};  // serialises calls from several threads
};

int traverse(const LoaderObject& o, visitproc visit, void* arg) {
  constexpr int kOwn = 3;  // dataset.data, dataset.python and that of the loader
  const std::shared_ptr<const PythonDataset>& python = o.dataset.python;
  return python && python.use_count() == kOwn ? python->traverse(visit, arg) : 0;
}
void keep_dataset(LoaderObject&) {}  // a cycle through a dataset breaks elsewhere

std::unique_ptr<DataLoader> new_loader(const DatasetObject& dataset, const LoaderOptions& options) {
  if (dataset.python && options.num_workers > 0) {
    throw Error(
        Code::value, "data_loader",
        "worker threads need a dataset of gyre, but this one is a Python class; use num_workers=0",
        "num_workers=0", options.num_workers);
  }
  return std::make_unique<DataLoader>(dataset.data, options);
}

nb::object batch_from(LoaderObject& o, auto make) {
  auto lock = patient_lock<std::unique_lock>(o.mutex.here());
  const Batch batch = unlocked([&] { return make(*o.loader); });
  return batch_object(batch, o.dataset.batch_form());
}

void add_loader(nb::module_& m) {
  m.attr("loader_options") = fields_of(record_of<LoaderOptions>);
  nb::class_<LoaderObject>(m, "DataLoader",
                           nb::type_slots(collected_slots<LoaderObject, traverse, keep_dataset>()))
      .def("__init__",
           [](LoaderObject* self, const nb::object& dataset, const nb::dict& options) {
             DatasetObject data = dataset_of(dataset);
             auto loader = new_loader(data, options_as<LoaderOptions>(options));
             new (self) LoaderObject(std::move(data), std::move(loader));
           })
      .def_prop_ro("options",
                   [](const LoaderObject& o) {
                     return values_of(record_of<LoaderOptions>, &o.loader->options());
                   })
      .def("__len__", [](const LoaderObject& o) { return o.loader->batches_per_epoch(); })
      .def(
          "next",
          [](LoaderObject& o) { return batch_from(o, [](DataLoader& l) { return l.next(); }); },
          "The next batch; advances the cursor, across epochs.")
      .def(
          "at",
          [](LoaderObject& o, int64_t number) {
            return batch_from(o, [number](const DataLoader& l) { return l.at(number); });
          },
          "number"_a, "Batch `number`; does not move the cursor.")
      .def(
          "rows", [](const LoaderObject& o, int64_t number) { return o.loader->rows(number); },
          "number"_a, "Indices of the examples in batch `number`.")
      .def_prop_rw(
          "cursor", [](const LoaderObject& o) { return o.loader->cursor(); },
          [](LoaderObject& o, int64_t number) {
            auto lock = patient_lock<std::unique_lock>(o.mutex.here());
            nb::gil_scoped_release release;
            o.loader->seek(number);
          },
          "number of the next batch, counted over all epochs; sufficient to resume");
}

}  // namespace

void add_data(nb::module_ m) {
  add_datasets(m);
  add_loader(m);
  add_data_files(m);
}

}  // namespace gyre::python
