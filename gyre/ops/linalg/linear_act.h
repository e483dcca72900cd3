#pragma once
#include "gyre/base/record.h"
#include "gyre/tensor/tensor.h"

namespace gyre {

/// Activation after a linear layer.
enum class LinearActivation : uint8_t { none, relu, gelu, gelu_tanh, silu, sigmoid, tanh };
inline constexpr const char* kLinearActivationNames[] = {"none", "relu",    "gelu", "gelu_tanh",
                                                         "silu", "sigmoid", "tanh"};
template <>
inline constexpr std::span<const char* const> kChoices<LinearActivation> = kLinearActivationNames;

struct LinearActAttrs {
  LinearActivation act = LinearActivation::none;
};
GYRE_FIELDS(LinearActAttrs, GYRE_FIELD(act, "activation function"));

/// Fused act(x W^T + bias) as one op and one autograd node, bitwise equal to the composition.
/// Arguments and errors as in linear; Error{dtype} for integers.
Tensor linear_act(const Tensor& x, const Tensor& weight, const Tensor& bias, LinearActivation act);

}  // namespace gyre
