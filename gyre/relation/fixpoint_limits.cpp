#include "gyre/relation/fixpoint_limits.h"

namespace gyre {

FixpointMeter::FixpointMeter(const FixpointLimits& limits, const std::atomic<bool>* stop)
    : limits_(limits), stop_(stop), start_(std::chrono::steady_clock::now()) {
  look();
}

void FixpointMeter::add_iteration() {
  if (iterations_ >= limits_.iterations) {
    pass(PassedLimit::iterations, {"no fixpoint after ", limits_.iterations, " iterations"});
  }
  ++iterations_;
  look();
}

void FixpointMeter::add_tuples(int64_t count) {
  tuples_ += count;
  if (tuples_ > limits_.tuples) {
    pass(PassedLimit::tuples, {"more than ", limits_.tuples, " new tuples"});
  }
}

void FixpointMeter::check_bytes(int64_t now, int64_t more) const {
  if (!has_bytes(now, more)) {
    pass(PassedLimit::bytes, {"the relations need more than ", limits_.bytes, " bytes"});
  }
}

void FixpointMeter::look() {
  work_ = kLookEvery;
  if (stop_ && stop_->load(std::memory_order_relaxed)) {
    pass(PassedLimit::stopped, "the evaluation was stopped");
  }
  if (limits_.seconds < std::numeric_limits<double>::infinity()) {
    const std::chrono::duration<double> used = std::chrono::steady_clock::now() - start_;
    if (used.count() > limits_.seconds) {
      pass(PassedLimit::seconds, {"no fixpoint after ", limits_.seconds, " seconds"});
    }
  }
}

void FixpointMeter::pass(PassedLimit limit, const Message& message) const {
  throw LimitError(limit, rule_,
                   limit == PassedLimit::stopped ? message : Message{message, "; raise the limit"});
}

}  // namespace gyre
