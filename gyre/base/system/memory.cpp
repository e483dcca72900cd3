#include "gyre/base/system/memory.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#if defined(__linux__)
#include <sys/mman.h>
#include <unistd.h>
#endif
#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace gyre {
namespace {

constexpr size_t kHuge = size_t{2} << 20;

// The number at the start of a file; SIZE_MAX when there is none.
size_t number_in(const char* path) noexcept {
  std::FILE* file = std::fopen(path, "r");
  if (!file) return SIZE_MAX;
  unsigned long long number = 0;
  int read = std::fscanf(file, "%llu", &number);
  std::fclose(file);
  return read == 1 ? static_cast<size_t>(number) : SIZE_MAX;
}

}  // namespace

void* system_allocate(size_t bytes) noexcept {
  size_t alignment = bytes >= 2 * kHuge ? kHuge : 64;
  if (bytes > SIZE_MAX - alignment) return nullptr;
  size_t rounded = (bytes + alignment - 1) / alignment * alignment;
  void* block = std::aligned_alloc(alignment, rounded ? rounded : alignment);
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  if (block && alignment == kHuge) madvise(block, rounded, MADV_HUGEPAGE);
#endif
  return block;
}

void system_free(void* block, size_t) noexcept { std::free(block); }

size_t resident_bytes() noexcept {
#if defined(__linux__)
  std::FILE* file = std::fopen("/proc/self/statm", "r");
  if (!file) return 0;
  unsigned long total = 0, resident = 0;
  int read = std::fscanf(file, "%lu %lu", &total, &resident);
  std::fclose(file);
  return read == 2 ? resident * static_cast<size_t>(sysconf(_SC_PAGESIZE)) : 0;
#else
  return 0;
#endif
}

void reset_peak_resident() noexcept {
#if defined(__linux__)
  if (std::FILE* file = std::fopen("/proc/self/clear_refs", "w")) {
    std::fputs("5", file);
    std::fclose(file);
  }
#endif
}

void return_free_memory() noexcept {
#if defined(__GLIBC__)
  malloc_trim(0);
#endif
}

size_t peak_resident_bytes() noexcept {
#if defined(__linux__)
  // getrusage() would count the program that called exec, too
  std::FILE* file = std::fopen("/proc/self/status", "r");
  if (!file) return 0;
  unsigned long long kilobytes = 0;
  char line[256];
  while (std::fgets(line, sizeof line, file)) {
    if (std::sscanf(line, "VmHWM: %llu", &kilobytes) == 1) break;
  }
  std::fclose(file);
  return static_cast<size_t>(kilobytes) * 1024;
#else
  return 0;
#endif
}

size_t machine_memory() noexcept {
#if defined(__linux__)
  auto pages = static_cast<size_t>(sysconf(_SC_PHYS_PAGES));
  size_t bytes = pages * static_cast<size_t>(sysconf(_SC_PAGESIZE));
  for (const char* bound :
       {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
    bytes = std::min(bytes, number_in(bound));
  }
  return bytes;
#else
  return 0;
#endif
}

std::string size_text(double bytes) {
  constexpr const char* kUnits[] = {"B", "KB", "MB", "GB", "TB", "PB"};
  int unit = 0;
  for (; bytes >= 999.5 && unit < 5; ++unit) bytes /= 1000;
  char text[64];
  std::snprintf(text, sizeof text, "%.*f %s", bytes < 9.95 && unit > 0 ? 1 : 0, bytes,
                kUnits[unit]);
  return text;
}

}  // namespace gyre
