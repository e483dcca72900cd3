#include "python/tensor_class.h"

#include "gyre/autograd/backward.h"
#include "gyre/autograd/hooks.h"
#include "gyre/op/node.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/print.h"
#include "gyre/ops/shape/in_place.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/tensor/batched.h"
#include "gyre/tensor/dlpack.h"
#include "python/convert.h"
#include "python/dtypes.h"
#include "python/operators.h"
#include "python/subscripts.h"

namespace gyre::python {
namespace {

using namespace nb::literals;

// ---- the buffer protocol: NumPy sees the same memory ----

constexpr const char* kBatched = "a tensor inside vmap() has no values of its own";
constexpr const char* kTracked =
    "a tensor that is tracked for gradients is not shared: use detach() first";
constexpr const char* kNoFormat =
    "bf16 has no format that NumPy knows: use to(dtype=gyre.f32) first";

// What a buffer needs for as long as it is looked at.
struct ExportedBuffer {
  Tensor tensor;
  Py_ssize_t shape[kMaxRank], strides[kMaxRank];
};

// Whether the layout is one that the consumer asked for.
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

// Nullptr, or why there is no buffer of t.
const char* no_buffer(const Tensor& t, int flags) {
  if (is_batched(t)) return kBatched;
  if (!format_of(t.dtype())) return kNoFormat;
  if (t.tracked()) return kTracked;
  return fits(t, flags) ? nullptr : "the elements do not lie in the order that is asked for";
}

int get_buffer(PyObject* self, Py_buffer* view, int flags) {
  view->obj = nullptr;
  const Tensor& t = *as_tensor(self);
  if (const char* why = no_buffer(t, flags)) {
    PyErr_SetString(PyExc_BufferError, why);
    return -1;
  }
  ExportedBuffer* e = nullptr;
  try {
    e = new ExportedBuffer{t.detach(), {}, {}};
  } catch (const std::exception&) {  // only memory can be wanting
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
    // one that was taken bears another name
    const char* its = PyCapsule_GetName(unused);
    constexpr bool kVersioned = std::is_same_v<M, dlpack::VersionedManaged>;
    if (std::string_view(its) != (kVersioned ? "dltensor_versioned" : "dltensor")) return;
    auto* m = static_cast<M*>(PyCapsule_GetPointer(unused, its));
    m->release(m);
  }));
  if (!c.is_valid()) managed->release(managed);
  return c;
}

nb::object to_capsule(const Tensor& t, const nb::object& max_version) {
  if (t.tracked()) {
    PyErr_SetString(PyExc_BufferError, kTracked);
    throw nb::python_error();
  }
  bool versioned = !max_version.is_none() && nb::cast<int>(max_version[0]) >= 1;
  return versioned ? capsule(to_dlpack_versioned(t), "dltensor_versioned")
                   : capsule(to_dlpack(t), "dltensor");
}

// ---- values ----

nb::object item(const Tensor& t) {
  double value = t.item();
  if (t.dtype() == DType::boolean) return nb::cast(value != 0);
  if (is_floating(t.dtype())) return nb::cast(value);
  return nb::cast(to_vector<int64_t>(t)[0]);
}

nb::object nested(const Tensor& t) {
  if (t.rank() == 0) return item(t);
  nb::list list;
  for (int64_t i = 0; i < t.shape()[0]; ++i) list.append(nested(select(t, {0, i})));
  return list;
}

std::string repr(const Tensor& t) {
  std::string text = "tensor(";
  for (char c : to_string(t)) {
    text += c;
    if (c == '\n') text += "       ";
  }
  if (t.dtype() != DType::f32) text += std::string(", dtype=") + name_of(t.dtype());
  if (t.requires_grad()) text += ", requires_grad=True";
  if (!t.requires_grad() && t.tracked()) {
    text += std::string(", from=") + node_of(t)->op->name;
  }
  return text + ")";
}

Tensor made(const nb::object& data, const nb::object& dtype, bool requires_grad) {
  Tensor t = tensor_of(data.ptr());
  if (t.meta().weak) t = to(t, is_floating(t.dtype()) ? DType::f32 : t.dtype());
  if (PyBool_Check(data.ptr())) t = to(t, DType::boolean);
  NoGrad off;
  t = dtype.is_none() || dtype_from(dtype.ptr()) == t.dtype() ? clone(t)
                                                              : to(t, dtype_from(dtype.ptr()));
  if (requires_grad) t.set_requires_grad();
  return t;
}

