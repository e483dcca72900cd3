#pragma once
#include <cstddef>
#include <string>

namespace gyre {

/// Memory from the system, on a 64-byte boundary (2 MiB boundary and huge pages from 4 MiB on).
/// nullptr when there is none.
void* system_allocate(size_t bytes) noexcept;
void system_free(void* block, size_t bytes) noexcept;

/// Bytes of this process that lie in memory now (resident set); 0 where that cannot be told.
size_t resident_bytes() noexcept;

/// Bytes of memory that this process may come to use: the machine's, or the bound of its control
/// group where that is lower. 0 where that cannot be told.
size_t machine_memory() noexcept;

/// "512 B", "1.5 KB", "12 MB", "3.2 GB": in powers of 1000.
std::string size_text(double bytes);

}  // namespace gyre
