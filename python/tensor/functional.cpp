#include <algorithm>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gyre/autograd/custom_function.h"
#include "gyre/autograd/gradcheck.h"
#include "gyre/autograd/transform.h"
#include "gyre/autograd/vmap.h"
#include "gyre/registry/op_table.h"
#include "python/core/convert.h"
#include "python/core/garbage.h"
#include "python/core/records.h"
#include "python/module.h"
#include "python/tensor/op_object.h"

#include <nanobind/stl/vector.h>

// Transforms of Python callables, custom functions and user-defined ops.

namespace gyre::python {
namespace {

using namespace nb::literals;

// f(*tensors), which returns a tensor or a sequence of tensors; for callers without the GIL.
auto function_of(const nb::object& f) {
  return [&f](Inputs in) -> Tensors {
    nb::gil_scoped_acquire lock;
    return tensors_of(f(*tuple_of(in)).ptr());
  };
}
auto function_of_one(const nb::object& f) {
  return [&f](const Tensor& x) -> Tensor {
    nb::gil_scoped_acquire lock;
    return tensor_of(f(tensor_object(x)).ptr());
  };
}

// A transform of functions of one tensor.
auto of_one(auto transform) {
  return [transform](const nb::object& f, nb::handle x) {
    Tensor at = tensor_of(x.ptr());
    return tensor_object(unlocked([&] { return transform(function_of_one(f), at); }));
  };
}

// ---- custom functions ----

class PythonFunction final : public CustomFunction, public HoldsPython {
 public:
  PythonFunction(nb::object forward, nb::object backward)
      : forward_(std::move(forward)), backward_(std::move(backward)) {}
  Tensors forward(Inputs in) const override {
    nb::gil_scoped_acquire lock;
    return tensors_of((*forward_)(*tuple_of(in)).ptr());
  }
  Tensors backward(const BackwardCall& c) const override {
    nb::gil_scoped_acquire lock;
    return tensors_of((*backward_)(tuple_of(c.in), tuple_of(c.out), tuple_of(c.grad)).ptr());
  }
  int traverse(visitproc visit, void* arg) const override {
    const int stopped = python::traverse(forward_, visit, arg);
    return stopped ? stopped : python::traverse(backward_, visit, arg);
  }

