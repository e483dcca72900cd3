#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace gyre {

/// The device that holds the data and runs the ops.
struct Device {
  enum Kind : uint8_t { cpu, cuda, kinds } kind = cpu;
  uint8_t index = 0;
  constexpr bool operator==(const Device&) const = default;
};

/// "cpu", "cuda:0".
std::string to_string(Device device);

/// Parses "cpu", "cuda", "cuda:N". Error{device} for anything else.
Device device_of(std::string_view name);

}  // namespace gyre
