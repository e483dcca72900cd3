#include "python/nn/parameter.h"

#include <unordered_map>
#include <utility>

#include "gyre/hyperbolic/manifold/manifold.h"
#include "gyre/op/node.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/tensor/points.h"
#include "python/core/convert.h"
#include "python/core/garbage.h"
#include "python/module.h"

namespace gyre::python {
namespace {

using namespace nb::literals;

PyTypeObject* parameter_type = nullptr;

// The Python object of each tensor, guarded by the GIL. It is never destroyed, because objects may
// be destroyed later than statics.
std::unordered_map<const TensorImpl*, PyObject*>& objects() {
  static auto* all = new std::unordered_map<const TensorImpl*, PyObject*>();
  return *all;
}

int traverse_parameter(const Parameter& p, visitproc visit, void* arg) {
  return traverse(p, visit, arg);
}
void release_parameter(Parameter& p) { p.release(); }

// A new leaf tensor, sharing the memory of `data` if that is a contiguous tensor.
Tensor leaf_of(nb::handle data, bool requires_grad) {
  NoGrad off;
  const Tensor* given = as_tensor(data.ptr());
  Tensor t = given ? given->detach() : tensor_of(data.ptr());
  if (t.meta().weak) t = to(t, DType::f32);
  t = given ? contiguous(t) : clone(t);
  if (requires_grad) t.set_requires_grad();
  return t;
}

nb::object make(const Tensor& t) {
  nb::object o = nb::inst_alloc(nb::handle(reinterpret_cast<PyObject*>(parameter_type)));
  new (nb::inst_ptr<Parameter>(o)) Parameter(t, o.ptr());
  nb::inst_mark_ready(o);
  return o;
}

// The manifold of a parameter's copy; parameters that share a curvature share its copy.
Ref<const Space> space_of_copy(nb::handle parameter, nb::handle memo) {
  nb::object manifold = nb::module_::import_("gyre.hyperbolic").attr("manifold_of")(parameter);
  nb::object copied = nb::module_::import_("copy").attr("deepcopy")(manifold, memo);
  return nb::cast<const hyperbolic::Manifold&>(copied.attr("_core")).geometry();
}

nb::object copy_of_parameter(nb::handle self, nb::handle memo) {
  const Parameter* held = as_parameter(self.ptr());
  if (!held) wrong_type({"self: expected Parameter, got ", Py_TYPE(self.ptr())->tp_name});
  const Parameter& p = *held;
  NoGrad off;
  Tensor copy = clone(p.detach());
  if (space_of(p)) copy = points_of(space_of_copy(self, memo), copy);
  copy.set_requires_grad(p.requires_grad());
  return make(copy);
}

}  // namespace

Parameter::Parameter(Tensor tensor, PyObject* object) : Tensor(std::move(tensor)), object_(object) {
  tensor_changed(false);
}
Parameter::~Parameter() { forget(); }

void Parameter::forget() {
  auto found = objects().find(known_as_);
  if (found != objects().end() && found->second == object_) objects().erase(found);
}

void Parameter::tensor_changed(bool lent) {
  if (known_as_ == impl()) return;
  forget();
  TensorImpl* before = std::exchange(known_as_, impl());
  if (lent &&
      own_.impl() == impl()) {  // restored; Python may have created another object meanwhile
    own_ = {};
    objects().insert_or_assign(known_as_, object_);
    return;
  }
  objects().emplace(known_as_, object_);
  if (!lent) {
    own_ = {};
  } else if (!own_.defined()) {
    own_ =
        Tensor(Ref<TensorImpl>(before));  // temporarily replaced; the replacement is undone later
  }
}

void Parameter::release() {
  forget();
  known_as_ = nullptr;
  own_ = {};
  static_cast<Tensor&>(*this) = {};
}

void add_parameter_class(nb::module_& m) {
  nb::class_<Parameter, Tensor> c(
      m, "Parameter",
      nb::type_slots(collected_slots<Parameter, traverse_parameter, release_parameter>()),
      "Parameter(data, requires_grad=True)\n--\n\n"
      "A trainable tensor, registered when assigned to an attribute of a Module. It is a new leaf "
      "that shares the memory of a contiguous gyre.Tensor and copies other data.");
  c.attr("__module__") = "gyre.nn";  // for pickle
  parameter_type = reinterpret_cast<PyTypeObject*>(c.ptr());
  c.def(
       "__init__",
       [](nb::pointer_and_handle<Parameter> self, nb::handle data, bool requires_grad) {
         new (self.p) Parameter(leaf_of(data, requires_grad), self.h.ptr());
       },
       "data"_a, "requires_grad"_a = true)
      .def("__deepcopy__", copy_of_parameter, "memo"_a)
      .def("__copy__", [](nb::handle self) { return nb::borrow(self); })
      .def("__reduce__", [](const Parameter& p) {
        if (space_of(p)) {
          nb::object manifolds = nb::module_::import_("gyre.hyperbolic");
          return nb::tuple(manifolds.attr("_reduced")(nb::find(p)));
        }
        nb::object type = nb::borrow(reinterpret_cast<PyObject*>(parameter_type));
        nb::object data = tensor_object(p.detach());
        return nb::make_tuple(type, nb::make_tuple(data, p.requires_grad()));
      });
}

Parameter* as_parameter(PyObject* o) {
  return PyObject_TypeCheck(o, parameter_type) ? nb::inst_ptr<Parameter>(nb::handle(o)) : nullptr;
}

nb::object held_parameter(const Tensor& t) {
  auto found = objects().find(t.impl());
  bool lives =
      found != objects().end() && Py_REFCNT(found->second) > 0;  // it may be about to be destroyed
  return lives ? nb::borrow(found->second) : nb::none();
}

nb::object parameter_object(const Tensor& t) {
  if (!t.defined()) return nb::none();
  nb::object held = held_parameter(t);
  return held.is_none() ? make(t) : held;
}

}  // namespace gyre::python
