#include <string>
#include <vector>

#include "gyre/hyperbolic/manifold/kinds.h"
#include "gyre/hyperbolic/manifold/parameter.h"
#include "gyre/hyperbolic/manifold/product.h"
#include "gyre/op/node.h"
#include "python/core/convert.h"
#include "python/core/records.h"
#include "python/module.h"
#include "python/nn/parameter.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

// Manifolds, with the methods of the table, and manifold parameters.

namespace gyre::python {
namespace {

using namespace nb::literals;
using hyperbolic::Manifold;
using hyperbolic::ManifoldKind;
using hyperbolic::Method;
using hyperbolic::MethodDef;

nb::list methods() {
  nb::list list;
  for (const MethodDef& method : hyperbolic::methods()) {
    nb::dict d;
    nb::list args;
    for (const char* name : method.args) args.append(name);
    d["name"] = method.name;
    d["args"] = args;
    d["doc"] = method.doc;
    d["options"] = method.options ? fields_of(*method.options) : nb::list();
    list.append(d);
  }
  return list;
}

nb::list kinds() {
  nb::list list;
  for (const ManifoldKind& kind : hyperbolic::manifold_kinds()) {
    nb::dict d;
    d["name"] = kind.name;
    d["doc"] = kind.doc;
    d["curved"] = kind.curved;
    list.append(d);
  }
  return list;
}

Manifold made(const std::string& name, nb::handle c, bool checked) {
  const ManifoldKind& kind = hyperbolic::manifold_kind(name);
  using hyperbolic::CheckCurvature;
  return kind.make(tensor_or_none(c.ptr(), DType::f64),
                   checked ? CheckCurvature::yes : CheckCurvature::no);
}

Manifold product(const std::vector<Manifold>& parts, const std::vector<int64_t>& dims) {
  std::vector<hyperbolic::Part> list;
  for (size_t i = 0; i < parts.size(); ++i) list.push_back({parts[i], dims.at(i)});
  return hyperbolic::Product(list);
}

nb::object call(const Manifold& m, size_t method, const nb::tuple& args, const nb::dict& options) {
  const auto f = options_as<FunctionOptions>(options).f;
  std::span<PyObject* const> given(PySequence_Fast_ITEMS(args.ptr()), args.size());
  const Tensors in =
      tensors_together(given, [&](size_t i, DType floats) { return tensor_of(given[i], floats); });
  Tensor out;
  unlocked_if_long(elements_of(in), [&] { out = m.call(static_cast<Method>(method), in, f); });
  return tensor_object(out);
}

nb::list parts(const Manifold& m) {
  nb::list list;
  for (const hyperbolic::Part& part : hyperbolic::parts_of(m)) {
    list.append(nb::make_tuple(part.manifold, part.dim));
  }
  return list;
}

}  // namespace

void add_hyperbolic(nb::module_ m) {
  nb::class_<Manifold>(m, "Manifold")
      .def_prop_ro("name", &Manifold::name)
      .def_prop_ro("text", &Manifold::text)
      .def_prop_ro("c",
                   [](const Manifold& self) {
                     const Tensor* c = hyperbolic::curvature_of(self);
                     // always the same object, so that deepcopy preserves sharing
                     if (c && c->requires_grad()) return parameter_object(*c);
                     nb::object held = c ? held_parameter(*c) : nb::none();
                     return held.is_none() ? tensor_object(c ? *c : Tensor()) : held;
                   })
      .def("is_of",
           [](const Manifold& self, const Tensor& c) {
             const Tensor* own = hyperbolic::curvature_of(self);
             return own && own->impl() == c.impl();
           })
      .def_prop_ro("lasts",  // the curvature keeps no autograd graph or batch alive
                   [](const Manifold& self) {
                     const Tensor* c = hyperbolic::curvature_of(self);
                     return !c || (!node_of(*c) && c->plain());
                   })
      .def_prop_ro("parts", parts)
      .def("has", [](const Manifold& self,
                     size_t method) { return self.has(static_cast<Method>(method)); })
      .def("call", call)
      .def("require_points", [](const Manifold& self, nb::handle x, const std::string& op) {
        self.require_points(tensor_of(x.ptr()), op.c_str());
      });
  m.attr("methods") = methods();
  m.attr("kinds") = kinds();
  m.def("make", made, "name"_a, "c"_a.none(), "checked"_a = true);
  m.def("product", product);
  m.def("parameter", [](nb::handle data, const Manifold& manifold) {
    return parameter_object(hyperbolic::ManifoldParameter(tensor_of(data.ptr()), manifold));
  });
  // a leaf that shares the memory of a tensor and is updated along the manifold
  m.def("leaf", [](const Tensor& t, const Manifold& manifold) {
    Tensor points = points_of(manifold.geometry(), t.detach());
    return tensor_object(points.set_requires_grad());
  });
  m.def("manifold_of", [](const Tensor& t) -> nb::object {
    if (!space_of(t)) return nb::none();
    return nb::cast(hyperbolic::manifold_of(t));
  });
}

}  // namespace gyre::python
