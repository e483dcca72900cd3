#pragma once
#include <array>
#include <span>
#include <string>

#include "gyre/relation/taxonomy.h"

namespace gyre {

struct DiskPicture {
  std::string title{}, caption{};  ///< a line each
  bool hyperbolic = true;  ///< points of the Poincare disk; else of the plane, mapped to a disk
};

/// A transitively closed taxonomy in a disk, as SVG: the edges of its transitive reduction, in the
/// Poincare disk as geodesics (arcs orthogonal to the boundary); one colour per branch; labels
/// where there is room, first those of nodes with the most descendants, and of the outermost nodes
/// around the rim. The node with the most descendants is moved to the origin by an isometry.
std::string disk_svg(const Taxonomy& closure, std::span<const std::array<double, 2>> points,
                     const DiskPicture& picture);

}  // namespace gyre
