#include "python/tensor/op_object.h"

#include <structmember.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "gyre/op/samples.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/in_place.h"
#include "gyre/ops/random/random.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/registry/op_table.h"
#include "python/core/attributes.h"
#include "python/core/binding.h"
#include "python/core/convert.h"
#include "python/core/dtypes.h"
#include "python/core/nested_lists.h"
#include "python/core/records.h"
#include "python/tensor/op_text.h"

namespace gyre::python {
namespace {

PyTypeObject* op_type = nullptr;
PyObject* return_types = nullptr;  // the module of the named tuples

struct OpObject {
  PyObject_HEAD;
  vectorcallfunc call;
  const OpDef* op;
  PyTypeObject* results;  // of the tuple of several results; nullptr
  // Of a keyword that the op lacks: its name, its default, and what calls with it call, with the op
  // first; nullptr.
  PyObject *keyword, *otherwise, *extension;
  PyObject* of_axes;  // what calls with all axes call, with the op first; or null
  bool in_place;
};

const OpObject& self_of(PyObject* o) { return *reinterpret_cast<OpObject*>(o); }
std::string name_of(const OpObject& self) {
  return self.op->name + std::string(self.in_place ? "_" : "");
}

// ---- a call ----

Tensors run(const OpObject& self, Inputs in, const Attrs& attrs) {
  if (!self.in_place || in.empty())
    return apply(*self.op, in, attrs);  // reports the missing tensors
  return {apply_in_place(*self.op, in, attrs)};
}

// Converts an argument to a tensor, undefined for None; errors name op and argument.
Tensor operand_of(const OpObject& self, size_t i, PyObject* o, DType floats = DType::f32) {
  try {
    Tensor t = tensor_or_none(o, floats);
    // PyTorch's layer_norm(x, (3,)) has a shape there
    const Arg& arg = self.op->args.of(i);
    const bool shape = arg.optional && is_list(o) && t.defined() && !is_floating(t.dtype());
    if (shape && arg.name == std::string_view("weight"))
      wrong_type({"expected a tensor of floats, got a ", Py_TYPE(o)->tp_name});
    return t;
  } catch (const nb::python_error& e) {
    if (!e.matches(PyExc_TypeError)) throw;
    const Arg& arg = self.op->args[std::min(i, self.op->args.size() - 1)];
    wrong_type(name_of(self) + ": " + arg.name + ": " + nb::str(e.value()).c_str());
  }
}

// Ops with a variadic number of results always return a tuple; a user-defined op returns what its
// function returned.
bool always_tuple(const OpDef& op) { return op.outputs.empty() && !op.context; }

// The result, or the named tuple of several.
PyObject* returned(const OpObject& self, Inputs out) {
  if (!self.results) return new_tensors(out, always_tuple(*self.op));
  nb::object tuple = nb::steal(PyStructSequence_New(self.results));
  if (!tuple.is_valid()) throw nb::python_error();
  for (size_t i = 0; i < out.size(); ++i) {
    PyStructSequence_SetItem(tuple.ptr(), static_cast<Py_ssize_t>(i),
                             tensor_object(out[i]).release().ptr());
  }
  return tuple.release().ptr();
}

PyObject* bound_call(const OpObject& self, PyObject* const* args, size_t n, PyObject* keywords) {
  Binding binding(*self.op, name_of(self));
  binding.call(args, n, keywords);
  std::span<PyObject* const> given = binding.operands();
  Tensors in = tensors_together(given, [&](size_t i, DType floats) {
    return given[i] ? operand_of(self, i, given[i], floats) : Tensor();
  });
  bool draws = binding.would_draw();
  if (draws) binding.draw(default_generator());
  Attrs attrs = binding.attrs();
  Tensors out;
  unlocked_if_long(elements_of(in), [&] { out = run(self, in, attrs); });
  for (Tensor& t : out) {
    if (in.empty()) t = on_device(t, default_device());
  }
  if (draws) take_words(*self.op, attrs, in, out, default_generator());
  if (self.in_place && as_tensor(given[0])) return Py_NewRef(given[0]);
  return returned(self, out);
}

// Fast path without a Binding: ops without attributes, keywords and lists.
bool is_plain(const OpObject& self, PyObject* const* args, size_t n, PyObject* keywords) {
  const OpDef& op = *self.op;
  return !keywords && !op.attrs && !op.args.variadic() && n == op.args.size() && n <= 3 &&
         op.visible == 1 && !op.outputs.empty() && std::none_of(args, args + n, is_list);
}

PyObject* plain_call(const OpObject& self, PyObject* const* args, size_t n) {
  Tensor operands[3], out;
  for (size_t i = 0; i < n; ++i) operands[i] = operand_of(self, i, args[i]);
  const Inputs in(operands, n);
  unlocked_if_long(elements_of(in), [&] {
    out = self.in_place ? apply_in_place(*self.op, in) : apply_one(*self.op, in);
  });
  if (self.in_place && as_tensor(args[0])) return Py_NewRef(args[0]);
  return new_tensor(std::move(out));
}

// function(op, *args, **keywords)
PyObject* call_instead(PyObject* function, PyObject* o, PyObject* const* args, size_t n,
                       PyObject* keywords) {
  return guarded([&] {
    std::vector<PyObject*> all{o};
    all.insert(all.end(), args, args + n + (keywords ? PyTuple_GET_SIZE(keywords) : 0));
    return PyObject_Vectorcall(function, all.data(), n + 1, keywords);
  });
}

// Whether all axes are given, in one argument or one by one: transpose(2, 0, 1).
bool lists_axes(const OpObject& self, PyObject* const* args, size_t n) {
  const size_t operands = self.op->args.size(), most = operands + self.op->attrs->fields.size();
  return n > most || (n == operands + 1 && is_list(args[operands]));
}

PyObject* call(PyObject* o, PyObject* const* args, size_t flags, PyObject* keywords) {
  const OpObject& self = self_of(o);
  auto n = static_cast<size_t>(PyVectorcall_NARGS(flags));
  if (keywords && self.extension) [[unlikely]] {
    const int has = PySequence_Contains(keywords, self.keyword);
    if (has != 0) return has < 0 ? nullptr : call_instead(self.extension, o, args, n, keywords);
  }
  if (self.of_axes && lists_axes(self, args, n)) [[unlikely]]
    return call_instead(self.of_axes, o, args, n, keywords);
  return guarded([&] {
    if (is_plain(self, args, n, keywords)) return plain_call(self, args, n);
    return bound_call(self, args, n, keywords);
  });
}

PyObject* bind(PyObject* self, PyObject* object, PyObject*) {
  if (!object || object == Py_None) return Py_NewRef(self);
  return PyMethod_New(self, object);
}

// ---- introspection ----

// Number of results saved only for backward; a composition has none.
size_t kept_of(const OpDef& op) {
  auto visible = static_cast<size_t>(op.visible);
  return op.kernels[Device::cpu] ? op.outputs.size() - visible : 0;
}

// Bit mask of the inputs and results that the backward rule reads; a composition is run again.
nb::object reads_of(const OpDef& op) {
  bool rule = op.vjp || op.vjp_first;
  return nb::make_tuple(rule ? op.saves_in : ~uint64_t{0}, rule ? op.saves_out : 0);
}

nb::object get_attributes(const OpObject& self) {
  if (!self.op->attrs) return nb::list();
  const Record& record = *self.op->attrs;
  nb::list list = fields_of(record, kSpellings);
  for (size_t i = 0; i < record.fields.size(); ++i) {
    list[i]["takes_all_numbers"] = takes_all_numbers(record, record.fields[i]);
  }
  return list;
}

nb::object get_arguments(const OpObject& self) {
  nb::list list;
  for (const Arg& a : self.op->args) {
    nb::dict d;
    d["name"] = a.name;
    d["optional"] = a.optional;
    d["variadic"] = a.variadic;
    d["differentiable"] = a.differentiable;
    d["packed"] = a.packed;
    nb::list also;
    for (const auto& [theirs, ours] : kSpellings) {
      if (std::string_view(ours) == a.name) also.append(nb::cast(std::string(theirs)));
    }
    d["also"] = also;
    list.append(d);
  }
  return list;
}

nb::object get_keywords(const OpObject& self) {
  nb::dict d;
  if (self.extension) d[nb::handle(self.keyword)] = nb::borrow(self.otherwise);
  return d;
}

nb::object get_dtypes(const OpObject& self) {
  nb::list list;
  for (DType dtype : dtypes_of(*self.op, self.in_place)) list.append(dtype);
  return list;
}

const char* get_family(const OpObject& self) {
  const Family& family = self.op->family;
  return family.pointwise[0]   ? "elementwise"
         : family.rowwise[0]   ? "row"
         : family.reduction[0] ? "reduction"
                               : "";
}

template <auto get>
PyObject* getter(PyObject* self, void*) {
  return guarded([&] { return nb::cast(get(self_of(self))).release().ptr(); });
}

PyGetSetDef kGetters[] = {
    {"name", getter<[](const OpObject& s) { return name_of(s); }>, nullptr, "name of the op",
     nullptr},
    {"__name__", getter<[](const OpObject& s) { return name_of(s); }>, nullptr, nullptr, nullptr},
    {"doc", getter<[](const OpObject& s) { return s.op->doc; }>, nullptr, "one-line description",
     nullptr},
    {"__doc__", getter<[](const OpObject& s) {
       return (s.in_place ? "In-place version of " + std::string(s.op->name) + ": " : "") +
              page_of(*s.op);
     }>,
     nullptr, nullptr, nullptr},
    {"__qualname__", getter<[](const OpObject& s) { return name_of(s); }>, nullptr, nullptr,
     nullptr},
    {"__text_signature__", getter<[](const OpObject& s) { return signature_of(*s.op); }>, nullptr,
     nullptr, nullptr},
    {"arguments", getter<get_arguments>, nullptr,
     "tensor arguments: dicts of name, optional, variadic, differentiable, also (alternative "
     "names), packed (whether it "
     "takes "
     "packed weights as they are)",
     nullptr},
    {"attributes", getter<get_attributes>, nullptr,
     "attributes: dicts of name, type, default, doc, choices, also (alternative names), "
     "takes_all_numbers",
     nullptr},
    {"keywords", getter<get_keywords>, nullptr,
     "keywords besides arguments and attributes, with their defaults", nullptr},
    {"takes_all_axes", getter<[](const OpObject& s) { return s.of_axes != nullptr; }>, nullptr,
     "whether calls may give all axes, one by one or as a list", nullptr},
    {"dtypes", getter<get_dtypes>, nullptr,
     "dtypes that the op takes for floating-point tensors, or for integers where it takes no "
     "floats",
     nullptr},
    {"outputs", getter<[](const OpObject& s) { return s.op->outputs.empty() ? 0 : s.op->visible; }>,
     nullptr, "number of results; 0: variable", nullptr},
    {"kept", getter<[](const OpObject& s) { return kept_of(*s.op); }>, nullptr,
     "number of additional results saved only for backward", nullptr},
    {"reads", getter<[](const OpObject& s) { return reads_of(*s.op); }>, nullptr,
     "inputs and results that the backward rule reads: a bit mask whose last bit covers all the "
     "rest",
     nullptr},
    {"differentiable", getter<[](const OpObject& s) { return s.op->differentiable(); }>, nullptr,
     "whether the op is differentiable", nullptr},
    {"ulp", getter<[](const OpObject& s) { return s.op->ulp; }>, nullptr,
     "error bound in units in the last place (ULP)", nullptr},
    {"by_element", getter<[](const OpObject& s) { return s.op->by_element; }>, nullptr,
     "whether the error bound holds for each element, not only for the norm", nullptr},
    {"family", getter<get_family>, nullptr, "\"elementwise\", \"row\", \"reduction\" or \"\"",
     nullptr},
    {"random", getter<[](const OpObject& s) { return s.op->words != nullptr; }>, nullptr,
     "whether the op draws random numbers", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};

nb::object call_of(const Samples::Call& call, DType dtype) {
  nb::list args;
  for (const Tensor& t : call.in) {
    bool cast = t.defined() && t.dtype() == DType::f64;
    args.append(tensor_object(cast ? to(t, dtype) : t));
  }
  nb::dict attributes;
  if (call.attrs) attributes = values_of(*call.attrs->type, call.attrs->value);
  return nb::make_tuple(nb::tuple(args), attributes);
}

// samples(dtype="f64", seed=1, extremes=False)
PyObject* samples(PyObject* o, PyObject* args, PyObject* keywords) {
  return guarded([&]() -> PyObject* {
    static const char* names[] = {"dtype", "seed", "extremes", nullptr};
    PyObject* dtype = nullptr;
    unsigned long long seed = 1;
    int extremes = 0;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "|OKp", const_cast<char**>(names), &dtype,
                                     &seed, &extremes)) {
      throw nb::python_error();
    }
    const Samples all(*self_of(o).op, seed);
    nb::list list;
    DType wanted = dtype ? dtype_from(dtype) : DType::f64;
    for (const auto& call : extremes ? all.extremes : all.calls) list.append(call_of(call, wanted));
    return list.release().ptr();
  });
}

PyObject* repr(PyObject* o) {
  return guarded([&] {
    std::string text = "<gyre op " + name_of(self_of(o)) + signature_of(*self_of(o).op) + ">";
    return PyUnicode_FromString(text.c_str());
  });
}

void dealloc(PyObject* o) {
  PyTypeObject* type = Py_TYPE(o);
  const OpObject& self = self_of(o);
  Py_XDECREF(self.results);
  Py_XDECREF(self.keyword);
  Py_XDECREF(self.otherwise);
  Py_XDECREF(self.of_axes);
  Py_XDECREF(self.extension);
  PyObject_Free(o);
  Py_DECREF(type);
}

// Pickles and copies refer to the op by name.
PyObject* reduce(PyObject* o, PyObject*) {
  return guarded([&]() -> PyObject* {
    const std::string name = name_of(self_of(o));
    if (!self_of(o).in_place) {  // a function may have its name
      nb::object named = nb::module_::import_("gyre._functions").attr("op_named");
      return nb::make_tuple(named, nb::make_tuple(name)).release().ptr();
    }
    nb::object getattr = nb::module_::import_("builtins").attr("getattr");
    nb::handle owner(reinterpret_cast<PyObject*>(tensor_type));
    return nb::make_tuple(getattr, nb::make_tuple(owner, name)).release().ptr();
  });
}

// _extend(keyword, default, function)
PyObject* extend(PyObject* o, PyObject* args) {
  auto& self = *reinterpret_cast<OpObject*>(o);
  PyObject *keyword = nullptr, *otherwise = nullptr, *function = nullptr;
  if (!PyArg_ParseTuple(args, "UOO", &keyword, &otherwise, &function)) return nullptr;
  Py_XSETREF(self.keyword, Py_NewRef(keyword));
  Py_XSETREF(self.otherwise, Py_NewRef(otherwise));
  Py_XSETREF(self.extension, Py_NewRef(function));
  Py_RETURN_NONE;
}

PyObject* take_all_axes(PyObject* o, PyObject* function) {
  Py_XSETREF(reinterpret_cast<OpObject*>(o)->of_axes, Py_NewRef(function));
  Py_RETURN_NONE;
}

PyMethodDef kMethods[] = {
    {"__reduce__", reduce, METH_NOARGS, nullptr},
    {"_take_all_axes", take_all_axes, METH_O,
     "_take_all_axes(function)\n--\n\n"
     "Calls with all axes, one by one or as a list, call function(op, input, *axes)."},
    {"_extend", extend, METH_VARARGS,
     "_extend(keyword, default, function)\n--\n\n"
     "Adds a keyword: calls with it call function(op, *args, **keywords)."},
    {"samples", reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(samples)),
     METH_VARARGS | METH_KEYWORDS,
     "samples(dtype='f64', seed=1, extremes=False)\n--\n\n"
     "Valid example calls: a list of (tensors, attributes), with floating-point tensors in "
     "`dtype`."},
    {nullptr, nullptr, 0, nullptr},
};

