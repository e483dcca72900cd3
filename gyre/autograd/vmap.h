#pragma once
#include <concepts>
#include <utility>

#include "gyre/autograd/transform.h"

// Vectorising map: functions written for one example, run on a batch. Inside, each tensor has the
// shape of one example and stands for all of them, and an op runs once on the whole batch
// (OpDef::batch, or its composition). Ops without a batching rule run in a loop over the examples.
//
// The results are those of a loop over the examples, except that a random op draws the same numbers
// for all of them (randomness="same" in torch.func); draw outside of vmap for independent numbers.
// Inside, reading values and modifying tensors in place are Error{unsupported}. vmap and the
// transforms of autograd/transform.h can be nested: vmap(grad(f)) gives per-example gradients.

namespace gyre {

/// Axis of an input that is not batched (None in JAX and torch.func).
inline constexpr int64_t kSameForAll = INT64_MIN;

/// The batch axis of each input and output; one entry applies to all, none means 0.
struct VmapAxes {
  SmallVector<int64_t, 4> in, out;
};

/// Maps f over the batch. An output that is the same for all examples is expanded. Error{value} if
/// no input is batched or the number of axes is not that of inputs or outputs, Error{shape} if
/// inputs have different batch sizes, Error{index} for an axis out of range; errors of f.
Tensors vmap(TensorsFunction f, Inputs in, const VmapAxes& axes);

/// Op calls in this process that fell back to a loop over the examples.
int64_t sliced_calls() noexcept;

/// For the transforms: x with the batch axis of the innermost vmap that f runs in, if any.
Tensor in_running_batch(const Tensor& x);

/// A batched function made of a function of one example; see vmap().
template <class F>
class Vmapped {
 public:
  Vmapped(F f, VmapAxes axes) : f_(std::move(f)), axes_(std::move(axes)) {}

  Tensors operator()(Inputs in) const
    requires(transforms::OfTensors<F>)
  {
    return vmap(TensorsFunction(f_), in, axes_);
  }
  template <std::convertible_to<Tensor>... T>
    requires(std::is_invocable_r_v<Tensor, const F&, const T&...> && sizeof...(T) > 0)
  Tensor operator()(const T&... x) const {
    const Tensor in[] = {x...};
    auto spread = [this]<size_t... i>(Inputs all, std::index_sequence<i...>) -> Tensors {
      return {f_(all[i]...)};
    };
    auto of_list = [&](Inputs all) {
      return spread(all, std::make_index_sequence<sizeof...(T)>{});
    };
    return std::move(vmap(TensorsFunction(of_list), in, axes_)[0]);
  }

 private:
  F f_;
  VmapAxes axes_;
};

/// vmap(f)(x, y): f is a callable Tensor(const Tensor&...) or Tensors(Inputs).
template <class F>
Vmapped<F> vmap(F f, VmapAxes axes = {}) {
  return {std::move(f), std::move(axes)};
}

}  // namespace gyre
