// Any bytes as a JSONL file give UTF-8 or are rejected with an Error.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "gyre/base/error.h"
#include "gyre/base/text/utf8.h"
#include "gyre/data/jsonl.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    if (!gyre::is_utf8(gyre::jsonl_text({reinterpret_cast<const char*>(data), size}, "file"))) {
      std::abort();
    }
  } catch (const gyre::Error&) {
  }
  return 0;
}
