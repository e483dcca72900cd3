#include "python/tensor/tensor_class.h"

#include <algorithm>
#include <vector>

#include "gyre/autograd/backward.h"
#include "gyre/autograd/hooks.h"
#include "gyre/op/literals.h"
#include "gyre/op/node.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/elementwise/elementwise.h"
#include "gyre/ops/index/index.h"
#include "gyre/ops/print.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/shape.h"
#include "python/core/convert.h"
#include "python/core/devices.h"
#include "python/core/dtypes.h"
#include "python/core/garbage.h"
#include "python/core/size.h"
#include "python/tensor/operators.h"
#include "python/tensor/packed_tensor.h"

namespace gyre::python {

DType dtype_of_number(PyObject* number, const Tensor& t) {
  if (PyBool_Check(number)) return DType::boolean;
  return is_floating(t.dtype()) && PyFloat_CheckExact(number) ? DType::f32 : t.dtype();
}

void require_all_fit(const Tensor& t, DType wanted, const char* name) {
  if (is_floating(wanted) || wanted == DType::boolean || t.dtype() == wanted || t.numel() == 0)
    return;
  if (is_floating(t.dtype())) {
    for (const double number : to_vector<double>(t)) require_fit(Tensor(number), wanted, name);
    return;
  }
  const Tensor there = to(t, wanted), zero(int64_t{0});
  Tensor differs = ne(to(there, t.dtype()), t);
  if (size_of(wanted) == 8 && size_of(t.dtype()) == 8)  // the same bits, of different signs
    differs = logical_or(differs, ne(lt(there, zero), lt(t, zero)));
  const Tensor others = masked_select(t, differs);
  if (others.numel() > 0)
    throw Error(Code::value, name, {integer_texts(others)[0], " does not fit ", wanted});
}

namespace {

using namespace nb::literals;

Tensor made(const nb::object& data, const nb::object& dtype, const nb::object& device,
            bool requires_grad) {
  Tensor t = tensor_of(data.ptr(), dtype.is_none() ? DType::f32 : DType::f64);
  DType wanted = !dtype.is_none() ? dtype_from(dtype.ptr())
                 : t.meta().weak  ? dtype_of_number(data.ptr(), t)
                                  : t.dtype();
  require_fit(t, wanted, "tensor");
  const Device where = device_from(device);
  const bool listed = PySequence_Check(data.ptr()) && !as_tensor(data.ptr());
  Tensor result;
  unlocked_if_long(t.numel(), [&] {
    NoGrad off;
    if (listed) require_all_fit(t, wanted, "tensor");
    result = t.dtype() == wanted ? clone(t) : to(t, wanted);
    result = on_device(result, where);
  });
  if (requires_grad) result.set_requires_grad();
  return result;
}

// Tensor(data) is of f32 and Tensor(2, 3) has these sizes, as in PyTorch.
Tensor constructed(const nb::args& args, const nb::object& dtype, const nb::object& device,
                   bool requires_grad) {
  const nb::object wanted = dtype.is_none() ? nb::cast(DType::f32) : dtype;
  const auto is_size = [](nb::handle o) { return PyLong_Check(o.ptr()) && !PyBool_Check(o.ptr()); };
  if (!std::ranges::all_of(args, is_size)) {
    if (args.size() != 1) wrong_type("Tensor: expected data or sizes, got several arguments");
    return made(args[0], wanted, device, requires_grad);
  }
  const Shape sizes = args.size() ? shape_from(args.ptr()) : Shape{0};
  Tensor result = zeros(sizes, {dtype_from(wanted.ptr()), device_from(device)});
  if (requires_grad) result.set_requires_grad();
  return result;
}

HookHandle add_hook(const Tensor& t, nb::callable function) {
  struct Hook final : GradientHook, HoldsPython {
    explicit Hook(nb::callable f) : function(std::move(f)) {}
    Tensor operator()(const Tensor& gradient) override {
      nb::gil_scoped_acquire gil;
      nb::object result = (*function)(tensor_object(gradient));
      return result.is_none() ? Tensor() : tensor_of(result.ptr());
    }
    int traverse(visitproc visit, void* arg) const override {
      return python::traverse(function, visit, arg);
    }
    HeldObject function;
  };
  return on_gradient(t, Ref<GradientHook>(new Hook(std::move(function))));
}

void run_backward(const Tensor& t, const nb::object& gradient, bool retain, bool create) {
  const Tensors of{t},
      by{tensor_or_none(gradient.ptr(),
                        floats_beside(t))};  // holds a reference while objects may change
  nb::gil_scoped_release release;
  backward(of, by, {.create_graph = create, .retain_graph = retain});
}

nb::object reversed_axes(const Tensor& t) {
  Shape axes;
  for (int i = t.rank(); i-- > 0;) axes.push_back(i);
  return tensor_object(permute(t, axes));
}

void add_properties(TensorClass& c) {
  const auto getter = [](const char* signature) { return nb::for_getter(nb::sig(signature)); };
  c.def_prop_ro(
       "shape", [](const Tensor& t) { return nb::steal(size_object(t.shape())); },
       getter("def shape(self) -> Size"), "sizes of the axes")
      .def_prop_ro(
          "strides", [](const Tensor& t) { return nb::steal(shape_object(t.strides())); },
          getter("def strides(self) -> tuple[int, ...]"), "strides of the axes in elements")
      .def_prop_ro(
          "dtype", [](const Tensor& t) { return t.dtype(); }, "data type of the elements")
      .def_prop_ro(
          "device", [](const Tensor& t) { return t.device(); }, "device that holds the elements")
      .def_prop_ro(
          "ndim", [](const Tensor& t) { return t.rank(); }, "number of axes")
      .def_prop_ro(
          "size", [](const Tensor& t) { return t.numel(); }, "number of elements")
      .def_prop_ro(
          "itemsize", [](const Tensor& t) { return size_of(t.dtype()); }, "bytes per element")
      .def_prop_ro("nbytes", bytes_of,
                   "total bytes of the elements; of packed weights, of words and headers")
      .def_prop_ro("T", reversed_axes, getter("def T(self) -> Tensor"),
                   "the tensor with its axes reversed")
      .def_prop_ro(
          "mT", [](const Tensor& t) { return tensor_object(transpose(t, -2, -1)); },
          getter("def mT(self) -> Tensor"),
          "the tensor with its last two axes swapped (matrix transpose)");
}

void add_history(TensorClass& c) {
  c.def_prop_ro(
       "is_leaf", [](const Tensor& t) { return !node_of(t); },
       "whether the tensor is a leaf: not the result of a recorded op")
      .def_prop_rw(
          "requires_grad", [](const Tensor& t) { return t.tracked(); },
          [](Tensor& t, nb::handle wanted) {
            if (!PyBool_Check(wanted.ptr())) {
              wrong_type(std::string("requires_grad: expected a bool, got ") +
                         Py_TYPE(wanted.ptr())->tp_name);
            }
            t.set_requires_grad(wanted.is(Py_True));
          },
          nb::for_getter(nb::sig("def requires_grad(self) -> bool")),
          nb::for_setter(nb::sig("def requires_grad(self, arg: bool, /) -> None")),
          "whether autograd records ops on the tensor; can be set on leaves")
      .def_prop_rw(
          "grad", [](const Tensor& t) { return tensor_object(t.grad()); },
          [](Tensor& t, const nb::object& g) {
            g.is_none() ? t.zero_grad() : t.set_grad(tensor_of(g.ptr(), floats_beside(t)));
          },
          nb::for_getter(nb::sig("def grad(self) -> Tensor | None")),
          nb::for_setter(nb::sig("def grad(self, value: TensorLike | None, /) -> None")),
          nb::for_setter(nb::arg().none()), "gradient accumulated by backward(), or None");
}

void add_gradients(TensorClass& c) {
  c.def(
       "backward", run_backward, "gradient"_a = nb::none(), "retain_graph"_a = false,
       "create_graph"_a = false,
       nb::sig("def backward(self, gradient: TensorLike | None = None, retain_graph: bool = False, "
               "create_graph: bool = False) -> None"),
       "Backpropagation: accumulates the gradient of this tensor (times `gradient`; 1 for a single "
       "element) into the grad of the leaves.")
      .def(
          "requires_grad_",
          [](nb::handle self, bool wanted) {
            Tensor t = tensor_of_self(self);
            t.set_requires_grad(wanted);
            return nb::borrow(self);
          },
          "requires_grad"_a = true,
          nb::sig("def requires_grad_(self, requires_grad: bool = True) -> Tensor"),
          "Sets requires_grad and returns the tensor itself.")
      .def(
          "zero_grad", [](Tensor& t) { t.zero_grad(); }, "Sets the gradient to None.")
      .def(
          "detach", [](const Tensor& t) { return tensor_object(t.detach()); },
          nb::sig("def detach(self) -> Tensor"),
          "A tensor that shares the memory, detached from the autograd graph.")
      .def("register_hook", add_hook, "hook"_a,
           nb::sig("def register_hook(self, hook: collections.abc.Callable[[Tensor], Tensor | "
                   "None]) -> HookHandle"),
           "Calls hook(gradient) in every backward pass; a return value other than None replaces "
           "the gradient.");
}

void forget_tensor(Tensor& t) { t = {}; }

PyType_Slot* slots() {
  static std::vector<PyType_Slot> all;
  auto operators = operator_slots();
  all.assign(operators.begin(), operators.end());
  for (const PyType_Slot& slot : buffer_slots()) all.push_back(slot);
  for (const PyType_Slot& slot : sequence_slots()) all.push_back(slot);
  for (const PyType_Slot* s = collected_slots<Tensor, traverse, forget_tensor>(); s->slot; ++s)
    all.push_back(*s);
  all.push_back({0, nullptr});
  return all.data();
}

}  // namespace

void add_tensor_class(nb::module_& m) {
  nb::class_<HookHandle>(m, "HookHandle", "A registered hook.")
      .def("remove", &HookHandle::remove, "Removes the hook.");
  TensorClass c(m, "Tensor", nb::type_slots(slots()), nb::is_weak_referenceable(),
                "A strided n-dimensional array with automatic differentiation.");
  tensor_type = reinterpret_cast<PyTypeObject*>(c.ptr());
  c.def(
      "__init__",
      [](Tensor* self, const nb::args& args, const nb::object& dtype, const nb::object& device,
         bool requires_grad) {
        new (self) Tensor(constructed(args, dtype, device, requires_grad));
      },
      "data"_a, nb::kw_only(), "dtype"_a = nb::none(), "device"_a = nb::none(),
      "requires_grad"_a = false,
      nb::sig("def __init__(self, *data: typing.Any, dtype: DTypeLike | None = None, device: "
              "typing.Any = None, requires_grad: bool = False) -> None"),
      "A copy of an array or nested lists of numbers, as f32; for whole numbers, zeros of these "
      "sizes. tensor() keeps the dtype of the data.");
  add_properties(c);
  add_history(c);
  add_gradients(c);
  add_graph_nodes(m, c);
  add_exchange(c);
  add_protocols(c);
  add_pickling(m, c);
  add_display(c);
  add_methods(c);
  add_packed_members(c);
  m.def("tensor", made, "data"_a.none(), "dtype"_a = nb::none(), "device"_a = nb::none(),
        "requires_grad"_a = false,
        nb::sig("def tensor(data: TensorLike, dtype: DTypeLike | None = None, device: typing.Any = "
                "None, requires_grad: bool = False) -> Tensor"),
        "A copy of an array, a number or nested lists of numbers, with its own dtype.");
}

}  // namespace gyre::python
