#pragma once
#include <cstdlib>
#include <string>

#include "gyre/base/error.h"
#include "gyre/base/system/file.h"
#include "tests/test_data.h"

namespace gyre::bench {

/// The file tinyshakespeare.txt: $GYRE_TINYSHAKESPEARE, or that of the test data. Error{io} of the
/// benchmark when it is not there.
inline std::string tiny_shakespeare(const char* work) {
  const char* path = std::getenv("GYRE_TINYSHAKESPEARE");
  std::string text = path && *path ? path : test_data("text/tinyshakespeare.txt");
  if (file_exists(text)) return text;
  throw Error(Code::io, work,
              text + " not found; set GYRE_TINYSHAKESPEARE to the path of the text");
}

}  // namespace gyre::bench
