#pragma once
#include <memory>
#include <shared_mutex>
#include <vector>

#include "gyre/nn/layer_def.h"
#include "python/core/errors.h"

namespace gyre::python {

/// The C++ implementation of a layer: its module, or a submodule of one.
struct Core {
  std::shared_ptr<nn::Module> module;
  const nn::LayerDef* layer = nullptr;  ///< its layer type; null if none
};

/// A gyre.nn.Module: a C++ layer, the attributes of a Python class, or both. All functions that
/// nn::Module derives from `visit` work on it. Calls need the GIL.
class ModuleObject final : public nn::Module {
 public:
  /// `self` is the Python object that contains this. Its dict `_kinds` maps attributes to
  /// "parameter", "buffer" or "module", in the order in which they were set.
  explicit ModuleObject(PyObject* self) : self_(self) {}

  /// Visits the tensors and submodules of the core, then the attributes: parameters, buffers,
  /// modules.
  void visit(nn::Visitor& visitor) override;

  /// Holds the Python objects of the core's parameters, so that they stay the same: dicts and
  /// sets of parameters go by identity.
  void keep_objects();

  Core core{};
  int64_t core_elements = 0;       ///< total size of its parameters
  std::vector<nb::object> kept{};  ///< objects of the core's parameters, in the order of the visit

 private:
  void visit_attributes(nn::Visitor& visitor, const char* kind);

  PyObject* self_;  // borrowed: it owns this
};

/// The module of a gyre.nn.Module. TypeError for other objects, and if the subclass did not call
/// super().__init__().
ModuleObject& module_of(nb::handle o);

/// A lock on the tensors of all modules. A layer that computes without the GIL holds it shared;
/// code that replaces tensors holds the GIL and an exclusive lock (patient_lock.h). Get it with the
/// GIL held; a forked child has its own.
std::shared_mutex& tensors_in_use();

/// Adds the base class of gyre.nn.Module.
void add_module_class(nb::module_& m);

}  // namespace gyre::python