HookHandle add_hook(const Tensor& t, nb::callable function) {
  // hooks may run without the interpreter's lock, and go when it may not be held
  struct Function {
    explicit Function(nb::callable f) : f(std::move(f)) {}
    ~Function() {
      if (!Py_IsInitialized()) {
        f.release();
        return;
      }
      nb::gil_scoped_acquire gil;
      f = nb::callable();
    }
    nb::callable f;
  };
  struct Hook final : GradientHook {
    explicit Hook(nb::callable f) : held(std::move(f)) {}
    Tensor operator()(const Tensor& gradient) override {
      nb::gil_scoped_acquire gil;
      nb::object result = held.f(nb::steal(new_tensor(gradient)));
      return result.is_none() ? Tensor() : tensor_of(result.ptr());
    }
    Function held;
  };
  return on_gradient(t, Ref<GradientHook>(new Hook(std::move(function))));
}

void run_backward(const Tensor& t, const nb::object& gradient, bool retain, bool create) {
  Tensor g = gradient.is_none() ? Tensor() : tensor_of(gradient.ptr());
  nb::gil_scoped_release release;
  backward({&t, 1}, {&g, 1}, {.create_graph = create, .retain_graph = retain});
}

using Class = nb::class_<Tensor>;

void add_properties(Class& c) {
  c.def_prop_ro("shape", [](const Tensor& t) { return nb::steal(shape_object(t.shape())); })
      .def_prop_ro(
          "strides", [](const Tensor& t) { return nb::steal(shape_object(t.strides())); },
          "in elements")
      .def_prop_ro("dtype", [](const Tensor& t) { return t.dtype(); })
      .def_prop_ro("device", [](const Tensor& t) { return to_string(t.device()); })
      .def_prop_ro("ndim", [](const Tensor& t) { return t.rank(); })
      .def_prop_ro(
          "size", [](const Tensor& t) { return t.numel(); }, "number of elements")
      .def_prop_ro(
          "nbytes",
          [](const Tensor& t) { return static_cast<size_t>(t.numel()) * size_of(t.dtype()); })
      .def_prop_ro("T",
                   [](const Tensor& t) {
                     Shape axes;
                     for (int i = t.rank(); i-- > 0;) axes.push_back(i);
                     return nb::steal(new_tensor(permute(t, axes)));
                   })
      .def_prop_ro("is_leaf", [](const Tensor& t) { return !t.impl()->node; })
      .def_prop_rw(
          "requires_grad", [](const Tensor& t) { return t.tracked(); },
          [](Tensor& t, bool wanted) { t.set_requires_grad(wanted); })
      .def_prop_rw(
          "grad", [](const Tensor& t) { return nb::steal(new_tensor(t.grad())); },
          [](Tensor& t, const nb::object& g) {
            g.is_none() ? t.zero_grad() : t.set_grad(tensor_of(g.ptr()));
          },
          nb::arg().none());
}

void add_exchange(Class& c) {
  c.def(
       "__dlpack__",
       [](const Tensor& t, const nb::object&, const nb::object& max_version, const nb::object&,
          const nb::object& copy) {
         bool own = !copy.is_none() && nb::cast<bool>(copy);
         return to_capsule(own ? clone(t.detach()) : t, max_version);
       },
       nb::kw_only(), "stream"_a = nb::none(), "max_version"_a = nb::none(),
       "dl_device"_a = nb::none(), "copy"_a = nb::none())
      .def("__dlpack_device__", [](const Tensor&) { return nb::make_tuple(1, 0); })
      .def(
          "numpy",
          [](nb::handle self) { return nb::module_::import_("numpy").attr("asarray")(self); },
          "A NumPy array over the same memory.")
      .def(
          "__array__",
          [](const Tensor& t, const nb::args&, const nb::kwargs&) -> nb::object {
            if (is_batched(t)) throw Error(Code::value, "numpy", kBatched);
            if (t.tracked()) throw Error(Code::value, "numpy", kTracked);
            throw Error(Code::dtype, "numpy", kNoFormat);
          },
          "Asked by NumPy where there is no buffer: tells why.")
      .def(
          "torch",
          [](nb::handle self) { return nb::module_::import_("torch").attr("from_dlpack")(self); },
          "A PyTorch tensor over the same memory.")
      .def("tolist", nested, "Nested lists of Python numbers.")
      .def("item", item, "The one element as a Python number.")
      .def(
          "data_ptr", [](const Tensor& t) { return reinterpret_cast<uintptr_t>(t.bytes()); },
          "The address of the first element.");
}

