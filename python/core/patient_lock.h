#pragma once
#include <cstdint>
#include <mutex>

#include "python/core/errors.h"

namespace gyre::python {

/// How many forks lie between the process that loaded this module and this one.
uint32_t forks_before() noexcept;

/// A T that every process makes anew: another thread may have held a mutex in it when the process
/// was forked, and nobody would give it back. Needs the interpreter's lock.
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
      made_ = new T;  // a mutex that is held may not be destroyed
      at_ = forks_before();
    }
    return *made_;
  }

 private:
  T* made_;
  uint32_t at_;
};

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
