#pragma once
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "gyre/base/system/file.h"
#include "gyre/base/thread_pool.h"
#include "gyre/io/json.h"
#include "gyre/op/call_observer.h"

namespace gyre {

struct TraceOptions {
  int64_t steps = 5;                   ///< that are traced; 0: all
  int64_t bytes = int64_t{256} << 20;  ///< that the file may have; calls after it are only counted
};

/// What the calls of one op took.
struct OpTime {
  std::string op{};  ///< the name; with `'` for its reverse rule
  int64_t calls = 0;
  double seconds = 0;  ///< without what calls inside of them took
  double busy = 0;     ///< the same, summed over the threads that worked
};

/// Where the time of a training went.
struct TraceSummary {
  std::vector<OpTime> ops;  ///< those that took the most first
  double seconds = 0;       ///< of all that was traced
  int threads = 1;
  /// Seconds of all threads inside kernels of ops and loops that threads shared outside of ops
  /// (optimisers): `busy / (seconds * threads)` of the machine was computing.
  double busy = 0;
  [[nodiscard]] double busy_share() const { return seconds > 0 ? busy / (seconds * threads) : 0; }
};

/// Writes every call of an op to a file that chrome://tracing and ui.perfetto.dev show: a JSON
/// array of complete events (`ph` X, `ts` and `dur` in microseconds) with shapes, dtypes and bytes
/// of operands and results, category `forward` or `backward`, reverse rules under the name of their
/// op and `'`, a row for each thread that calls ops. Written as it goes: a process that is killed
/// leaves an array without its end, which both programs read.
class CallTrace final : public CallObserver {
 public:
  /// Begins the file anew and to watch. Error{io}.
  explicit CallTrace(const std::string& path, TraceOptions options = {});
  /// Ends the array if finish() has not.
  ~CallTrace();

  /// A step of the training is done: the trace stops by itself after `options.steps` of them.
  void step_done();
  /// An event of its own, over the calls in it. Does nothing once the trace has stopped. `began` as
  /// in ObservedCall; `name` is a literal.
  void span(const char* name, int64_t began, int64_t nanoseconds);
  /// Stops and ends the array. Error{io} when the file could not be written; the summary is there
  /// all the same.
  void finish();

  [[nodiscard]] bool running() const { return running_; }
  /// Of what was traced until now.
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
  mutable std::mutex mutex_;  // of what follows
  std::string buffer_, failure_;
  int64_t written_ = 0, steps_ = 0, began_ = 0, stopped_ = 0;
  int64_t kernels_ = 0;        // busy in calls of ops that have a kernel
  int64_t pool_in_calls_ = 0;  // of the pool's busy time
  PoolTime pool_began_, pool_stopped_;
  std::map<std::pair<const OpDef*, bool>, Sum> sums_;  // by op and whether it is its reverse rule
};

/// A span of a trace from here to the end of the block; `trace` may be null.
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

/// A table of the ops that took the most time, at most `most` of them, and the share of the machine
/// that was computing.
std::string trace_table(const TraceSummary& summary, size_t most = 15);
/// The same as an object: seconds, threads, busy, busy_share and `ops`, all of them, with op,
/// calls, seconds, share and busy.
Json trace_json(const TraceSummary& summary);

}  // namespace gyre
