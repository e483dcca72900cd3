#pragma once
#include <cstdint>
#include <span>

#include "gyre/base/record.h"
#include "gyre/tensor/tensor.h"

namespace gyre {

/// What a step does if the gradient norm is not finite. skip: nothing; raise: throw Error{numeric}
/// naming the first parameter with such a gradient, before anything has changed; zero: replace
/// non-finite elements by 0; apply: use the gradients as they are, without clipping.
enum class NonFinite : uint8_t { skip, raise, zero, apply };
inline constexpr const char* kNonFiniteNames[] = {"skip", "raise", "zero", "apply"};
template <>
inline constexpr std::span<const char* const> kChoices<NonFinite> = kNonFiniteNames;

/// The L2 norm of all gradients together [] (f64), skipping empty ones; `finite_only` counts
/// non-finite elements as 0. Error{dtype} for gradients that are not floating.
Tensor total_norm(std::span<const Tensor> gradients, bool finite_only = false);

/// Throws the Error{numeric} of NonFinite::raise.
[[noreturn]] void refuse_non_finite(const char* op, std::span<const Tensor> gradients);

/// The factor that scales gradients of norm `norm` to at most `clip`; 1 if clip is 0.
double clip_factor(double norm, double clip);

/// Clips the gradients of `parameters` to a total norm of at most `max_norm` and returns the norm
/// before clipping; with NonFinite::zero, non-finite elements become 0 first. With skip and apply,
/// gradients with a non-finite norm are left unchanged. A gradient with other owners is replaced,
/// so theirs is unchanged. Optimizer::step clips in the same way without an extra pass.
/// Error{dtype}; Error{value} unless max_norm is above 0; Error{numeric}.
double clip_grad_norm(std::span<const Tensor> parameters, double max_norm,
                      NonFinite non_finite = NonFinite::skip);

}  // namespace gyre
