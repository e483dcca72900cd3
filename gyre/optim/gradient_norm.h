#pragma once
#include <cstdint>
#include <span>

#include "gyre/base/record.h"
#include "gyre/optim/parameter_walk.h"
#include "gyre/tensor/tensor.h"

namespace gyre {

/// What is done when the norm of the gradients is not finite: nothing changes; Error{numeric} that
/// names the first parameter to blame, and nothing changes; elements that are not finite count as
/// 0; or gradients go in as they are, and are not clipped.
enum class NonFinite : uint8_t { skip, raise, zero, apply };
inline constexpr const char* kNonFiniteNames[] = {"skip", "raise", "zero", "apply"};
template <>
inline constexpr std::span<const char* const> kChoices<NonFinite> = kNonFiniteNames;

/// The square root of the sum of squares of all gradients, empty ones left out; `finite_only`: as
/// if elements that are not finite were 0. Error{dtype} for gradients that are not floating.
double gradient_norm(const ParameterWalk& walk, std::span<const Tensor> gradients,
                     bool finite_only = false);

/// Throws the Error{numeric} of NonFinite::raise.
[[noreturn]] void refuse_non_finite(const char* op, std::span<const Tensor> gradients);

/// By what gradients are multiplied so that their norm, which is `norm`, is at most `clip`; 1 for a
/// clip of 0.
double clip_factor(double norm, double clip);

/// Scales the gradients of `parameters` so that their norm is at most `max_norm`, and returns the
/// norm that they had; with NonFinite::zero, elements that are not finite become 0 first. With skip
/// and apply, gradients whose norm is not finite stay as they are. A gradient that others hold too
/// is replaced, theirs stays. An optimiser's step does the same without a pass of its own.
/// Error{dtype}; Error{value} for a max_norm that is not above 0; Error{numeric}.
double clip_grad_norm(std::span<const Tensor> parameters, double max_norm,
                      NonFinite non_finite = NonFinite::skip);

}  // namespace gyre
