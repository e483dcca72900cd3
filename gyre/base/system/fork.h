#pragma once
#include <mutex>

namespace gyre {

/// From the first call with `once` on, every fork() of the process runs `before` first and then
/// `in_parent` and `in_child` on its two sides; no call returns before that. For locks: another
/// thread may hold one at that moment, and nobody would give it back in the child. A null function
/// does nothing, and so does this where there is no fork().
void at_fork(std::once_flag& once, void (*before)(), void (*in_parent)(),
             void (*in_child)()) noexcept;

}  // namespace gyre
