#include "gyre/train/trace/nan_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <limits>

#include "gyre/autograd/backward_pass.h"
#include "gyre/base/error.h"
#include "gyre/kernel/strided.h"

namespace gyre {
namespace {

enum Health : uint8_t { finite, infinite, nan };

// Whether any of n numbers is not finite: its exponent bits are all ones, so adding one carries
// into the sign bit. Written in lanes so that compilers vectorise it.
template <class T, class Bits>
bool any_not_finite(const T* numbers, int64_t n) {
  constexpr int kLanes = 16, kAtOnce = 16 / sizeof(T);
  constexpr Bits kSign = Bits{1} << (8 * sizeof(T) - 1);
  const Bits one = kSign - std::bit_cast<Bits>(std::numeric_limits<T>::infinity());
  Bits any[kAtOnce] = {};
  int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    for (int k = 0; k < kLanes; k += kAtOnce) {
      for (int j = 0; j < kAtOnce; ++j) {
        any[j] |= (std::bit_cast<Bits>(numbers[i + k + j]) & ~kSign) + one;
      }
    }
  }
  for (; i < n; ++i) any[0] |= (std::bit_cast<Bits>(numbers[i]) & ~kSign) + one;
  for (Bits bits : any) {
    if (bits & kSign) return true;
  }
  return false;
}

template <class T, class Bits>
Health worst_of(const T* numbers, int64_t n) {
  if (!any_not_finite<T, Bits>(numbers, n)) return finite;
  bool found = std::any_of(numbers, numbers + n, [](T number) { return std::isnan(number); });
  return found ? nan : infinite;
}

Health worst_of(Compute compute, const void* numbers, int64_t n) {
  return compute == Compute::f64
             ? worst_of<double, uint64_t>(static_cast<const double*>(numbers), n)
             : worst_of<float, uint32_t>(static_cast<const float*>(numbers), n);
}

bool can_be_scanned(const Tensor& t) {
  return t.defined() && t.readable() && is_floating(t.dtype());
}

// All elements of a tensor in ranges of kTile. Works on a contiguous alias, since loops merge axes.
class Elements {
 public:
  explicit Elements(const Tensor& t)
      : view_(t), views_{&view_}, compute_(compute_of(t.dtype())), loop_(view_.shape, views_) {}
  int64_t size() const { return loop_.size(); }

  // Calls step(begin, numbers, n) for ranges of [begin, end) until it returns false.
  template <class Step>
  void walk(int64_t begin, int64_t end, Step step) const {
    Reader reader(loop_, 0, compute_);
    alignas(64) double buffer[kTile];
    for (int64_t n; begin < end; begin += n) {
      n = std::min(kTile, end - begin);
      if (!step(begin, reader.read(begin, n, buffer), n)) return;
    }
  }
  Compute compute() const { return compute_; }

 private:
  View view_;
  const View* views_[1];
  Compute compute_;
  StridedLoop loop_;
};

Health health_of(const Tensor& t) {
  if (!can_be_scanned(t) || t.numel() == 0) return finite;
  Elements elements(t);
  std::atomic<uint8_t> worst{finite};
  parallel_for(elements.size(), kGrain, [&](int64_t begin, int64_t end) {
    Health here = finite;
    elements.walk(begin, end, [&](int64_t, const void* numbers, int64_t n) {
      here = std::max(here, worst_of(elements.compute(), numbers, n));
      return here != nan;
    });
    uint8_t before = worst.load(std::memory_order_relaxed);
    while (before < here && !worst.compare_exchange_weak(before, here)) {
    }
  });
  return static_cast<Health>(worst.load());
}

struct Place {
  int64_t index = 0;
  double value = 0;
};

// The first element of that health.
Place first_of(const Tensor& t, Health health) {
  Elements elements(t);
  Place place;
  elements.walk(0, elements.size(), [&](int64_t begin, const void* numbers, int64_t n) {
    for (int64_t i = 0; i < n; ++i) {
      double value = elements.compute() == Compute::f64 ? static_cast<const double*>(numbers)[i]
                                                        : static_cast<const float*>(numbers)[i];
      if (std::isfinite(value) || std::isnan(value) != (health == nan)) continue;
      place = {begin + i, value};
      return false;
    }
    return true;
  });
  return place;
}

std::string name_of_tensor(const Tensor& t) {
  return t.defined() ? name_of(t.dtype()) + to_string(t.shape()) : "none";
}

std::string position(const Shape& shape, int64_t index) {
  std::string text;
  for (int axis = shape.rank; axis-- > 0;) {
    std::string number = std::to_string(index % shape[axis]);
    text = text.empty() ? number : number + ", " + text;
    index /= shape[axis];
  }
  return "[" + text + "]";
}

bool share_bytes(const Tensor& a, const Tensor& b) {
  return a.defined() && b.defined() && a.impl()->storage.get() == b.impl()->storage.get();
}

}  // namespace

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
    if (found_ || !call.computes()) return;
  }
  Health worst = finite;
  const Tensor* holder = nullptr;
  for (const Tensor& t : call.out) {
    if (Health h = health_of(t); h > worst) {
      worst = h;
      holder = &t;
    }
  }
  if (worst == finite) return;
  NanFinding finding;
  for (size_t i = 0; i < call.in.size(); ++i) {
    const Tensor& t = call.in[i];
    if (share_bytes(t, *holder)) continue;  // written in place: the old value is gone
    Health h = health_of(t);
    if (h == finite) continue;
    if (worst == infinite || (h == nan && t.meta().weak)) return;
    if (h != nan) continue;
    finding.operand = static_cast<int>(i);
    holder = &t;
    break;
  }
  Place place = first_of(*holder, worst);
  finding.op = call.op.name;
  finding.reverse = call.kind == ObservedCall::reverse;
  finding.backward = running_pass() != 0;
  finding.call = number;
  finding.value = place.value;
  finding.tensor = name_of_tensor(*holder);
  finding.element = position(holder->shape(), place.index);
  constexpr size_t kShown = 8;
  for (size_t i = 0; i < std::min(call.in.size(), kShown); ++i)
    finding.operands += (i ? ", " : "") + name_of_tensor(call.in[i]);
  if (call.in.size() > kShown) finding.operands += ", ...";
  std::lock_guard lock(mutex_);
  if (!found_ || found_->call > number) found_ = std::move(finding);
}

std::optional<NanFinding> NanWatch::finding() const {
  std::lock_guard lock(mutex_);
  return found_;
}

std::string NanFinding::text() const {
  const char* what = std::isnan(value) ? "NaN" : value > 0 ? "infinity" : "-infinity";
  std::string where = fmt::format("call {}, {}", call, backward ? "backward" : "forward");
  std::string name = reverse ? "the gradient of " + op : op;
  if (operand >= 0) {
    return fmt::format(
        "operand {} of {}({}) ({}) has {} at {} and was not produced by an op; check the data "
        "and the parameters",
        operand + 1, name, operands, where, what, element);
  }
  return fmt::format("{}({}) ({}) produces {} at {} of {}", name, operands, where, what, element,
                     tensor);
}

void NanWatch::check() const {
  std::lock_guard lock(mutex_);
  if (!found_) return;
  throw Error(Code::numeric, found_->op, fmt::format("step {}: {}", step_, found_->text()),
              "finite numbers", found_->value);
}

}  // namespace gyre
