#pragma once
#include <cstddef>

namespace gyre {

/// Memory from the system, on a 64-byte boundary (2 MiB boundary and huge pages from 4 MiB on).
/// nullptr when there is none.
void* system_allocate(size_t bytes) noexcept;
void system_free(void* block, size_t bytes) noexcept;

/// Bytes of this process that lie in memory now (resident set); 0 where that cannot be told.
size_t resident_bytes() noexcept;

}  // namespace gyre
