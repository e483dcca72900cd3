// Any bytes as a safetensors file are read or rejected with an Error.
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "gyre/base/error.h"
#include "gyre/io/safetensors.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const int file_in_memory = memfd_create("fuzz", 0);
  static const std::string path = "/proc/self/fd/" + std::to_string(file_in_memory);
  if (ftruncate(file_in_memory, 0) != 0 ||
      pwrite(file_in_memory, data, size, 0) != static_cast<ssize_t>(size)) {
    std::abort();
  }
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
