#include "gyre/base/system/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "gyre/base/error.h"

namespace gyre {

FileLock::FileLock(const std::string& path) : path_(path) {
  constexpr int kAttempts = 100;
  for (int i = 0; i < kAttempts; ++i) {
    if (lock()) return;
    ::close(descriptor_);
  }
  throw Error(Code::io, "lock",
              {path_, " was replaced by another file in each of ", kAttempts, " attempts"});
}

// False when the previous owner removed the file between our opening and locking it.
bool FileLock::lock() {
  descriptor_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_ < 0) {
    throw Error(Code::io, "lock", "cannot open " + path_ + ": " + std::strerror(errno));
  }
  int reason = ::flock(descriptor_, LOCK_EX | LOCK_NB) == 0 ? 0 : errno;
  if (reason == 0) {
    if (names(path_.c_str(), descriptor_)) return true;
    if (errno == 0 || errno == ENOENT) return false;
    reason = errno;
  }
  ::close(descriptor_);
  if (reason == EWOULDBLOCK) {
    throw Error(Code::resource, "lock", path_ + " is locked by another process or thread");
  }
  throw Error(Code::io, "lock", "cannot lock " + path_ + ": " + std::strerror(reason));
}

bool FileLock::names(const char* path, int descriptor) noexcept {
  errno = 0;
  struct stat named {
  }, open{};
  return ::stat(path, &named) == 0 && ::fstat(descriptor, &open) == 0 &&
         named.st_ino == open.st_ino && named.st_dev == open.st_dev;
}

void FileLock::remove_file() const noexcept {
  if (names(path_.c_str(), descriptor_)) ::unlink(path_.c_str());
}

FileLock::~FileLock() {
  remove_file();
  ::close(descriptor_);
}

}  // namespace gyre