void add_gradients(Class& c) {
  c.def("backward", run_backward, "gradient"_a = nb::none(), "retain_graph"_a = false,
        "create_graph"_a = false,
        "Adds the gradient of this (times `gradient`; 1 for one element) to the leaves.")
      .def(
          "requires_grad_",
          [](nb::handle self, bool wanted) {
            nb::inst_ptr<Tensor>(self)->set_requires_grad(wanted);
            return nb::borrow(self);
          },
          "requires_grad"_a = true)
      .def("zero_grad", [](Tensor& t) { t.zero_grad(); })
      .def("detach", [](const Tensor& t) { return nb::steal(new_tensor(t.detach())); })
      .def("register_hook", add_hook, "hook"_a,
           "Calls hook(gradient) in every backward pass; what it returns, unless None, goes on.");
}

void add_protocols(Class& c) {
  c.def("__repr__", repr)
      .def("__len__",
           [](const Tensor& t) {
             if (t.rank() == 0) wrong_type("a 0-d tensor has no length");
             return t.shape()[0];
           })
      .def("__float__", [](const Tensor& t) { return t.item(); })
      .def("__int__", [](const Tensor& t) { return nb::int_(item(t)); })
      .def("__index__",
           [](const Tensor& t) {
             if (is_floating(t.dtype())) wrong_type("a floating tensor is no index");
             return nb::int_(item(t));
           })
      .def("__bool__",
           [](const Tensor& t) {
             if (t.numel() != 1) {
               throw Error(Code::value, "bool",
                           "a tensor of several elements is neither true nor false");
             }
             return t.item() != 0;
           })
      .def("__getitem__",
           [](const Tensor& t, nb::handle key) {
             return nb::steal(new_tensor(part_of(t, key.ptr())));
           })
      .def("__setitem__", [](const Tensor& t, nb::handle key,
                             nb::handle value) { set_part(t, key.ptr(), tensor_of(value.ptr())); })
      .def("__iter__",
           [](const Tensor& t) {
             nb::list parts;
             if (t.rank() == 0) wrong_type("a 0-d tensor cannot be iterated");
             for (int64_t i = 0; i < t.shape()[0]; ++i) {
               parts.append(nb::steal(new_tensor(select(t, {0, i}))));
             }
             return nb::iter(parts);
           })
      .def("__hash__", [](const Tensor& t) { return reinterpret_cast<uintptr_t>(t.impl()) >> 4; });
  c.attr("__array_ufunc__") = nb::none();  // array + tensor is a tensor's affair
}

PyType_Slot* slots() {
  static std::vector<PyType_Slot> all;
  auto operators = operator_slots();
  all.assign(operators.begin(), operators.end());
  all.push_back({Py_bf_getbuffer, reinterpret_cast<void*>(get_buffer)});
  all.push_back({Py_bf_releasebuffer, reinterpret_cast<void*>(release_buffer)});
  all.push_back({0, nullptr});
  return all.data();
}

}  // namespace

void add_tensor_class(nb::module_& m) {
  Class c(m, "Tensor", nb::type_slots(slots()),
          "A strided n-dimensional array that remembers how it was made.");
  tensor_type = reinterpret_cast<PyTypeObject*>(c.ptr());
  c.def(
      "__init__",
      [](Tensor* self, const nb::object& data, const nb::object& dtype, bool requires_grad) {
        new (self) Tensor(made(data, dtype, requires_grad));
      },
      "data"_a, "dtype"_a = nb::none(), "requires_grad"_a = false);
  add_properties(c);
  add_exchange(c);
  add_gradients(c);
  add_protocols(c);
  nb::class_<HookHandle>(m, "HookHandle").def("remove", &HookHandle::remove);
  m.attr("tensor") = m.attr("Tensor");
}

}  // namespace gyre::python
