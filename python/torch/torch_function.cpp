#include <string>

#include "gyre/op/apply.h"
#include "gyre/op/node.h"
#include "python/core/attributes.h"
#include "python/core/binding.h"
#include "python/core/convert.h"
#include "python/module.h"
#include "python/tensor/op_object.h"
#include "python/torch/torch_call.h"
#include "python/torch/torch_tensors.h"

// Dispatch of calls on PyTorch's tensors.

namespace gyre::python {
namespace {

using namespace nb::literals;

// The PyTorch objects and gyre.torch callables that are used here; they live until the process
// ends.
struct Torch {
  PyTypeObject *tensor, *parameter;
  PyObject* is_grad_enabled;
  PyObject *modes, *transforms;  // callables: whether a mode or a transform is active
  PyObject* record;              // (call, operands) with PyTorch's autograd
  PyObject* transform;           // (call, operands) inside torch.func or forward-mode AD
  PyObject* dispatch;            // (op, operands, values, draws) through PyTorch's dispatcher
  PyObject* dense;               // (tensor, op, argument): converts to a supported tensor or raises
  PyObject* seed;                // (): a seed from PyTorch's generator
};
Torch* torch = nullptr;

bool is_exactly_torch(PyObject* o) {
  return Py_TYPE(o) == torch->tensor || Py_TYPE(o) == torch->parameter;
}
bool is_torch(PyObject* o) {
  return is_exactly_torch(o) || PyType_IsSubtype(Py_TYPE(o), torch->tensor);
}
// The packed weights in a gyre.Tensor, which PyTorch has no tensors for; nullptr for others.
const Tensor* packed_of(PyObject* o) {
  const Tensor* t = as_tensor(o);
  return t && t->kind() == TensorKind::packed ? t : nullptr;
}
bool is_number(PyObject* o) { return PyFloat_Check(o) || PyLong_Check(o); }

bool truth_of(PyObject* function) {
  nb::object answer = nb::steal(PyObject_CallNoArgs(function));
  int truth = answer.is_valid() ? PyObject_IsTrue(answer.ptr()) : -1;
  if (truth < 0) throw nb::python_error();
  return truth == 1;
}

bool any_true(PyObject* functions) {
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(functions); ++i) {
    if (truth_of(PyTuple_GET_ITEM(functions, i))) return true;
  }
  return false;
}

bool requires_grad(PyObject* tensor) {
  static PyObject* name = PyUnicode_InternFromString("requires_grad");
  nb::object flag = nb::steal(PyObject_GetAttr(tensor, name));
  if (!flag.is_valid()) throw nb::python_error();
  return flag.ptr() == Py_True;
}

std::string argument_name(const OpDef* op, size_t i) {
  return op && !op->args.empty() ? op->args.of(i).name : "operand " + std::to_string(i);
}

[[noreturn]] void refuse_operand(const OpDef& op, size_t i, PyObject* o) {
  wrong_type({op.name, ": ", argument_name(&op, i), ": expected a torch.Tensor or a number, got ",
              Py_TYPE(o)->tp_name});
}

// Selects the path: without autograd, with it, inside a transform, or through the dispatcher.
enum class Way { straight, recorded, transformed, dispatched };

Way way_of(const OpDef& op, std::span<PyObject* const> operands) {
  bool foreign = false, wants_gradient = false;
  for (size_t i = 0; i < operands.size(); ++i) {
    PyObject* o = operands[i];
    if (!o || o == Py_None || is_number(o) || packed_of(o)) continue;
    if (!is_torch(o)) refuse_operand(op, i, o);
    foreign |= !is_exactly_torch(o);
    wants_gradient = wants_gradient || requires_grad(o);
  }
  if (foreign || any_true(torch->modes)) return Way::dispatched;
  if (any_true(torch->transforms)) return Way::transformed;
  bool recorded = wants_gradient && op.differentiable() && truth_of(torch->is_grad_enabled);
  return recorded ? Way::recorded : Way::straight;
}

nb::object run_straight(const OpDef& op, std::span<PyObject* const> operands, const Attrs& attrs) {
  Tensors in, out;
  for (size_t i = 0; i < operands.size(); ++i) in.push_back(operand_of(&op, i, operands[i]));
  NoGrad off;
  unlocked_if_long(elements_of(in), [&] { out = apply(op, in, attrs); });
  return results_of(out);
}

nb::object operands_tuple(std::span<PyObject* const> operands) {
  return new_tuple(operands.size(),
                   [&](size_t i) { return Py_NewRef(operands[i] ? operands[i] : Py_None); });
}

nb::object values_tuple(const OpDef& op, const Attrs& attrs) {
  nb::list values;
  for (size_t i = 0; op.attrs && i < op.attrs->fields.size(); ++i)
    values.append(get_field(op.attrs->fields[i], attrs->value));
  return nb::tuple(values);
}

nb::object run(PyObject* self, Binding& binding) {
  const OpDef& op = definition_of(self);
  auto operands = binding.operands();
  Way way = way_of(op, operands);
  if (way == Way::dispatched) {
    bool draws = binding.would_draw();
    return nb::handle(torch->dispatch)(nb::handle(self), operands_tuple(operands),
                                       values_tuple(op, binding.attrs()), draws);
  }
  bool draws = binding.would_draw();
  if (draws) binding.draw({nb::cast<uint64_t>(nb::handle(torch->seed)()), 0});
  if (way == Way::straight) return run_straight(op, operands, binding.attrs());
  TorchCall call;
  call.op = &op;
  call.attrs = binding.attrs();
  *call.drew = draws;
  nb::handle next(way == Way::recorded ? torch->record : torch->transform);
  return next(nb::cast(std::move(call)), operands_tuple(operands));
}

PyObject* call(PyObject* self, PyObject* const* args, Py_ssize_t n, PyObject* keywords) {
  return guarded([&] {
    const OpDef& op = definition_of(self);
    Binding binding(op, op.name);
    binding.call(args, static_cast<size_t>(n), keywords);
    nb::object results = run(self, binding);
    // one tensor or several, as the function returns them
    if (PyTuple_CheckExact(results.ptr()) && PyTuple_GET_SIZE(results.ptr()) == 1)
      return Py_NewRef(PyTuple_GET_ITEM(results.ptr(), 0));
    return results.release().ptr();
  });
}

PyMethodDef kCall = {"torch_function", reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(call)),
                     METH_FASTCALL | METH_KEYWORDS, nullptr};

