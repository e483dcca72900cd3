#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <mutex>
#include <string>
#include <vector>

#include "gyre/packed/compress/compress.h"
#include "gyre/packed/compress/size_target.h"
#include "gyre/packed/gradient/word_gradient.h"
#include "gyre/packed/int8/int8_activations.h"
#include "gyre/packed/packed.h"
#include "gyre/packed/packed_file.h"
#include "python/core/convert.h"
#include "python/core/named_tensors.h"
#include "python/core/patient_lock.h"
#include "python/core/thread_mode.h"
#include "python/module.h"
#include "python/nn/module_object.h"

namespace gyre::python {
namespace {

using namespace nb::literals;

// A dict of tensors as a module whose tensors all are learned.
struct State final : nn::Module {
  explicit State(std::vector<NamedTensor> given) : tensors(std::move(given)) {}
  void visit(nn::Visitor& visitor) override {
    for (NamedTensor& t : tensors) visitor.parameter(t.name, t.tensor);
  }
  std::vector<NamedTensor> tensors;
};

CompressPolicy policy_of(const std::string& format, const std::vector<std::string>& rules,
                         int64_t least_weights) {
  CompressPolicy policy{&codec(format), least_weights};
  for (const std::string& rule : rules) policy.rules.push_back(format_rule(rule));
  return policy;
}

nb::dict entry_of(const CompressedTensor& t) {
  nb::dict entry;
  entry["name"] = t.name;
  entry["format"] = t.format;
  entry["packed"] = t.packed;
  entry["weights"] = t.weights;
  entry["bytes"] = t.bytes;
  entry["error"] = t.error;
  return entry;
}

// Calls done(weights so far, all) and handles signals; what it raises ends the call.
auto progress_of(const nb::object& done) {
  return [&done](int64_t weights, int64_t all) {
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    if (!done.is_none()) done(weights, all);
  };
}

// Packs the tensors of a module, whose values stay until all are packed. Done without the GIL and
// locks, since `done` may use the module.
nb::list compress_in(nn::Module& module, const CompressPolicy& policy, const std::string& target,
                     const nb::object& done) {
  std::vector<PlannedTensor> plan = plan_formats(module, policy);
  if (!target.empty()) {
    const auto dense = static_cast<int64_t>(state_size(module.state_dict()));
    SizeTarget(target).meet(plan, dense, !policy.rules.empty(),
                            [&] { return state_size(planned_state(plan)); });
  }
  const auto progress = progress_of(done);
  const PackedState packed = unlocked([&] {
    return packed_state(plan, [&](int64_t weights, int64_t all) {
      nb::gil_scoped_acquire acquire;
      progress(weights, all);
    });
  });
  {
    auto lock = patient_lock<std::unique_lock>(tensors_in_use());
    module.lend_state(packed.tensors);
  }
  nb::list report;
  for (const CompressedTensor& t : packed.report) report.append(entry_of(t));
  return report;
}

nb::list compress_module(nb::handle module, const std::string& format,
                         const std::vector<std::string>& rules, int64_t least_weights,
                         const std::string& target, const nb::object& done) {
  return compress_in(module_of(module), policy_of(format, rules, least_weights), target, done);
}

// (the tensors, the report)
nb::object compress_state(nb::handle tensors, const std::string& format,
                          const std::vector<std::string>& rules, int64_t least_weights,
                          const std::string& target, const nb::object& done) {
  State state(tensors_by_name(tensors));
  for (NamedTensor& t : state.tensors) t.tensor = t.tensor.detach();
  const nb::list report = compress_in(state, policy_of(format, rules, least_weights), target, done);
  return nb::make_tuple(dict_of(state.tensors), report);
}

nb::object of_parts(const std::string& format, nb::handle shape, nb::handle words,
                    nb::handle headers, const std::string& name) {
  return tensor_object(packed_of_parts(codec(format), shape_from(shape.ptr()),
                                       tensor_of(words.ptr()), tensor_of(headers.ptr()), name));
}

nb::object gradient_of_words(nb::handle w, nb::handle gradient) {
  const Tensor of = tensor_of(w.ptr()), g = tensor_of(gradient.ptr());
  const RBEGradient found = unlocked([&] { return rbe_gradient(of, g); });
  return nb::make_tuple(tensor_object(found.hi), tensor_object(found.lo),
                        tensor_object(found.interactions));
}

nb::object multiplied_out(nb::handle gradient) {
  const Tensor g = tensor_of(gradient.ptr());
  return tensor_object(unlocked([&] { return dense_gradient(g); }));
}

}  // namespace

void add_packed(nb::module_ m) {
  nb::list formats;
  for (const char* format : kPackedFormatNames) formats.append(format);
  m.attr("formats") = nb::tuple(formats);
  m.def("compress_module", compress_module, "module"_a, "format"_a, "rules"_a, "least_weights"_a,
        "target"_a, "done"_a.none());
  m.def("compress_state", compress_state, "tensors"_a, "format"_a, "rules"_a, "least_weights"_a,
        "target"_a, "done"_a.none());
  ThreadMode<int8_activations, set_int8_activations>::bind(
      m, "Int8Activations", "Context manager that rounds activations to 8 bits, or not.");
  m.def("int8_activations",
        [](bool wanted) { return ThreadMode<int8_activations, set_int8_activations>{wanted}; });
  m.def("of_parts", of_parts, "format"_a, "shape"_a, "words"_a, "headers"_a, "name"_a);
  m.def("gradient_of_words", gradient_of_words, "w"_a, "gradient"_a);
  m.def("dense_gradient", multiplied_out, "gradient"_a);
}

}  // namespace gyre::python
