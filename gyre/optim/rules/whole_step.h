#pragma once
#include "gyre/optim/optimizer.h"

// Steps of parameters as wholes, by ops (StepRoute::step).

namespace gyre {

/// The f32 weights of a 16-bit parameter, where it was overwritten since its last step its own
/// values; of another parameter its values.
Tensor weights_of(const ParameterStep& step);

/// Ends a step: writes the weights, rounded to the parameter's dtype, and the states, and counts
/// the step.
void finish_step(const ParameterStep& step, const Tensor& weights, std::span<const Tensor> states);

}  // namespace gyre
