#pragma once
#include <cstdint>
#include <span>

#include "gyre/base/record.h"

namespace gyre {

class Tensor;

/// Activation function between two linear layers.
enum class Activation : uint8_t { gelu, gelu_tanh, relu, silu };
inline constexpr const char* kActivationNames[] = {"gelu", "gelu_tanh", "relu", "silu"};
template <>
inline constexpr std::span<const char* const> kChoices<Activation> = kActivationNames;

namespace nn {

Tensor activate(const Tensor& x, Activation activation);

}  // namespace nn
}  // namespace gyre
