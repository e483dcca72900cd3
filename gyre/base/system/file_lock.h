#pragma once
#include <string>

namespace gyre {

/// Holds a file for this process: no second FileLock on the same path, in this process or another,
/// can be made while it lives. The lock ends with the process, however that ends. The file is made,
/// and removed with the lock; one that a killed process has left hinders nobody.
class FileLock {
 public:
  /// Errors: resource, when somebody else holds it; io, when the file cannot be made or locked, or
  /// does not stay the one that was locked.
  [[nodiscard]] explicit FileLock(const std::string& path);
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  ~FileLock();

  /// Removes the file, if the path still names the one that is held. A signal handler may call it.
  void remove_file() const noexcept;

 private:
  bool lock();
  // Whether the path still names the open file; if not, errno says why, 0 for another file.
  static bool names(const char* path, int descriptor) noexcept;

  std::string path_;
  int descriptor_ = -1;
};

}  // namespace gyre
