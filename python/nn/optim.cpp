#include <memory>
#include <string>
#include <vector>

#include "gyre/hyperbolic/optim/points_step.h"
#include "gyre/io/record_json.h"
#include "gyre/optim/lbfgs.h"
#include "gyre/optim/step_in_backward.h"
#include "gyre/registry/optimizer_table.h"
#include "python/core/convert.h"
#include "python/core/json_object.h"
#include "python/core/named_tensors.h"
#include "python/core/patient_lock.h"
#include "python/core/records.h"
#include "python/module.h"
#include "python/nn/module_object.h"
#include "python/nn/parameter.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

// The optimisers of the table.

namespace gyre::python {
namespace {

using namespace nb::literals;

// The content of a gyre.optim.Optimizer.
struct OptimizerObject {
  explicit OptimizerObject(std::unique_ptr<Optimizer> made) : optimizer(std::move(made)) {
    count();
  }
  void count() {
    elements = 0;
    for (const Tensor& t : optimizer->parameters()) elements += t.numel();
  }
  // Serialises calls from several threads; see patient_lock.h.
  std::unique_lock<std::recursive_mutex> alone() {
    return patient_lock<std::unique_lock>(mutex.here());
  }

  std::unique_ptr<Optimizer> optimizer;
  int64_t elements = 0;  // number of elements of all parameters
  OwnedByProcess<std::recursive_mutex> mutex{};
};

// The Python objects of parameters: those in `given`, in this order, unless they were replaced.
nb::list objects_of(const auto& parameters, nb::handle given) {
  nb::list objects;
  for (const Tensor& t : parameters) {
    const nb::object known = given[objects.size()];
    const Tensor* of = as_tensor(known.ptr());
    objects.append(of && of->impl() == t.impl() ? known : parameter_object(t));
  }
  return objects;
}

std::vector<Tensor> parameters_of(nb::handle list) {
  std::vector<Tensor> parameters;
  for (nb::handle item : nb::iter(list)) {
    const Tensor* t = as_tensor(item.ptr());
    if (!t) {
      wrong_type(std::string("expected a gyre.Tensor as parameter, got ") +
                 Py_TYPE(item.ptr())->tp_name);
    }
    parameters.push_back(*t);
  }
  return parameters;
}

// Only the options in `values`, checked against the record.
Json some_options(const OptimizerDef& def, const nb::dict& values) {
  Json all = record_to_json(*def.options, options_from(*def.options, values)->memory);
  Json some = Json::object();
  for (const auto& [key, value] : values) {
    auto name = nb::cast<std::string>(key);
    some[name] = all.at(name);
  }
  return some;
}

nb::dict options_of(const OptimizerObject& o, size_t group) {
  const Record& record = *o.optimizer->def().options;
  OpenAttrs values(record);
  record_from_json(record, values.memory, o.optimizer->options(group));
  return values_of(record, values.memory);
}

StepOptions step_options(const nb::kwargs& options) {
  return options.empty() ? StepOptions() : options_as<StepOptions>(options);
}

StepResult step(OptimizerObject& o, const nb::kwargs& options) {
  const StepOptions given = step_options(options);
  StepResult result;
  auto lock = o.alone();
  unlocked_if_long(o.elements, [&] { result = o.optimizer->step(given); });
  return result;
}

StepResult apply_gradients(OptimizerObject& o, nb::handle gradients, nb::handle parameters,
                           const nb::kwargs& options) {
  const StepOptions given = step_options(options);
  const std::vector<NamedTensor> by_name = tensors_by_name(gradients),
                                 of = nb::isinstance<nb::dict>(parameters)
                                          ? tensors_by_name(parameters)
                                          : module_of(parameters).named_parameters();
  StepResult result;
  auto lock = o.alone();
  unlocked_if_long(o.elements, [&] { result = o.optimizer->apply_gradients(by_name, of, given); });
  return result;
}

nb::object norm_of(const StepResult& r) {
  return r.gradient_norm.defined() ? nb::object(nb::float_(r.gradient_norm.item())) : nb::none();
}

nb::dict state_of(OptimizerObject& o) {
  auto lock = o.alone();
  return dict_of(o.optimizer->state_dict());
}

// `with gyre.optim.step_in_backward(optimizer):`
struct InBackward {
  nb::object optimizer;
  std::unique_ptr<StepInBackward> scope;
};

void add_class(nb::module_& m) {
  nb::class_<OptimizerObject>(m, "Optimizer")
      .def(
          "__init__",
          [](OptimizerObject* self, const OptimizerDef& def, nb::handle parameters,
             const nb::dict& options) {
            auto box = options_from(*def.options, options);
            std::vector<Tensor> tensors = parameters_of(parameters);
            auto lock = patient_lock<std::unique_lock>(tensors_in_use());
            new (self) OptimizerObject(def.make(tensors, box->memory));
          },
          "definition"_a, "parameters"_a, "options"_a)
      .def("_add_group",
           [](OptimizerObject& o, nb::handle parameters, const nb::dict& options) {
             Json given = some_options(o.optimizer->def(), options);
             std::vector<Tensor> tensors = parameters_of(parameters);
             auto lock = o.alone();
             auto others = patient_lock<std::unique_lock>(tensors_in_use());
             o.optimizer->add_group(given, tensors);
             o.count();
           })
      .def("_options", options_of)
      .def("_set_options",
           [](OptimizerObject& o, const nb::dict& options, size_t group) {
             Json given = some_options(o.optimizer->def(), options);
             auto lock = o.alone();
             o.optimizer->set_options(given, group);
           })
      .def("_lr", [](const OptimizerObject& o, size_t group) { return o.optimizer->lr(group); })
      .def("_set_lr",
           [](OptimizerObject& o, double lr) {
             auto lock = o.alone();
             o.optimizer->set_lr(lr);
           })
      .def(
          "step", step,
          "Updates the parameters that have a gradient. Options: scale (multiplies the "
          "gradients), clip (maximum gradient norm; 0: off), non_finite (what to do if the norm is "
          "not finite: skip the step, raise, set non-finite elements to zero, or apply the "
          "gradients as they are) and norm (compute the norm also with apply and no clipping). "
          "Returns `gradient_norm`, the norm of the scaled gradients before clipping, with zero "
          "that of the finite elements (None if it was not computed), and `applied` (false if the "
          "step was skipped).")
      .def("apply_gradients", apply_gradients, "gradients"_a, "parameters"_a, "options"_a,
           "Updates the parameters by gradients by name, such as those of gyre.nn.value_and_grad, "
           "in place of their grad, which is neither read nor changed. `parameters` is the module, "
           "or a dict of its parameters by name. Options and result as for step().")
      .def(
          "zero_grad",
          [](OptimizerObject& o) {
            auto lock = o.alone();
            o.optimizer->zero_grad();
          },
          "Sets the gradients of all parameters to None.")
      .def(
          "settle",
          [](OptimizerObject& o) {
            auto lock = o.alone();
            o.optimizer->settle();
          },
          "Brings parameters up to date for measuring or saving: packed ones that are encoded only "
          "now and then (HybridOptimizer). Later steps go on as without it.")
      .def("_objects",
           [](OptimizerObject& o, const nb::list& given) {
             auto lock = o.alone();
             nb::list groups;
             for (size_t g = 0; g < o.optimizer->groups(); ++g)
               groups.append(objects_of(o.optimizer->parameters(g), given[g]));
             return groups;
           })
      .def("_follow",
           [](OptimizerObject& o) {
             auto lock = o.alone();
             return o.optimizer->follow();
           })
      .def("_state", state_of)
      .def("_load_state", [](OptimizerObject& o, const nb::dict& state) {
        std::vector<NamedTensor> tensors = tensors_by_name(state);
        auto lock = o.alone();
        o.optimizer->load_state_dict(tensors);
      });
}

// The interface of OptimizerObject with one group and a closure.
void add_lbfgs(nb::module_& m) {
  nb::class_<Lbfgs>(m, "Lbfgs")
      .def("__init__",
           [](Lbfgs* self, nb::handle parameters, const nb::dict& options) {
             const auto given = options_as<LbfgsOptions>(options);
             new (self) Lbfgs(parameters_of(parameters), given);
           })
      .def("_options",
           [](const Lbfgs& o, size_t) { return values_of(record_of<LbfgsOptions>, &o.options()); })
      .def("_set_options",
           [](Lbfgs& o, const nb::dict& options, size_t) {
             o.set_options(options_as<LbfgsOptions>(options, o.options()));
           })
      .def("step",
           [](Lbfgs& o, const nb::callable& closure) {
             return o.step([&] { return nb::cast<double>(nb::float_(closure())); });
           })
      .def("_objects",
           [](const Lbfgs& o, const nb::list& given) {
             nb::list groups;
             groups.append(objects_of(o.parameters(), given[0]));
             return groups;
           })
      .def("_state", [](const Lbfgs& o) { return dict_of(o.state_dict()); })
      .def("_load_state",
           [](Lbfgs& o, const nb::dict& state) { o.load_state_dict(tensors_by_name(state)); });
  m.attr("lbfgs_options") = fields_of(record_of<LbfgsOptions>);
}

void add_step_result(nb::module_& m) {
  nb::class_<StepResult>(m, "StepResult")
      .def_prop_ro("gradient_norm", norm_of,
                   nb::for_getter(nb::sig("def gradient_norm(self) -> float | None")))
      .def_ro("applied", &StepResult::applied)
      .def("__repr__", [](const StepResult& r) {
        return nb::str("StepResult(gradient_norm={}, applied={})").format(norm_of(r), r.applied);
      });
}

void add_step_in_backward(nb::module_& m) {
  nb::class_<InBackward>(m, "StepInBackward")
      .def("__init__",
           [](InBackward* self, nb::object optimizer) {
             (void)nb::cast<OptimizerObject&>(optimizer);
             new (self) InBackward{std::move(optimizer), nullptr};
           })
      .def("__enter__",
           [](InBackward& self) {
             auto& o = nb::cast<OptimizerObject&>(self.optimizer);
             self.scope = std::make_unique<StepInBackward>(*o.optimizer);
           })
      .def(
          "__exit__",
          [](InBackward& self, nb::handle, nb::handle, nb::handle) { self.scope.reset(); },
          nb::arg().none(), nb::arg().none(), nb::arg().none());
}

}  // namespace

void add_optim(nb::module_ m) {
  nb::class_<OptimizerDef>(m, "OptimizerDef")
      .def_ro("name", &OptimizerDef::name)
      .def_ro("class_name", &OptimizerDef::class_name)
      .def_ro("doc", &OptimizerDef::doc)
      .def_prop_ro("on_manifolds", hyperbolic::on_manifolds)
      .def_prop_ro("options", [](const OptimizerDef& d) { return fields_of(*d.options); });
  nb::list all;
  for (const OptimizerDef* def : optimizer_table().optimizers) {
    all.append(nb::cast(def, nb::rv_policy::reference));
  }
  m.attr("optimizers") = nb::tuple(all);
  m.attr("step_options") = fields_of(record_of<StepOptions>);
  add_class(m);
  add_lbfgs(m);
  add_step_result(m);
  add_step_in_backward(m);
  add_optim_parts(m);
}

}  // namespace gyre::python
