#pragma once
#include <span>
#include <string>

namespace gyre {

struct LossPoint {
  double step, loss;
};

/// Loss curves of a run as SVG: training loss, and validation loss with markers, against steps.
/// Points that are not finite are omitted. Long curves are reduced to about a thousand points.
std::string loss_svg(std::span<const LossPoint> training, std::span<const LossPoint> validation);

}  // namespace gyre
