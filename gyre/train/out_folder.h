#pragma once
#include <optional>
#include <string>
#include <vector>

#include "gyre/base/system/file_lock.h"
#include "gyre/base/system/interrupt.h"

namespace gyre {

/// The output folder of a training run: created if missing and locked while this lives, so no other
/// process trains there. Partially written files are removed. A created folder that is still empty
/// at the end (the run failed or was interrupted before its first step) is removed.
class OutFolder {
 public:
  /// Errors: resource, `op` "lock", if another run holds the folder; io.
  explicit OutFolder(std::string path);
  OutFolder(const OutFolder&) = delete;
  OutFolder& operator=(const OutFolder&) = delete;
  ~OutFolder();

  /// For a new run, which would overwrite these files: Error{value} of `op` if one of them exists
  /// and is not empty, or log.jsonl has a first entry that does not begin with `member` (a run that
  /// reached no checkpoint does, and may be overwritten). Error{io}.
  void require_free(const char* op, const std::vector<const char*>& names,
                    const std::string& member) const;

 private:
  std::string path_;
  bool made_;
  std::optional<FileLock> lock_;
  std::optional<RemovedWhenInterrupted> removed_;
};

}  // namespace gyre
