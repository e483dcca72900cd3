#pragma once
#include <cstddef>
#include <new>
#include <vector>

#include "gyre/base/system/memory.h"

namespace gyre {

/// Memory aligned to 64 bytes, and in huge pages if it is large: rows of points are read in random
/// order, so extra cache lines and TLB misses are costly.
template <class T>
struct WideAllocator {
  using value_type = T;
  WideAllocator() = default;
  template <class U>
  WideAllocator(const WideAllocator<U>&) {}
  T* allocate(size_t n) {
    void* block = system_allocate(n * sizeof(T));
    if (!block) throw std::bad_alloc();
    return static_cast<T*>(block);
  }
  void deallocate(T* block, size_t n) noexcept { system_free(block, n * sizeof(T)); }
  bool operator==(const WideAllocator&) const { return true; }
};

template <class T>
using WideVector = std::vector<T, WideAllocator<T>>;

}  // namespace gyre
