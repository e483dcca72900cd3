#pragma once
#include <cstddef>
#include <string>

namespace gyre {

/// Memory from the system, aligned to 64 bytes (from 4 MiB on: 2 MiB and huge pages). nullptr when
/// out of memory.
void* system_allocate(size_t bytes) noexcept;
void system_free(void* block, size_t bytes) noexcept;

/// Resident set size of this process in bytes; 0 if unknown.
size_t resident_bytes() noexcept;
/// The largest that it has been so far, since reset_peak_resident() if that was called; 0 if
/// unknown.
size_t peak_resident_bytes() noexcept;
/// Where the system forbids that, the peak stays.
void reset_peak_resident() noexcept;
/// Returns memory that was freed to the system, where the C library can, so that it is no longer
/// resident.
void return_free_memory() noexcept;

/// Memory that this process may use in bytes: that of the machine, or its control group limit if
/// lower. 0 if unknown.
size_t machine_memory() noexcept;

/// "512 B", "1.5 KB", "12 MB", "3.2 GB": in powers of 1000.
std::string size_text(double bytes);

}  // namespace gyre
