#pragma once
#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>

#include "gyre/base/error.h"

namespace gyre {

/// Limits of one evaluation; the defaults are "none".
struct FixpointLimits {
  int64_t iterations = std::numeric_limits<int64_t>::max();  ///< rounds of semi-naive evaluation
  int64_t tuples = std::numeric_limits<int64_t>::max();      ///< new tuples of the evaluation
  int64_t bytes = std::numeric_limits<int64_t>::max();       ///< of all its relations and indexes
  double seconds = std::numeric_limits<double>::infinity();
};

/// What ended an evaluation before its fixpoint.
enum class PassedLimit : uint8_t { iterations, tuples, bytes, seconds, stopped };

/// Error{resource} of an evaluation that passed a limit or was stopped. The relations keep the
/// tuples derived so far.
struct LimitError : Error {
  LimitError(PassedLimit limit, int rule, const Message& message)
      : Error(Code::resource, "fixpoint", message), limit(limit), rule(rule) {}
  PassedLimit limit;
  int rule;  ///< index of the rule under evaluation; -1: none, such as in bindings()
};

/// Counts what an evaluation uses and throws LimitError when a limit is passed.
class FixpointMeter {
 public:
  /// `stop`, if given, ends the evaluation when it becomes true.
  FixpointMeter(const FixpointLimits& limits, const std::atomic<bool>* stop);

  /// The rule that errors name from now on.
  void set_rule(int rule) { rule_ = rule; }
  [[nodiscard]] int rule() const { return rule_; }

  /// Counts `work` units of 1 to 10 ns each and regularly checks the clock and the stop flag.
  void work(int64_t work) {
    work_ -= work;
    if (work_ < 0) look();
  }
  void add_iteration();
  void add_tuples(int64_t count);
  /// Throws if `now` bytes, or `now` and `more` that are about to be allocated, pass the limit.
  void check_bytes(int64_t now, int64_t more = 0) const;

  /// Whether check_bytes() would return.
  [[nodiscard]] bool has_bytes(int64_t now, int64_t more) const {
    return now <= limits_.bytes - more;
  }
  [[nodiscard]] bool limits_bytes() const { return limits_.bytes < kNone; }
  [[nodiscard]] int64_t iterations() const { return iterations_; }
  [[nodiscard]] int64_t tuples() const { return tuples_; }
  /// New tuples that may still be added.
  [[nodiscard]] int64_t tuples_left() const { return limits_.tuples - tuples_; }

 private:
  static constexpr int64_t kNone = std::numeric_limits<int64_t>::max();
  static constexpr int64_t kLookEvery = 1 << 18;

  void look();
  [[noreturn]] void pass(PassedLimit limit, const Message& message) const;

  FixpointLimits limits_;
  const std::atomic<bool>* stop_;
  std::chrono::steady_clock::time_point start_;
  int rule_ = -1;
  int64_t work_ = kLookEvery, iterations_ = 0, tuples_ = 0;
};

}  // namespace gyre
