#pragma once
#include <atomic>

#include "gyre/base/system/file_lock.h"

namespace gyre {

/// Ctrl-C, a request to terminate and a terminal that goes away end the process with exit code 130;
/// writing to a closed pipe, or more than a file may hold, fails instead of ending it. For
/// programs, once, at their start. A signal that their starter has switched off stays so.
void end_when_interrupted() noexcept;

/// While it lives, a process that ends in this way removes the file of a lock, and then `folder`,
/// which may be null, if it is empty. A process has one of these that counts: the one made last.
/// Where several live, an interrupt leaves the files of the others, which hinder nobody, and when
/// the last one is gone none counts.
class RemovedWhenInterrupted {
 public:
  /// Both must outlive this.
  RemovedWhenInterrupted(const FileLock& lock, const char* folder) noexcept;
  RemovedWhenInterrupted(const RemovedWhenInterrupted&) = delete;
  RemovedWhenInterrupted& operator=(const RemovedWhenInterrupted&) = delete;
  ~RemovedWhenInterrupted();

  /// For the signal handler.
  void remove() const noexcept;

 private:
  const FileLock& lock_;
  const char* folder_;
};

/// From now on the first of these signals only makes the flag true; another one, half a second
/// later or more, ends the process as above.
const std::atomic<bool>* note_interrupts() noexcept;

}  // namespace gyre
