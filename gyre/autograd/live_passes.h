#pragma once
#include <cstdint>
#include <mutex>

#include "gyre/base/function_ref.h"
#include "gyre/tensor/tensor.h"

namespace gyre {

/// The backward passes that run now, in all threads. A pass marks the nodes it will visit while it
/// holds the lock and is listed here from then on; a pass that finds another's mark waits. The
/// child of a fork starts with an empty list and its own lock.
class LivePasses {
 public:
  /// Acquires the lock, which is only held while nodes are marked.
  LivePasses();
  LivePasses(const LivePasses&) = delete;
  LivePasses& operator=(const LivePasses&) = delete;

  [[nodiscard]] bool has(uint64_t pass) const noexcept;
  void add(uint64_t pass);
  /// Releases the lock and waits until that pass has ended.
  void leave_until_over(uint64_t pass);
  /// Acquires the lock again.
  void enter() { lock_.lock(); }

 private:
  struct PassRegistry* shared_;
  std::unique_lock<std::mutex> lock_;
};

/// Removes a pass; to be called once for each add().
void pass_is_over(uint64_t pass) noexcept;

/// Calls `add` with mutual exclusion per leaf.
void alone_with_leaf(const TensorImpl& leaf, FunctionRef<void()> add);

/// Wraps all later waits for other passes in `around(wait)`, which may release a lock that those
/// passes need (such as Python's GIL).
void set_around_waits(void (*around)(FunctionRef<void()> wait)) noexcept;

}  // namespace gyre
