#include "gyre/base/interrupt.h"

#include <signal.h>
#include <unistd.h>

namespace gyre {
namespace {

constexpr int kInterruptedExit = 130;

volatile bool interrupted = false;

void end_now(int) { _exit(kInterruptedExit); }

void note(int) {
  if (interrupted) _exit(kInterruptedExit);
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
  handle(SIGINT, end_now);
  handle(SIGTERM, end_now);
  signal(SIGPIPE, SIG_IGN);
}

const volatile bool* note_interrupts() noexcept {
  handle(SIGINT, note);
  handle(SIGTERM, note);
  return &interrupted;
}

}  // namespace gyre
