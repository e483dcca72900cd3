#include "gyre/autograd/checkpoint.h"

#include "python/core/convert.h"
#include "python/core/garbage.h"
#include "python/module.h"
#include "python/tensor/tensor_class.h"

namespace gyre::python {
namespace {

class PythonBody final : public CheckpointBody, public HoldsPython {
 public:
  explicit PythonBody(nb::object f) : function_(std::move(f)) {}
  Tensors operator()(Inputs in) const override {
    nb::gil_scoped_acquire lock;
    nb::object result = (*function_)(*tuple_of(in));
    several_ = !as_tensor(result.ptr());
    return tensors_of(result.ptr());
  }
  bool several() const { return several_; }
  int traverse(visitproc visit, void* arg) const override {
    return python::traverse(function_, visit, arg);
  }

 private:
  HeldObject function_;
  mutable bool several_ = false;  // the first run returned a sequence
};

struct Budget {
  Ref<CheckpointBudget> held;
};

nb::object call(nb::object f, const nb::args& inputs, const nb::kwargs& options) {
  Ref<CheckpointBudget> budget;
  for (auto [name, value] : options) {
    if (nb::cast<std::string>(name) != "budget") {
      wrong_type("checkpoint got an unexpected keyword argument '" + nb::cast<std::string>(name) +
                 "'");
    }
    if (!value.is_none()) budget = argument_as<Budget>(value, "budget", "a CheckpointBudget").held;
  }
  Tensors in;
  for (nb::handle x : inputs) in.push_back(tensor_or_none(x.ptr()));
  Ref<const PythonBody> body(new PythonBody(std::move(f)));
  Tensors out = checkpoint(Ref<const CheckpointBody>(body), in, std::move(budget));
  return nb::steal(new_tensors(out, body->several()));
}

}  // namespace

void add_checkpoint(nb::module_& m) {
  nb::class_<Budget>(
      m, "CheckpointBudget",
      "Memory budget in bytes, shared by checkpoints: CheckpointBudget(bytes). While their "
      "intermediate values fit, nothing is recomputed; beyond that, the values with the least "
      "compute time per byte are dropped first. For use on one thread.")
      .def(
          "__init__",
          [](Budget* self, int64_t bytes) {
            new (self) Budget{Ref<CheckpointBudget>(new CheckpointBudget(bytes))};
          },
          nb::arg("bytes"))
      .def_prop_ro(
          "kept", [](const Budget& b) { return b.held->kept(); }, "Bytes currently kept.")
      .def_prop_ro(
          "dropped", [](const Budget& b) { return b.held->dropped(); },
          "How often the values of a checkpoint were dropped.");
  m.def("checkpoint", call, nb::arg("function"), nb::arg("inputs"), nb::arg("options"),
        nb::sig("def checkpoint(function: collections.abc.Callable[..., typing.Any], *inputs: "
                "typing.Any, "
                "budget: CheckpointBudget | None = None) -> typing.Any"),
        "Gradient checkpointing: computes function(*inputs) and keeps only the inputs for "
        "backward, which runs the function again with the same random numbers. The function must "
        "be deterministic otherwise. Gradients equal those of function(*inputs) bit for bit, to "
        "any order. With a budget, intermediate values are kept while they fit.");
}

}  // namespace gyre::python
