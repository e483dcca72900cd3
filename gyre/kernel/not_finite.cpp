#include "gyre/kernel/not_finite.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <limits>

#include "gyre/base/half.h"
#include "gyre/kernel/copy.h"
#include "gyre/kernel/strided.h"
#include "gyre/op/apply.h"

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

bool can_be_scanned(const Tensor& t) { return t.defined() && t.plain() && is_floating(t.dtype()); }

Tensor on_host(const Tensor& t) {
  if (t.readable()) return t;
  Tensor near = empty(t.shape(), t.dtype());
  check(copy_def, copy_elements(memory_of(t), view_of(near)));
  return near;
}

// All elements of a tensor in ranges of kTile.
class Elements {
 public:
  explicit Elements(const Tensor& t)
      : host_(on_host(t)), compute_(compute_of(t.dtype())), loop_(view_of(host_)) {}
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
  Tensor host_;
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

bool attributes_are_finite(const Attrs& attrs) {
  if (!attrs) return true;
  for (const Field& field : attrs->type->fields) {
    if (field.type == Field::real && !std::isfinite(field_value<double>(attrs->value, field)))
      return false;
  }
  return true;
}

// The elements of the operands at a place of the result, after broadcasting.
std::string elements_at(Inputs in, const Shape& result, int64_t index) {
  std::string found;
  for (const Tensor& t : in) {
    if (!t.defined()) continue;
    int64_t offset = t.impl()->offset, rest = index;
    for (int axis = result.rank, own = t.rank(); own-- > 0;) {
      --axis;
      if (t.shape()[own] > 1) offset += rest % result[axis] * t.strides()[own];
      rest /= result[axis];
    }
    const double value = make_view(t, {}, {}, offset).item();
    const bool narrow = is_floating(t.dtype()) && size_of(t.dtype()) < sizeof(double);
    found += (found.empty() ? "" : ", ") +
             (narrow ? fmt::format("{}", static_cast<float>(value)) : fmt::format("{}", value));
  }
  return found;
}

}  // namespace

std::optional<NotFinite> find_not_finite(const ObservedCall& call) {
  if (!call.computes()) return {};
  Health worst = finite;
  const Tensor* holder = nullptr;
  for (const Tensor& t : call.out) {
    if (Health h = health_of(t); h > worst) {
      worst = h;
      holder = &t;
    }
  }
  if (worst == finite || !attributes_are_finite(call.attrs)) return {};
  NotFinite found;
  bool overwritten = false;
  for (size_t i = 0; i < call.in.size(); ++i) {
    const Tensor& t = call.in[i];
    if (share_bytes(t, *holder)) {  // written in place: the old value is gone
      overwritten = true;
      continue;
    }
    Health h = health_of(t);
    if (h == finite) continue;
    found.from_finite = false;
    if (worst == infinite || (h == nan && t.meta().weak)) return {};
    if (h != nan) continue;
    found.operand = static_cast<int>(i);
    holder = &t;
    break;
  }
  Place place = first_of(*holder, worst);
  found.op = call.op.name;
  found.reverse = call.kind == ObservedCall::reverse;
  found.value = place.value;
  found.dtype = holder->dtype();
  found.tensor = name_of_tensor(*holder);
  found.element = position(holder->shape(), place.index);
  constexpr size_t kShown = 8;
  for (size_t i = 0; i < std::min(call.in.size(), kShown); ++i)
    found.operands += (i ? ", " : "") + name_of_tensor(call.in[i]);
  if (call.in.size() > kShown) found.operands += ", ...";
  if (found.operand < 0 && !found.reverse && !overwritten && call.op.local == Locality::element)
    found.from = elements_at(call.in, holder->shape(), place.index);
  return found;
}

std::string NotFinite::text(const std::string& where) const {
  const char* what = std::isnan(value) ? "NaN" : value > 0 ? "infinity" : "-infinity";
  std::string name = (reverse ? "the gradient of " : "") + op + "(" + operands + ")" + where;
  if (operand >= 0) {
    return fmt::format(
        "operand {} of {} has {} at {} and was not produced by an op; check the data and the "
        "parameters",
        operand + 1, name, what, element);
  }
  std::string text = fmt::format("{} produces {} at {} of {}", name, what, element, tensor);
  if (!from.empty()) text += " from " + from;
  if (size_of(dtype) == 2 && !std::isnan(value)) {
    text += fmt::format("; the largest {} number is {}", name_of(dtype),
                        dtype == DType::f16 ? to_float(f16{0x7bff}) : to_float(bf16{0x7f7f}));
  }
  return text;
}

}  // namespace gyre
