#include "gyre/op/launch.h"

#include <algorithm>
#include <iterator>

namespace gyre {

Status launch_elsewhere(Device device, const DeviceRun& run) noexcept {
  const DeviceLibrary* library = device_library();
  if (!library || run.device >= library->count() || device.kind != Device::cuda) {
    return {.failed = true, .code = Code::unavailable, .what = "the device is not available"};
  }
  Status done = library->run(run);
  if (done.failed && done.code == Code::unavailable && !*done.what) {
    // a Status has no text of its own
    static constexpr const char* kAbsent[] = {
        "there is no kernel for cuda:0", "there is no kernel for cuda:1",
        "there is no kernel for cuda:2", "there is no kernel for cuda:3",
        "there is no kernel for cuda:4", "there is no kernel for cuda:5",
        "there is no kernel for cuda:6", "there is no kernel for cuda:7"};
    done.what = kAbsent[std::min<size_t>(device.index, std::size(kAbsent) - 1)];
  }
  return done;
}

}  // namespace gyre
