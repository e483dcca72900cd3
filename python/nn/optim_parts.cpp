#include <vector>

#include "gyre/optim/ema.h"
#include "gyre/optim/gradient_norm.h"
#include "gyre/optim/loss_scale.h"
#include "gyre/optim/optimizer.h"
#include "gyre/optim/schedule.h"
#include "python/core/attributes.h"
#include "python/core/convert.h"
#include "python/core/json_object.h"
#include "python/core/named_tensors.h"
#include "python/core/records.h"
#include "python/module.h"
#include "python/nn/module_object.h"

#include <nanobind/stl/string.h>

// Companions of an optimiser: schedules, gradient clipping, EMA, loss scaling.

namespace gyre::python {
namespace {

using namespace nb::literals;

NonFinite non_finite_of(nb::handle text) {
  StepOptions options;
  set_field(*find_field(record_of<StepOptions>, "non_finite"), &options, text.ptr());
  return options.non_finite;
}

double clip(nb::handle parameters, double max_norm, nb::handle non_finite) {
  std::vector<Tensor> tensors;
  for (nb::handle item : nb::iter(parameters)) tensors.push_back(tensor_of(item.ptr()));
  return clip_grad_norm(tensors, max_norm, non_finite_of(non_finite));
}

void add_ema(nb::module_& m) {
  m.attr("ema_options") = fields_of(record_of<EmaOptions>);
  nb::class_<Ema>(m, "Ema")
      .def("__init__",
           [](Ema* self, nb::handle model, const nb::dict& options) {
             auto given = options_as<EmaOptions>(options);
             if (nb::isinstance<nb::dict>(model)) {
               new (self) Ema(tensors_by_name(model), given);
             } else {
               new (self) Ema(module_of(model).state_dict(), given);
             }
           })
      .def("update", &Ema::update,
           "Updates the averages; call this after each step of the optimiser.")
      .def_prop_ro("updates", &Ema::updates, "number of calls to update()")
      .def("swap", &Ema::swap,
           "Swaps the averages with the model's values; a second call restores the values bit for "
           "bit.")
      .def_prop_ro("swapped", &Ema::swapped, "whether the model holds the averages")
      .def(
          "state_dict", [](const Ema& e) { return dict_of(e.state_dict()); },
          "\"updates\" and the averages by tensor name.")
      .def(
          "load_state_dict",
          [](Ema& e, const nb::dict& state) { e.load_state_dict(tensors_by_name(state)); },
          "state"_a);
}

void add_loss_scale(nb::module_& m) {
  m.attr("loss_scale_options") = fields_of(record_of<LossScaleOptions>);
  nb::class_<LossScale>(m, "LossScale")
      .def("__init__",
           [](LossScale* self, const nb::dict& options) {
             new (self) LossScale(options_as<LossScaleOptions>(options));
           })
      .def_prop_ro("scale", &LossScale::scale, "factor to multiply the loss by")
      .def("update", &LossScale::update, "finite"_a,
           "Updates the scale after each step, given whether the gradients were finite (the step's "
           "`applied`).")
      .def("state_dict", [](const LossScale& s) { return json_object(s.state()); })
      .def(
          "load_state_dict", [](LossScale& s, nb::handle state) { s.load_state(json_of(state)); },
          "state"_a);
}

}  // namespace

void add_optim_parts(nb::module_& m) {
  m.attr("schedule_options") = fields_of(record_of<ScheduleOptions>);
  nb::class_<ScheduleOptions>(m, "Schedule")
      .def("__init__",
           [](ScheduleOptions* self, const nb::dict& options) {
             auto given = options_as<ScheduleOptions>(options);
             (void)learning_rate(given, 0);  // validates the options
             new (self) ScheduleOptions(given);
           })
      .def(
          "__call__", [](const ScheduleOptions& s, int64_t step) { return learning_rate(s, step); },
          "step"_a, "Learning rate at step 0, 1, ...")
      .def_prop_ro("options", [](const ScheduleOptions& s) {
        return values_of(record_of<ScheduleOptions>, &s);
      });
  m.def("clip_grad_norm", clip, "parameters"_a, "max_norm"_a, "non_finite"_a);
  add_ema(m);
  add_loss_scale(m);
}

}  // namespace gyre::python