PyObject* kept(nb::handle o) { return Py_NewRef(o.ptr()); }

void set_torch(nb::handle tensor, nb::handle parameter, nb::handle is_grad_enabled,
               const nb::tuple& modes, const nb::tuple& transforms, nb::handle record,
               nb::handle transform, nb::handle dispatch, nb::handle dense, nb::handle seed) {
  set_torch_tensor(tensor);
  torch = new Torch{reinterpret_cast<PyTypeObject*>(kept(tensor)),
                    reinterpret_cast<PyTypeObject*>(kept(parameter)),
                    kept(is_grad_enabled),
                    kept(modes),
                    kept(transforms),
                    kept(record),
                    kept(transform),
                    kept(dispatch),
                    kept(dense),
                    kept(seed)};
}

// Errors for a tensor that gyre or PyTorch does not support.
bool is_refusal(Code code) {
  return code == Code::dtype || code == Code::device || code == Code::value ||
         code == Code::unsupported;
}
bool is_refusal(const nb::python_error& e) {
  return e.matches(PyExc_BufferError) || e.matches(PyExc_ValueError) ||
         e.matches(PyExc_RuntimeError);
}

[[noreturn]] void refuse_by_name(const std::string& code, const std::string& op,
                                 const std::string& message, const std::string& expected,
                                 const std::string& actual) {
  auto found = Code::shape;
  while (found != Code::internal && code != code_name(found))
    found = static_cast<Code>(static_cast<int>(found) + 1);
  throw Error(found, op, message, expected, actual);
}

}  // namespace

Tensor operand_of(const OpDef* op, size_t i, PyObject* o) {
  if (!o || o == Py_None) return {};
  if (PyFloat_Check(o) || PyLong_Check(o)) return tensor_of(o);
  if (const Tensor* packed = packed_of(o)) return *packed;
  if (!is_torch(o)) {
    wrong_type(argument_name(op, i) + ": expected a torch.Tensor or a number, got " +
               Py_TYPE(o)->tp_name);
  }
  const auto dense = [&] {
    return nb::handle(torch->dense)(nb::handle(o), op ? op->name : "", argument_name(op, i));
  };
  // DLPack does not export the negative bit: values are those in memory times -1
  static PyObject* is_neg = PyUnicode_InternFromString("is_neg");
  nb::object negated = nb::steal(PyObject_CallMethodNoArgs(o, is_neg));
  if (!negated.is_valid()) throw nb::python_error();
  if (negated.ptr() == Py_True) return from_torch(dense().ptr());
  try {
    return from_torch(o);
  } catch (const Error& e) {
    if (!is_refusal(e.code)) throw;
  } catch (const nb::python_error& e) {
    if (!is_refusal(e)) throw;
  }
  return from_torch(dense().ptr());
}

void add_torch(nb::module_ m) {
  add_torch_call(m);
  m.def("function", [](nb::handle op) {
    definition_of(op.ptr());
    return nb::steal(PyCFunction_NewEx(&kCall, op.ptr(), nullptr));
  });
  m.def("use", set_torch, "tensor"_a, "parameter"_a, "is_grad_enabled"_a, "modes"_a, "transforms"_a,
        "record"_a, "transform"_a, "dispatch"_a, "dense"_a, "seed"_a);
  m.def("refuse", refuse_by_name);
}

}  // namespace gyre::python
