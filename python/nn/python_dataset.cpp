#include "python/nn/python_dataset.h"

#include <string>
#include <vector>

#include "gyre/base/error.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/shape/shape.h"
#include "python/core/convert.h"

namespace gyre::python {
namespace {

// Converts to a tensor; Python numbers get a fixed dtype, since weak dtypes adapt to others.
Tensor field_of(nb::handle value) {
  Tensor t = tensor_of(value.ptr());
  if (t.meta().weak) t = to(t, is_floating(t.dtype()) ? DType::f32 : t.dtype());
  return t;
}

// Whether the object's class uses the built-in examples; Python subclasses may override them.
bool shows_what_it_holds(const nb::object& o) {
  const nb::handle type = o.type(), base = nb::type<DatasetObject>();
  return type.attr("__getitem__").is(base.attr("__getitem__")) &&
         type.attr("__len__").is(base.attr("__len__"));
}

}  // namespace

nb::object example_of(const nb::object& dataset, const nb::object& i) {
  try {
    return dataset[i];
  } catch (const nb::python_error& error) {
    if (nb::hasattr(error.value(), "add_note"))
      error.value().attr("add_note")(nb::str("dataset[{}]").format(i));
    throw;
  }
}

int64_t PythonDataset::size() const {
  nb::gil_scoped_acquire lock;
  return static_cast<int64_t>(nb::len(*examples_));
}

Example PythonDataset::get(int64_t i) const {
  nb::gil_scoped_acquire lock;
  nb::object example = example_of(*examples_, nb::int_(i));
  std::vector<NamedTensor> fields;
  if (nb::isinstance<nb::dict>(example)) {
    for (const auto& [name, value] : nb::borrow<nb::dict>(example)) {
      fields.push_back(
          {argument_as<std::string>(name, "dataset", "str keys in an example"), field_of(value)});
    }
    form_ = BatchForm::dict;
  } else if (nb::isinstance<nb::tuple>(example)) {
    for (nb::handle value : nb::borrow<nb::tuple>(example)) {
      fields.push_back({std::to_string(fields.size()), field_of(value)});
    }
    form_ = BatchForm::tuple;
  } else {
    fields.push_back({"0", field_of(example)});
    form_ = BatchForm::single;
  }
  return Example(std::move(fields));
}

DatasetObject dataset_of(const nb::object& o) {
  if (nb::isinstance<DatasetObject>(o) && nb::inst_ready(o)) {
    const auto& held = *nb::inst_ptr<DatasetObject>(o);
    if (held.data && shows_what_it_holds(o)) return held;
  }
  if (!nb::hasattr(o, "__len__") || !nb::hasattr(o, "__getitem__")) {
    wrong_type(std::string("expected a dataset with __len__ and __getitem__, got ") +
               Py_TYPE(o.ptr())->tp_name);
  }
  auto python = std::make_shared<PythonDataset>(o);
  return {python, BatchForm::dict, python};
}

nb::object batch_object(const Batch& batch, BatchForm form) {
  if (form == BatchForm::dict) {
    nb::dict fields;
    for (const NamedTensor& f : batch.fields()) fields[f.name.c_str()] = tensor_object(f.tensor);
    return fields;
  }
  if (form == BatchForm::single) return tensor_object(batch.fields()[0].tensor);
  nb::list fields;
  for (const NamedTensor& f : batch.fields()) fields.append(tensor_object(f.tensor));
  return nb::tuple(fields);
}

}  // namespace gyre::python
