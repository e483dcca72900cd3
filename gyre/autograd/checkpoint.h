#pragma once
#include <utility>

#include "gyre/tensor/tensor.h"

namespace gyre {

/// A part of a computation; see checkpoint().
struct CheckpointBody : RefCounted {
  virtual Tensors operator()(Inputs in) const = 0;
};

/// Runs `body(in)` so that of all that its ops keep for backward only `in` and leaves that require
/// gradients stay in memory. Backward runs the body a second time when it first needs one of the
/// others. Gradients are those of body(in) bit for bit, of captured tensors too, and to any order;
/// checkpoints may lie within others.
///
/// The body must do the same each time: its random numbers are repeated (the default generator is
/// put back and restored), what it captures must not have changed. Error{value} from backward when
/// the second run keeps other values than the first. Where nothing is recorded this is body(in).
Tensors checkpoint(Ref<const CheckpointBody> body, Inputs in);

/// The same for a callable Tensors(Inputs).
template <class F>
Tensors checkpoint(F function, Inputs in) {
  struct Body final : CheckpointBody {
    explicit Body(F f) : call(std::move(f)) {}
    Tensors operator()(Inputs in) const override { return call(in); }
    F call;
  };
  return checkpoint(Ref<const CheckpointBody>(new Body(std::move(function))), in);
}

}  // namespace gyre
