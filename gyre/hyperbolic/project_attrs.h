#pragma once
#include <stdint.h>

namespace gyre {

/// Default margin of projections, as a fraction of the radius; and the margin of geoopt and HypLL
/// in f32, which for c = 1 limits points to distance 6.2 from the origin.
inline constexpr double kProjectMargin = 0x1p-22, kGeooptMargin = 4e-3;

struct ProjectAttrs {
  int64_t axis = -1;
  double margin = kProjectMargin;
};

}  // namespace gyre
