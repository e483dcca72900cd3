#include "gyre/cuda/device_library.h"

#include <atomic>

namespace gyre {
namespace {

constinit std::atomic<const DeviceLibrary*> in_use{nullptr};

}  // namespace

const DeviceLibrary* device_library() noexcept { return in_use.load(std::memory_order_acquire); }

void set_device_library(const DeviceLibrary* library) noexcept {
  in_use.store(library, std::memory_order_release);
}

}  // namespace gyre
