#include "gyre/tensor/device.h"

#include <atomic>
#include <charconv>
#include <cstdlib>

#include "gyre/base/error.h"
#include "gyre/cuda/device_library.h"

namespace gyre {
namespace {

int accelerators() noexcept {
  const DeviceLibrary* library = device_library();
  return library ? library->count() : 0;
}

static_assert(std::atomic<Device>::is_always_lock_free);
constinit std::atomic<Device> chosen{Device{Device::kinds}};  // of no kind: not chosen yet

}  // namespace

std::string to_string(Device device) {
  return device.kind == Device::cpu ? "cpu" : "cuda:" + std::to_string(device.index);
}

Device device_of(std::string_view name, const char* op) {
  if (name == "cpu") return {};
  if (name == "best") return Device::best();
  if (name == "cuda") return {Device::cuda, 0};
  if (name.starts_with("cuda:")) {
    uint8_t index = 0;
    auto [end, error] = std::from_chars(name.data() + 5, name.data() + name.size(), index);
    if (error == std::errc() && end == name.data() + name.size()) return {Device::cuda, index};
  }
  throw Error(Code::device, op,
              {"'", name, "' is not a device; expected cpu, cuda, cuda:N or best"},
              "cpu, cuda, cuda:N or best", name);
}

Device Device::best() noexcept { return accelerators() > 0 ? Device{cuda} : Device{}; }

SmallVector<Device, 4> available_devices() {
  SmallVector<Device, 4> all{Device{}};
  for (int i = 0; i < accelerators(); ++i) all.push_back({Device::cuda, static_cast<uint8_t>(i)});
  return all;
}

void require_available(Device device, const char* op) {
  if (device.kind == Device::cpu || device.index < accelerators()) return;
  std::string names;
  for (const Device& d : available_devices()) {
    names += (names.empty() ? "" : ", ") + to_string(d);
  }
  throw Error(Code::unavailable, op, {device, " is not available; available: ", names}, names,
              device);
}

Device default_device() {
  Device device = chosen.load(std::memory_order_relaxed);
  if (device.kind != Device::kinds) [[likely]]
    return device;
  const char* text = std::getenv("GYRE_DEVICE");
  Device wanted = text && *text ? device_of(text, "GYRE_DEVICE") : Device{};
  require_available(wanted, "GYRE_DEVICE");
  return chosen.compare_exchange_strong(device, wanted) ? wanted : device;
}

void set_default_device(Device device) {
  require_available(device, "set_default_device");
  chosen.store(device, std::memory_order_relaxed);
}

}  // namespace gyre
