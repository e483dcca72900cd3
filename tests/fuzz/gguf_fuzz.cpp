// Any bytes as a GGUF file, and as the model in it, are read or rejected with an Error.
#include "gyre/base/error.h"
#include "gyre/io/gguf/gguf.h"
#include "gyre/io/json.h"
#include "gyre/models/files/gguf_model.h"
#include "tests/fuzz/file_in_memory.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string& path = file_in_memory(data, size);
  try {
    const gyre::GgufFile file(path);
    for (const gyre::GgufFile::Field& field : file.metadata()) (void)field.value.to_json(10);
    for (const gyre::GgufEntry& entry : file.entries()) {
      try {
        const gyre::Tensor tensor = file.load(entry, gyre::FileAccess::map);
        if (tensor.numel() == 1) (void)tensor.item();
      } catch (const gyre::Error&) {
      }
    }
    const gyre::GgufModel model(path);
    (void)model.config();
    (void)model.tensors(gyre::FileAccess::map);
  } catch (const gyre::Error&) {
  }
  return 0;
}
