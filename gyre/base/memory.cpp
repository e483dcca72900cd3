#include "gyre/base/memory.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#if defined(__linux__)
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace gyre {
namespace {

constexpr size_t kHuge = size_t{2} << 20;

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

}  // namespace gyre
