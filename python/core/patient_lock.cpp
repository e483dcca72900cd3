#include "python/core/patient_lock.h"

#include <atomic>

#include "gyre/base/system/fork.h"

namespace gyre::python {
namespace {

constinit std::atomic<uint32_t> forks{0};
constinit std::once_flag watches_forks;

}  // namespace

uint32_t forks_before() noexcept {
  at_fork(watches_forks, nullptr, nullptr, [] { forks.fetch_add(1, std::memory_order_relaxed); });
  return forks.load(std::memory_order_relaxed);
}

}  // namespace gyre::python
