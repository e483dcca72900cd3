#include "gyre/base/interrupt.h"

#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>

namespace gyre {
namespace {

constexpr int kInterruptedExit = 130;
constexpr int kInterrupts[] = {SIGINT, SIGTERM, SIGHUP};
// A signal that reaches a process by itself and with its group comes twice.
constexpr int64_t kTogether = 500'000'000;  // nanoseconds

volatile bool interrupted = false;
volatile int64_t first_at = 0;

int64_t nanoseconds() noexcept {
  struct timespec now {};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * int64_t{1'000'000'000} + now.tv_nsec;
}

std::atomic<const char*> last_file = nullptr, last_folder = nullptr;

void end_now(int) {
  if (const char* file = last_file) unlink(file);
  if (const char* folder = last_folder) rmdir(folder);
  _exit(kInterruptedExit);
}

void note(int signal) {
  if (!interrupted) first_at = nanoseconds();
  if (interrupted && nanoseconds() - first_at > kTogether) end_now(signal);
  interrupted = true;
}

void handle(int signal, void (*handler)(int)) noexcept {
  struct sigaction before {};
  sigaction(signal, nullptr, &before);
  if (before.sa_handler == SIG_IGN) return;
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigaction(signal, &action, nullptr);
}

}  // namespace

void end_when_interrupted() noexcept {
  for (int signal : kInterrupts) handle(signal, end_now);
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
}

void remove_when_interrupted(const char* file, const char* folder) noexcept {
  last_file = file;
  last_folder = folder;
}

const volatile bool* note_interrupts() noexcept {
  for (int signal : kInterrupts) handle(signal, note);
  return &interrupted;
}

}  // namespace gyre
