#include "gyre/op/launch.h"

namespace gyre {

Status launch_elsewhere(Device device, const DeviceRun& run) noexcept {
  const DeviceLibrary* library = device_library();
  if (!library || run.device >= library->count() || device.kind != Device::cuda) {
    return {.failed = true, .code = Code::unavailable, .what = "the device is not available"};
  }
  Status done = library->run(run);
  if (done.failed && done.code == Code::unavailable) done.value = device.index;
  return done;
}

}  // namespace gyre
