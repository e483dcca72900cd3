#pragma once
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "gyre/kernel/not_finite.h"

namespace gyre {

/// Origin of a value that is not finite, within a step.
struct NanFinding : NotFinite {
  bool backward = false;
  int64_t call = 0;  ///< index of the call in the step, from 1
  [[nodiscard]] std::string text() const;
};

/// Anomaly detection: finds the first call that produces NaN from operands without NaN, or an
/// infinity from finite operands (find_not_finite()). Sees nothing inside vmap().
///
/// A finding is stored and thrown by check(), so calls run as they do without the watch.
class NanWatch final : public CallObserver {
 public:
  /// Starts watching.
  NanWatch();
  ~NanWatch();

  /// Restarts the count of calls, of this thread only, and discards the finding.
  void begin_step(int64_t step);
  [[nodiscard]] std::optional<NanFinding> finding() const;
  /// Error{numeric} naming step, op, shapes and element if something was found.
  void check() const;

  void call(const ObservedCall& call) override;

 private:
  mutable std::mutex mutex_;
  int64_t step_ = 0, calls_ = 0;
  std::thread::id thread_ = std::this_thread::get_id();  // the watched thread
  std::optional<NanFinding> found_;
};

}  // namespace gyre
