#pragma once
#include "gyre/base/record.h"
#include "gyre/tensor/tensor.h"

namespace gyre {

/// What follows a linear layer.
enum class LinearActivation : uint8_t { none, relu, gelu, gelu_tanh, silu, sigmoid, tanh };
inline constexpr const char* kLinearActivationNames[] = {"none", "relu",    "gelu", "gelu_tanh",
                                                         "silu", "sigmoid", "tanh"};
template <>
inline constexpr std::span<const char* const> kChoices<LinearActivation> = kLinearActivationNames;

struct LinearActAttrs {
  LinearActivation act = LinearActivation::none;
};
GYRE_FIELDS(LinearActAttrs, GYRE_FIELD(act, "activation function"));

/// act(x W^T + bias) in one call and one node: the bits of the composition. Arguments and errors as
/// of linear; Error{dtype} for integers.
Tensor linear_act(const Tensor& x, const Tensor& weight, const Tensor& bias, LinearActivation act);

}  // namespace gyre
