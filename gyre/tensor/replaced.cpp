#include "gyre/tensor/replaced.h"

#include <memory>
#include <mutex>
#include <unordered_map>

namespace gyre {
namespace {

// What tensors that replaced one another have in common.
struct Line {
  Ref<TensorImpl> newest;
};

// The earlier tensors of a line own it; the newest does not, which would be a cycle.
struct Lines {
  std::mutex mutex;
  std::unordered_map<const TensorImpl*, std::shared_ptr<Line>> earlier;
  std::unordered_map<const TensorImpl*, std::weak_ptr<Line>> last;
};

Lines& lines() {
  static Lines& all = *new Lines;  // outlives tensors in static variables
  return all;
}

}  // namespace

void note_replaced(const Tensor& old, const Tensor& now) {
  Ref<TensorImpl> released;  // after the lock
  Lines& all = lines();
  std::lock_guard lock(all.mutex);
  std::shared_ptr<Line> line;
  if (auto found = all.last.extract(old.impl())) line = found.mapped().lock();
  if (!line) line = std::make_shared<Line>();
  all.last[now.impl()] = line;
  released = std::exchange(line->newest, now.ref());
  all.earlier[old.impl()] = std::move(line);
  old.impl()->in_line = true;
  now.impl()->in_line = true;
}

Tensor newest(const Tensor& t) {
  if (!t.impl()->in_line) return t;
  Lines& all = lines();
  std::lock_guard lock(all.mutex);
  const auto found = all.earlier.find(t.impl());
  return found == all.earlier.end() ? t : Tensor(found->second->newest);
}

void leave_line(const TensorImpl& t) noexcept {
  std::shared_ptr<Line> released;  // after the lock, since it may destroy a tensor
  Lines& all = lines();
  std::lock_guard lock(all.mutex);
  if (auto found = all.earlier.extract(&t)) released = std::move(found.mapped());
  all.last.erase(&t);
}

}  // namespace gyre
