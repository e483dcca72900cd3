#include "gyre/ops/shape/shape.h"
#include "gyre/tensor/dlpack.h"
#include "gyre/tensor/kind.h"
#include "python/core/convert.h"
#include "python/core/dtypes.h"
#include "python/tensor/tensor_class.h"

#include <nanobind/stl/pair.h>

// Sharing memory with other libraries: the buffer protocol, DLPack.

namespace gyre::python {
namespace {

using namespace nb::literals;

constexpr int kHostKind = 1;  // kDLCPU
constexpr const char* kUnset = "the tensor is undefined: its __init__ was not called";
constexpr const char* kTracked =
    "the tensor is tracked by autograd and cannot be shared; use detach() first";
constexpr const char* kNoFormat = "bf16 has no NumPy format; use to(dtype=gyre.f32) first";

// Owned by an exported buffer until it is released.
struct ExportedBuffer {
  Tensor tensor;
  Py_ssize_t shape[kMaxRank], strides[kMaxRank];
};

// Whether the layout satisfies the consumer's flags.
bool fits(const Tensor& t, int flags) {
  const auto asks = [&](int flag) { return (flags & flag) == flag; };
  bool by_rows = t.is_contiguous(), by_columns = false;
  if (!by_rows) {
    Shape shape, strides;
    for (int i = t.rank(); i-- > 0;) {
      shape.push_back(t.shape()[i]);
      strides.push_back(t.strides()[i]);
    }
    by_columns = is_contiguous(shape, strides);
  } else {
    by_columns = t.rank() < 2;
  }
  if (asks(PyBUF_C_CONTIGUOUS)) return by_rows;
  if (asks(PyBUF_F_CONTIGUOUS)) return by_columns;
  if (asks(PyBUF_ANY_CONTIGUOUS)) return by_rows || by_columns;
  return by_rows || asks(PyBUF_STRIDES);
}

// Why t cannot export a buffer, or "".
std::string no_buffer(const Tensor& t, int flags) {
  if (!t.defined()) return kUnset;
  if (!t.readable()) return why_unreadable(t);
  if (!format_of(t.dtype())) return kNoFormat;
  if (t.tracked()) return kTracked;
  return fits(t, flags) ? ""
                        : "the elements are not in the memory order that was requested; use "
                          "contiguous() first";
}

// ---- the buffer protocol: NumPy sees the same memory ----

int get_buffer(PyObject* self, Py_buffer* view, int flags) {
  view->obj = nullptr;
  const Tensor& t = *as_tensor(self);
  ExportedBuffer* e = nullptr;
  try {
    if (std::string why = no_buffer(t, flags); !why.empty()) {
      PyErr_SetString(PyExc_BufferError, why.c_str());
      return -1;
    }
    e = new ExportedBuffer{t.detach(), {}, {}};
  } catch (const std::exception&) {  // only std::bad_alloc is possible
    PyErr_NoMemory();
    return -1;
  }
  auto bytes = static_cast<Py_ssize_t>(size_of(t.dtype()));
  for (int i = 0; i < t.rank(); ++i) {
    e->shape[i] = t.shape()[i];
    e->strides[i] = t.strides()[i] * bytes;
  }
  *view = {t.bytes(),
           Py_NewRef(self),
           t.numel() * bytes,
           bytes,
           0,
           t.rank(),
           flags & PyBUF_FORMAT ? const_cast<char*>(format_of(t.dtype())) : nullptr,
           (flags & PyBUF_ND) ? e->shape : nullptr,
           (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? e->strides : nullptr,
           nullptr,
           e};
  return 0;
}

void release_buffer(PyObject*, Py_buffer* view) {
  delete static_cast<ExportedBuffer*>(view->internal);
}

// ---- DLPack ----

template <class M>
nb::object capsule(M* managed, const char* name) {
  nb::object c = nb::steal(PyCapsule_New(managed, name, [](PyObject* unused) {
    // a consumed capsule has another name
    const char* its = PyCapsule_GetName(unused);
    constexpr bool kVersioned = std::is_same_v<M, dlpack::VersionedManaged>;
    if (std::string_view(its) != (kVersioned ? "dltensor_versioned" : "dltensor")) return;
    auto* m = static_cast<M*>(PyCapsule_GetPointer(unused, its));
    m->release(m);
  }));
  if (!c.is_valid()) managed->release(managed);
  return c;
}

[[noreturn]] void refuse_export(const char* why) {
  PyErr_SetString(PyExc_BufferError, why);
  throw nb::python_error();
}

nb::object to_capsule(const Tensor& t, const nb::object& max_version) {
  if (t.tracked()) refuse_export(kTracked);
  bool versioned =
      !max_version.is_none() &&
      argument_as<std::pair<int, int>>(max_version, "max_version", "a pair of ints").first >= 1;
  return versioned ? capsule(to_dlpack_versioned(t), "dltensor_versioned")
                   : capsule(to_dlpack(t), "dltensor");
}

}  // namespace

std::array<PyType_Slot, 2> buffer_slots() {
  return {{{Py_bf_getbuffer, reinterpret_cast<void*>(get_buffer)},
           {Py_bf_releasebuffer, reinterpret_cast<void*>(release_buffer)}}};
}

void add_exchange(TensorClass& c) {
  c.def(
       "__dlpack__",
       [](const Tensor& t, const nb::object&, const nb::object& max_version,
          const nb::object& device, const nb::object& copy) {
         if (!device.is_none() && !device.equal(nb::make_tuple(kHostKind, 0))) {
           refuse_export(
               "expected the device to be the host (CPU); gyre does not copy to other devices");
         }
         bool own = !copy.is_none() && argument_as<bool>(copy, "copy", "a bool");
         return to_capsule(own ? clone(t.detach()) : t, max_version);
       },
       nb::kw_only(), "stream"_a = nb::none(), "max_version"_a = nb::none(),
       "dl_device"_a = nb::none(), "copy"_a = nb::none(),
       nb::sig("def __dlpack__(self, *, stream: typing.Any = None, max_version: tuple[int, int] | "
               "None = None, dl_device: tuple[int, int] | None = None, copy: bool | None = None) "
               "-> typing.Any"))
      .def(
          "__dlpack_device__", [](const Tensor&) { return nb::make_tuple(kHostKind, 0); },
          nb::sig("def __dlpack_device__(self) -> tuple[int, int]"))
      .def(
          "numpy",
          [](nb::handle self) {
            (void)tensor_of_self(self);
            return nb::module_::import_("numpy").attr("asarray")(self);
          },
          nb::sig("def numpy(self) -> typing.Any"), "NumPy array that shares the memory.")
      .def(
          "__array__",
          [](const Tensor& t, const nb::args&, const nb::kwargs&) -> nb::object {
            require_readable(t, "numpy");
            if (t.tracked()) throw Error(Code::value, "numpy", kTracked);
            throw Error(Code::dtype, "numpy", kNoFormat);
          },
          nb::sig("def __array__(self, dtype: typing.Any = None, copy: bool | None = None) -> "
                  "typing.Any"),
          "Called by NumPy if the tensor exports no buffer; raises an error with the reason.")
      .def(
          "torch",
          [](nb::handle self) {
            (void)tensor_of_self(self);
            return nb::module_::import_("torch").attr("from_dlpack")(self);
          },
          nb::sig("def torch(self) -> typing.Any"), "PyTorch tensor that shares the memory.")
      .def(
          "data_ptr", [](const Tensor& t) { return reinterpret_cast<uintptr_t>(t.bytes()); },
          "Memory address of the first element.");
}

}  // namespace gyre::python
