// Any bytes as an .npy file are read or rejected with an Error; the tensor has the declared size.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "gyre/base/error.h"
#include "gyre/io/npy.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view file(reinterpret_cast<const char*>(data), size);
  try {
    const gyre::Tensor tensor = gyre::npy_tensor(file, "file");
    if (tensor.numel() == 1) (void)tensor.item();
  } catch (const gyre::Error&) {
  }
  return 0;
}
