#include "gyre/base/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "gyre/base/error.h"

namespace gyre {

FileLock::FileLock(const std::string& path) {
  descriptor_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_ < 0) {
    throw Error(Code::io, "lock", "cannot open " + path + ": " + std::strerror(errno));
  }
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) == 0) return;
  int reason = errno;
  ::close(descriptor_);
  if (reason == EWOULDBLOCK) {
    throw Error(Code::resource, "lock", path + " is held by another process or thread");
  }
  throw Error(Code::io, "lock", "cannot lock " + path + ": " + std::strerror(reason));
}

FileLock::~FileLock() { ::close(descriptor_); }

}  // namespace gyre
