#pragma once
#include <type_traits>
#include <utility>

namespace gyre {

/// Gives a variable another value in this scope.
template <class T>
class ScopedValue {
 public:
  [[nodiscard]] ScopedValue(T& place, std::type_identity_t<T> now)
      : place_(place), before_(std::exchange(place, std::move(now))) {}
  ~ScopedValue() { place_ = std::move(before_); }
  ScopedValue(const ScopedValue&) = delete;
  ScopedValue& operator=(const ScopedValue&) = delete;

 private:
  T& place_;
  T before_;
};

}  // namespace gyre
