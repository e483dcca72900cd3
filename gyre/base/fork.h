#pragma once

namespace gyre {

/// From now on every fork() of the process runs `before` first and then `in_parent` and `in_child`
/// on its two sides. For locks: another thread may hold one at that moment, and nobody would give it
/// back in the child. A null function does nothing, and so does this where there is no fork().
void at_fork(void (*before)(), void (*in_parent)(), void (*in_child)()) noexcept;

}  // namespace gyre
