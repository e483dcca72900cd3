#pragma once
#include <cstdlib>
#include <filesystem>
#include <string>

#include "gyre/base/error.h"
#include "gyre/base/system/file.h"

namespace gyre::bench {

/// A new folder, removed with its content at the end.
struct TemporaryFolder {
  std::string path = (std::filesystem::temp_directory_path() / "gyre-bench-XXXXXX").string();

  TemporaryFolder() {
    if (!::mkdtemp(path.data())) throw Error(Code::io, "bench", "cannot create " + path);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() { remove_tree(path); }
};

}  // namespace gyre::bench
