#include "python/op_object.h"

#include <structmember.h>

#include <string>
#include <string_view>
#include <utility>

#include "gyre/op/samples.h"
#include "gyre/ops/in_place.h"
#include "gyre/ops/random/random.h"
#include "gyre/ops/shape/shape.h"
#include "python/attributes.h"
#include "python/convert.h"
#include "python/dtypes.h"
#include "python/nested_lists.h"
#include "python/op_text.h"

namespace gyre::python {
namespace {

PyTypeObject* op_type = nullptr;

struct OpObject {
  PyObject_HEAD;
  vectorcallfunc call;
  const OpDef* op;
  bool in_place;
};

const OpObject& self_of(PyObject* o) { return *reinterpret_cast<OpObject*>(o); }
std::string name_of(const OpObject& self) {
  return self.op->name + std::string(self.in_place ? "_" : "");
}

// ---- a call ----

// What NumPy and PyTorch call attributes that are called otherwise here.
constexpr std::pair<std::string_view, const char*> kSpellings[] = {
    {"axis", "axes"}, {"dim", "axis"}, {"dim", "axes"}, {"keepdims", "keepdim"}};

const Field* field_called(const Record& attrs, const std::string& name) {
  const Field* field = find_field(attrs, name);
  for (const auto& [theirs, ours] : kSpellings) {
    if (!field && name == theirs) field = find_field(attrs, ours);
  }
  return field;
}

// What one call was given, bound to arguments and attributes as far as it is seen.
class Binding {
 public:
  explicit Binding(const OpObject& self) : self_(self), op_(*self.op) {
    if (op_.attrs) attrs_ = Ref<OpenAttrs>(new OpenAttrs(*op_.attrs));
  }

  void positional(PyObject* const* args, size_t n) {
    size_t i = 0;
    if (op_.args.variadic()) {
      i = leading(args, n);
    } else {
      for (; i < n && i < op_.args.size(); ++i) put_operand(i, args[i]);
    }
    for (; i < n; i += attribute(args + i, n - i)) {
    }
  }

  void keyword(PyObject* name, PyObject* value) {
    std::string key = nb::cast<std::string>(nb::handle(name));
    for (size_t i = 0; i < op_.args.size(); ++i) {
      if (key == op_.args[i].name) return put_operand(i, value);
    }
    const Field* field = op_.attrs ? field_called(*op_.attrs, key) : nullptr;
    if (!field) wrong_call("has no argument " + key);
    set(*field, value);
  }

  PyObject* run() {
    while (!op_.args.variadic() && !in_.empty() && !in_.back().defined())
      in_.resize(in_.size() - 1);
    if (op_.words) take_generator();
    Attrs attrs = attrs_;
    Tensors out = compute(attrs);
    if (self_.in_place && written_) return Py_NewRef(written_);
    if (op_.words && from_generator_) take_words(op_, attrs, in_, out, default_generator());
    return new_tensors(out, op_.outputs.empty());
  }

 private:
  const OpObject& self_;
  const OpDef& op_;
  Tensors in_;
  Ref<OpenAttrs> attrs_;
  uint64_t given_ = 0;  // fields
  bool from_generator_ = false;
  PyObject* written_ = nullptr;  // the tensor of an op in place, which the caller holds

  [[noreturn]] void wrong_call(const std::string& why) const {
    std::string known;
    for (const Arg& a : op_.args) known += std::string(known.empty() ? "" : ", ") + a.name;
    for (size_t i = 0; op_.attrs && i < op_.attrs->fields.size(); ++i) {
      known += std::string(known.empty() ? "" : ", ") + op_.attrs->fields[i].name;
    }
    wrong_type(name_of(self_) + "(" + known + ") " + why);
  }

  void put_operand(size_t i, PyObject* value) {
    if (in_.size() <= i) in_.resize(i + 1);
    if (in_[i].defined()) wrong_call(std::string("got ") + op_.args[i].name + " twice");
    if (value != Py_None) in_[i] = tensor_of(value);
    if (i == 0 && as_tensor(value)) written_ = value;
  }

  static bool may_be_tensor(PyObject* o) { return is_array(o) || o == Py_None || is_list(o); }

  // Any number of tensors, one by one or as the only list; a text may stand before them (einsum).
  size_t leading(PyObject* const* args, size_t n) {
    size_t i = 0;
    while (i < n && PyUnicode_Check(args[i])) i += attribute(args + i, 1);
    bool only = i + 1 == n || (i + 1 < n && !may_be_tensor(args[i + 1]));
    if (only && is_list(args[i])) {
      nb::object items = nb::steal(PySequence_Tuple(args[i]));
      for (nb::handle item : nb::borrow<nb::tuple>(items))
        in_.push_back(tensor_or_none(item.ptr()));
      return i + 1;
    }
    while (i < n && may_be_tensor(args[i])) in_.push_back(tensor_or_none(args[i++]));
    return i;
  }

