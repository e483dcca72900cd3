#pragma once
#include "gyre/op/kind_handler.h"

// A kind of tensor that only tests have: it holds a plain tensor, and its handler counts the calls.

namespace gyre::conformance {

inline constexpr TensorKind kCounted = TensorKind{kMaxTensorKinds - 1};

struct CountedStorage final : KindStorage {
  explicit CountedStorage(Tensor t) : KindStorage(nullptr, 0, t.device()), held(std::move(t)) {}
  const char* description() const noexcept override { return "a counted tensor"; }
  Ref<Storage> detached() override { return make_ref<CountedStorage>(held.detach()); }
  bool tracked() const noexcept override { return held.tracked() || is_tracked_inside(held); }
  Tensor held;
};

/// Calls that its handler ran.
int64_t counted_calls();

/// Sets the handler. The tensor of this kind that holds `t`, a leaf of its own.
Tensor counted(const Tensor& t);

/// What it holds; an empty Tensor for an empty one.
Tensor uncounted(const Tensor& t);

}  // namespace gyre::conformance
