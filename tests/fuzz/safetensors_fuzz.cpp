// Any bytes as a safetensors file are read or rejected with an Error.
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <string>

#include "gyre/base/error.h"
#include "gyre/io/safetensors.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const std::string path = "/tmp/gyre_fuzz_" + std::to_string(getpid()) + ".safetensors";
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  try {
    const gyre::SafetensorsFile file(path);
    for (const gyre::SafetensorsEntry& entry : file.entries()) {
      try {
        const gyre::Tensor tensor = file.load(entry);
        if (tensor.numel() == 1) (void)tensor.item();
      } catch (const gyre::Error&) {
      }
    }
  } catch (const gyre::Error&) {
  }
  return 0;
}
