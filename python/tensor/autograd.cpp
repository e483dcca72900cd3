#include "gyre/autograd/backward.h"

#include <algorithm>
#include <thread>
#include <vector>

#include "gyre/autograd/live_passes.h"
#include "gyre/base/error.h"
#include "gyre/op/node.h"
#include "python/core/convert.h"
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
  return nb::steal(new_tensors(result, !as_tensor(inputs.ptr())));
}

void run_backward(const nb::object& outputs, const nb::object& given, bool create, bool retain) {
  Tensors of = tensors_of(outputs.ptr()), cotangents = cotangents_from(given, of);
  nb::gil_scoped_release release;
  backward(of, cotangents, {.create_graph = create, .retain_graph = retain});
}

// Waits for another backward pass, which may need the GIL, without holding it.
void wait_without_lock(FunctionRef<void()> wait) { PyGILState_Check() ? unlocked(wait) : wait(); }

// `with gyre.no_grad():`; threads may share one object.
struct Mode {
  struct Entry {
    std::thread::id thread;
    bool before;
  };

  void enter() {
    entries.push_back({std::this_thread::get_id(), grad_enabled()});
    set_grad_enabled(enabled);
  }
  void leave() {
    const auto self = std::this_thread::get_id();
    auto last = std::find_if(entries.rbegin(), entries.rend(),
                             [&](const Entry& e) { return e.thread == self; });
    if (last == entries.rend()) {
      throw Error(Code::value, "GradMode", "__exit__ without __enter__ on this thread");
    }
    set_grad_enabled(last->before);
    entries.erase(std::next(last).base());
  }

  bool enabled;
  std::vector<Entry> entries{};  // one for each active `with`
};

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
                "False, retain_graph: bool = False, allow_unused: bool = False) -> typing.Any"),
        "Gradients of sum(outputs[i] * cotangents[i]) with respect to inputs: a tensor for a "
        "tensor, otherwise a tuple.");
  m.def("is_grad_enabled", grad_enabled, "Whether autograd records ops on this thread.");
  nb::class_<Mode>(m, "GradMode", "Context manager that enables or disables autograd recording.")
      .def("__enter__", &Mode::enter)
      .def(
          "__exit__", [](Mode& mode, nb::handle, nb::handle, nb::handle) { mode.leave(); },
          nb::arg().none(), nb::arg().none(), nb::arg().none(),
          nb::sig("def __exit__(self, kind: object, value: object, trace: object, /) -> None"));
  m.def(
      "no_grad", [] { return Mode{false}; },
      "Context manager that disables autograd recording: `with gyre.no_grad():`.");
  m.def(
      "enable_grad", [] { return Mode{true}; },
      "Context manager that enables autograd recording again inside no_grad().");
}

}  // namespace gyre::python
