#include "gyre/tensor/device.h"

#include <charconv>

#include "gyre/base/error.h"

namespace gyre {

std::string to_string(Device device) {
  return device.kind == Device::cpu ? "cpu" : "cuda:" + std::to_string(device.index);
}

Device device_of(std::string_view name) {
  if (name == "cpu") return {};
  if (name == "cuda") return {Device::cuda, 0};
  if (name.starts_with("cuda:")) {
    uint8_t index = 0;
    auto [end, error] = std::from_chars(name.data() + 5, name.data() + name.size(), index);
    if (error == std::errc() && end == name.data() + name.size()) return {Device::cuda, index};
  }
  throw Error(Code::device, "device", "'" + std::string(name) + "' is not a device",
              "cpu or cuda:N", std::string(name));
}

}  // namespace gyre
