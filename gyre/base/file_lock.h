#pragma once
#include <string>

namespace gyre {

/// Holds a file for this process: no second FileLock on the same path, in this process or another,
/// can be made while it lives. The lock ends with the process, however that ends. The file is made,
/// and removed with the lock; one that a killed process has left hinders nobody.
class FileLock {
 public:
  /// Errors: resource, when somebody else holds it; io, when the file cannot be made.
  explicit FileLock(const std::string& path);
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  ~FileLock();

 private:
  bool lock();
  [[nodiscard]] bool stands() const;

  std::string path_;
  int descriptor_ = -1;
};

}  // namespace gyre
