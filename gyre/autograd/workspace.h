#pragma once
#include <vector>

#include "gyre/op/node.h"

namespace gyre {

/// Cotangents accumulated for the outputs of one node.
struct Frame {
  Ref<Node> node;
  Tensors cotangents;
};

/// The gradient accumulated for one leaf.
struct LeafSlot {
  Ref<TensorImpl> leaf;
  Tensor sum;
  uint32_t pending = 0;  ///< uses whose cotangents have not arrived
  uint32_t bucket = 0;
  bool reached = false, finished = false;
};

/// The leaves of one pass, by address. Leaves are shared between graphs and threads, so the state
/// of a pass is kept here and not in the leaf.
class LeafSlots {
 public:
  /// The slot of a leaf, or nullptr.
  LeafSlot* find(const TensorImpl* leaf);
  /// The slot of a leaf, created if missing. Creating one invalidates pointers to slots.
  LeafSlot& at(const Ref<TensorImpl>& leaf);
  void clear();

 private:
  size_t bucket_of(const TensorImpl* leaf) const;
  void grow();

  std::vector<LeafSlot> slots_;
  std::vector<uint32_t> buckets_;  // 1 + index into slots_, 0: free; a power of two of them
};

/// Memory reused by the backward passes of a thread, so that a warm pass does not allocate. Nested
/// passes have their own.
struct Workspace {
  struct Ready {
    uint64_t sequence;
    int32_t frame;
    bool operator<(const Ready& other) const { return sequence < other.sequence; }
  };

  std::vector<Node*> open;   ///< seen, edges not yet counted
  std::vector<Node*> found;  ///< all nodes within reach
  std::vector<Frame> frames;
  std::vector<int32_t> free_frames;
  std::vector<Ready> ready;  ///< heap, latest first
  LeafSlots leaves;
  Workspace* next = nullptr;

  int32_t take_frame();
  void clear();
};

/// Borrows a workspace of this thread for a scope and clears it afterwards.
class WorkspaceLease {
 public:
  WorkspaceLease();
  ~WorkspaceLease();
  WorkspaceLease(const WorkspaceLease&) = delete;
  WorkspaceLease& operator=(const WorkspaceLease&) = delete;
  Workspace& operator*() const { return *workspace_; }

 private:
  Workspace* workspace_;
};

}  // namespace gyre
