#pragma once
#include <mutex>

#include "python/errors.h"

namespace gyre::python {

/// A lock of that kind (std::unique_lock, std::shared_lock) on a mutex. While it has to wait, other
/// threads of Python run: whoever holds the mutex may need the interpreter's lock to go on.
template <template <class> class Lock, class Mutex>
[[nodiscard]] Lock<Mutex> patient_lock(Mutex& mutex) {
  Lock<Mutex> lock(mutex, std::try_to_lock);
  if (!lock.owns_lock()) {
    nb::gil_scoped_release release;
    lock.lock();
  }
  return lock;
}

}  // namespace gyre::python