  void set(const Field& field, PyObject* value) {
    uint64_t bit = uint64_t{1} << (&field - op_.attrs->fields.data());
    if (given_ & bit) wrong_call(std::string("got ") + field.name + " twice");
    given_ |= bit;
    set_field(field, attrs_->memory, value);
  }

  // The next attribute out of the next positional arguments; how many it took. A shape takes all
  // numbers where it is the only attribute or no number follows it: reshape(x, 2, 3), rand(2, 3).
  size_t attribute(PyObject* const* args, size_t n) {
    size_t fields = op_.attrs ? op_.attrs->fields.size() : 0, next = 0;
    while (next < fields && (given_ >> next & 1)) ++next;
    if (next == fields) wrong_call("got too many arguments");
    const Field& field = op_.attrs->fields[next];
    size_t numbers = 0;
    while (numbers < n && PyIndex_Check(args[numbers]) && !as_tensor(args[numbers])) ++numbers;
    bool alone = fields == 1 || (next + 1 < fields && (&field)[1].type == Field::dtype);
    if (field.type != Field::shape || !alone || numbers < 2) {
      set(field, args[0]);
      return 1;
    }
    nb::object list = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(numbers)));
    for (size_t i = 0; i < numbers; ++i) {
      PyTuple_SET_ITEM(list.ptr(), static_cast<Py_ssize_t>(i), Py_NewRef(args[i]));
    }
    set(field, list.ptr());
    return numbers;
  }

  void take_generator() {
    const Field *seed = find_field(*op_.attrs, "seed"), *offset = find_field(*op_.attrs, "offset");
    size_t first = static_cast<size_t>(seed - op_.attrs->fields.data());
    from_generator_ = !(given_ >> first & 1);
    if (!from_generator_) return;
    auto* memory = static_cast<std::byte*>(attrs_->memory);
    std::memcpy(memory + seed->offset, &default_generator().seed, 8);
    std::memcpy(memory + offset->offset, &default_generator().offset, 8);
  }

  // Long work lets other threads of Python run.
  Tensors compute(const Attrs& attrs) {
    int64_t elements = in_.empty() ? INT64_MAX : 0;
    for (const Tensor& t : in_) elements += t.defined() ? t.numel() : 0;
    Tensors out;
    unlocked_if_long(elements, [&] { out = call(attrs); });
    return out;
  }
  Tensors call(const Attrs& attrs) {
    if (!self_.in_place) return apply(op_, in_, attrs);
    if (in_.empty()) return apply(op_, in_, attrs);  // which refuses it
    return {apply_in_place(op_, in_, attrs)};
  }
};

// Ops without attributes and keywords: no binding is needed.
bool is_plain(const OpObject& self, size_t n, PyObject* keywords) {
  const OpDef& op = *self.op;
  return !keywords && !op.attrs && !op.args.variadic() && n == op.args.size() && n <= 3 &&
         op.visible == 1 && !op.outputs.empty();
}

PyObject* plain_call(const OpObject& self, PyObject* const* args, size_t n) {
  Tensor in[3];
  int64_t elements = 0;
  for (size_t i = 0; i < n; ++i) {
    if (args[i] == Py_None) continue;
    in[i] = tensor_of(args[i]);
    elements += in[i].numel();
  }
  Tensor out;
  unlocked_if_long(elements, [&] {
    out = self.in_place ? apply_in_place(*self.op, Inputs(in, n))
                        : apply_one(*self.op, Inputs(in, n));
  });
  if (self.in_place && as_tensor(args[0])) return Py_NewRef(args[0]);
  return new_tensor(std::move(out));
}

PyObject* call(PyObject* o, PyObject* const* args, size_t flags, PyObject* keywords) {
  const OpObject& self = self_of(o);
  auto n = static_cast<size_t>(PyVectorcall_NARGS(flags));
  return guarded([&] {
    if (is_plain(self, n, keywords)) return plain_call(self, args, n);
    Binding binding(self);
    binding.positional(args, n);
    Py_ssize_t named = keywords ? PyTuple_GET_SIZE(keywords) : 0;
    for (Py_ssize_t i = 0; i < named; ++i) {
      binding.keyword(PyTuple_GET_ITEM(keywords, i), args[n + static_cast<size_t>(i)]);
    }
    return binding.run();
  });
}

PyObject* bind(PyObject* self, PyObject* object, PyObject*) {
  if (!object || object == Py_None) return Py_NewRef(self);
  return PyMethod_New(self, object);
}

// ---- what it tells about itself ----

using Getter = nb::object (*)(const OpObject&);

