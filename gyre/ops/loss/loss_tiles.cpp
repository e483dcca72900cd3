#include "gyre/kernel/pointwise_tile.h"
#include "gyre/kernel/rowwise_tile.h"
#include "gyre/ops/loss/bodies.h"

namespace gyre {

#define POINTWISE(name, Body) GYRE_EXPORT_TILES(PointwiseTiles, name) = pointwise_tiles<Body>();
#define ROWWISE(name, Body) GYRE_EXPORT_TILES(RowwiseTiles, name) = rowwise_tiles<Body>();
#define OP(name)
#include "gyre/ops/loss/loss.def"
#undef OP
#undef ROWWISE
#undef POINTWISE

}  // namespace gyre
