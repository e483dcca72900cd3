#pragma once
#include <memory>
#include <shared_mutex>

#include "gyre/nn/layer_def.h"
#include "python/core/errors.h"

namespace gyre::python {

/// What a layer of the table is made of: the module in C++, or one inside of it.
struct Core {
  std::shared_ptr<nn::Module> module;
  const nn::LayerDef* layer = nullptr;  ///< that makes such modules; null where none does
};

/// A gyre.nn.Module: a layer of C++, or what a class of Python has gathered in its attributes, or
/// both. All that nn::Module derives from `visit` holds for it. Calls need the interpreter's lock.
class ModuleObject final : public nn::Module {
 public:
  /// `self` is the Python object in which this lies. `_kinds` of it names those attributes that are
  /// "parameter", "buffer" or "module", in the order in which they were set.
  explicit ModuleObject(PyObject* self) : self_(self) {}

  /// Shows the tensors and parts of the core, then the attributes: parameters, buffers, modules.
  void visit(nn::Visitor& visitor) override;

  Core core{};
  int64_t core_elements = 0;  ///< numbers in its parameters

 private:
  void visit_attributes(nn::Visitor& visitor, const char* kind);

  PyObject* self_;  // borrowed: it owns this
};

/// The module inside a gyre.nn.Module. TypeError for another object, and for one whose class has
/// not called super().__init__().
ModuleObject& module_of(nb::handle o);

/// What a layer computes without the interpreter's lock reads its tensors under a shared lock of
/// this; who puts other tensors in their place has the interpreter's lock and an exclusive one
/// (patient_lock.h). To be asked for with the interpreter's lock; a fork's child has another.
std::shared_mutex& tensors_in_use();

/// Adds the class, from which gyre.nn.Module derives.
void add_module_class(nb::module_& m);

}  // namespace gyre::python
