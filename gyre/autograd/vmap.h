#pragma once
#include <concepts>
#include <utility>

#include "gyre/autograd/transform.h"

// Functions written for one example, run on a batch: inside, each tensor stands for all slices and
// has the shape of one, and an op on such tensors runs once on the whole batch (OpDef::batch, or
// its composition). Ops without a rule run slice by slice.
//
// What one call of an op does to each slice is what a loop over the slices would do: a random op
// draws the same numbers for each (its seed and offset are attributes of the call). Draw outside
// for numbers of their own. Inside, values cannot be read (Error{value}) and nothing can be changed
// in place (Error{unsupported}). The transforms of autograd/transform.h may stand inside, outside
// and between: vmap(grad(f)) gives a gradient for each example.

namespace gyre {

/// An input that is the same for all slices.
inline constexpr int64_t kSameForAll = INT64_MIN;

/// Which axis of each input and output counts the slices; one entry is for all, none: 0.
struct VmapAxes {
  SmallVector<int64_t, 4> in, out;
};

/// f for every slice. An output that does not depend on a slice is repeated. Errors: value when no
/// input has slices or the number of axes does not fit, shape when inputs have different numbers of
/// slices, index for an axis that is not there; those of f.
Tensors vmap(TensorsFunction f, Inputs in, const VmapAxes& axes);

/// The calls of ops in this process that ran slice by slice.
int64_t sliced_calls() noexcept;

/// For the transforms: x with the slices of the innermost vmap that f runs in, if it runs in one.
Tensor in_running_batch(const Tensor& x);

/// A function for batches out of one for slices; see vmap().
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
