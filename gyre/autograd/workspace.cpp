#include "gyre/autograd/workspace.h"

namespace gyre {
namespace {

// Capacity a thread keeps between passes; larger vectors are freed.
constexpr size_t kKept = 1 << 16;

struct Idle {
  Workspace* head = nullptr;
  ~Idle() {
    while (Workspace* w = head) {
      head = w->next;
      delete w;
    }
  }
};
thread_local Idle idle;

template <class T>
void empty_out(std::vector<T>& v) {
  v.clear();
  if (v.capacity() > kKept) std::vector<T>().swap(v);
}

}  // namespace

size_t LeafSlots::bucket_of(const TensorImpl* leaf) const {
  size_t mask = buckets_.size() - 1;
  uint64_t h = (reinterpret_cast<uintptr_t>(leaf) >> 6) * 0x9E3779B97F4A7C15u;
  size_t b = static_cast<size_t>(h >> 32) & mask;
  while (buckets_[b] && slots_[buckets_[b] - 1].leaf.get() != leaf) b = (b + 1) & mask;
  return b;
}

LeafSlot* LeafSlots::find(const TensorImpl* leaf) {
  if (slots_.empty()) return nullptr;
  uint32_t found = buckets_[bucket_of(leaf)];
  return found ? &slots_[found - 1] : nullptr;
}

LeafSlot& LeafSlots::at(const Ref<TensorImpl>& leaf) {
  if (2 * slots_.size() >= buckets_.size()) grow();
  size_t b = bucket_of(leaf.get());
  if (!buckets_[b]) {
    LeafSlot& slot = slots_.emplace_back();
    slot.leaf = leaf;
    slot.bucket = static_cast<uint32_t>(b);
    buckets_[b] = static_cast<uint32_t>(slots_.size());
  }
  return slots_[buckets_[b] - 1];
}

void LeafSlots::grow() {
  buckets_.assign(buckets_.empty() ? 64 : 4 * buckets_.size(), 0);
  for (size_t i = 0; i < slots_.size(); ++i) {
    size_t b = bucket_of(slots_[i].leaf.get());
    buckets_[b] = static_cast<uint32_t>(i + 1);
    slots_[i].bucket = static_cast<uint32_t>(b);
  }
}

void LeafSlots::clear() {
  for (const LeafSlot& slot : slots_) buckets_[slot.bucket] = 0;
  empty_out(slots_);
}

int32_t Workspace::take_frame() {
  if (!free_frames.empty()) {
    int32_t frame = free_frames.back();
    free_frames.pop_back();
    return frame;
  }
  frames.emplace_back();
  return static_cast<int32_t>(frames.size() - 1);
}

void Workspace::clear() {
  empty_out(open);
  empty_out(found);
  empty_out(frames);
  empty_out(free_frames);
  empty_out(ready);
  leaves.clear();
}

WorkspaceLease::WorkspaceLease() : workspace_(idle.head) {
  if (workspace_) {
    idle.head = workspace_->next;
  } else {
    workspace_ = new Workspace;
  }
}

WorkspaceLease::~WorkspaceLease() {
  workspace_->clear();
  workspace_->next = idle.head;
  idle.head = workspace_;
}

}  // namespace gyre
