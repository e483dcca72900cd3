// Any bytes as a safetensors file with packed tensors are read or rejected with an Error; what is
// read decodes.
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "gyre/base/error.h"
#include "gyre/packed/packed.h"
#include "gyre/packed/packed_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const int file_in_memory = memfd_create("fuzz", 0);
  static const std::string path = "/proc/self/fd/" + std::to_string(file_in_memory);
  if (ftruncate(file_in_memory, 0) != 0 ||
      pwrite(file_in_memory, data, size, 0) != static_cast<ssize_t>(size)) {
    std::abort();
  }
  try {
    for (const gyre::NamedTensor& t : gyre::load_state(gyre::SafetensorsFile(path))) {
      if (gyre::is_packed(t.tensor)) (void)gyre::packed_decode(t.tensor);
    }
  } catch (const gyre::Error&) {
  }
  return 0;
}
