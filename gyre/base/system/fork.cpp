#include "gyre/base/system/fork.h"

#if defined(__unix__) || defined(__APPLE__)
#include <pthread.h>
#endif

namespace gyre {

void at_fork([[maybe_unused]] std::once_flag& once, [[maybe_unused]] void (*before)(),
             [[maybe_unused]] void (*in_parent)(), [[maybe_unused]] void (*in_child)()) noexcept {
#if (defined(__unix__) || defined(__APPLE__)) && !defined(__EMSCRIPTEN__)
  std::call_once(once, [=] { pthread_atfork(before, in_parent, in_child); });
#endif
}

}  // namespace gyre
