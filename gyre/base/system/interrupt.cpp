#include "gyre/base/system/interrupt.h"

#include <poll.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstring>

namespace gyre {
namespace {

constexpr int kInterruptedExit = 130;
constexpr int kInterrupts[] = {SIGINT, SIGTERM, SIGHUP};
// A signal sent to a process and to its group arrives twice.
constexpr int64_t kTogether = 500'000'000;  // nanoseconds

std::atomic<bool> interrupted = false;
std::atomic<int64_t> first_at = 0;  // nanoseconds; 0 before the first
std::atomic<const RemovedWhenInterrupted*> last_made = nullptr;
std::atomic<const char*> last_output = nullptr, last_errors = nullptr;
static_assert(decltype(last_output)::is_always_lock_free &&
              decltype(interrupted)::is_always_lock_free &&
              decltype(first_at)::is_always_lock_free &&
              decltype(last_made)::is_always_lock_free);  // required in signal handlers

int64_t nanoseconds() noexcept {
  struct timespec now {};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * int64_t{1'000'000'000} + now.tv_nsec;
}

// Writes where it can at once: whoever reads a full pipe may have stopped reading.
void say(int to, const char* text) {
  struct pollfd ready {
    to, POLLOUT, 0
  };
  if (!text || poll(&ready, 1, 0) != 1 || !(ready.revents & POLLOUT)) return;
  // the process ends, whether it can be written or not
  if (write(to, text, std::strlen(text)) < 0) return;
}

void end_now(int) {
  if (const RemovedWhenInterrupted* last = last_made) last->remove();
  say(STDOUT_FILENO, last_output);
  say(STDERR_FILENO, last_errors);
  _exit(kInterruptedExit);
}

void note(int signal) {
  int64_t first = 0, now = nanoseconds();
  if (!first_at.compare_exchange_strong(first, now) && now - first > kTogether) end_now(signal);
  interrupted = true;
}

void set_flag(int) { interrupted = true; }

void handle(int signal, void (*handler)(int), int flags = SA_RESTART) noexcept {
  struct sigaction before {};
  sigaction(signal, nullptr, &before);
  if (before.sa_handler == SIG_IGN) return;
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigaction(signal, &action, nullptr);
}

}  // namespace

void end_process(int exit_code) noexcept {
  if (const RemovedWhenInterrupted* last = last_made) last->remove();
  _exit(exit_code);
}

void end_when_interrupted() noexcept {
  for (int signal : kInterrupts) handle(signal, end_now);
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
}

void say_when_interrupted(const char* output, const char* errors) noexcept {
  last_output = output;
  last_errors = errors;
}

RemovedWhenInterrupted::RemovedWhenInterrupted(const FileLock& lock, const char* folder) noexcept
    : lock_(lock), folder_(folder) {
  last_made = this;
}

RemovedWhenInterrupted::~RemovedWhenInterrupted() {
  const RemovedWhenInterrupted* self = this;
  last_made.compare_exchange_strong(self, nullptr);
}

void RemovedWhenInterrupted::remove() const noexcept {
  lock_.remove_file();
  if (folder_) rmdir(folder_);
}

const std::atomic<bool>* note_interrupts() noexcept {
  for (int signal : kInterrupts) handle(signal, note);
  return &interrupted;
}

std::atomic<bool>* catch_interrupts() noexcept {
  handle(SIGINT, set_flag, 0);
  return &interrupted;
}

namespace {

std::atomic<std::atomic<bool>*> watched = nullptr;
struct sigaction host {};  // what was there; written while `watched` is null

void set_watched(int signal, siginfo_t* info, void* context) {
  if (std::atomic<bool>* flag = watched) *flag = true;
  if (host.sa_flags & SA_SIGINFO)
    host.sa_sigaction(signal, info, context);
  else
    host.sa_handler(signal);
}

}  // namespace

InterruptFlag::InterruptFlag(std::atomic<bool>& flag) noexcept {
  std::atomic<bool>* none = nullptr;
  installed_ = watched.compare_exchange_strong(none, &flag);
  if (!installed_) return;
  sigaction(SIGINT, nullptr, &host);
  const bool has_handler =
      host.sa_flags & SA_SIGINFO || (host.sa_handler != SIG_DFL && host.sa_handler != SIG_IGN);
  if (has_handler) {
    struct sigaction action = host;
    action.sa_flags |= SA_SIGINFO;
    action.sa_sigaction = set_watched;
    sigaction(SIGINT, &action, nullptr);
  } else {
    watched = nullptr;
    installed_ = false;
  }
}

InterruptFlag::~InterruptFlag() {
  if (!installed_) return;
  sigaction(SIGINT, &host, nullptr);
  watched = nullptr;
}

}  // namespace gyre
