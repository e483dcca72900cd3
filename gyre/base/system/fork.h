#pragma once
#include <cstdint>
#include <mutex>

namespace gyre {

/// From the first call with `once` on, every fork() of the process runs `before` first, and then
/// `in_parent` and `in_child` in the two processes; no call returns before that is set up. For
/// locks that another thread may hold during a fork and that nobody would release in the child. A
/// null function does nothing; without fork() neither does this.
void at_fork(std::once_flag& once, void (*before)(), void (*in_parent)(),
             void (*in_child)()) noexcept;

/// Number of forks between the first process and this one, counted from the first call on: what
/// threads own is another process's where the number has changed.
uint32_t forks_before() noexcept;

}  // namespace gyre