PyMemberDef kMembers[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(OpObject, call), READONLY, nullptr},
    {nullptr, 0, 0, 0, nullptr},
};

PyType_Slot kSlots[] = {
    {Py_tp_call, reinterpret_cast<void*>(PyVectorcall_Call)},
    {Py_tp_descr_get, reinterpret_cast<void*>(bind)},
    {Py_tp_repr, reinterpret_cast<void*>(repr)},
    {Py_tp_dealloc, reinterpret_cast<void*>(dealloc)},
    {Py_tp_members, kMembers},
    {Py_tp_getset, kGetters},
    {Py_tp_methods, kMethods},
    {0, nullptr},
};

// The type of the named tuple of an op with several results, gyre._gyre.return_types.NAME, by which
// pickles refer to it; nullptr for one result, or any number.
PyTypeObject* results_of(const OpDef& op) {
  const size_t n = op.outputs.size();
  if (op.context || op.visible < 2 || n < static_cast<size_t>(op.visible)) return nullptr;
  nb::handle types(return_types);
  std::vector<PyStructSequence_Field> fields;
  for (const char* name : op.outputs.first(static_cast<size_t>(op.visible)))
    fields.push_back({name, nullptr});
  fields.push_back({nullptr, nullptr});
  const std::string name = std::string("gyre._gyre.return_types.") + op.name;
  PyStructSequence_Desc desc{name.c_str(), op.doc, fields.data(), op.visible};
  PyTypeObject* type = PyStructSequence_NewType(&desc);
  if (!type) throw nb::python_error();
  types.attr(op.name) = nb::borrow(reinterpret_cast<PyObject*>(type));
  return type;
}

}  // namespace

void add_op_class(nb::module_& m) {
  return_types =
      m.def_submodule("return_types", "Named tuples of ops with several results.").release().ptr();
  PyType_Spec spec = {"gyre.Op", sizeof(OpObject), 0,
                      Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL |
                          Py_TPFLAGS_METHOD_DESCRIPTOR | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                      kSlots};
  op_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
  if (!op_type) throw nb::python_error();
  m.attr("Op") = nb::borrow(reinterpret_cast<PyObject*>(op_type));
}

nb::object op_object(const OpDef& op, bool in_place) {
  auto* o = PyObject_New(OpObject, op_type);
  if (!o) throw nb::python_error();
  o->call = call;
  o->op = &op;
  o->results = in_place ? nullptr : results_of(op);
  o->keyword = o->otherwise = o->extension = o->of_axes = nullptr;
  o->in_place = in_place;
  return nb::steal(reinterpret_cast<PyObject*>(o));
}

const OpDef& definition_of(PyObject* op) {
  if (Py_TYPE(op) != op_type) wrong_type("expected a gyre.Op");
  return *self_of(op).op;
}

}  // namespace gyre::python
