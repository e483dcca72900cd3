#include "gyre/base/small_blocks.h"

#include <cstdint>
#include <new>

#include "gyre/base/tally.h"

#if defined(__SANITIZE_ADDRESS__)
#define GYRE_KEEP_BLOCKS 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define GYRE_KEEP_BLOCKS 0
#endif
#endif
#ifndef GYRE_KEEP_BLOCKS
#define GYRE_KEEP_BLOCKS 1
#endif

namespace gyre {
namespace {

constexpr size_t kGranule = 64;
constexpr size_t kClasses = kLargestSmallBlock / kGranule + 1;
constexpr uint32_t kMostKept = 1024;  // blocks of one class a thread keeps
constexpr std::align_val_t kAlignment{kGranule};

struct FreeLists {
  void* head[kClasses];
  uint32_t count[kClasses];
  bool watched, closed;  // closed: the thread is ending, blocks go straight to the heap
};
constinit thread_local FreeLists lists{};

struct Cleaner {
  bool touched = false;
  ~Cleaner() {
    drop_small_blocks();
    lists.closed = true;
  }
};
thread_local Cleaner cleaner;

constexpr size_t class_of(size_t bytes) { return (bytes + kGranule - 1) / kGranule; }

}  // namespace

void* take_small_block(size_t bytes) noexcept {
  if constexpr (!GYRE_KEEP_BLOCKS) return ::operator new(bytes, kAlignment, std::nothrow);
  size_t c = class_of(bytes);
  if (void* block = lists.head[c]) {
    lists.head[c] = *static_cast<void**>(block);
    --lists.count[c];
    return block;
  }
  return ::operator new(c* kGranule, kAlignment, std::nothrow);
}

void give_small_block(void* block, size_t bytes) noexcept {
  size_t c = class_of(bytes);
  if (!GYRE_KEEP_BLOCKS || lists.closed || lists.count[c] == kMostKept) {
    ::operator delete(block, kAlignment);
    return;
  }
  if (!lists.watched) [[unlikely]]
    lists.watched = cleaner.touched = true;
  *static_cast<void**>(block) = lists.head[c];
  lists.head[c] = block;
  ++lists.count[c];
}

void drop_small_blocks() noexcept {
  for (size_t c = 0; c < kClasses; ++c) {
    while (void* block = lists.head[c]) {
      lists.head[c] = *static_cast<void**>(block);
      ::operator delete(block, kAlignment);
    }
    lists.count[c] = 0;
  }
}

}  // namespace gyre
