#include "gyre/kernel/pointwise_tile.h"
#include "gyre/ops/elementwise/bodies.h"

namespace gyre {

#define OP(name)
#define POINTWISE(name, Body) GYRE_EXPORT_TILES(PointwiseTiles, name) = pointwise_tiles<Body>();
#include "gyre/ops/elementwise/elementwise.def"
#undef POINTWISE
#undef OP

}  // namespace gyre
