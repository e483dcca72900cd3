#pragma once
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "gyre/base/system/file.h"
#include "gyre/base/thread_pool.h"
#include "gyre/op/call_observer.h"

namespace gyre {

struct TraceOptions {
  int64_t steps = 5;                   ///< steps to trace; 0: all
  int64_t bytes = int64_t{256} << 20;  ///< maximum file size; later calls are only counted
};

/// Time spent in one op.
struct OpTime {
  std::string op{};  ///< the name; with `'` for its reverse rule
  int64_t calls = 0;
  double seconds = 0;  ///< self time, without nested calls
  double busy = 0;     ///< self time summed over the threads that worked
};

/// Time profile of a run.
struct TraceSummary {
  std::vector<OpTime> ops;  ///< by self time, descending
  double seconds = 0;       ///< traced wall time
  int threads = 1;
  /// Thread-seconds inside op kernels and in parallel loops outside ops (optimisers);
  /// `busy / (seconds * threads)` is the utilisation of the machine.
  double busy = 0;
  [[nodiscard]] double busy_share() const { return seconds > 0 ? busy / (seconds * threads) : 0; }
};

/// Writes every op call to a Chrome trace (chrome://tracing, ui.perfetto.dev): a JSON array of
/// complete events (`ph` X, `ts` and `dur` in microseconds) with shapes, dtypes and bytes of
/// operands and results, category `forward` or `backward`, reverse rules named after their op with
/// `'`, one row per calling thread. Written incrementally: a killed process leaves an array without
/// its end, which both programs read.
class CallTrace final : public CallObserver {
 public:
  /// Overwrites the file and starts tracing. Error{io}.
  explicit CallTrace(const std::string& path, TraceOptions options = {});
  /// Ends the array if finish() has not.
  ~CallTrace();

  /// A step is done: the trace stops by itself after `options.steps` of them.
  void step_done();
  /// An event that encloses the calls within it. Does nothing once the trace has stopped. `began`
  /// as in ObservedCall; `name` is a string literal.
  void span(const char* name, int64_t began, int64_t nanoseconds);
  /// Stops tracing and ends the array. Error{io} if the file could not be written; the summary is
  /// still available.
  void finish();

  [[nodiscard]] bool running() const { return running_; }
  /// Profile of what has been traced so far.
  [[nodiscard]] TraceSummary summary() const;

  void call(const ObservedCall& call) override;

 private:
  struct Sum {
    int64_t calls = 0, own = 0, busy = 0;
  };
  void stop();
  void write(std::string_view event);
  void flush();

  TraceOptions options_;
  GrowingFile file_;
  PoolClock clock_;
  bool running_ = true, ended_ = false, full_ = false;
  mutable std::mutex mutex_;  // guards the members below
  std::string buffer_, failure_;
  int64_t written_ = 0, steps_ = 0, began_ = 0, stopped_ = 0;
  int64_t kernels_ = 0;        // busy time in calls of ops that have a kernel
  int64_t pool_in_calls_ = 0;  // part of the pool's busy time
  PoolTime pool_began_, pool_stopped_;
  std::map<std::pair<const OpDef*, bool>, Sum> sums_;  // by op and whether it is the reverse rule
};

/// A trace span until the end of the scope; `trace` may be null.
class TraceSpan {
 public:
  TraceSpan(CallTrace* trace, const char* name);
  TraceSpan(const TraceSpan&) = delete;
  TraceSpan& operator=(const TraceSpan&) = delete;
  ~TraceSpan();

 private:
  CallTrace* trace_;
  const char* name_;
  int64_t began_ = 0;
};

/// A table of the ops with the most self time, at most `most` of them, and the utilisation of the
/// machine.
std::string trace_table(const TraceSummary& summary, size_t most = 15);

}  // namespace gyre
