#include "gyre/cuda/device_library.h"

#include <atomic>
#include <cstring>

namespace gyre {
namespace {

constinit std::atomic<const DeviceLibrary*> in_use{nullptr};

}  // namespace

Status run_by_table(std::span<const DeviceKernel> kernels, const DeviceRun& run) noexcept {
  for (const DeviceKernel& k : kernels) {
    if (k.pass == run.pass && std::strcmp(k.op, run.op) == 0) return k.run(run);
  }
  return {.failed = true, .code = Code::unavailable};
}

const DeviceLibrary* device_library() noexcept { return in_use.load(std::memory_order_acquire); }

void set_device_library(const DeviceLibrary* library) noexcept {
  in_use.store(library, std::memory_order_release);
}

}  // namespace gyre
