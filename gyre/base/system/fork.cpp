#include "gyre/base/system/fork.h"

#include <atomic>

#if defined(__unix__) || defined(__APPLE__)
#include <pthread.h>
#endif

namespace gyre {
namespace {

constinit std::once_flag watches_forks;
constinit std::atomic<uint32_t> forks{0};

}  // namespace

void at_fork([[maybe_unused]] std::once_flag& once, [[maybe_unused]] void (*before)(),
             [[maybe_unused]] void (*in_parent)(), [[maybe_unused]] void (*in_child)()) noexcept {
#if (defined(__unix__) || defined(__APPLE__)) && !defined(__EMSCRIPTEN__)
  std::call_once(once, [=] { pthread_atfork(before, in_parent, in_child); });
#endif
}

uint32_t forks_before() noexcept {
  at_fork(watches_forks, nullptr, nullptr, [] { forks.fetch_add(1, std::memory_order_relaxed); });
  return forks.load(std::memory_order_relaxed);
}

}  // namespace gyre
