#pragma once
#include <mutex>

#include "gyre/base/system/fork.h"
#include "python/core/errors.h"

namespace gyre::python {

/// A T that is created anew in every forked process: another thread may have held a mutex in it
/// during the fork, and nobody would unlock it. Needs the GIL.
template <class T>
class OwnedByProcess {
 public:
  OwnedByProcess() : made_(new T), at_(forks_before()) {}
  OwnedByProcess(const OwnedByProcess&) = delete;
  OwnedByProcess& operator=(const OwnedByProcess&) = delete;
  ~OwnedByProcess() {
    if (at_ == forks_before()) delete made_;
  }
  T& here() {
    if (at_ != forks_before()) {
      made_ = new T;  // destroying a locked mutex is undefined, so it leaks
      at_ = forks_before();
    }
    return *made_;
  }

 private:
  T* made_;
  uint32_t at_;
};

/// A lock of that type (std::unique_lock, std::shared_lock) on a mutex. Releases the GIL while it
/// waits: the thread that holds the mutex may need the GIL.
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
