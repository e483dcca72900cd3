#pragma once
#include <array>
#include <span>
#include <string>

#include "gyre/relation/taxonomy.h"

namespace gyre {

struct DiskPicture {
  std::string title{}, caption{};  ///< a line each
  bool hyperbolic = true;  ///< points of the Poincare disk, else of a plane that is shown as a disk
};

/// A taxonomy, closed, in a disk as SVG: its edges without those that others explain, in the
/// Poincare disk as geodesics (arcs of circles that meet the boundary at right angles); a colour a
/// branch; names where there is room, those of the nodes first that are above most, and of
/// outermost nodes round the rim. What is above most is moved into the middle, by an isometry.
std::string disk_svg(const Taxonomy& closure, std::span<const std::array<double, 2>> points,
                     const DiskPicture& picture);

}  // namespace gyre
