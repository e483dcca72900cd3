#pragma once
#include <atomic>
#include <utility>

#include "python/core/errors.h"

namespace gyre::python {

/// A Python object that may be destroyed on a thread without the GIL or after interpreter
/// finalisation. Construct and use it with the GIL held.
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
