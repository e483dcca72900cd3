#pragma once
#include <optional>
#include <string>
#include <vector>

#include "gyre/base/system/file_lock.h"
#include "gyre/base/system/interrupt.h"

namespace gyre {

/// The folder of a training, made if it is not there, and held while this lives: no other process
/// trains there. What was left half written is removed. When a folder that was made holds nothing
/// in the end, since the training failed or was interrupted before its first step, it goes again.
class OutFolder {
 public:
  /// Errors: resource, `op` "lock", when another training holds the folder; io.
  explicit OutFolder(std::string path);
  OutFolder(const OutFolder&) = delete;
  OutFolder& operator=(const OutFolder&) = delete;
  ~OutFolder();

  /// For a new training, which would write over these files: Error{value} of `op` where one of them
  /// is there and holds something, or a log.jsonl whose first entry does not begin with `member`,
  /// as those of trainings do: theirs that came to no checkpoint make room. Error{io}.
  void require_free(const char* op, const std::vector<const char*>& names,
                    const std::string& member) const;

 private:
  std::string path_;
  bool made_;
  std::optional<FileLock> lock_;
  std::optional<RemovedWhenInterrupted> removed_;
};

}  // namespace gyre
