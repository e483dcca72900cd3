#include "gyre/base/memory/small_blocks.h"

#include <cstdint>
#include <new>

#include "gyre/base/memory/poison.h"

namespace gyre {
namespace {

constexpr bool kKeepBlocks = !GYRE_ASAN;
constexpr size_t kGranule = 64;
constexpr size_t kClasses = kLargestSmallBlock / kGranule + 1;
constexpr uint32_t kMostKept = 1024;  // free blocks kept per size class and thread
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
  if constexpr (!kKeepBlocks) return ::operator new(bytes, kAlignment, std::nothrow);
  const size_t c = class_of(bytes);
  FreeLists& own = lists;  // the address of a thread-local variable is a call in a shared library
  if (void* block = own.head[c]) {
    own.head[c] = *static_cast<void**>(block);
    --own.count[c];
    return block;
  }
  return ::operator new(c* kGranule, kAlignment, std::nothrow);
}

void give_small_block(void* block, size_t bytes) noexcept {
  const size_t c = class_of(bytes);
  FreeLists& own = lists;
  if (!kKeepBlocks || own.closed || own.count[c] == kMostKept) {
    ::operator delete(block, kAlignment);
    return;
  }
  if (!own.watched) [[unlikely]]
    own.watched = cleaner.touched = true;
  *static_cast<void**>(block) = own.head[c];
  own.head[c] = block;
  ++own.count[c];
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