nb::object get_attributes(const OpObject& self) {
  nb::list list;
  nb::dict defaults = defaults_of(*self.op);
  for (size_t i = 0; self.op->attrs && i < self.op->attrs->fields.size(); ++i) {
    const Field& f = self.op->attrs->fields[i];
    nb::dict d;
    d["name"] = f.name;
    d["type"] = type_name_of(f);
    d["default"] = defaults[f.name];
    d["doc"] = f.doc;
    nb::list choices, also;
    for (const char* c : f.choices) choices.append(c);
    for (const auto& [theirs, ours] : kSpellings) {
      if (std::string_view(ours) == f.name && !find_field(*self.op->attrs, theirs)) {
        also.append(nb::cast(std::string(theirs)));
      }
    }
    d["choices"] = choices;
    d["also"] = also;
    list.append(d);
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
    list.append(d);
  }
  return list;
}

nb::object get_family(const OpObject& self) {
  const Family& family = self.op->family;
  return nb::str(family.pointwise[0]   ? "elementwise"
                 : family.rowwise[0]   ? "row"
                 : family.reduction[0] ? "reduction"
                                       : "");
}

template <Getter get>
PyObject* getter(PyObject* self, void*) {
  return guarded([&] { return get(self_of(self)).release().ptr(); });
}

PyGetSetDef kGetters[] = {
    {"name", getter<[](const OpObject& s) -> nb::object { return nb::cast(name_of(s)); }>, nullptr,
     "the op's name", nullptr},
    {"__name__", getter<[](const OpObject& s) -> nb::object { return nb::cast(name_of(s)); }>,
     nullptr, nullptr, nullptr},
    {"doc", getter<[](const OpObject& s) -> nb::object { return nb::str(s.op->doc); }>, nullptr,
     "what it does, in a line", nullptr},
    {"__doc__", getter<[](const OpObject& s) -> nb::object { return nb::cast(page_of(*s.op)); }>,
     nullptr, nullptr, nullptr},
    {"__qualname__", getter<[](const OpObject& s) -> nb::object { return nb::cast(name_of(s)); }>,
     nullptr, nullptr, nullptr},
    {"__module__", getter<[](const OpObject&) -> nb::object { return nb::str("gyre"); }>, nullptr,
     nullptr, nullptr},
    {"__text_signature__",
     getter<[](const OpObject& s) -> nb::object { return nb::cast(signature_of(*s.op)); }>, nullptr,
     nullptr, nullptr},
    {"arguments", getter<get_arguments>, nullptr,
     "its tensors: dicts of name, optional, variadic, differentiable", nullptr},
    {"attributes", getter<get_attributes>, nullptr,
     "its attributes: dicts of name, type, default, doc, choices, also (other names)", nullptr},
    {"outputs", getter<[](const OpObject& s) -> nb::object {
       return nb::cast(s.op->outputs.empty() ? 0 : s.op->visible);
     }>,
     nullptr, "how many tensors it gives; 0: any number", nullptr},
    {"differentiable",
     getter<[](const OpObject& s) -> nb::object { return nb::cast(s.op->differentiable()); }>,
     nullptr, "whether gradients flow through it", nullptr},
    {"ulp", getter<[](const OpObject& s) -> nb::object { return nb::cast(s.op->ulp); }>, nullptr,
     "its error bound in units in the last place", nullptr},
    {"by_element",
     getter<[](const OpObject& s) -> nb::object { return nb::cast(s.op->by_element); }>, nullptr,
     "whether the bound holds for each element, not only for the norm", nullptr},
    {"family", getter<get_family>, nullptr, "\"elementwise\", \"row\", \"reduction\" or \"\"",
     nullptr},
    {"random",
     getter<[](const OpObject& s) -> nb::object { return nb::cast(s.op->words != nullptr); }>,
     nullptr, "whether it draws random numbers", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};

nb::object call_of(const Samples::Call& call, DType dtype) {
  nb::list args;
  for (const Tensor& t : call.in) {
    bool cast = t.defined() && t.dtype() == DType::f64;
    args.append(nb::steal(new_tensor(cast ? to(t, dtype) : t)));
  }
  nb::dict attributes;
  for (size_t i = 0; call.attrs && i < call.attrs->type->fields.size(); ++i) {
    const Field& f = call.attrs->type->fields[i];
    attributes[f.name] = get_field(f, call.attrs->value);
  }
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
    Samples all(seed);
    if (self_of(o).op->samples) self_of(o).op->samples(all);
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
  PyObject_Free(o);
  Py_DECREF(type);
}

// Pickles and copies name the op.
PyObject* reduce(PyObject* o, PyObject*) {
  return guarded([&] { return PyUnicode_FromString(name_of(self_of(o)).c_str()); });
}

PyMethodDef kMethods[] = {
    {"__reduce__", reduce, METH_NOARGS, nullptr},
    {"samples", reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(samples)),
     METH_VARARGS | METH_KEYWORDS,
     "samples(dtype='f64', seed=1, extremes=False)\n--\n\n"
     "Valid calls: a list of (tensors, attributes), with floating tensors in `dtype`."},
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

}  // namespace

void add_op_class(nb::module_& m) {
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
  o->in_place = in_place;
  return nb::steal(reinterpret_cast<PyObject*>(o));
}

}  // namespace gyre::python
