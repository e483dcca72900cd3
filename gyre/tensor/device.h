#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "gyre/base/memory/small_vector.h"

namespace gyre {

/// The device that holds the data and runs the ops.
struct Device {
  enum Kind : uint8_t { cpu, cuda, kinds } kind = cpu;
  uint8_t index = 0;
  constexpr bool operator==(const Device&) const = default;
  /// The first accelerator that is available, or else the CPU.
  static Device best() noexcept;
};

/// "cpu", "cuda:0".
std::string to_string(Device device);

/// Parses "cpu", "cuda" (the first), "cuda:N", and "best" for Device::best(). Error{device} for
/// anything else.
Device device_of(std::string_view name, const char* op = "device");

/// The devices that this process can use; the CPU is the first.
SmallVector<Device, 4> available_devices();
/// Error{unavailable} naming `op`, the device and the available ones, unless it is available.
void require_available(Device device, const char* op);

/// The device of new parameters of layers, and in Python of all new tensors: the one set last, at
/// first that of the environment variable GYRE_DEVICE, else the CPU. Of the whole process.
/// Error{device, unavailable} for the value of the variable.
Device default_device();
/// Error{unavailable}.
void set_default_device(Device device);

}  // namespace gyre
