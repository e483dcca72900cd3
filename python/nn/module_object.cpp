#include "python/nn/module_object.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "gyre/nn/replace_tensors.h"
#include "gyre/nn/tensor_walk.h"
#include "gyre/registry/layer_table.h"
#include "gyre/tensor/replaced.h"
#include "python/core/convert.h"
#include "python/core/devices.h"
#include "python/core/dtypes.h"
#include "python/core/garbage.h"
#include "python/core/named_tensors.h"
#include "python/core/patient_lock.h"
#include "python/core/records.h"
#include "python/nn/lending.h"
#include "python/nn/parameter.h"

#include <nanobind/stl/vector.h>

namespace gyre::python {
namespace {

using namespace nb::literals;

PyTypeObject* module_type = nullptr;

// keep_objects() of a module and all modules in it.
void keep_all_objects(ModuleObject& module) {
  struct Keeper final : nn::Visitor {
    void parameter(std::string_view, Tensor&) override {}
    void buffer(std::string_view, Tensor&) override {}
    void module(std::string_view, nn::Module& child) override {
      if (auto* object = dynamic_cast<ModuleObject*>(&child)) object->keep_objects();
      child.visit(*this);
    }
  };
  module.keep_objects();
  Keeper keeper;
  module.visit(keeper);
}

nb::list named(const std::vector<NamedTensor>& tensors, auto object_of) {
  nb::list list;
  for (const NamedTensor& t : tensors) list.append(nb::make_tuple(t.name, object_of(t.tensor)));
  return list;
}

nb::dict state_dict(nb::handle self) {
  nb::dict state;
  for (const NamedTensor& t : module_of(self).state_dict()) {
    state[t.name.c_str()] = tensor_object(t.tensor.detach());
  }
  return state;
}

nb::object call_with(nb::handle self, nb::handle tensors, nb::handle args, nb::handle kwargs) {
  Ref<const Lending> lending(new Lending(nb::borrow(self), tensors_by_name(tensors)));
  return lending->around([&] {
    nb::object result = nb::steal(PyObject_Call(self.ptr(), args.ptr(), kwargs.ptr()));
    if (!result.is_valid()) throw nb::python_error();
    return result;
  });
}

void put(nb::handle self, nb::handle tensors) {
  std::vector<NamedTensor> others = tensors_by_name(tensors);
  auto lock = patient_lock<std::unique_lock>(tensors_in_use());
  nn::replace_tensors(module_of(self), others);
}

// The first argument may be either, as in PyTorch.
nb::object converted(nb::handle self, nb::handle dtype, nb::handle device) {
  if (!dtype.is_none() && names_device(dtype)) std::swap(dtype, device);
  auto convert = [&](auto wanted) {
    auto lock = patient_lock<std::unique_lock>(tensors_in_use());
    module_of(self).to(wanted);
  };
  if (!device.is_none()) convert(device_from(device));
  if (!dtype.is_none()) convert(dtype_from(dtype.ptr()));
  keep_all_objects(module_of(self));
  return nb::borrow(self);
}

// ---- contents of a core ----

// The tensors and submodules that a module itself visits.
struct Members final : nn::Visitor {
  explicit Members(nn::Module& module) { module.visit(*this); }
  void parameter(std::string_view name, Tensor& value) override {
    tensors.push_back({std::string(name), value});
    trained.push_back(true);
  }
  void buffer(std::string_view name, Tensor& value) override {
    tensors.push_back({std::string(name), value});
    trained.push_back(false);
  }
  void module(std::string_view name, nn::Module& child) override {
    modules.emplace_back(name, &child);
  }
  std::vector<NamedTensor> tensors;
  std::vector<bool> trained;
  std::vector<std::pair<std::string, nn::Module*>> modules;
};

// The core's tensors by name as Python objects, None for absent ones.
nb::dict core_tensors(nb::handle self) {
  nb::dict found;
  const Core& core = module_of(self).core;
  if (!core.module) return found;
  module_of(self).keep_objects();
  Members members(*core.module);
  for (size_t i = 0; i < members.tensors.size(); ++i) {
    const NamedTensor& t = members.tensors[i];
    found[t.name.c_str()] =
        members.trained[i] ? parameter_object(t.tensor) : tensor_object(t.tensor);
  }
  return found;
}

nb::list core_parts(nb::handle self) {
  nb::list parts;
  const Core& core = module_of(self).core;
  if (!core.module) return parts;
  for (const auto& [name, part] : Members(*core.module).modules) {
    Core inner{{core.module, part}, layer_table().of(*part)};
    parts.append(nb::make_tuple(name, inner));
  }
  return parts;
}

// "Linear" for gyre::nn::Linear.
std::string class_name(const Core& core) {
  if (core.layer) return core.layer->name;
  int failed = 0;
  const nn::Module& module = *core.module;
  char* text = abi::__cxa_demangle(typeid(module).name(), nullptr, nullptr, &failed);
  std::string name = failed ? "Module" : text;
  std::free(text);
  size_t colon = name.rfind(':');
  return colon == std::string::npos ? name : name.substr(colon + 1);
}

nn::Module& core_module(nb::handle self) {
  const Core& core = module_of(self).core;
  if (!core.module) wrong_type("the module is not a C++ layer");
  return *core.module;
}

// ---- forward ----

void put_named(Tensors& in, const Core& core, nb::handle name, PyObject* value) {
  auto key = nb::cast<std::string>(name);
  size_t inputs = core.layer ? core.layer->inputs.size() : 0;
  for (size_t i = 0; i < inputs; ++i) {
    const char* input = core.layer->inputs[i].name;
    if (key != input && !is_spelling(key, input)) continue;
    if (in.size() <= i) in.resize(i + 1);
    if (in[i].defined()) wrong_type(class_name(core) + " got " + key + " twice");
    in[i] = tensor_or_none(value);
    return;
  }
  wrong_type(class_name(core) + " got an unexpected keyword argument '" + key + "'");
}

PyObject* run_core(const ModuleObject& module, const Tensors& in) {
  int64_t elements = module.core_elements;
  for (const Tensor& t : in) elements += t.defined() ? t.numel() : 0;
  Tensors out;
  std::shared_ptr<nn::Module> core = module.core.module;  // keeps it alive
  if (elements < kLong) {
    out = core->forward(in);
  } else {
    std::shared_mutex& mutex = tensors_in_use();
    nb::gil_scoped_release release;
    std::shared_lock reading(mutex);
    out = core->forward(in);
  }
  return new_tensors(out);
}

PyObject* forward(PyObject* self, PyObject* const* args, Py_ssize_t count, PyObject* names) {
  return guarded([&] {
    ModuleObject& module = module_of(self);
    if (!module.core.module) {
      PyErr_Format(PyExc_NotImplementedError, "%s does not define forward", Py_TYPE(self)->tp_name);
      throw nb::python_error();
    }
    Tensors in;
    for (Py_ssize_t i = 0; i < count; ++i) in.push_back(tensor_or_none(args[i]));
    Py_ssize_t named = names ? PyTuple_GET_SIZE(names) : 0;
    for (Py_ssize_t i = 0; i < named; ++i) {
      put_named(in, module.core, PyTuple_GET_ITEM(names, i), args[count + i]);
    }
    return run_core(module, in);
  });
}

// module(...) calls module.forward(...).
PyObject* call(PyObject* self, PyObject* args, PyObject* kwargs) {
  static PyObject* const name = PyUnicode_InternFromString("forward");
  PyObject* method = PyObject_GetAttr(self, name);
  if (!method) return nullptr;
  PyObject* result = PyObject_Call(method, args, kwargs);
  Py_DECREF(method);
  return result;
}

PyMethodDef kMethods[] = {
    {"forward", reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(forward)),
     METH_FASTCALL | METH_KEYWORDS,
     "forward($self, *args, **kwargs)\n--\n\n"
     "Computes the outputs of the module; Python subclasses override it. A layer takes its inputs "
     "by position or keyword and returns a tensor, or a tuple if it has several outputs."},
    {nullptr, nullptr, 0, nullptr},
};

// The object of a tensor that only the module keeps, besides the core.
bool keeps_alone(const ModuleObject& m, const Tensor& t) {
  const auto is_its = [&](const nb::object& o) {
    return as_parameter(o.ptr())->impl() == t.impl();
  };
  const auto found = std::ranges::find_if(m.kept, is_its);
  return found != m.kept.end() && Py_REFCNT(found->ptr()) == 1;
}

// The tensors of a core belong to the module, unless another object shares the core.
int traverse(const ModuleObject& m, visitproc visit, void* arg) {
  for (const nb::object& object : m.kept) Py_VISIT(object.ptr());
  if (HoldsPython::alive == 0 || m.core.module.use_count() != 1) return 0;
  int stopped = 0;
  nn::for_each_tensor(*m.core.module, [&](const std::string&, const Tensor& t, bool) {
    const uint32_t handles = keeps_alone(m, t) ? 2 : 1;
    if (stopped == 0 && t.defined()) stopped = python::traverse(t, visit, arg, handles);
  });
  return stopped;
}
void forget_core(ModuleObject& m) {
  m.core = {};
  m.kept.clear();
}

PyType_Slot* slots() {
  static PyType_Slot all[] = {{Py_tp_methods, kMethods},
                              {Py_tp_call, reinterpret_cast<void*>(call)},
                              collected_slots<ModuleObject, traverse, forget_core>()[0],
                              collected_slots<ModuleObject, traverse, forget_core>()[1],
                              {0, nullptr}};
  return all;
}

using Class = nb::class_<ModuleObject>;

void add_tensors(Class& c) {
  c.def(
       "named_parameters",
       [](nb::handle self) {
         keep_all_objects(module_of(self));
         return named(module_of(self).named_parameters(), parameter_object);
       },
       "(name, Parameter) pairs of this module and its submodules. A shared parameter appears "
       "once, under its first name.")
      .def(
          "named_buffers",
          [](nb::handle self) { return named(module_of(self).named_buffers(), tensor_object); },
          "(name, tensor) pairs of the buffers: tensors that are part of the state but not "
          "trained.")
      .def(
          "parameters",
          [](nb::handle self) {
            nb::list list;
            keep_all_objects(module_of(self));
            for (const Tensor& t : module_of(self).parameters()) list.append(parameter_object(t));
            return list;
          },
          "List of the parameters, each tensor once.")
      .def(
          "parameter_count", [](nb::handle self) { return module_of(self).parameter_count(); },
          "Total number of elements of all parameters.")
      .def("state_dict", state_dict,
           "Parameters and buffers by name, sharing the module's memory. A shared tensor appears "
           "once, under its first name.")
      .def(
          "load_state_dict",
          [](nb::handle self, nb::handle state, bool strict) {
            nn::UnmatchedNames names = module_of(self).load_state_dict(
                tensors_by_name(state), strict ? nn::Strict::yes : nn::Strict::no);
            return nb::make_tuple(names.missing, names.unknown);
          },
          "state"_a, "strict"_a = true,
          "Copies values by name into the module's tensors, converting dtypes. ValueError for "
          "missing or unknown names, ShapeError for different shapes; on error nothing changes. "
          "With strict=False, missing and unknown names are allowed. Returns the lists of missing "
          "and unknown names.")
      .def("_put", put)
      .def("_call_with", call_with);
}

void add_modes(Class& c) {
  c.def(
       "zero_grad", [](nb::handle self) { module_of(self).zero_grad(); },
       "Sets the gradients of all parameters to None.")
      .def(
          "requires_grad_",
          [](nb::handle self, bool wanted) {
            module_of(self).set_requires_grad(wanted);
            return nb::borrow(self);
          },
          "requires_grad"_a = true,
          "Sets requires_grad of all parameters. Returns the module itself.")
      .def("to", converted, "dtype"_a = nb::none(), "device"_a = nb::none(),
           nb::sig("def to(self, dtype: object = None, device: object = None) -> object"),
           "Casts floating-point parameters and buffers to a dtype, of which buffers keep at least "
           "f32, or moves all of them to a device. "
           "The new tensors have no gradients; existing optimisers and EMAs switch to them. "
           "Returns the module itself.")
      .def(
          "set_gradient_checkpointing",
          [](nb::handle self, int64_t every) {
            auto lock = patient_lock<std::unique_lock>(tensors_in_use());
            module_of(self).set_gradient_checkpointing(every);
          },
          "every"_a,
          "Gradient checkpointing: transformers in this module keep the input of every `every`-th "
          "layer only, and backward computes the rest again, with the same results. 0: off. "
          "UnsupportedError for a module without a stack of layers.");
}

void add_core(Class& c) {
  c.def("_hold",
        [](nb::handle self, const Core& core) {
          ModuleObject& module = module_of(self);
          module.core = core;
          module.core_elements = core.module->parameter_count();
        })
      .def("_core_tensors", core_tensors)
      .def("_core_parts", core_parts)
      .def("_core_training", [](nb::handle self) { return core_module(self).training(); })
      .def("_train_core",
           [](nb::handle self, bool training) { core_module(self).train(training); });
}

}  // namespace

