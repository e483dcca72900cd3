#include "gyre/train/trace/nan_watch.h"

#include <fmt/format.h>

#include "gyre/autograd/backward_pass.h"
#include "gyre/base/error.h"

namespace gyre {

NanWatch::NanWatch() { add_call_observer(*this); }

NanWatch::~NanWatch() { remove_call_observer(*this); }

void NanWatch::begin_step(int64_t step) {
  std::lock_guard lock(mutex_);
  step_ = step;
  thread_ = std::this_thread::get_id();
  calls_ = 0;
  found_.reset();
}

void NanWatch::call(const ObservedCall& call) {
  int64_t number;
  {
    std::lock_guard lock(mutex_);
    if (std::this_thread::get_id() != thread_) return;  // another thread prefetches a batch
    number = ++calls_;
    if (found_) return;
  }
  std::optional<NotFinite> seen = find_not_finite(call);
  if (!seen) return;
  std::lock_guard lock(mutex_);
  if (!found_ || found_->call > number)
    found_ = NanFinding{{std::move(*seen)}, running_pass() != 0, number};
}

std::optional<NanFinding> NanWatch::finding() const {
  std::lock_guard lock(mutex_);
  return found_;
}

std::string NanFinding::text() const {
  return NotFinite::text(fmt::format(" (call {}, {})", call, backward ? "backward" : "forward"));
}

void NanWatch::check() const {
  std::lock_guard lock(mutex_);
  if (!found_) return;
  throw Error(Code::numeric, found_->op, fmt::format("step {}: {}", step_, found_->text()),
              "finite numbers", found_->value);
}

}  // namespace gyre
