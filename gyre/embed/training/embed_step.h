#pragma once
#include <cstdint>

#include "gyre/op/op_def.h"

// Ops that train points on one batch of pairs, one for each geometry; write() runs them:
//   in:  points, which it also overwrites; rate [1] (f64); pairs [n, 1 + targets] (i32), the nodes
//        of PairBatch::pairs; rows [moved + 1, 2] and entries [m, 2] (i32), its MovedRows and
//        GradientEntries
//   out: points [nodes, dim + 2] (f64), PointTable::rows(); space [nodes, dim] (f64), the points of
//        the hyperboloid, else empty; loss [1] (f64), to which the batch's loss is added
// Numbers of nodes are not checked. Results do not depend on the number of threads.

namespace gyre {

/// Space of an embedding: the open unit ball of curvature -1 (Poincare); the hyperboloid of the
/// same curvature, by its spatial coordinates (Lorentz); Euclidean space.
enum class Geometry : uint8_t {
#define GEOMETRY(space, Body) space,
#include "gyre/embed/training/geometries.def"
#undef GEOMETRY
};
inline constexpr const char* kGeometryNames[] = {
#define GEOMETRY(space, Body) #space,
#include "gyre/embed/training/geometries.def"
#undef GEOMETRY
};
template <>
inline constexpr std::span<const char* const> kChoices<Geometry> = kGeometryNames;
constexpr const char* name_of(Geometry g) { return kGeometryNames[static_cast<size_t>(g)]; }

/// The op of a geometry.
const OpDef& embed_step_of(Geometry geometry);

}  // namespace gyre
