// Any bytes as a safetensors file with packed tensors are read or rejected with an Error; what is
// read decodes.
#include "gyre/base/error.h"
#include "gyre/packed/packed.h"
#include "gyre/packed/packed_file.h"
#include "tests/fuzz/file_in_memory.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    const gyre::SafetensorsFile file(file_in_memory(data, size));
    for (const gyre::NamedTensor& t : gyre::load_state(file)) {
      if (gyre::is_packed(t.tensor)) (void)gyre::packed_decode(t.tensor);
    }
  } catch (const gyre::Error&) {
  }
  return 0;
}
