#pragma once
#include <utility>

#include "python/core/errors.h"

namespace gyre::python {

/// An object of Python that may go on a thread without the interpreter's lock, or after Python's
/// end. To be made, and used, with the lock.
class HeldObject {
 public:
  explicit HeldObject(nb::object object) : object_(std::move(object)) {}
  HeldObject(const HeldObject&) = delete;
  HeldObject& operator=(const HeldObject&) = delete;
  ~HeldObject() {
    if (!Py_IsInitialized()) {
      object_.release();
      return;
    }
    nb::gil_scoped_acquire lock;
    object_.reset();
  }
  const nb::object& operator*() const { return object_; }

 private:
  nb::object object_;
};

}  // namespace gyre::python