void ModuleObject::visit_attributes(nn::Visitor& v, const char* kind) {
  nb::object attributes = nb::handle(self_).attr("__dict__"), kinds = attributes["_kinds"];
  for (const auto& [name, its_kind] : nb::borrow<nb::dict>(kinds)) {
    if (std::strcmp(nb::cast<const char*>(its_kind), kind) != 0) continue;
    PyObject* value = PyDict_GetItem(attributes.ptr(), name.ptr());  // borrowed
    if (!value || value == Py_None) continue;
    std::string text = nb::cast<std::string>(name);
    if (Parameter* p = kind[0] == 'p' ? as_parameter(value) : nullptr) {
      v.parameter(text, *p);
      p->tensor_changed(tensors_change_hands());
    } else if (kind[0] == 'b' && as_tensor(value)) {
      v.buffer(text, *nb::inst_ptr<Tensor>(nb::handle(value)));
    } else if (kind[0] == 'm') {
      v.module(text, module_of(value));
    }
  }
}

void ModuleObject::keep_objects() {
  if (!core.module || tensors_change_hands()) return;
  size_t place = 0;
  nn::for_each_tensor(*core.module, [&](const std::string&, const Tensor& t, bool is_parameter) {
    if (!is_parameter) return;
    if (place == kept.size()) kept.push_back(parameter_object(t));
    nb::object& object = kept[place++];
    Parameter& p = *as_parameter(object.ptr());
    if (p.impl() == t.impl()) return;
    if (nb::object other = held_parameter(t); !other.is_none()) {
      object = other;
    } else if (newest(p).impl() == t.impl()) {  // the module was cast or moved
      static_cast<Tensor&>(p) = t;
      p.tensor_changed(false);
    } else {
      object = parameter_object(t);
    }
  });
  kept.resize(place);
}

