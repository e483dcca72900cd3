#include "python/module.h"

#include <nanobind/nanobind.h>

#include <cstdio>

#include "gyre/base/build_info.h"
#include "gyre/base/system/mapped_file.h"
#include "gyre/base/text/printable.h"
#include "gyre/base/thread_pool.h"
#include "gyre/registry/op_table.h"
#include "python/core/call_errors.h"
#include "python/core/convert.h"
#include "python/core/devices.h"
#include "python/core/dtypes.h"
#include "python/core/signatures.h"
#include "python/core/size.h"
#include "python/tensor/op_object.h"
#include "python/tensor/operators.h"
#include "python/tensor/tensor_class.h"

namespace gyre::python {
namespace {

// The methods of that name: the op, and its in-place form.
void add_op_methods(nb::handle tensor, const OpDef& op, const char* name,
                    const nb::object& callable) {
  if (op.args.empty() || op.args.variadic()) return;
  if (!nb::hasattr(tensor, name)) tensor.attr(name) = callable;
  const bool truth = op.family.pointwise_spec.kind == PointwiseSpec::comparison;
  if (!op.family.pointwise[0] || truth) return;  // booleans do not replace numbers
  tensor.attr((name + std::string("_")).c_str()) = op_object(op, true);
}

void add_ops(nb::module_& m) {
  nb::handle tensor(reinterpret_cast<PyObject*>(tensor_type));
  nb::list all, aliases;
  for (const OpDef* op : op_table().ops) {
    nb::object callable = op_object(*op);
    all.append(callable);
    if (!nb::hasattr(m, op->name)) m.attr(op->name) = callable;
    add_op_methods(tensor, *op, op->name, callable);
  }
  bind_operators(op_table());
  m.attr("_ops") = nb::tuple(all);
  for (const OpAlias& alias : op_aliases()) {
    nb::object callable = m.attr(alias.op->name);
    aliases.append(nb::make_tuple(alias.name, callable));
    m.attr(alias.name) = callable;
    add_op_methods(tensor, *alias.op, alias.name, callable);
  }
  m.attr("_aliases") = nb::tuple(aliases);
}

// Names the file; the handler that was there before, or the system, ends the process.
void name_lost_page(const char* path) {
  std::fprintf(stderr, "gyre: cannot read %s, which is mapped: it was shortened meanwhile\n",
               printable(path).c_str());
}

}  // namespace
}  // namespace gyre::python

NB_MODULE(_gyre, m) {
  using namespace gyre;
  namespace nb = nanobind;
  nb::set_leak_warnings(false);  // PyTorch's autograd graph may still hold objects at exit
  nb::register_exception_translator([](const std::exception_ptr& p, void*) {
    try {
      std::rethrow_exception(p);
    } catch (...) {
      python::raise_current();
    }
  });
  report_lost_pages(python::name_lost_page);
  python::add_errors(m);
  python::add_dtypes(m);
  python::add_devices(m);
  python::add_size_class(m);
  python::add_tensor_class(m);
  python::add_op_class(m);
  python::add_creation(m);
  python::add_autograd(m);
  python::add_functional(m);
  python::add_checkpoint(m);
  python::add_einsum_path(m);
  python::add_torch(m.def_submodule("_torch"));
  python::add_files(m);
  python::add_ops(m);
  python::add_nn(m.def_submodule("_nn"));
  python::add_optim(m.def_submodule("_optim"));
  python::add_packed(m.def_submodule("_packed"));
  python::add_logic(m.def_submodule("_logic"));
  python::add_hyperbolic(m.def_submodule("_hyperbolic"));
  python::add_data(m.def_submodule("_data"));
  python::add_models(m.def_submodule("_models"));
  python::add_tokenizer(m);
  m.def("set_num_threads", set_num_threads, nb::arg("count"),
        "Sets the number of threads that kernels use; 0: GYRE_THREADS, or one per processor.");
  m.def("num_threads", num_threads, "Number of threads that kernels use.");
  m.def("live_tensors", live_tensors, "Number of tensors alive in this process.");
  m.attr("_version") = build_info().version;
  python::explain_calls(m);
  python::add_signatures(m);
}
