#pragma once
#include <concepts>
#include <utility>

#include "gyre/op/op_def.h"

// Functions with their own backward rule, recorded as one node: hooks, checkpoints, gradcheck, vmap
// and derivatives of any order treat them as an op.

namespace gyre {

/// Arguments of a backward: the inputs, all results of forward, and the cotangents of these (empty
/// where none arrived). `wanted[i]`: whether the cotangent of input i is needed.
struct BackwardCall {
  Inputs in, out, grad;
  std::span<const bool> wanted;
};

/// A forward and its backward, both made of gyre ops, so that backward can be differentiated again.
struct CustomFunction : RefCounted {
  /// The visible results, then those saved only for backward.
  virtual Tensors forward(Inputs in) const = 0;
  /// One cotangent per input, empty where it is zero. A differentiated pass may also pass
  /// cotangents of results that were saved only for backward.
  virtual Tensors backward(const BackwardCall& call) const = 0;
};

/// An OpDef for `function`, all of whose results are visible, for register_op(). Borrows name and
/// function, which must live as long as the process.
OpDef custom_op(const char* name, const CustomFunction& function);

/// Calls `function`, kept alive by the history of the results; returns the first `visible` results
/// (0: all). Errors: those of both rules; value if either returns the wrong number of tensors.
Tensors run_custom_function(const Ref<const CustomFunction>& function, Inputs in, int visible = 0);

/// The function of the call of run_custom_function() that recorded these attributes; null for those
/// of other ops.
const Ref<const CustomFunction>& custom_function_in(const AttrsBox& attrs);

/// A callable with its own backward rule.
template <class F, class B>
class Custom {
 public:
  Custom(F forward, B backward, int visible)
      : function_(new Function(std::move(forward), std::move(backward))), visible_(visible) {}

  Tensors operator()(Inputs in) const { return run_custom_function(function_, in, visible_); }
  /// The first result, for inputs passed as separate arguments.
  template <std::convertible_to<Tensor>... T>
    requires(sizeof...(T) > 0)
  Tensor operator()(const T&... x) const {
    const Tensor in[] = {x...};
    return std::move((*this)(Inputs(in))[0]);
  }

 private:
  struct Function final : CustomFunction {
    Function(F f, B b) : forward_(std::move(f)), backward_(std::move(b)) {}
    Tensors forward(Inputs in) const override { return forward_(in); }
    Tensors backward(const BackwardCall& call) const override { return backward_(call); }
    F forward_;
    B backward_;
  };
  Ref<const CustomFunction> function_;
  int visible_;
};

/// A callable made of forward, Tensors(Inputs), and backward, Tensors(const BackwardCall&); see
/// CustomFunction. Results of forward after the first `visible` (0: all are visible) are saved for
/// backward only.
template <class F, class B>
Custom<F, B> custom_function(F forward, B backward, int visible = 0) {
  return {std::move(forward), std::move(backward), visible};
}

}  // namespace gyre
