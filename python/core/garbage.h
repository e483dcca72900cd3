#pragma once
#include "gyre/tensor/tensor.h"
#include "python/core/held_object.h"

// Python's cyclic garbage collector finds cycles through the Python functions that tensors hold.

namespace gyre::python {

/// A C++ object that holds Python objects, such as a hook. Tensors that own it lead to it.
class HoldsPython {
 public:
  HoldsPython() { alive.fetch_add(1, std::memory_order_relaxed); }
  HoldsPython(const HoldsPython&) = delete;
  HoldsPython& operator=(const HoldsPython&) = delete;
  virtual ~HoldsPython() { alive.fetch_sub(1, std::memory_order_relaxed); }
  /// Visits each of its references to a Python object.
  virtual int traverse(visitproc visit, void* arg) const = 0;

  static inline std::atomic<int64_t> alive = 0;
};

/// Visits the Python objects that live and die with a tensor (gyre/autograd/owned_callables.h), to
/// which the caller holds `handles` references.
int traverse(const Tensor& t, visitproc visit, void* arg, uint32_t handles);
inline int traverse(const Tensor& t, visitproc visit, void* arg) {
  return traverse(t, visit, arg, 1);
}
inline int traverse(const HeldObject& o, visitproc visit, void* arg) {
  Py_VISIT((*o).ptr());
  return 0;
}

/// The slots of a class whose instances hold a T: `visit_all` visits what it refers to, `clear`
/// lets go of it.
template <class T, int (*visit_all)(const T&, visitproc, void*), void (*clear)(T&)>
PyType_Slot* collected_slots() {
  struct Slots {
    static int visit(PyObject* self, visitproc visit, void* arg) {
      Py_VISIT(Py_TYPE(self));
      return nb::inst_ready(self) ? visit_all(*nb::inst_ptr<T>(self), visit, arg) : 0;
    }
    static int drop(PyObject* self) {
      if (nb::inst_ready(self)) clear(*nb::inst_ptr<T>(self));
      return 0;
    }
  };
  static PyType_Slot slots[] = {{Py_tp_traverse, reinterpret_cast<void*>(Slots::visit)},
                                {Py_tp_clear, reinterpret_cast<void*>(Slots::drop)},
                                {0, nullptr}};
  return slots;
}

}  // namespace gyre::python
