#pragma once
#include <atomic>

#include "gyre/base/system/file_lock.h"

namespace gyre {

/// SIGINT (Ctrl-C), SIGTERM and SIGHUP end the process with exit code 130; writing to a closed pipe
/// or beyond the file size limit fails with an error instead of killing it. For programs, once, at
/// start. Signals that the parent ignores stay ignored.
void end_when_interrupted() noexcept;

/// What a process that such a signal ends writes first, to standard output and to standard error;
/// null: nothing. The texts must outlive the process.
void say_when_interrupted(const char* output, const char* errors) noexcept;

/// While it lives, a process that is interrupted removes the file of a lock, and then `folder` (may
/// be null) if it is empty. Only the most recently constructed one of a process is effective: an
/// interrupt leaves the lock files of others, which do not block, and after that one is destroyed
/// none is.
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

/// Ends the process at once, after what RemovedWhenInterrupted does. For signal handlers.
[[noreturn]] void end_process(int exit_code) noexcept;

/// From now on the first such signal only sets the flag; another one, at least half a second later,
/// ends the process as above.
const std::atomic<bool>* note_interrupts() noexcept;

/// From now on SIGINT only sets the flag, each time, and ends a read that waits for input (EINTR);
/// the caller clears it. Other signals end the process as above.
std::atomic<bool>* catch_interrupts() noexcept;

/// While it lives, SIGINT also sets a flag, before the handler that the host process has for it
/// runs. Where the host has none, SIGINT does what it did. In several threads at once, the first
/// one has the signal.
class InterruptFlag {
 public:
  explicit InterruptFlag(std::atomic<bool>& flag) noexcept;
  InterruptFlag(const InterruptFlag&) = delete;
  InterruptFlag& operator=(const InterruptFlag&) = delete;
  ~InterruptFlag();

 private:
  bool installed_;
};

}  // namespace gyre
