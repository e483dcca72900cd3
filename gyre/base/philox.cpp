#include "gyre/base/philox.h"

namespace gyre {

Generator& default_generator() noexcept {
  static constinit thread_local Generator generator{};
  return generator;
}

void manual_seed(uint64_t seed) noexcept { default_generator() = {seed, 0}; }

}  // namespace gyre
