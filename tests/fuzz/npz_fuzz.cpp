// Any bytes as a zip file of arrays are read or rejected with an Error.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "gyre/base/error.h"
#include "gyre/io/npy.h"
#include "gyre/io/zip.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view file(reinterpret_cast<const char*>(data), size);
  try {
    const gyre::ZipFile zip(file, "file");
    for (const gyre::ZipMember& member : zip.members()) {
      try {
        (void)gyre::npy_tensor(zip.read(member), member.name);
      } catch (const gyre::Error&) {
      }
    }
  } catch (const gyre::Error&) {
  }
  return 0;
}
