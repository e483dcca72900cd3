#include "gyre/op/call_observer.h"

#include <chrono>
#include <mutex>
#include <thread>

#include "gyre/base/function_ref.h"
#include "gyre/op/observation.h"

namespace gyre {

// A list that calls traverse while others add to it or remove from it, and the observers of each
// thread.
struct CallObservers {
  static constinit std::atomic<CallObserver*> first;
  static constinit std::mutex changes;
  static constinit thread_local ThreadObserver* innermost;

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
    std::lock_guard lock(changes);
    std::atomic<CallObserver*>& link = link_to(&observer);
    if (!link.load(std::memory_order_relaxed)) return;
    link.store(observer.next_.load(std::memory_order_relaxed));
    count(-1);
    while (showing.load() > own) std::this_thread::yield();
  }
  static void count(int n) { Observation::observers.fetch_add(n, std::memory_order_relaxed); }

  static void each(FunctionRef<void(CallObserver&)> show) {
    struct Count {  // observers may throw
      Count() { showing.fetch_add(1), ++own; }
      ~Count() { showing.fetch_sub(1), --own; }
    } count;
    for (CallObserver* at = first.load(); at; at = at->next_.load()) show(*at);
    each_of(innermost, show);
  }
  static void each_of(const ThreadObserver* at, FunctionRef<void(CallObserver&)> show) {
    if (!at) return;
    each_of(at->outer_, show);
    show(at->observer_);
  }

  static constinit std::atomic<int> showing;  // traversals of all threads
  static constinit thread_local int own;      // traversals of this thread
};
constinit std::atomic<int> CallObservers::showing{0};
constinit thread_local int CallObservers::own{0};
constinit std::atomic<CallObserver*> CallObservers::first{nullptr};
constinit std::mutex CallObservers::changes;
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
  CallObservers::innermost = outer_;
  CallObservers::count(-1);
}

}  // namespace gyre
