#pragma once
#include <cstdio>

namespace gyre {

/// Whether a stream shows on a terminal, where lines may be redrawn.
bool is_terminal(std::FILE* stream) noexcept;

/// Standard streams that are closed when the program starts fail from then on, instead of going to
/// whatever file is opened next. For programs, once, at their start.
void keep_closed_streams() noexcept;

}  // namespace gyre
