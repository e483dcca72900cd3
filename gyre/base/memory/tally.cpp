#include "gyre/base/memory/tally.h"

#include <mutex>

#include "gyre/base/system/fork.h"

namespace gyre {

constinit thread_local TallySlot tally_slot{};

namespace {

constinit std::mutex mutex;
constinit TallySlot* slots = nullptr;
constinit std::atomic<int64_t> ended[kTallies]{};
constinit std::once_flag tallies_watch_forks;

void keep(const TallySlot& s) {
  for (int i = 0; i < kTallies; ++i) {
    ended[i].fetch_add(s.values[i].load(std::memory_order_relaxed), std::memory_order_relaxed);
  }
}

// Other threads do not exist in the child, and new ones may reuse the memory of their slots.
void keep_own_slot_only() {
  for (TallySlot* s = slots; s; s = s->next) {
    if (s != &tally_slot) keep(*s);
  }
  tally_slot.next = tally_slot.previous = nullptr;
  slots = tally_slot.state == TallySlot::listed ? &tally_slot : nullptr;
}

void watch_forks() {
  at_fork(
      tallies_watch_forks, [] { mutex.lock(); }, [] { mutex.unlock(); },
      [] {
        keep_own_slot_only();
        mutex.unlock();
      });
}

// Adds up the counts of an ending thread.
struct Keeper {
  bool touched = false;
  ~Keeper() {
    std::lock_guard lock(mutex);
    TallySlot& s = tally_slot;
    keep(s);
    (s.previous ? s.previous->next : slots) = s.next;
    if (s.next) s.next->previous = s.previous;
    s.state = TallySlot::ended;
  }
};
thread_local Keeper keeper;

}  // namespace

void tally_slowly(Tally which, int64_t by) noexcept {
  TallySlot& s = tally_slot;
  if (s.state == TallySlot::ended) {
    ended[static_cast<int>(which)].fetch_add(by, std::memory_order_relaxed);
    return;
  }
  keeper.touched = true;
  watch_forks();
  {
    std::lock_guard lock(mutex);
    s.next = slots;
    if (slots) slots->previous = &s;
    slots = &s;
    s.state = TallySlot::listed;
  }
  tally(which, by);
}

int64_t total(Tally which) noexcept {
  std::lock_guard lock(mutex);
  int i = static_cast<int>(which);
  int64_t sum = ended[i].load(std::memory_order_relaxed);
  for (TallySlot* s = slots; s; s = s->next) sum += s->values[i].load(std::memory_order_relaxed);
  return sum;
}

}  // namespace gyre
