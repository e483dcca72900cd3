#include "gyre/tensor/allocator.h"

#include <atomic>
#include <bit>
#include <cstdlib>
#include <mutex>

#include "gyre/base/error.h"
#include "gyre/base/memory/poison.h"
#include "gyre/base/memory/small_blocks.h"
#include "gyre/base/memory/tally.h"
#include "gyre/base/system/fork.h"
#include "gyre/base/system/memory.h"

namespace gyre::allocator {
namespace {

constexpr size_t kSmallest = 64;
constexpr int kSteps = 8;  // size classes per power of two
constexpr int kClasses = 56 * kSteps;

struct Class {
  int index;
  size_t bytes;
};

// Sizes: multiples of 64 up to 512, then eight steps to each doubling.
constexpr Class class_at(int index) {
  size_t base = index < kSteps ? 0 : kSmallest * kSteps << (index / kSteps - 1);
  size_t step = index < kSteps ? kSmallest : base / kSteps;
  return {index, base + (static_cast<size_t>(index % kSteps) + 1) * step};
}

// The smallest class of at least that size.
constexpr Class class_of(size_t bytes) {
  if (bytes <= kSmallest * kSteps) {
    return class_at(bytes ? static_cast<int>((bytes - 1) / kSmallest) : 0);
  }
  int exponent = std::bit_width(bytes - 1) - 1;
  size_t base = size_t{1} << exponent;
  return class_at((exponent - 8) * kSteps + static_cast<int>((bytes - 1 - base) / (base / kSteps)));
}
static_assert(class_of(0).index == 0 && class_of(513).bytes == 576);
static_assert([] {
  for (int i = 0; class_at(i).bytes <= SIZE_MAX / 4; ++i) {
    size_t bytes = class_at(i).bytes;
    if (class_of(bytes).index != i || class_of(bytes + 1).index != i + 1) return false;
  }
  return true;
}());
static_assert(class_of(SIZE_MAX / 4).index < kClasses);

// A cached block starts with the link to the next one of its class.
struct Block {
  Block* next;
};

struct Pool {
  std::mutex mutex;
  Block* head[kClasses] = {};
};
constinit Pool pool;
constinit std::once_flag watches_forks;
constinit std::atomic<size_t> in_use{0}, peak{0}, cached{0}, limit{0};
constinit std::atomic<uint64_t> from_system{0};

// Requests until one fails; 0: never, kUnread: the environment was not read yet.
constexpr int64_t kUnread = INT64_MIN;
constinit std::atomic<int64_t> until_failure{kUnread};

bool must_fail() noexcept {
  int64_t left = until_failure.load(std::memory_order_relaxed);
  if (left == 0) [[likely]]
    return false;
  if (left == kUnread) {
    const char* text = std::getenv("GYRE_FAIL_ALLOC");
    until_failure.compare_exchange_strong(left, text ? std::strtoll(text, nullptr, 10) : 0);
    return must_fail();
  }
  return left > 0 && until_failure.fetch_sub(1, std::memory_order_relaxed) == 1;
}

// Keeps the lists consistent and the mutex free in a forked child.
void watch_forks() noexcept {
  at_fork(
      watches_forks, [] { pool.mutex.lock(); }, [] { pool.mutex.unlock(); },
      [] { pool.mutex.unlock(); });
}

Block* take(Class c) noexcept {
  watch_forks();
  std::lock_guard lock(pool.mutex);
  Block* block = pool.head[c.index];
  if (!block) return nullptr;
  ASAN_UNPOISON_MEMORY_REGION(block, c.bytes);
  pool.head[c.index] = block->next;
  cached.fetch_sub(c.bytes, std::memory_order_relaxed);
  return block;
}

bool over_limit(size_t more) noexcept {
  size_t bound = limit.load(std::memory_order_relaxed);
  return bound &&
         in_use.load(std::memory_order_relaxed) + cached.load(std::memory_order_relaxed) + more >
             bound;
}

void* from_the_system(Class c) noexcept {
  if (over_limit(c.bytes)) empty_cache();
  if (over_limit(c.bytes)) return nullptr;
  void* block = system_allocate(c.bytes);
  if (!block) {
    empty_cache();
    block = system_allocate(c.bytes);
  }
  if (block) from_system.fetch_add(1, std::memory_order_relaxed);
  return block;
}

[[noreturn]] void refuse(size_t bytes) {
  auto text = [](size_t size) { return size_text(static_cast<double>(size)); };
  size_t bound = limit.load();
  throw Error(Code::resource, "allocate",
              "out of memory for " + text(bytes) + " (in use " + text(in_use.load()) + ", cached " +
                  text(cached.load()) + (bound ? ", limit " + text(bound) : "") + ")");
}

}  // namespace

void* allocate(size_t bytes) {
  if (must_fail()) refuse(bytes);
  if (bytes <= kLargestSmallBlock) [[likely]] {
    void* block = take_small_block(bytes ? bytes : 1);
    if (!block) refuse(bytes);
    tally(Tally::requests, 1);
    tally(Tally::small_bytes, static_cast<int64_t>(bytes));
    return block;
  }
  if (bytes > SIZE_MAX / 4) refuse(bytes);
  Class c = class_of(bytes);
  void* block = take(c);
  if (!block) block = from_the_system(c);
  if (!block) refuse(bytes);
  tally(Tally::requests, 1);
  size_t now = in_use.fetch_add(c.bytes, std::memory_order_relaxed) + c.bytes;
  size_t seen = peak.load(std::memory_order_relaxed);
  while (now > seen && !peak.compare_exchange_weak(seen, now, std::memory_order_relaxed)) {
  }
  ASAN_POISON_MEMORY_REGION(static_cast<char*>(block) + bytes, c.bytes - bytes);
  return block;
}

void free(void* block, size_t bytes) noexcept {
  if (bytes <= kLargestSmallBlock) [[likely]] {
    tally(Tally::small_bytes, -static_cast<int64_t>(bytes));
    give_small_block(block, bytes ? bytes : 1);
    return;
  }
  Class c = class_of(bytes);
  in_use.fetch_sub(c.bytes, std::memory_order_relaxed);
  cached.fetch_add(c.bytes, std::memory_order_relaxed);
  Block* kept = static_cast<Block*>(block);
  ASAN_UNPOISON_MEMORY_REGION(block, c.bytes);
  std::lock_guard lock(pool.mutex);
  kept->next = pool.head[c.index];
  pool.head[c.index] = kept;
  ASAN_POISON_MEMORY_REGION(kept + 1, c.bytes - sizeof(Block));  // LeakSanitizer follows the links
}

AllocatorStats stats() noexcept {
  auto small = static_cast<size_t>(total(Tally::small_bytes));
  return {in_use.load() + small, peak.load() + small, cached.load(),
          static_cast<uint64_t>(total(Tally::requests)), from_system.load()};
}

void reset_peak() noexcept { peak.store(in_use.load()); }

void empty_cache() noexcept {
  drop_small_blocks();
  std::lock_guard lock(pool.mutex);
  for (int i = 0; i < kClasses; ++i) {
    while (Block* block = pool.head[i]) {
      size_t bytes = class_at(i).bytes;
      ASAN_UNPOISON_MEMORY_REGION(block, bytes);
      pool.head[i] = block->next;
      cached.fetch_sub(bytes, std::memory_order_relaxed);
      system_free(block, bytes);
    }
  }
}

void set_limit(size_t bytes) noexcept { limit.store(bytes); }

void fail_request(uint64_t n) noexcept { until_failure.store(static_cast<int64_t>(n)); }

}  // namespace gyre::allocator
