#include "gyre/tensor/replaced.h"

#include <memory>
#include <mutex>
#include <unordered_map>

#include "gyre/base/system/fork.h"

namespace gyre {
namespace {

// What tensors that replaced one another have in common.
struct Succession {
  Ref<TensorImpl> newest;
};

// The earlier tensors of a succession own it; the newest does not, which would be a cycle.
struct Successions {
  std::mutex mutex;
  std::unordered_map<const TensorImpl*, std::shared_ptr<Succession>> earlier;
  std::unordered_map<const TensorImpl*, std::weak_ptr<Succession>> last;
};

Successions& successions() {
  static Successions& all = *new Successions;  // outlives tensors in static variables
  return all;
}

// Keeps the maps consistent and the mutex free in a forked child.
void watch_forks() noexcept {
  static std::once_flag once;
  at_fork(
      once, [] { successions().mutex.lock(); }, [] { successions().mutex.unlock(); },
      [] { successions().mutex.unlock(); });
}

}  // namespace

void note_replaced(const Tensor& old, const Tensor& now) {
  watch_forks();
  Ref<TensorImpl> released;            // these two after the lock, since
  std::shared_ptr<Succession> shared;  // they may destroy a tensor
  Successions& all = successions();
  std::lock_guard lock(all.mutex);
  // a tensor in several places of a module is noted for each
  if (const auto known = all.earlier.find(old.impl());
      known != all.earlier.end() && known->second->newest.get() == now.impl())
    return;
  old.impl()->in_succession = true;
  now.impl()->in_succession = true;
  if (auto found = all.last.extract(old.impl())) shared = found.mapped().lock();
  if (!shared) shared = std::make_shared<Succession>();
  all.last[now.impl()] = shared;
  released = std::exchange(shared->newest, now.ref());
  std::swap(all.earlier[old.impl()], shared);
}

Tensor newest(const Tensor& t) {
  if (!t.impl()->in_succession) return t;
  Successions& all = successions();
  std::lock_guard lock(all.mutex);
  const auto found = all.earlier.find(t.impl());
  return found == all.earlier.end() ? t : Tensor(found->second->newest);
}

void leave_succession(const TensorImpl& t) noexcept {
  std::shared_ptr<Succession> released;  // after the lock, since it may destroy a tensor
  Successions& all = successions();
  std::lock_guard lock(all.mutex);
  if (auto found = all.earlier.extract(&t)) released = std::move(found.mapped());
  all.last.erase(&t);
}

}  // namespace gyre