void ModuleObject::visit(nn::Visitor& v) {
  if (core.module) core.module->visit(v);
  for (const char* kind : {"parameter", "buffer", "module"}) visit_attributes(v, kind);
}

std::shared_mutex& tensors_in_use() {
  static OwnedByProcess<std::shared_mutex> mutex;
  return mutex.here();
}

ModuleObject& module_of(nb::handle o) {
  if (!PyObject_TypeCheck(o.ptr(), module_type)) {
    wrong_type(std::string("expected a gyre.nn.Module, got ") + Py_TYPE(o.ptr())->tp_name);
  }
  if (!nb::inst_ready(o)) {
    wrong_type({Py_TYPE(o.ptr())->tp_name, " must call super().__init__() first"});
  }
  return *nb::inst_ptr<ModuleObject>(o);
}

void add_module_class(nb::module_& m) {
  nb::class_<Core>(m, "Core")
      .def_prop_ro(
          "layer", [](const Core& c) { return c.layer; }, nb::rv_policy::reference)
      .def_prop_ro("class_name", class_name);
  Class c(m, "Module", nb::type_slots(slots()),
          "Common base class of gyre.nn.Module and C++ layers.");
  module_type = reinterpret_cast<PyTypeObject*>(c.ptr());
  c.def("__init__",
        [](nb::pointer_and_handle<ModuleObject> self) { new (self.p) ModuleObject(self.h.ptr()); });
  add_tensors(c);
  add_modes(c);
  add_core(c);
}

}  // namespace gyre::python
