#pragma once
#include <cstddef>
#include <new>
#include <vector>

#include "gyre/base/system/memory.h"

namespace gyre {

/// Memory on a 64-byte boundary, and in huge pages where it is large: rows of points are read in
/// no order, and then every cache line and page more is one that has to be waited for.
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
