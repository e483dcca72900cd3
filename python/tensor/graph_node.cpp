#include <string>

#include "gyre/autograd/hooks.h"
#include "gyre/op/node.h"
#include "gyre/op/op_def.h"
#include "python/core/convert.h"
#include "python/core/garbage.h"
#include "python/nn/parameter.h"
#include "python/tensor/tensor_class.h"

// The graph that backward passes traverse, to look at.

namespace gyre::python {
namespace {

using namespace nb::literals;

// A recorded call, or the leaf that a gradient is accumulated in.
struct GraphNode {
  Edge edge;
};

nb::object node_object(const Edge& edge) { return edge ? nb::cast(GraphNode{edge}) : nb::none(); }

const char* name_of(const GraphNode& node) {
  return node.edge.node ? node.edge.node->op->name : "accumulate_grad";
}

nb::tuple next_functions(const GraphNode& node) {
  nb::list next;
  if (node.edge.node) {
    for (const Edge& edge : node.edge.node->inputs)
      next.append(nb::make_tuple(node_object(edge), edge.output));
  }
  return nb::tuple(next);
}

nb::object object_of_leaf(const Tensor& leaf) {
  nb::object parameter = held_parameter(leaf);
  return parameter.is_none() ? tensor_object(leaf) : parameter;
}

nb::object variable(const GraphNode& node) {
  return node.edge.leaf ? object_of_leaf(Tensor(node.edge.leaf)) : nb::none();
}

nb::object grad_fn(const Tensor& t) {
  Node* node = node_of(t);
  return node ? node_object({Ref<Node>(node), {}, t.impl()->output}) : nb::none();
}

HookHandle add_ready_hook(nb::handle self, nb::callable hook) {
  struct Hook final : GradientHook, HoldsPython {
    Hook(nb::callable f, nb::handle object, TensorImpl* tensor)
        : function(std::move(f)), weak(nb::weakref(object)), leaf(tensor) {}
    Tensor operator()(const Tensor&) override {
      nb::gil_scoped_acquire gil;
      const nb::object object = (*weak)();
      (*function)(object.is_none() ? object_of_leaf(Tensor(Ref<TensorImpl>(leaf))) : object);
      return {};
    }
    int traverse(visitproc visit, void* arg) const override {
      return python::traverse(function, visit, arg);
    }
    HeldObject function, weak;
    TensorImpl* leaf;  // owns this hook
  };
  const Tensor t = tensor_of_self(self);
  return on_gradient_ready(t, Ref<GradientHook>(new Hook(std::move(hook), self, t.impl())));
}

}  // namespace

void add_graph_nodes(nb::module_& m, TensorClass& c) {
  nb::class_<GraphNode>(m, "GraphNode", "A recorded call in the graph of autograd.")
      .def("name", name_of, "The name of the op; \"accumulate_grad\" for a leaf.")
      .def_prop_ro("next_functions", next_functions,
                   nb::for_getter(nb::sig("def next_functions(self) -> tuple[tuple[GraphNode | "
                                          "None, int], ...]")),
                   "for each operand the call that it is a result of, None if it needs no "
                   "gradient, and the number of that result; empty after a backward pass")
      .def_prop_ro("variable", variable,
                   nb::for_getter(nb::sig("def variable(self) -> Tensor | None")),
                   "the leaf that a gradient is accumulated in; None for a call")
      .def("__repr__", [](const GraphNode& node) { return "<" + std::string(name_of(node)) + ">"; })
      .def("__eq__",
           [](const GraphNode& a, nb::handle other) {
             const GraphNode* b = nullptr;
             return nb::try_cast(other, b) && b && a.edge.node == b->edge.node &&
                    a.edge.leaf == b->edge.leaf;
           })
      .def("__hash__", [](const GraphNode& node) {
        const void* at = node.edge.leaf.get();
        return reinterpret_cast<uintptr_t>(node.edge.node ? node.edge.node.get() : at);
      });
  c.def_prop_ro("grad_fn", grad_fn,
                nb::for_getter(nb::sig("def grad_fn(self) -> GraphNode | None")),
                "the recorded call that the tensor is a result of; None for a leaf")
      .def("register_post_accumulate_grad_hook", add_ready_hook, "hook"_a,
           nb::sig("def register_post_accumulate_grad_hook(self, hook: "
                   "collections.abc.Callable[[Tensor], None]) -> HookHandle"),
           "Calls hook(tensor) in every backward pass after the gradient of this leaf was "
           "accumulated.");
}

}  // namespace gyre::python
