#pragma once
#include <cstdio>

namespace gyre {

/// Whether a stream shows on a terminal, where lines may be redrawn.
bool is_terminal(std::FILE* stream) noexcept;

}  // namespace gyre
