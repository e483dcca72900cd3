#pragma once
#include <span>
#include <string>

namespace gyre {

struct LossPoint {
  double step, loss;
};

/// The curves of a training as SVG: training loss, and validation loss with its points, over steps.
/// Points that are not finite are left out. Long curves are thinned to about a thousand points.
std::string loss_svg(std::span<const LossPoint> training, std::span<const LossPoint> validation);

}  // namespace gyre
