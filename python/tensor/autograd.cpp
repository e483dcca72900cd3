#include "gyre/autograd/backward.h"

#include "gyre/autograd/live_passes.h"
#include "gyre/base/error.h"
#include "gyre/kernel/overflow.h"
#include "gyre/op/node.h"
#include "python/core/attributes.h"
#include "python/core/convert.h"
#include "python/core/thread_mode.h"
#include "python/module.h"

namespace gyre::python {
namespace {

using namespace nb::literals;

Tensors cotangents_from(const nb::object& o, Inputs of) {
  return o.is_none() ? Tensors() : tensors_of(o.ptr(), of);
}

nb::object run_grad(const nb::object& outputs, const nb::object& inputs, const nb::object& given,
                    bool create, bool retain, bool unused) {
  Tensors of = tensors_of(outputs.ptr()), by = tensors_of(inputs.ptr()),
          cotangents = cotangents_from(given, of);
  const GradOptions options{.create_graph = create, .retain_graph = retain, .allow_unused = unused};
  const Tensors result = unlocked([&] { return grad(of, by, cotangents, options); });
  return tuple_of(result);
}

void run_backward(const nb::object& outputs, const nb::object& given, bool create, bool retain) {
  Tensors of = tensors_of(outputs.ptr()), cotangents = cotangents_from(given, of);
  nb::gil_scoped_release release;
  backward(of, cotangents, {.create_graph = create, .retain_graph = retain});
}

// Waits for another backward pass, which may need the GIL, without holding it.
void wait_without_lock(FunctionRef<void()> wait) { PyGILState_Check() ? unlocked(wait) : wait(); }

using Recording = ThreadMode<grad_enabled, set_grad_enabled>;
using Overflow = ThreadMode<overflow_mode, set_overflow_mode>;

// no_grad(), or @no_grad without parentheses.
void add_mode(nb::module_& m, const char* name, bool recorded, const char* doc) {
  m.def(
      name,
      [recorded](const nb::object& function) {
        nb::object mode = nb::cast(Recording{recorded});
        return function.is_none() ? mode : Recording::within(mode, function);
      },
      "function"_a = nb::none(),
      nb::sig(("def " + std::string(name) + "(function: typing.Any = None) -> typing.Any").c_str()),
      doc);
}

}  // namespace

void add_autograd(nb::module_& m) {
  set_around_waits(wait_without_lock);
  m.def("backward", run_backward, "outputs"_a, "cotangents"_a = nb::none(),
        "create_graph"_a = false, "retain_graph"_a = false,
        nb::sig("def backward(outputs: TensorLike | collections.abc.Iterable[TensorLike], "
                "cotangents: TensorLike | collections.abc.Iterable[TensorLike | None] | None = "
                "None, create_graph: bool = False, retain_graph: bool = False) -> None"),
        "Accumulates the gradient of sum(outputs[i] * cotangents[i]) into the grad of the leaves.");
  m.def("grad", run_grad, "outputs"_a, "inputs"_a, "cotangents"_a = nb::none(),
        "create_graph"_a = false, "retain_graph"_a = false, "allow_unused"_a = false,
        nb::sig("def grad(outputs: TensorLike | collections.abc.Iterable[TensorLike], inputs: "
                "Tensor | collections.abc.Iterable[Tensor], cotangents: TensorLike | "
                "collections.abc.Iterable[TensorLike | None] | None = None, create_graph: bool = "
                "False, retain_graph: bool = False, allow_unused: bool = False) -> "
                "tuple[typing.Any, ...]"),
        "Gradients of sum(outputs[i] * cotangents[i]) with respect to inputs, a tuple.");
  m.def("is_grad_enabled", grad_enabled, "Whether autograd records ops on this thread.");
  Recording::bind(m, "GradMode", "Context manager that enables or disables autograd recording.");
  add_mode(
      m, "no_grad", false,
      "Context manager and decorator that disables autograd recording: `with gyre.no_grad():`.");
  add_mode(m, "enable_grad", true,
           "Context manager and decorator that enables autograd recording inside no_grad().");
  Overflow::bind(m, "OverflowScope", "Context manager that sets the overflow mode.");
  m.def(
      "overflow",
      [](nb::handle mode) {
        constexpr Field kField = make_field<OverflowMode>("mode", "", 0);
        Overflow scope{};
        set_field(kField, &scope.value, mode.ptr());
        return scope;
      },
      "mode"_a, nb::sig("def overflow(mode: typing.Literal['ieee', 'error']) -> OverflowScope"),
      "Context manager that sets the overflow mode of the thread: with \"error\", an op whose "
      "results are not finite although its operands are raises NumericError naming the op and the "
      "element; with \"ieee\", the default, it returns them.");
}

}  // namespace gyre::python
