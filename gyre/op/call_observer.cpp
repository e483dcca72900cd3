#include "gyre/op/call_observer.h"

#include <chrono>
#include <mutex>
#include <thread>

#include "gyre/base/function_ref.h"
#include "gyre/op/observation.h"

namespace gyre {

// The observers of the process, and those of each thread.
struct CallObservers {
  // A thread's walk along the list. Observers are called without the lock, so that they may add and
  // remove observers; a removal moves the walks that would come to the removed one past it.
  struct Walk {
    Walk() : lock(changes), outer(walks) { walks = this; }
    ~Walk() {  // observers may throw
      if (!lock.owns_lock()) lock.lock();
      Walk** link = &walks;
      while (*link != this) link = &(*link)->outer;
      *link = outer;
    }
    std::unique_lock<std::mutex> lock;
    Walk* outer;
    CallObserver *now = nullptr, *next = first.load();
    std::thread::id thread = std::this_thread::get_id();
  };

  // The link that points to that observer; the end of the list for nullptr or if it is missing.
  static std::atomic<CallObserver*>& link_to(const CallObserver* wanted) {
    std::atomic<CallObserver*>* link = &first;
    while (CallObserver* at = link->load(std::memory_order_relaxed)) {
      if (at == wanted) break;
      link = &at->next_;
    }
    return *link;
  }
  static void add(CallObserver& observer) {
    std::lock_guard lock(changes);
    observer.next_.store(nullptr, std::memory_order_relaxed);
    link_to(nullptr).store(&observer, std::memory_order_release);
    count(1);
  }
  static void remove(CallObserver& observer) {
    std::unique_lock lock(changes);
    std::atomic<CallObserver*>& link = link_to(&observer);
    if (!link.load(std::memory_order_relaxed)) return;
    CallObserver* next = observer.next_.load(std::memory_order_relaxed);
    link.store(next);
    count(-1);
    for (Walk* w = walks; w; w = w->outer) {
      if (w->next == &observer) w->next = next;
    }
    while (shown_elsewhere(observer)) {
      lock.unlock();
      std::this_thread::yield();
      lock.lock();
    }
  }
  static bool shown_elsewhere(const CallObserver& observer) {
    for (Walk* w = walks; w; w = w->outer) {
      if (w->now == &observer && w->thread != std::this_thread::get_id()) return true;
    }
    return false;
  }
  static void count(int n) { Observation::observers.fetch_add(n, std::memory_order_relaxed); }

  static void each(FunctionRef<void(CallObserver&)> show) {
    if (first.load(std::memory_order_relaxed)) {
      Walk walk;
      while ((walk.now = walk.next)) {
        walk.next = walk.now->next_.load(std::memory_order_relaxed);
        walk.lock.unlock();
        show(*walk.now);
        walk.lock.lock();
      }
    }
    each_of(innermost, show);
  }
  static void each_of(const ThreadObserver* at, FunctionRef<void(CallObserver&)> show) {
    if (!at) return;
    each_of(at->outer_, show);
    show(at->observer_);
  }

  static constinit std::atomic<CallObserver*> first;  // read without the lock only for null
  static constinit std::mutex changes;
  static constinit Walk* walks;  // of all threads
  static constinit thread_local ThreadObserver* innermost;
};
constinit std::atomic<CallObserver*> CallObservers::first{nullptr};
constinit std::mutex CallObservers::changes;
constinit CallObservers::Walk* CallObservers::walks{nullptr};
constinit thread_local ThreadObserver* CallObservers::innermost{nullptr};

namespace {

int64_t now() {
  return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

constinit std::atomic<int> Observation::observers{0};
constinit thread_local Observation::Taken Observation::inside;

bool Observation::wanted_here() noexcept {
  return CallObservers::first.load(std::memory_order_relaxed) || CallObservers::innermost;
}

Observation::Observation(const OpDef& op, const Attrs& attrs, Inputs in, Inputs out,
                         ObservedCall::Kind kind)
    : op_(op), attrs_(attrs), kind_(kind), outer_(inside), began_(now()), pool_(pool_time()) {
  const ObservedCall begun{op, attrs, in, out, kind, outer_.depth, began_};
  CallObservers::each([&](CallObserver& observer) { observer.begin(begun); });
  inside = {0, {}, outer_.depth + 1};
}

Observation::~Observation() { inside = outer_; }

void Observation::show(Inputs in, Inputs out) {
  int64_t all = now() - began_;
  PoolTime pool = pool_time();
  pool -= pool_;
  outer_.nanoseconds += all;
  outer_.pool += pool;
  pool -= inside.pool;
  const ObservedCall done{
      op_, attrs_, in, out, kind_, outer_.depth, began_, all, all - inside.nanoseconds, pool};
  CallObservers::each([&](CallObserver& observer) { observer.call(done); });
}

void Observation::show(const ObservedDraw& draw) {
  CallObservers::each([&](CallObserver& observer) { observer.draw(draw); });
}

void add_call_observer(CallObserver& observer) noexcept { CallObservers::add(observer); }

void remove_call_observer(CallObserver& observer) noexcept { CallObservers::remove(observer); }

ThreadObserver::ThreadObserver(CallObserver& observer) noexcept
    : observer_(observer), outer_(CallObservers::innermost) {
  CallObservers::innermost = this;
  CallObservers::count(1);
}

ThreadObserver::~ThreadObserver() {
  ThreadObserver** link = &CallObservers::innermost;
  while (*link != this) link = &(*link)->outer_;
  *link = outer_;
  CallObservers::count(-1);
}

}  // namespace gyre
