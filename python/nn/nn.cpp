#include <nanobind/stl/string.h>

#include "gyre/io/json.h"
#include "gyre/nn/init.h"
#include "gyre/nn/make_layer.h"
#include "gyre/nn/value_and_grad.h"
#include "gyre/op/samples.h"
#include "gyre/registry/layer_table.h"
#include "python/core/convert.h"
#include "python/core/named_tensors.h"
#include "python/core/records.h"
#include "python/module.h"
#include "python/nn/module_object.h"
#include "python/nn/parameter.h"

// The layer table, model descriptions and parameter initialisers.

namespace gyre::python {
namespace {

using namespace nb::literals;
using nn::LayerDef;

// With `drawn` false the tensors are to be replaced; the random number generator is not advanced.
Core made(const LayerDef& layer, const nb::dict& options, bool drawn) {
  Ref<OpenAttrs> filled;
  if (layer.options) {
    filled = options_from(*layer.options, options);
  } else if (nb::len(options) > 0) {
    wrong_type({layer.name, " takes no options"});
  }
  nn::Unfilled scope(!drawn);
  return {layer.make(filled ? filled->memory : nullptr, nullptr), &layer};
}

nb::list inputs_of(const LayerDef& layer) {
  nb::list list;
  for (const Arg& a : layer.inputs) {
    nb::dict d;
    d["name"] = a.name;
    d["optional"] = a.optional;
    d["differentiable"] = a.differentiable;
    list.append(d);
  }
  return list;
}

nb::list outputs_of(const LayerDef& layer) {
  nb::list list;
  for (const char* name : layer.outputs) list.append(name);
  return list;
}

// Example calls that must work: (options, inputs), floating-point inputs in f64. A layer of an op
// with options has the op's samples.
nb::list samples_of(const LayerDef& layer) {
  nn::LayerSamples samples;
  if (layer.samples) layer.samples(samples);
  const Samples calls = layer.op ? Samples(*layer.op) : Samples();
  for (const Samples::Call& call : calls.calls) {
    if (call.in.size() == 1) samples.calls.push_back({call.attrs, call.in});
  }
  nb::list list;
  for (const auto& call : samples.calls) {
    nb::dict options;
    if (layer.options) options = values_of(*layer.options, call.options->value);
    list.append(nb::make_tuple(options, tuple_of(call.in)));
  }
  return list;
}

// Reports errors in a description as make_model does, with their location.
void check_model(const std::string& description) {
  Generator other;
  (void)nn::make_model(layer_table(), Json::parse(description), &other);
}

void add_layers(nb::module_& m) {
  nb::class_<LayerDef>(m, "LayerDef")
      .def_ro("name", &LayerDef::name)
      .def_prop_ro("doc", &LayerDef::text)
      .def_prop_ro("options",
                   [](const LayerDef& d) {
                     return d.options ? fields_of(*d.options, kSpellings) : nb::list();
                   })
      .def_prop_ro("inputs", inputs_of)
      .def_prop_ro("outputs", outputs_of)
      .def("samples", samples_of)
      .def("make", made, "options"_a, "drawn"_a = true);
  nb::list all;
  for (const LayerDef* layer : layer_table().layers) {
    all.append(nb::cast(layer, nb::rv_policy::reference));
  }
  m.attr("layers") = nb::tuple(all);
  m.def("check_model", check_model, "description"_a);
}

// Initialisers as functions of a shape, and of a scale.
template <Tensor (*make)(const Shape&)>
nb::object filled(nb::handle shape) {
  return parameter_object(make(shape_from(shape.ptr())));
}
template <Tensor (*make)(const Shape&, double, Generator*)>
nb::object drawn(nb::handle shape, double scale) {
  return parameter_object(make(shape_from(shape.ptr()), scale, nullptr));
}

void add_beginnings(nb::module_ m) {
  m.def("zeros", filled<nn::zeros>, "shape"_a);
  m.def("ones", filled<nn::ones>, "shape"_a);
  m.def(
      "constant",
      [](nb::handle shape, double value) {
        return parameter_object(nn::constant(shape_from(shape.ptr()), value));
      },
      "shape"_a, "value"_a);
  m.def("normal", drawn<nn::normal>, "shape"_a, "deviation"_a = 1.0,
        "Normal initialisation: N(0, deviation^2).");
  m.def("uniform", drawn<nn::uniform>, "shape"_a, "bound"_a = 1.0,
        "Uniform initialisation in [-bound, bound).");
  m.def(
      "trunc_normal",
      [](nb::handle shape, double deviation, double bound) {
        return parameter_object(nn::trunc_normal(shape_from(shape.ptr()), deviation, bound));
      },
      "shape"_a, "deviation"_a = 1.0, "bound"_a = 2.0,
      "Truncated normal initialisation: N(0, deviation^2) restricted to `bound` standard "
      "deviations from 0.");
  m.def("xavier", drawn<nn::xavier>, "shape"_a, "gain"_a = 1.0,
        "Xavier (Glorot) uniform initialisation, with standard deviation gain sqrt(2 / (fan_in + "
        "fan_out)) (Glorot and Bengio 2010).");
  m.def(
      "he",
      [](nb::handle shape, double gain, bool backward) {
        nn::FanMode mode = backward ? nn::FanMode::out : nn::FanMode::in;
        return parameter_object(nn::he(shape_from(shape.ptr()), gain, nullptr, mode));
      },
      "shape"_a, "gain"_a = 1.4142135623730951, "backward"_a = false,
      "Kaiming (He) normal initialisation with standard deviation gain / sqrt(fan_in), or fan_out "
      "if `backward`. gain sqrt(2) is for ReLU (He et al. 2015).");
  m.def("orthogonal", drawn<nn::orthogonal>, "shape"_a, "gain"_a = 1.0,
        "Orthogonal initialisation: gain times a matrix [out, in ...] with orthonormal rows, or "
        "columns if there are fewer columns (Saxe et al. 2014).");
}

}  // namespace

void add_nn(nb::module_ m) {
  add_parameter_class(m);
  add_module_class(m);
  add_layers(m);
  add_beginnings(m.def_submodule(
      "init", "Parameter initialisers: functions that return new parameters in f32."));
  m.def(
      "gradients_of",
      [](nb::handle module, nb::handle loss) {
        std::vector<NamedTensor> parameters = module_of(module).named_parameters();
        const Tensor value = tensor_of(loss.ptr(), DType::f64);
        return dict_of(unlocked([&] { return nn::gradients_of(value, std::move(parameters)); }));
      },
      "module"_a, "loss"_a, "Gradients of a loss by parameter name; the grad of parameters stays.");
  m.def(
      "assign",
      [](const Tensor& target, nb::handle value) {
        nn::assign(target, tensor_of(value.ptr(), DType::f64), "value");
      },
      "target"_a, "value"_a, "Copies values into a tensor in place, without autograd.");
}

}  // namespace gyre::python
