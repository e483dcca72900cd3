#pragma once
#include <stdint.h>

namespace gyre {

/// How far from the edge, as a part of the ball's radius, points are kept; and how far geoopt and
/// HypLL keep those in f32: for c = 1 no further than 6.2 from the origin.
inline constexpr double kProjectMargin = 0x1p-22, kGeooptMargin = 4e-3;

struct ProjectAttrs {
  int64_t axis = -1;
  double margin = kProjectMargin;
};

}  // namespace gyre