 private:
  HeldObject forward_, backward_;
};

// gyre.custom_function(...): a callable on tensors.
struct CustomCallable {
  nb::object forward, backward;
  int visible;
};

int traverse(const CustomCallable& c, visitproc visit, void* arg) {
  Py_VISIT(c.forward.ptr());
  Py_VISIT(c.backward.ptr());
  return 0;
}
void forget_functions(CustomCallable& c) { c.forward = c.backward = nb::none(); }

// The history of each call has references of its own to the Python functions, so that the garbage
// collector can tell which of them belong to which tensors.
nb::object call_custom(const CustomCallable& self, const nb::args& args) {
  Tensors in = tensors_of(args.ptr());
  Ref<const CustomFunction> function(new PythonFunction(self.forward, self.backward));
  return nb::steal(new_tensors(run_custom_function(function, in, self.visible)));
}

// What the definition of a registered op points to, for the life of the process.
struct Registered {
  std::string name, doc;
  std::deque<std::string> argument_names;
  std::vector<Arg> arguments;
  Ref<const CustomFunction> function;
};

nb::object register_python_op(const std::string& name, nb::object forward, nb::object backward,
                              const std::string& doc, const std::vector<std::string>& arguments,
                              const std::vector<std::string>& packed) {
  std::unique_ptr<Registered> kept(new Registered{name, doc, {}, {}, {}});
  bool has_rule = !backward.is_none();
  kept->function =
      Ref<const CustomFunction>(new PythonFunction(std::move(forward), std::move(backward)));
  OpDef d = custom_op(kept->name.c_str(), *kept->function);
  d.doc = kept->doc.c_str();
  for (const std::string& argument : arguments) {
    const bool takes_packed = std::ranges::find(packed, argument) != packed.end();
    const char* called = kept->argument_names.emplace_back(argument).c_str();
    kept->arguments.push_back({.name = called, .packed = takes_packed});
  }
  if (!arguments.empty()) d.args = ArgList(std::span<const Arg>(kept->arguments));
  if (!has_rule) {
    d.vjp = nullptr;
    d.saves_in = d.saves_out = 0;
  }
  const OpDef& op = register_op(d);
  kept.release();
  return op_object(op);
}

// ---- gradcheck ----

GradcheckReport run_gradcheck(const nb::object& f, nb::handle inputs, bool second, bool half,
                              const nb::kwargs& given) {
  auto options = options_as(given, half ? GradcheckOptions::half() : GradcheckOptions());
  const bool verbose = std::exchange(options.verbose, false);  // prints to Python's sys.stdout
  auto function = function_of(f);
  Tensors in = tensors_of(inputs.ptr());
  GradcheckReport report = unlocked([&] {
    return second ? gradgradcheck(function, in, options) : gradcheck(function, in, options);
  });
  if (verbose) nb::print(report.what().c_str(), nb::str(""));
  return report;
}

SmallVector<int64_t, 4> axes_from(nb::handle o, const char* name) {
  SmallVector<int64_t, 4> axes;
  for (nb::handle item : nb::iter(o)) {
    axes.push_back(item.is_none()
                       ? kSameForAll
                       : argument_as<int64_t>(item, name, "an int or None for each argument"));
  }
  return axes;
}

void add_transforms(nb::module_& m) {
  m.def("value_and_grad", [](const nb::object& f, nb::handle x) {
    Tensors at = tensors_of(x.ptr());
    ValueAndGrads r = unlocked([&] { return value_and_grad(function_of(f), at); });
    return nb::make_tuple(tensor_object(r.value), tuple_of(r.grads));
  });
  m.def("vjp", [](const nb::object& f, nb::handle x, nb::handle cotangents) {
    Tensors at = tensors_of(x.ptr()), by = tensors_of(cotangents.ptr());
    OutputsAndGrads r = unlocked([&] { return vjp(function_of(f), at, by); });
    return nb::make_tuple(tuple_of(r.outputs), tuple_of(r.grads));
  });
  m.def("jvp", [](const nb::object& f, nb::handle x, nb::handle tangents) {
    Tensors at = tensors_of(x.ptr()), along = tensors_of(tangents.ptr(), at);
    OutputsAndTangents r = unlocked([&] { return jvp(function_of(f), at, along); });
    return nb::make_tuple(tuple_of(r.outputs), tuple_of(r.tangents));
  });
  m.def("jacobian", [](const nb::object& f, nb::handle x) {
    Tensors at = tensors_of(x.ptr());
    return tuple_of(unlocked([&] { return jacobian(function_of(f), at); }));
  });
  m.def("hvp", [](const nb::object& f, nb::handle x, nb::handle v) {
    Tensors at = tensors_of(x.ptr()), along = tensors_of(v.ptr(), at);
    return tuple_of(unlocked([&] { return hvp(function_of(f), at, along); }));
  });
  m.def("hessian", of_one([](const auto& f, const Tensor& x) { return hessian(f, x); }));
  m.def("hessian_diag", of_one([](const auto& f, const Tensor& x) { return hessian_diag(f, x); }));
  m.def("grad2", of_one([](const auto& f, const Tensor& x) { return grad2(f, x); }));
  m.def("vmap", [](const nb::object& f, nb::handle x, nb::handle in, nb::handle out) {
    Tensors batch = tensors_of(x.ptr());
    VmapAxes axes{axes_from(in, "in_axes"), axes_from(out, "out_axes")};
    auto function = function_of(f);
    return tuple_of(unlocked([&] { return vmap(TensorsFunction(function), batch, axes); }));
  });
}

}  // namespace

void add_functional(nb::module_& m) {
  nb::module_ transforms = m.def_submodule("_transforms");
  add_transforms(transforms);
  nb::class_<CustomCallable>(
      m, "CustomFunction",
      nb::type_slots(collected_slots<CustomCallable, traverse, forget_functions>()),
      "A callable with its own backward function.")
      .def("__call__", call_custom,
           nb::sig("def __call__(self, *args: TensorLike | None) -> typing.Any"));
  m.def(
      "custom_function",
      [](nb::object forward, nb::object backward, int visible) {
        return CustomCallable{std::move(forward), std::move(backward), visible};
      },
      "forward"_a, "backward"_a, "visible"_a = 0,
      nb::sig("def custom_function(forward: collections.abc.Callable[..., typing.Any], backward: "
              "collections.abc.Callable[..., typing.Any], visible: int = 0) -> CustomFunction"),
      "A differentiable callable with a custom gradient, like torch.autograd.Function: "
      "forward(*inputs) returns one or more tensors; backward(inputs, results, cotangents) returns "
      "a cotangent for each input, None for zero. Results after the first `visible` (0: all are "
      "visible) are only saved for backward.");
  m.def("_register_op", register_python_op, "name"_a, "forward"_a, "backward"_a.none(), "doc"_a,
        "arguments"_a, "packed"_a,
        nb::sig("def _register_op(name: str, forward: typing.Any, backward: typing.Any, doc: str, "
                "arguments: collections.abc.Sequence[str], packed: collections.abc.Sequence[str]) "
                "-> Op"));
  nb::class_<GradcheckReport>(
      m, "GradcheckReport",
      "Report of gradcheck: true if the gradients agree; str() gives the details.")
      .def_prop_ro("passed", [](const GradcheckReport& r) { return r.passed; })
      .def("__bool__", [](const GradcheckReport& r) { return r.passed; })
      .def("__repr__", &GradcheckReport::what);
  m.def("gradcheck", run_gradcheck, "f"_a, "inputs"_a, nb::kw_only(), "second"_a = false,
        "half"_a = false, "options"_a,
        nb::sig("def gradcheck(f: collections.abc.Callable[..., typing.Any], inputs: TensorLike | "
                "collections.abc.Iterable[TensorLike], *, second: bool = False, half: bool = "
                "False, eps: float = 1e-6, rtol: float = 1e-6, atol: float = 1e-8, differences: "
                "typing.Literal['central', 'forward', 'backward'] = 'central', jacobian: int = 8, "
                "both_passes: bool = True, verbose: bool = False) -> GradcheckReport"),
        "Checks the gradients of f(*inputs) against finite differences in f64, for the inputs that "
        "require gradients (`second`: also second derivatives). A gradient a and a difference n "
        "agree when |a - n| <= atol + rtol |n|. `half` is for gradients computed in f16 or bf16: "
        "eps and rtol are then 0.01 and atol 0.001 by default. `differences` of one side are for "
        "functions that end or have a kink at the inputs. With up to `jacobian` output elements "
        "the whole Jacobian is checked, with more one random linear combination of them; "
        "`both_passes` also checks the pass of create_graph, `verbose` prints the report. Returns "
        "a GradcheckReport.");
}

}  // namespace gyre::python
