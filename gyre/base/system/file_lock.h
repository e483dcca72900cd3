#pragma once
#include <string>

namespace gyre {

/// An exclusive lock on a file: while it lives, no second FileLock on the same path can be made, in
/// this process or another. The lock ends with the process in any case. The file is created, and
/// removed with the lock; a file left by a killed process does not block.
class FileLock {
 public:
  /// Errors: resource, when it is locked already; io, when the file cannot be created or locked, or
  /// is replaced by others repeatedly.
  [[nodiscard]] explicit FileLock(const std::string& path);
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  ~FileLock();

  /// Removes the file, if the path still names the locked one. Async-signal-safe.
  void remove_file() const noexcept;

 private:
  bool lock();
  // Whether the path still names the open file; if not, errno says why, 0 for a different file.
  static bool names(const char* path, int descriptor) noexcept;

  std::string path_;
  int descriptor_ = -1;
};

}  // namespace gyre
