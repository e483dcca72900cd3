#include "gyre/op/call_observer.h"

#include <chrono>
#include <mutex>
#include <thread>

#include "gyre/op/observation.h"

namespace gyre {

// A list that calls traverse while others add to it or remove from it.
struct CallObservers {
  static constinit std::atomic<CallObserver*> first;
  static constinit std::mutex changes;

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
  }
  static void remove(CallObserver& observer) {
    std::lock_guard lock(changes);
    link_to(&observer).store(observer.next_.load(std::memory_order_relaxed));
    while (showing.load() > own) std::this_thread::yield();
  }
  static void show(const ObservedCall& call) {
    struct Count {  // observers may throw
      Count() { showing.fetch_add(1), ++own; }
      ~Count() { showing.fetch_sub(1), --own; }
    } count;
    for (CallObserver* at = first.load(); at; at = at->next_.load()) at->call(call);
  }

  static constinit std::atomic<int> showing;  // traversals of all threads
  static constinit thread_local int own;      // traversals of this thread
};
constinit std::atomic<int> CallObservers::showing{0};
constinit thread_local int CallObservers::own{0};
constinit std::atomic<CallObserver*> CallObservers::first{nullptr};
constinit std::mutex CallObservers::changes;

namespace {

int64_t now() {
  return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

constinit thread_local Observation::Taken Observation::inside;

bool Observation::wanted() noexcept {
  return CallObservers::first.load(std::memory_order_relaxed) != nullptr;
}

Observation::Observation() noexcept : outer_(inside), began_(now()), pool_(pool_time()) {
  inside = {};
}

Observation::~Observation() { inside = outer_; }

void Observation::show(const OpDef& op, Inputs in, Inputs out, bool reverse) {
  int64_t all = now() - began_;
  PoolTime pool = pool_time();
  pool -= pool_;
  outer_.nanoseconds += all;
  outer_.pool += pool;
  pool -= inside.pool;
  CallObservers::show({op, in, out, reverse, began_, all, all - inside.nanoseconds, pool});
}

void add_call_observer(CallObserver& observer) noexcept { CallObservers::add(observer); }

void remove_call_observer(CallObserver& observer) noexcept { CallObservers::remove(observer); }

}  // namespace gyre
