#include "gyre/base/ref.h"

#include <new>

#if defined(__SANITIZE_ADDRESS__)
#define GYRE_NO_FREELIST 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define GYRE_NO_FREELIST 1
#endif
#endif

namespace gyre {
namespace {

constexpr size_t kGranule = 64;
constexpr size_t kClasses = 17;       // up to 1 KiB
constexpr uint32_t kMostKept = 4096;  // blocks of one class a thread keeps

struct FreeLists {
  void* head[kClasses];
  uint32_t count[kClasses];
  bool closed;  // the thread is ending: blocks go straight to the heap
};
constinit thread_local FreeLists lists{};
constinit std::atomic<int64_t> live{0};

// Returns a thread's blocks to the heap when it ends; touched only when a list gets its first block.
struct Cleaner {
  ~Cleaner() {
    lists.closed = true;
    for (void*& head : lists.head) {
      while (head) {
        void* next = *static_cast<void**>(head);
        ::operator delete(head);
        head = next;
      }
    }
  }
};
thread_local Cleaner cleaner;

}  // namespace

void* RefCounted::operator new(size_t bytes) {
  live.fetch_add(1, std::memory_order_relaxed);
#ifndef GYRE_NO_FREELIST
  size_t c = (bytes + kGranule - 1) / kGranule;
  if (c < kClasses) {
    if (void* block = lists.head[c]) {
      lists.head[c] = *static_cast<void**>(block);
      --lists.count[c];
      return block;
    }
    return ::operator new(c* kGranule);
  }
#endif
  return ::operator new(bytes);
}

void RefCounted::operator delete(void* block, [[maybe_unused]] size_t bytes) noexcept {
  live.fetch_sub(1, std::memory_order_relaxed);
#ifndef GYRE_NO_FREELIST
  size_t c = (bytes + kGranule - 1) / kGranule;
  if (c < kClasses && !lists.closed && lists.count[c] < kMostKept) {
    if (lists.count[c] == 0) (void)&cleaner;
    *static_cast<void**>(block) = lists.head[c];
    lists.head[c] = block;
    ++lists.count[c];
    return;
  }
#endif
  ::operator delete(block);
}

int64_t live_objects() noexcept { return live.load(std::memory_order_relaxed); }

}  // namespace gyre
