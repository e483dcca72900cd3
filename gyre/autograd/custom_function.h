#pragma once
#include <concepts>
#include <utility>

#include "gyre/op/op_def.h"

// Functions with a reverse rule of their own, recorded as one call: hooks, checkpoints, gradcheck,
// vmap and derivatives of every order see them as an op.

namespace gyre {

/// What a backward gets: the inputs, all results of forward, and the cotangents of these, empty
/// where none arrived. `wanted[i]`: whether the cotangent of input i is asked for.
struct BackwardCall {
  Inputs in, out, grad;
  std::span<const bool> wanted;
};

/// A forward and its backward. Both are made of gyre's ops; where backward is, it can be
/// differentiated again.
struct CustomFunction : RefCounted {
  /// Results: those that the caller sees, then those that are kept for backward only.
  virtual Tensors forward(Inputs in) const = 0;
  /// A cotangent for each input, empty where it is zero. A pass that is itself differentiated may
  /// bring cotangents of what was kept for backward only, too.
  virtual Tensors backward(const BackwardCall& call) const = 0;
};

/// An op that is `function`, all of whose results its callers see: for register_op(), where name
/// and function live as long as the process. Borrows both.
OpDef custom_op(const char* name, const CustomFunction& function);

/// Calls `function`, which lives as long as the history of the results; the first `visible` of
/// them, 0: all. Errors: those of both; value when they give a wrong number of tensors.
Tensors run_custom_function(const Ref<const CustomFunction>& function, Inputs in, int visible = 0);

/// A callable with a reverse rule.
template <class F, class B>
class Custom {
 public:
  Custom(F forward, B backward, int visible)
      : function_(new Function(std::move(forward), std::move(backward))), visible_(visible) {}

  Tensors operator()(Inputs in) const { return run_custom_function(function_, in, visible_); }
  /// The first result for inputs named one by one.
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

/// A callable out of forward, Tensors(Inputs), and backward, Tensors(const BackwardCall&); see
/// CustomFunction. Results of forward past `visible` (0: none) are kept for backward.
template <class F, class B>
Custom<F, B> custom_function(F forward, B backward, int visible = 0) {
  return {std::move(forward), std::move(backward), visible};
}

}  // namespace gyre
