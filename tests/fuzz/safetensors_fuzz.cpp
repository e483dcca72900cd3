// Any bytes as a safetensors file are read or rejected with an Error.
#include "gyre/base/error.h"
#include "gyre/io/safetensors.h"
#include "tests/fuzz/file_in_memory.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    const gyre::SafetensorsFile file(file_in_memory(data, size));
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
