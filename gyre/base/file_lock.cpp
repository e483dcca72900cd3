#include "gyre/base/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "gyre/base/error.h"

namespace gyre {

FileLock::FileLock(const std::string& path) : path_(path) {
  while (!lock()) ::close(descriptor_);
}

// False when who had the lock has removed the file between our opening and locking it.
bool FileLock::lock() {
  descriptor_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_ < 0) {
    throw Error(Code::io, "lock", "cannot open " + path_ + ": " + std::strerror(errno));
  }
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) == 0) return stands();
  int reason = errno;
  ::close(descriptor_);
  if (reason == EWOULDBLOCK) {
    throw Error(Code::resource, "lock", path_ + " is held by another process or thread");
  }
  throw Error(Code::io, "lock", "cannot lock " + path_ + ": " + std::strerror(reason));
}

// Whether the path still names the file that is locked.
bool FileLock::stands() const {
  struct stat named {
  }, locked{};
  return ::stat(path_.c_str(), &named) == 0 && ::fstat(descriptor_, &locked) == 0 &&
         named.st_ino == locked.st_ino && named.st_dev == locked.st_dev;
}

FileLock::~FileLock() {
  if (stands()) ::unlink(path_.c_str());
  ::close(descriptor_);
}

}  // namespace gyre
