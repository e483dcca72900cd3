#include "gyre/autograd/live_passes.h"

#include <array>
#include <atomic>
#include <condition_variable>

#include "gyre/base/system/fork.h"

namespace gyre {

struct PassRegistry {
  std::mutex mutex;
  std::condition_variable over;
  SmallVector<uint64_t, 16> passes;
  std::array<std::mutex, 64> leaves;

  bool has(uint64_t pass) const noexcept {
    for (uint64_t p : passes) {
      if (p == pass) return true;
    }
    return false;
  }
};

namespace {

constinit std::atomic<PassRegistry*> current{nullptr};
constinit std::once_flag watches_forks;
constinit std::atomic<void (*)(FunctionRef<void()>)> around_waits{nullptr};

// Never destroyed: threads may outlive static objects. What is locked at a fork stays so in the
// child.
PassRegistry& shared() {
  PassRegistry* found = current.load(std::memory_order_acquire);
  if (found) return *found;
  auto* made = new PassRegistry;
  if (!current.compare_exchange_strong(found, made, std::memory_order_acq_rel)) {
    delete made;
    return *found;
  }
  at_fork(watches_forks, nullptr, nullptr, [] { current.store(nullptr); });
  return *made;
}

}  // namespace

LivePasses::LivePasses() : shared_(&shared()), lock_(shared_->mutex) {}

bool LivePasses::has(uint64_t pass) const noexcept { return shared_->has(pass); }

void LivePasses::add(uint64_t pass) { shared_->passes.push_back(pass); }

void LivePasses::leave_until_over(uint64_t pass) {
  auto wait = [&] {
    shared_->over.wait(lock_, [&] { return !has(pass); });
    lock_.unlock();  // before `around` waits for its own
  };
  auto around = around_waits.load(std::memory_order_acquire);
  around ? around(wait) : wait();
}

void pass_is_over(uint64_t pass) noexcept {
  PassRegistry& s = shared();
  {
    std::lock_guard lock(s.mutex);
    for (uint64_t& p : s.passes) {
      if (p != pass) continue;
      p = s.passes.back();
      s.passes.pop_back();
      break;
    }
  }
  s.over.notify_all();
}

void alone_with_leaf(const TensorImpl& leaf, FunctionRef<void()> add) {
  auto& mutexes = shared().leaves;
  std::lock_guard lock(mutexes[reinterpret_cast<uintptr_t>(&leaf) / 64 % mutexes.size()]);
  add();
}

void set_around_waits(void (*around)(FunctionRef<void()> wait)) noexcept {
  around_waits.store(around, std::memory_order_release);
}

}  // namespace gyre
