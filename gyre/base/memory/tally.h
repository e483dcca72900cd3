#pragma once
#include <atomic>
#include <cstdint>

namespace gyre {

/// Counters that all threads update often and that are read rarely.
enum class Tally : uint8_t { objects, tensors, small_bytes, requests };
inline constexpr int kTallies = 4;

/// One thread's share of the counters: written by its thread only, so adding needs no atomic
/// read-modify-write.
struct TallySlot {
  std::atomic<int64_t> values[kTallies];
  TallySlot *next, *previous;
  enum State : uint8_t { fresh, listed, ended } state;
};
extern constinit thread_local TallySlot tally_slot;

/// Slow path: the first and last additions of a thread.
void tally_slowly(Tally which, int64_t by) noexcept;

inline void tally(Tally which, int64_t by) noexcept {
  TallySlot& own = tally_slot;  // once: its address is a call in a shared library
  if (own.state != TallySlot::listed) [[unlikely]]
    return tally_slowly(which, by);
  std::atomic<int64_t>& v = own.values[static_cast<int>(which)];
  v.store(v.load(std::memory_order_relaxed) + by, std::memory_order_relaxed);
}

/// The sum over all threads, including ended ones. Exact when no thread is adding. A forked child
/// starts with the counts of its parent.
int64_t total(Tally which) noexcept;

}  // namespace gyre
