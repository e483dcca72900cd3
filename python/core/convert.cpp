#include "python/core/convert.h"

#include <nanobind/stl/vector.h>

#include <string>
#include <utility>

#include "gyre/ops/create/create.h"
#include "gyre/tensor/dlpack.h"
#include "python/core/dtypes.h"
#include "python/core/nested_lists.h"

namespace gyre::python {

PyTypeObject* tensor_type = nullptr;

PyObject* new_tensor(Tensor t) {
  if (!t.defined()) Py_RETURN_NONE;
  nb::object o = nb::inst_alloc(nb::handle(reinterpret_cast<PyObject*>(tensor_type)));
  new (nb::inst_ptr<Tensor>(o)) Tensor(std::move(t));
  nb::inst_mark_ready(o);
  return o.release().ptr();
}

PyObject* new_tensors(Inputs tensors, bool always_tuple) {
  if (tensors.size() == 1 && !always_tuple) return new_tensor(tensors[0]);
  auto item = [&](size_t i) { return new_tensor(tensors[i]); };
  return new_tuple(tensors.size(), item).release().ptr();
}

namespace {

// ---- the buffer protocol ----

void release_buffer(void* owner) noexcept {
  if (!Py_IsInitialized()) return;
  nb::gil_scoped_acquire gil;
  auto* buffer = static_cast<Py_buffer*>(owner);
  PyBuffer_Release(buffer);
  delete buffer;
}

// Rethrows the pending error of an exporter that cannot export its elements as a gyre error.
[[noreturn]] void refuse_elements() {
  nb::python_error theirs;
  throw Error(Code::dtype, "tensor", nb::cast<std::string>(nb::str(theirs.value())));
}

struct Buffer {
  Py_buffer* view = new Py_buffer{};
  bool taken = false;
  bool get(PyObject* o, int flags) {
    taken = PyObject_GetBuffer(o, view, flags) == 0;
    return taken;
  }
  ~Buffer() {
    if (taken) PyBuffer_Release(view);
    delete view;
  }
  // "dtype uint16" of an array, else "elements (struct format 'H')", as Python's struct says.
  std::string elements() const {
    if (PyObject_HasAttrString(view->obj, "dtype")) {
      const nb::object dtype = nb::handle(view->obj).attr("dtype");
      return std::string("dtype ") + nb::str(dtype).c_str();
    }
    return std::string("elements (struct format '") + (view->format ? view->format : "B") + "')";
  }
  Meta meta() const {
    Meta m;
    if (!dtype_of_format(view->format ? view->format : "B", view->itemsize, m.dtype)) {
      throw Error(Code::dtype, "tensor",
                  {"unsupported ", elements(), "; convert the array to a dtype of gyre first"});
    }
    for (int i = 0; i < view->ndim; ++i) m.shape.push_back(view->shape[i]);
    return m;
  }
};

Tensor share_buffer(PyObject* o) {
  Buffer buffer;
  if (!buffer.get(o, PyBUF_RECORDS)) {
    PyErr_Clear();
    if (!buffer.get(o, PyBUF_RECORDS_RO)) refuse_elements();
    throw Error(Code::value, "share",
                "the memory is read-only and must not be written; use gyre.tensor() to copy it");
  }
  Meta meta = buffer.meta();
  Shape strides;
  for (int i = 0; i < meta.shape.rank; ++i) {
    int64_t stride = buffer.view->strides[i];
    if ((stride < 0 && meta.shape[i] > 1) || stride % buffer.view->itemsize) {
      throw Error(Code::value, "share",
                  "the strides are negative or not a multiple of the element size; use "
                  "gyre.tensor() to copy it");
    }
    strides.push_back(stride < 0 ? 0 : stride / buffer.view->itemsize);
  }
  Tensor t = borrow(buffer.view->buf, meta, strides, buffer.view, release_buffer);
  buffer.view = nullptr;
  buffer.taken = false;
  return t;
}

Tensor copy_buffer(PyObject* o) {
  Buffer buffer;
  if (!buffer.get(o, PyBUF_RECORDS_RO)) refuse_elements();
  Tensor t = empty(buffer.meta());
  if (PyBuffer_ToContiguous(t.bytes(), buffer.view, buffer.view->len, 'C')) {
    throw nb::python_error();
  }
  return t;
}

// ---- DLPack ----

nb::object capsule_of(PyObject* o) {
  nb::object ask = nb::borrow(o).attr("__dlpack__");
  try {
    return ask(nb::arg("max_version") = nb::make_tuple(1, 0));
  } catch (nb::python_error& e) {
    const nb::object recorded = nb::getattr(o, "requires_grad", nb::none());
    if (e.matches(PyExc_BufferError) && recorded.is(nb::bool_(true))) {
      throw Error(Code::value, "from_dlpack",
                  "the tensor requires grad; call gyre.torch.NAME, which records gradients, or "
                  "detach() it");
    }
    if (!e.matches(PyExc_TypeError)) throw;
  }
  return ask();
}

template <class M>
Tensor open_capsule(const nb::object& capsule, const char* name, const char* used) {
  Tensor t = from_dlpack(static_cast<M*>(PyCapsule_GetPointer(capsule.ptr(), name)));
  PyCapsule_SetName(capsule.ptr(), used);
  return t;
}

// Other devices are refused before the export, which could wait for the device.
void check_device(PyObject* o) {
  constexpr int kHost = 1;
  if (!PyObject_HasAttrString(o, "__dlpack_device__")) return;
  nb::object device = nb::borrow(o).attr("__dlpack_device__")();
  int64_t kind = integer_of(nb::object(device[0]).ptr());
  if (kind == kHost) return;
  throw Error(
      Code::unavailable, "from_dlpack",
      {"expected host memory, got DLPack device type ", kind, "; move it to the host first"}, kHost,
      kind);
}

// PyTorch stores the sign of negative views outside the memory, and DLPack does not export it.
void check_signs(PyObject* o) {
  if (!PyObject_HasAttrString(o, "is_neg")) return;
  if (!nb::object(nb::borrow(o).attr("is_neg")()).is(Py_True)) return;
  throw Error(Code::value, "from_dlpack",
              "the tensor is a negative view; use resolve_neg() to get a copy that can be shared");
}

Tensor share_dlpack(PyObject* o) {
  check_device(o);
  check_signs(o);
  nb::object capsule = capsule_of(o);
  if (PyCapsule_IsValid(capsule.ptr(), "dltensor")) {
    return open_capsule<dlpack::Managed>(capsule, "dltensor", "used_dltensor");
  }
  if (PyCapsule_IsValid(capsule.ptr(), "dltensor_versioned")) {
    return open_capsule<dlpack::VersionedManaged>(capsule, "dltensor_versioned",
                                                  "used_dltensor_versioned");
  }
  wrong_type("__dlpack__: expected a DLPack capsule");
}

// ---- either ----

bool has_buffer(PyObject* o) {
  return PyObject_CheckBuffer(o) && !PyBytes_Check(o) && !PyByteArray_Check(o);
}
// A class has it as well, for its instances.
bool has_dlpack(PyObject* o) { return !PyType_Check(o) && PyObject_HasAttrString(o, "__dlpack__"); }

Tensor share_or_copy(PyObject* o) {
  try {
    return share(o);
  } catch (const Error& e) {
    if (e.code != Code::value || !has_buffer(o)) throw;
  }
  return copy_buffer(o);
}

}  // namespace

Tensor share(PyObject* o) {
  if (const Tensor* t = as_tensor(o)) return *t;
  if (has_buffer(o)) return share_buffer(o);
  if (has_dlpack(o)) return share_dlpack(o);
  wrong_type(std::string("expected an array, got ") + Py_TYPE(o)->tp_name);
}

bool is_array(PyObject* o) { return as_tensor(o) || has_buffer(o) || has_dlpack(o); }

Tensor tensor_of(PyObject* o, DType floats) {
  if (const Tensor* t = as_tensor(o)) return *t;
  if (PyFloat_Check(o)) return Tensor(PyFloat_AS_DOUBLE(o));
  if (PyBool_Check(o)) return Tensor(o == Py_True);
  if (PyLong_Check(o)) return literal_of(wide_integer_of(o));
  if (is_list(o)) return from_lists(o, floats);
  if (PyRange_Check(o)) return from_lists(nb::steal(PySequence_List(o)).ptr(), floats);
  if (has_buffer(o) || has_dlpack(o)) return share_or_copy(o);
  const char* is_class = PyType_Check(o) ? "the class " : "";
  const char* type = *is_class ? reinterpret_cast<PyTypeObject*>(o)->tp_name : Py_TYPE(o)->tp_name;
  wrong_type(
      {"expected a tensor, an array, a number or nested lists of numbers, got ", is_class, type});
}

DType floats_beside(const Tensor& t) {
  const bool wide = t.defined() && t.dtype() == DType::f64 && !t.meta().weak;
  return wide ? DType::f64 : DType::f32;
}

Tensors tensors_together(std::span<PyObject* const> args, FunctionRef<Tensor(size_t, DType)> of,
                         DType floats) {
  Tensors all;
  all.resize(args.size());
  const auto is_listed = [&](size_t i) { return args[i] && is_list(args[i]); };
  const auto take = [&](bool lists) {
    const DType before = floats;
    for (size_t i = 0; i < args.size(); ++i) {
      if (is_listed(i) != lists) continue;
      all[i] = of(i, floats);
      if (floats_beside(all[i]) == DType::f64) floats = DType::f64;
    }
    return floats != before;
  };
  take(false);
  if (take(true)) take(true);  // again for lists converted before an f64 list
  return all;
}

Tensor tensor_or_none(PyObject* o, DType floats) {
  return o == Py_None ? Tensor() : tensor_of(o, floats);
}

Tensors tensors_of(PyObject* o, Inputs beside) {
  if (o == Py_None || PyFloat_Check(o) || PyLong_Check(o) || is_array(o)) {
    return {tensor_or_none(o)};
  }
  Tensors list;
  for (nb::handle item : nb::iter(nb::handle(o))) {
    const size_t i = list.size();
    const DType floats = i < beside.size() ? floats_beside(beside[i]) : DType::f32;
    list.push_back(tensor_or_none(item.ptr(), floats));
  }
  return list;
}

// ---- numbers and shapes ----

int64_t integer_of(PyObject* o) {
  nb::object index = nb::steal(PyNumber_Index(o));
  int64_t value = index.is_valid() ? PyLong_AsLongLong(index.ptr()) : -1;
  if (value == -1 && PyErr_Occurred()) throw nb::python_error();
  return value;
}

__int128 wide_integer_of(PyObject* o) {
  const nb::object index = nb::steal(PyNumber_Index(o));
  if (!index.is_valid()) throw nb::python_error();
  int overflow = 0;
  const int64_t value = PyLong_AsLongLongAndOverflow(index.ptr(), &overflow);
  if (overflow == 0) return value;
  // without a sign: what is negative is too low
  const uint64_t above = PyLong_AsUnsignedLongLong(index.ptr());
  if (PyErr_Occurred()) throw nb::python_error();
  return above;
}

Tensor literal_of(__int128 value) {
  return value < 0 ? Tensor(static_cast<int64_t>(value)) : Tensor(static_cast<uint64_t>(value));
}

std::vector<int32_t> token_ids(nb::handle ids, const char* name) {
  constexpr const char* kWanted = "integers of 32 bits";
  if (PyList_Check(ids.ptr()) || PyTuple_Check(ids.ptr())) {
    return argument_as<std::vector<int32_t>>(ids, name, kWanted);
  }
  const Tensor given = tensor_of(ids.ptr());
  if (is_floating(given.dtype())) {
    wrong_type({name, ": expected ", kWanted, ", got ", given.dtype()});
  }
  std::vector<int32_t> list;
  for (const int64_t id : to_vector<int64_t>(given)) {
    const bool above = given.dtype() == DType::u64 && id < 0;
    if (above || !std::in_range<int32_t>(id)) {
      const std::string text =
          above ? std::to_string(static_cast<uint64_t>(id)) : std::to_string(id);
      throw Error(Code::value, name, {text, " does not fit i32"});
    }
    list.push_back(static_cast<int32_t>(id));
  }
  return list;
}

Shape shape_from(PyObject* o) {
  Shape s;
  if (PyIndex_Check(o)) {
    s.push_back(integer_of(o));
    return s;
  }
  nb::object items = is_list(o)
                         ? items_of(o)
                         : nb::steal(PySequence_Fast(o, "expected an int or a sequence of ints"));
  if (!items.is_valid()) throw nb::python_error();
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(items.ptr()); ++i) {
    nb::object item = nb::borrow(PySequence_Fast_GET_ITEM(items.ptr(), i));
    s.push_back(integer_of(item.ptr()));
  }
  return s;
}

PyObject* shape_object(const Shape& s) {
  auto item = [&](size_t i) { return PyLong_FromLongLong(s[static_cast<int>(i)]); };
  return new_tuple(static_cast<size_t>(s.rank), item).release().ptr();
}

int64_t elements_of(Inputs in) {
  int64_t elements = in.empty() ? INT64_MAX : 0;
  for (const Tensor& t : in) elements += t.defined() ? t.numel() : 0;
  return elements;
}

}  // namespace gyre::python
