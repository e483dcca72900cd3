#pragma once
#include <cstdio>

namespace gyre {

/// Whether a stream is a terminal, where lines may be redrawn.
bool is_terminal(std::FILE* stream) noexcept;

/// Makes standard streams that are closed at program start fail on use, instead of referring to
/// whatever file is opened next. For programs, once, at start.
void keep_closed_streams() noexcept;

}  // namespace gyre
