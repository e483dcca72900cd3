#pragma once
#include <new>
#include <vector>

#include "gyre/base/system/memory.h"

namespace gyre {

/// An allocator that takes large arrays from system_allocate(): their huge pages make accesses at
/// random a third faster. Throws std::bad_alloc.
template <class T>
struct LargeAllocator {
  using value_type = T;
  static constexpr size_t kLarge = size_t{4} << 20;  // bytes

  LargeAllocator() = default;
  template <class U>
  LargeAllocator(const LargeAllocator<U>&) {}

  T* allocate(size_t count) {
    if (count < kLarge / sizeof(T)) return static_cast<T*>(::operator new(count * sizeof(T)));
    void* block = count > SIZE_MAX / sizeof(T) ? nullptr : system_allocate(count * sizeof(T));
    if (!block) throw std::bad_alloc();
    return static_cast<T*>(block);
  }
  void deallocate(T* block, size_t count) {
    if (count < kLarge / sizeof(T))
      ::operator delete(block);
    else
      system_free(block, count * sizeof(T));
  }
  friend bool operator==(const LargeAllocator&, const LargeAllocator&) { return true; }
};

/// A vector whose elements may be many and are read at random.
template <class T>
using LargeVector = std::vector<T, LargeAllocator<T>>;

}  // namespace gyre
