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
  const Batch batch = unlocked([&] { return o.data->batch(rows); });
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
  m.def("_batch", batch_of);
  m.def("_example", example_of);
}

// ---- batches ----

// Iterators of gyre.data load examples of Python in threads of their own.
std::unique_ptr<DataLoader> new_loader(const DatasetObject& dataset, LoaderOptions options) {
  check_record("data_loader", options);
  if (dataset.python) options.num_workers = 0;
  return std::make_unique<DataLoader>(dataset.data, options);
}

struct LoaderObject {
  LoaderObject(DatasetObject data, const LoaderOptions& given)
      : dataset(std::move(data)), options(given), loader(new_loader(dataset, given)) {}
  ~LoaderObject() {
    nb::gil_scoped_release release;  // waits for its threads
    loader.reset();
  }
  DatasetObject dataset;
  LoaderOptions options;
  std::unique_ptr<DataLoader> loader;
  OwnedByProcess<std::recursive_mutex> mutex{};  // serialises calls from several threads
};

int traverse(const LoaderObject& o, visitproc visit, void* arg) {
  constexpr int kOwn = 3;  // dataset.data, dataset.python and that of the loader
  const std::shared_ptr<const PythonDataset>& python = o.dataset.python;
  return python && python.use_count() == kOwn ? python->traverse(visit, arg) : 0;
}
void keep_dataset(LoaderObject&) {}  // a cycle through a dataset breaks elsewhere

nb::object next_batch(LoaderObject& o) {
  auto lock = patient_lock<std::unique_lock>(o.mutex.here());
  const Batch batch = unlocked([&] { return o.loader->next(); });
  return batch_object(batch, o.dataset.batch_form());
}

nb::object batch_at(const LoaderObject& o, int64_t number) {
  const Batch batch = unlocked([&] { return o.loader->at(number); });
  return batch_object(batch, o.dataset.batch_form());
}

void add_loader(nb::module_& m) {
  m.attr("loader_options") = fields_of(record_of<LoaderOptions>);
  nb::class_<LoaderObject>(m, "DataLoader",
                           nb::type_slots(collected_slots<LoaderObject, traverse, keep_dataset>()))
      .def("__init__",
           [](LoaderObject* self, const nb::object& dataset, const nb::dict& options) {
             DatasetObject data = dataset_of(dataset);
             new (self) LoaderObject(std::move(data), options_as<LoaderOptions>(options));
           })
      .def_prop_ro(
          "options",
          [](const LoaderObject& o) { return values_of(record_of<LoaderOptions>, &o.options); })
      .def_prop_ro("_in_python", [](const LoaderObject& o) { return o.dataset.python != nullptr; })
      .def("__len__", [](const LoaderObject& o) { return o.loader->batches_per_epoch(); })
      .def("next", next_batch, "The next batch; advances the cursor, across epochs.")
      .def("at", batch_at, "number"_a, "Batch `number`; does not move the cursor.")
      .def("_take",  // the number of the next batch; advances the cursor
           [](LoaderObject& o) {
             auto lock = patient_lock<std::unique_lock>(o.mutex.here());
             const int64_t number = o.loader->cursor();
             o.loader->seek(number + 1);
             return number;
           })
      .def("_drawing",  // batch `number`, from a function that makes it
           [](const LoaderObject& o, int64_t number, const nb::object& make) {
             const GeneratorScope own(o.loader->generator_of(number));
             return make();
           })
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
